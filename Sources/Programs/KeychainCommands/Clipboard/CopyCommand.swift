// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import SecretMemory

struct CopyCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy a secret to the clipboard for a short time.",
        discussion: """
            The earlier text is restored after the timeout, if the clipboard still has the secret. Uses wl-copy and wl-paste on \
            Wayland, xclip or xsel on X11. Without a display the text goes to tmux, or to the terminal (OSC 52), whose \
            earlier text cannot be restored. NAME is chosen as by `chatelaine get`.

            EXAMPLES:
              chatelaine copy github
              chatelaine copy github --user octo --timeout 10
              chatelaine copy github --code
            """)

    @OptionGroup private var item: ItemChoice

    @Flag(help: "Copy the current one-time password instead of the secret.")
    private var code = false

    @Option(name: .shortAndLong, help: ArgumentHelp("Seconds until the clipboard is restored.", valueName: "seconds"))
    private var timeout: UInt32 = 45

    @OptionGroup private var password: ItemPasswordOptions
    @OptionGroup private var choice: KeychainChoice
    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    func validate() throws {
        let range = ClipboardKeeper.timeoutRange
        guard range.contains(timeout) else {
            throw ValidationError("--timeout must be from \(range.lowerBound) to \(range.upperBound) seconds")
        }
    }

    func run(in context: CommandContext) throws(CommandFailure) {
        let context = try choice.context(context)
        try item.names.check()
        // Streams of a terminal under its own name, which the process in another session can open.
        let terminal = (0...2).lazy.compactMap { context.machine.linkTarget("/proc/self/fd/\($0)") }
            .first { $0.hasPrefix("/dev/pts/") || $0.hasPrefix("/dev/tty") && $0 != "/dev/tty" }
        // Before the user approves the use of the secret.
        let clipboard = try Clipboard.find(on: context.machine, terminal: terminal)
        let client = try password.client(in: context, besides: [unlocking.passcodeDescriptor])
        try unlocking.unlockIfWanted(in: context)
        let found: FoundItem
        let secret: SecretBytes
        if code {
            found = try item.findSetup(in: context)
            secret = try OneTimePassword.setup(of: found, client, in: context).code(at: context.secondsSince1970())
        } else {
            found = try item.find(in: context)
            secret = try GetCommand.secret(of: found, client, in: context)
        }
        guard secret.count > 0 else {
            throw CommandFailure("the secret of \(found.name.quoted) is empty", hint: "nothing was copied")
        }
        guard isUTF8(secret.bytes), !secret.bytes.contains(0) else {
            throw CommandFailure(
                "the secret of \(found.name.quoted) is not text", hint: "`chatelaine get` prints its bytes")
        }
        guard secret.count <= Clipboard.textLimit else {
            throw CommandFailure(
                "the secret of \(found.name.quoted) is larger than \(Clipboard.textLimit >> 10) KiB",
                hint: "`chatelaine get` prints it")
        }
        try context.keepInClipboard(secret, timeout, terminal)
        if output.json {
            let members = found.name.json + [("seconds", .integer(Int64(timeout)))]
            return try context.print(JSONText.object([("result", .text("copied"))] + members).document())
        }
        let what = code ? "the code of \(visible(found.name.quoted))" : visible(found.name.quoted)
        let (unit, verb) = (timeout == 1 ? "second" : "seconds", clipboard.isRestored ? "restored" : "cleared")
        try context.print("Copied \(what). The clipboard is \(verb) in \(timeout) \(unit).\n")
    }
}
