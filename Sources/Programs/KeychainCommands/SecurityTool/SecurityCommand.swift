// SPDX-License-Identifier: Apache-2.0

/// A command of `security`: its name, how it is used, and what runs it.
struct SecurityCommand {
    let name: String
    /// Follows `Usage: NAME `.
    let usage: String
    /// One line for the table of commands.
    let summary: String
    let run: @Sendable (SecurityInvocation) -> SecurityResult

    init(
        _ name: String, _ summary: String, usage: String = "[options...]",
        run: @escaping @Sendable (SecurityInvocation) -> SecurityResult
    ) {
        self.name = name
        self.summary = summary
        self.usage = usage
        self.run = run
    }

    /// A command of macOS for something that there is not here. It fails, and says what there is in its place.
    ///
    /// - Parameter instead: a sentence without its end.
    init(_ name: String, _ summary: String, instead: String) {
        self.init(name, summary, usage: "") { invocation in
            invocation.complain("\(name): \(instead)")
            return .failure
        }
    }

    /// The command that a word means: the first of the table that begins with it.
    static func named(_ word: String) -> SecurityCommand? {
        table.first { $0.name.hasPrefix(word) }
    }
}

/// How a command of `security` ended. The exit status is its low byte.
struct SecurityResult: Equatable {
    let code: Int32

    static let success = SecurityResult(code: 0)
    static let failure = SecurityResult(code: 1)
    /// The usage of the command is printed.
    static let usage = SecurityResult(code: 2)

    /// An `OSStatus` as a shell sees it.
    var exitStatus: Int32 { code & 0xFF }
}

/// What a command of `security` is run with.
struct SecurityInvocation {
    let context: CommandContext
    /// The words behind the command's name.
    let words: [String]
    let isVerbose: Bool

    /// Writes a line for people, prefixed with the program's name as macOS does.
    func complain(_ text: String) {
        context.diagnostics.writeIfPossible("security: \(visible(text))\n")
    }

    /// Reports an `OSStatus` that a function came back with.
    func fail(_ function: String, _ status: Int32) -> SecurityResult {
        complain("\(function): \(context.statusMessage(status))")
        return SecurityResult(code: status)
    }

    /// Writes to standard output.
    func print(_ bytes: some Collection<UInt8>) -> Bool {
        do {
            try context.print(bytes)
            return true
        } catch {
            complain(error.message)
            return false
        }
    }
}
