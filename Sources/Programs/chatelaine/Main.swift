// SPDX-License-Identifier: Apache-2.0

internal import KeychainCommands
internal import KeychainEndpoint
internal import SecurityValues

@main
struct Main {
    static func main() {
        CommandLineProgram.main(
            keychain: keychain(), statusMessage: StatusMessages.message(for:))
    }

    private static func keychain() -> KeychainLocation {
        do throws(EndpointError) {
            let endpoint = try ServiceEndpoint.current()
            return KeychainLocation(
                path: endpoint.databasePath, isOfSystem: endpoint.kind == .system,
                unusedPath: endpoint.unusedDatabasePath)
        } catch {
            // A command that needs the service reports why it is not available. Other commands show a path.
            return KeychainLocation(path: InstanceDirectories.current().keychain.databasePath)
        }
    }
}
