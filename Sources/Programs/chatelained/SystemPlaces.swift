// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainEndpoint

/// The folders of the system service.
struct SystemPlaces: ParsableArguments {
    @Option(
        help: ArgumentHelp("The folder with everybody's keychains, of a system's service.", valueName: "folder"))
    var stateDirectory = SystemDirectories.usual.state

    @Option(
        help: ArgumentHelp("The folder with the socket of a system's service.", valueName: "folder"))
    var runtimeDirectory = SystemDirectories.usual.runtime

    var directories: SystemDirectories { SystemDirectories(runtime: runtimeDirectory, state: stateDirectory) }

    func validate() throws {
        for path in [stateDirectory, runtimeDirectory] where !path.hasPrefix("/") || path.hasSuffix("/") {
            throw ValidationError("'\(path)' is no absolute path of a folder")
        }
    }
}
