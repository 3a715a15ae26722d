// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainKeys
internal import KeychainModel
internal import KeychainTransfer

struct SetupSSHCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "ssh",
        abstract: "Move private keys of ~/.ssh into the keychain.",
        discussion: """
            Finds private keys without a passphrase in ~/.ssh. Stores each in the keychain, checks that the agent of \
            SSH_AUTH_SOCK signs with it there, and then removes the file. The check needs your approval, as each use of \
            the key by ssh does. The public key FILE.pub stays or is written, so that ssh finds the key by its name.

            The keychain also keeps the old file, as a private item, and --undo restores it. When logins work, remove \
            it: `chatelaine list ssh:` shows it. The disk may still contain the removed file.

            EXAMPLES:
              chatelaine setup ssh --dry-run
              chatelaine setup ssh
              chatelaine setup ssh --undo
            """)

    @Flag(help: "Restore the files, and remove their keys from the keychain.")
    private var undo = false

    @Flag(help: "Report the changes without making them.")
    private var dryRun = false

    @Flag(help: "Move all keys without asking.")
    private var yes = false

    @OptionGroup private var unlocking: UnlockOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        if undo {
            try unlocking.unlockIfWanted(in: context)
            return try SSHKeyUndo(context).run(dryRun: dryRun)
        }
        let found: [SSHKeyFile]
        do throws(StreamError) {
            found = try SSHKeyFile.all(on: context.machine)
        } catch {
            throw CommandFailure("cannot read \"\(SSHKeyFile.folder(on: context.machine))\": \(error.reason)")
        }
        guard !found.isEmpty else { return try context.print("~/.ssh has no private key without a passphrase.\n") }
        if dryRun {
            for file in found { try context.print(visible(Self.plan(file)) + "\n") }
            return try context.print("Nothing was changed.\n")
        }
        guard yes || context.inputIsTerminal else {
            throw CommandFailure(
                "cannot ask for confirmation: standard input is not a terminal",
                hint: "--yes moves all keys without asking", exitCode: .usage)
        }
        guard let socket = context.machine.environment("SSH_AUTH_SOCK"), !socket.isEmpty else {
            throw CommandFailure(
                "SSH_AUTH_SOCK names no agent, so nothing can check that logins would work",
                hint: "run `systemctl --user enable --now chatelaine-ssh-agent.socket`, and log in again",
                exitCode: .unavailable)
        }
        try unlocking.unlockIfWanted(in: context)
        let move = SSHKeyMove(context, socket: socket)
        var failed = 0
        for file in found {
            if !yes {
                let question = visible(Self.plan(file)) + "\nMove it into the keychain?"
                guard try context.agrees(question) else { continue }
            }
            do throws(CommandFailure) {
                try move.run(file)
                try context.print(visible("\(file.path) was moved into the keychain") + "\n")
            } catch {
                failed += 1
                let hint = error.hint.map { visible("hint: \($0)") + "\n" } ?? ""
                context.diagnostics.writeIfPossible(
                    visible("\(file.path) was not moved: \(error.message)") + "\n" + hint)
            }
        }
        guard failed == 0 else {
            throw CommandFailure(
                failed == 1 ? "one key was not moved" : "\(failed) keys were not moved", exitCode: .partial)
        }
    }

    private static func plan(_ file: SSHKeyFile) -> String {
        switch file.state {
        case .read(_, _, let key):
            "\(file.path): a key of type \(key.publicKey.openSSHLine?.split(separator: " ").first ?? "") without a passphrase"
        case .unusable(let reason): "\(file.path) would not be moved: \(reason)"
        }
    }
}
