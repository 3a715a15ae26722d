// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainEndpoint
internal import KeychainTerminal
internal import SecretMemory

/// The process that puts a secret into the clipboard and removes it after some time. It is in a session of its own, so
/// it outlives the terminal, and one exists for each user: another one has it finish first.
///
/// Its standard input and output are a socket of the command. It receives the size of the secret in four bytes, the
/// most significant first, and the secret; it answers with the size of an error's text in a byte, 0 for none, and the
/// text.
struct ClipboardKeeper: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "clipboard-keeper",
        abstract: "Keep a secret in the clipboard for some time. Only `chatelaine copy` runs this.",
        shouldDisplay: false)

    /// The seconds after which the secret is removed.
    static let timeoutRange: ClosedRange<UInt32> = 1...3600

    @Option(help: "Seconds until the clipboard is restored.")
    private var timeout: UInt32

    @Option(help: "Path of the terminal.")
    private var terminal: String?

    func validate() throws {
        guard Self.timeoutRange.contains(timeout) else { throw ValidationError("--timeout is out of range") }
    }

    /// The time for the predecessor to end, which runs two programs.
    private static let takeoverPatience = Duration.seconds(15)
    /// The time until the clipboard has the secret.
    private static let startPatience = Duration.seconds(45)

    // MARK: The command's side

    /// Starts the process, and returns when the clipboard has the secret.
    static func start(_ secret: SecretBytes, seconds: UInt32, terminal: String?) throws(CommandFailure) {
        guard let program = ownExecutablePath() else {
            throw CommandFailure("cannot find this program's own file", hint: "is /proc mounted?")
        }
        let arguments =
            ["clipboard-keeper", "--timeout", String(seconds)] + (terminal.map { ["--terminal", $0] } ?? [])
        var request: [UInt8] = []
        request.reserveCapacity(secret.count + 4)
        defer { wipe(&request) }
        for shift in [24, 16, 8, 0] { request.append(UInt8(truncatingIfNeeded: secret.count >> shift)) }
        request += secret.bytes
        let conversation: HelperConversation
        do throws(SystemCallError) {
            conversation = try HelperConversation(
                with: program, arguments: arguments, environment: nil, options: [.newSession, .closedDescriptors])
        } catch {
            throw CommandFailure("cannot run \(program): \(error.reason)")
        }
        // However this ends, the process removes the secret by itself.
        defer { conversation.program.detach() }
        var reply: [UInt8] = []
        do throws(HelperError.Reason) {
            try conversation.answer(to: request, until: .now + startPatience, limit: 256, into: &reply) { reply in
                reply.first.map { Int($0) + 1 }
            }
        } catch {
            conversation.program.signal(15)
            throw CommandFailure("the process that keeps the clipboard did not answer", hint: "nothing was copied")
        }
        guard reply.count == 1 else {
            throw CommandFailure(String(decoding: reply.dropFirst(), as: UTF8.self), hint: "nothing was copied")
        }
    }

    // MARK: The process's side

    func run(in context: CommandContext) throws(CommandFailure) {
        CurrentProcess.confineHelper(toSeconds: timeout + 120)
        CurrentProcess.holdEndSignals()
        guard let secret = Self.receive() else {
            throw CommandFailure(
                "there is no secret on standard input", hint: "use `chatelaine copy`", exitCode: .usage)
        }
        let role: ExclusiveProcess
        let clipboard: Clipboard
        let earlier: SecretBytes?
        do throws(CommandFailure) {
            role = try Self.takeRole()
            clipboard = try Clipboard.find(on: context.machine, terminal: terminal)
            earlier = clipboard.isRestored ? clipboard.text() : nil
            try clipboard.set(secret: secret)
        } catch {
            let text = Array(error.message.utf8.prefix(255))
            try context.print([UInt8(text.count)] + text)
            throw error
        }
        // The command may have ended already, but the secret still has to be removed later.
        try? context.output.write([0])
        defer { withExtendedLifetime(role) {} }
        CurrentProcess.pause(seconds: timeout)
        // Another text stays: the user has copied it meanwhile.
        guard clipboard.mayHave(secret) else { return }
        if let earlier { try clipboard.set(earlier) } else { try clipboard.clear() }
    }

    private static func receive() -> SecretBytes? {
        let message = DescriptorStream.standardInput.message(atMost: Clipboard.textLimit + 4, isSecret: true) { bytes in
            bytes.count < 4 ? 4 : 4 + bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
        }
        guard var bytes = message else { return nil }
        defer { wipe(&bytes) }
        return SecretBytes(copying: bytes.dropFirst(4))
    }

    private static func takeRole() throws(CommandFailure) -> ExclusiveProcess {
        let folders = InstanceDirectories.current()
        do throws(DirectoryError) {
            try folders.prepareRuntime()
        } catch {
            throw CommandFailure(error.description)
        }
        do throws(SystemCallError) {
            return try ExclusiveProcess(takingOver: folders.runtime + "/clipboard.lock", within: takeoverPatience)
        } catch {
            throw CommandFailure("another `chatelaine copy` does not end: \(error.reason)")
        }
    }
}
