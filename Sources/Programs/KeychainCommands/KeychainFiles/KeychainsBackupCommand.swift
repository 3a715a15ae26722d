// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import FoundationEssentials
internal import KeychainClient
internal import KeychainModel

struct KeychainsBackupCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy a complete keychain into a file.",
        discussion: """
            The copy is a keychain like its original, with the settings and the access objects, and opens with the \
            same password. It opens only on this device. The keychain may be locked, and may be in use. An existing \
            file is not replaced.

            EXAMPLES:
              chatelaine keychains backup work /media/disk/work.backup
              chatelaine keychains restore work --from /media/disk/work.backup
            """)

    @Argument(help: "Keychain to copy.")
    private var keychain: String

    @Argument(help: "Path of the copy.")
    private var file: String

    func run(in context: CommandContext) throws(CommandFailure) {
        let report = try context.existingKeychain(keychain)
        let file = absolutePath(file)
        try context.ofKeychains { client throws(ClientError) in
            try client.copyKeychain(at: report.path, to: file)
        }
    }
}

struct KeychainsRestoreCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a keychain from a copy.",
        discussion: """
            The keychain gets the contents and the password of the copy, and is added at the end of your search list. \
            If a keychain of this name exists, it stays, and nothing is restored: delete it first, or choose another \
            name.

            EXAMPLES:
              chatelaine keychains restore work --from /media/disk/work.backup
            """)

    @Argument(help: "Keychain to create.")
    private var keychain: String

    @Option(help: ArgumentHelp("Path of the copy.", valueName: "file"))
    private var from: String

    func run(in context: CommandContext) throws(CommandFailure) {
        let (keychain, file) = (keychain, absolutePath(from))
        let report = try context.ofKeychains { client throws(ClientError) in
            try client.restoreKeychain(at: keychain, from: file)
        }
        context.diagnostics.writeIfPossible(visible("restored: \(report.path)") + "\n")
    }
}

/// Returns an absolute path, because the service has another working directory.
private func absolutePath(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
}
