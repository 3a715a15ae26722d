// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainEndpoint

/// The folders of the system service.
struct SystemPlaces: ParsableArguments {
    @Option(
        help: ArgumentHelp("Folder of all keychains of the system service.", valueName: "folder"))
    var stateDirectory = SystemDirectories.usual.state

    @Option(
        help: ArgumentHelp("Folder of the socket of the system service.", valueName: "folder"))
    var runtimeDirectory = SystemDirectories.usual.runtime

    var directories: SystemDirectories { SystemDirectories(runtime: runtimeDirectory, state: stateDirectory) }

    func validate() throws {
        for path in [stateDirectory, runtimeDirectory] where !path.hasPrefix("/") || path.hasSuffix("/") {
            throw ValidationError("'\(path)' is not an absolute path of a folder")
        }
    }
}
