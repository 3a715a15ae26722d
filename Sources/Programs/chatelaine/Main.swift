// SPDX-License-Identifier: Apache-2.0

internal import KeychainCommands
internal import KeychainEndpoint
internal import Security

@main
struct Main {
    static func main() {
        CommandLineProgram.main(
            keychainPath: InstanceDirectories.current().databasePath,
            statusMessage: { SecCopyErrorMessageString($0, nil).map { $0 as String } ?? "OSStatus \($0)" })
    }
}
