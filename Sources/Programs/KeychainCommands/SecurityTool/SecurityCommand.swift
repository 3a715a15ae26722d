// SPDX-License-Identifier: Apache-2.0

/// A command of `security`: its name, its usage, and its function.
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

    /// Creates a command of macOS whose function does not exist here. It fails, and names the alternative.
    ///
    /// - Parameter instead: a sentence without its end.
    init(_ name: String, _ summary: String, instead: String) {
        self.init(name, summary, usage: "") { invocation in
            invocation.complain("\(name): \(instead)")
            return .failure
        }
    }

    /// Returns the command that a word means: the first command in the table that begins with the word.
    static func named(_ word: String) -> SecurityCommand? {
        table.first { $0.name.hasPrefix(word) }
    }
}

/// The result of a command of `security`. The exit status is its low byte.
struct SecurityResult: Equatable {
    let code: Int32

    static let success = SecurityResult(code: 0)
    static let failure = SecurityResult(code: 1)
    /// The usage of the command is printed.
    static let usage = SecurityResult(code: 2)

    /// An `OSStatus` as a shell sees it.
    var exitStatus: Int32 { code & 0xFF }
}

/// The input of a command of `security`.
struct SecurityInvocation {
    let context: CommandContext
    /// The words after the command's name.
    let words: [String]
    let isVerbose: Bool

    /// Writes a line to standard error, prefixed with the program's name as macOS does.
    func complain(_ text: String) {
        context.diagnostics.writeIfPossible("security: \(visible(text))\n")
    }

    /// Reports an `OSStatus` that a function returned.
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
