// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

struct DevCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev",
        abstract: "Choose the development folders, whose programs keep their items over rebuilds.",
        discussion: """
            An unsigned program is identified by the content of its file, so each rebuild is another program and finds \
            none of the items of the build before. Below a development folder, a program also has an access group by \
            its name, which stays over rebuilds.

            This protects less: any of your programs can write in the folder, and then read the items of these groups. \
            For programs that you install, use signatures (`chatelaine codesign`, `swift package codesign`).

            EXAMPLES:
              chatelaine dev trust ./mail
              chatelaine dev list
              chatelaine dev revoke ./mail
            """,
        subcommands: [ListDevelopmentFoldersCommand.self, TrustFolderCommand.self, RevokeFolderCommand.self],
        defaultSubcommand: ListDevelopmentFoldersCommand.self)
}

struct ListDevelopmentFoldersCommand: ContextCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Show the development folders.")

    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let folders = try context.administer { client throws(ClientError) in try client.developmentFolders() }
        if output.json {
            let objects = folders.map { JSONText.object([("folder", .text($0))]) }
            return try context.print(JSONText.array(objects).document())
        }
        guard !folders.isEmpty else { return try context.print("No folder is trusted for development.\n") }
        var table = TextTable(["FOLDER"])
        for folder in folders { table.append([folder]) }
        try context.print(table.text(styled: context.outputIsStyled))
    }
}

struct TrustFolderCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Let the unsigned programs below a folder keep their items over rebuilds.",
        discussion: """
            The folder must belong to you, and no other user may own or write it or a folder on its path. Links are \
            resolved. Requires the passcode or the recovery key if a passcode is set. Without a passcode, in the \
            system service, you authorize the change by polkit, with your login password. The machine's policy may \
            forbid it.

            A program below the folder gets no remembered grants for items of other programs, and is not enforced.
            """)

    @Argument(help: "Folder of the programs, such as the folder of a Swift package.", completion: .directory)
    private var folder: String

    @OptionGroup private var proof: ProofOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let path: String
        do throws(StreamError) {
            path = try context.files.folderPath(folder)
        } catch {
            throw CommandFailure("cannot use the folder \"\(folder)\": \(error.reason)")
        }
        guard DevelopmentFolder.isPath(path) else {
            throw CommandFailure(
                "the path \"\(path)\" cannot be trusted: it is the root, has control characters, or is longer than "
                    + "\(DevelopmentFolder.pathBytes) bytes", hint: "use the folder of one package")
        }
        let secret = try proof.proofIfProtected(in: context)
        try context.loosen(with: secret) { client throws(ClientError) in
            try client.trustFolder(path, proof: secret)
        }
        let folders = try context.administer { client throws(ClientError) in try client.developmentFolders() }
        guard folders.contains(path) else {
            throw CommandFailure(
                "another program changed the keychain's file, so no development folder counts",
                hint: "`chatelaine status` shows the change; after `chatelaine status --accept-contents`, trust the "
                    + "folder again")
        }
        try context.report("trusted", path, json: output.json)
    }
}

struct RevokeFolderCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Remove a development folder.",
        discussion: """
            The items that its programs stored stay: `chatelaine list` shows them, and the programs find them again if \
            you trust the folder again.
            """)

    @Argument(help: "Folder, or its path as `chatelaine dev list` shows it.", completion: .directory)
    private var folder: String

    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        // The folder may no longer exist.
        let path = (try? context.files.folderPath(folder)) ?? folder
        let folders = try context.administer { client throws(ClientError) in try client.developmentFolders() }
        guard folders.contains(path) else {
            throw CommandFailure(
                "the folder \"\(path)\" is not trusted for development",
                hint: "`chatelaine dev list` shows the trusted folders")
        }
        try context.administer { client throws(ClientError) in try client.revokeFolder(path) }
        try context.report("revoked", path, json: output.json)
    }
}

extension CommandContext {
    fileprivate func report(_ result: String, _ folder: String, json: Bool) throws(CommandFailure) {
        if json {
            return try print(JSONText.object([("result", .text(result)), ("folder", .text(folder))]).document())
        }
        let folder = visible(folder)
        try print(
            result == "trusted"
                ? "Unsigned programs below \(folder) keep their items over rebuilds now.\n"
                    + "Any of your programs can write there, and so read these items.\n"
                : "Unsigned programs below \(folder) no longer keep their items over rebuilds.\n")
    }
}
