// SPDX-License-Identifier: Apache-2.0

/// `security help`: the table of commands, or the usage of some of them.
enum SecurityHelp {
    @Sendable static func run(_ invocation: SecurityInvocation) -> SecurityResult {
        if invocation.words.isEmpty {
            let lines = SecurityCommand.table.map { command in
                let padding = String(repeating: " ", count: max(0, 36 - command.name.count))
                return "    \(command.name)\(padding) \(command.summary)\n"
            }
            return invocation.print(lines.joined().utf8) ? .success : .failure
        }
        for word in invocation.words {
            guard let command = SecurityCommand.named(word) else {
                invocation.complain("help: no such command: \(word)")
                return .failure
            }
            guard invocation.print("Usage: \(command.name) \(command.usage)\n".utf8) else { return .failure }
        }
        return .success
    }
}
