// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import FoundationEssentials
internal import KeychainClient
internal import KeychainModel

struct KeychainsBackupCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy a keychain as a whole into a file.",
        discussion: """
            The copy is a keychain like its original, settings and access lists included, and opens with the same password. It \
            needs this device: on another one it is of no use. The keychain may be locked, and may be in use. A file that \
            is there already stays.

            EXAMPLES:
              chatelaine keychains backup work /media/disk/work.backup
              chatelaine keychains restore work --from /media/disk/work.backup
            """)

    @Argument(help: "The keychain.")
    var keychain: String

    @Argument(help: "Where the copy goes.")
    var file: String

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
        abstract: "Make a keychain of a copy.",
        discussion: """
            The keychain gets all that is in the copy, with its password, and comes to the end of your search list. Where \
            there is a keychain of that name, it stays, and nothing is restored: delete it before, or choose another name.

            EXAMPLES:
              chatelaine keychains restore work --from /media/disk/work.backup
            """)

    @Argument(help: "The keychain to be made.")
    var keychain: String

    @Option(help: ArgumentHelp("The copy.", valueName: "file"))
    var from: String

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
