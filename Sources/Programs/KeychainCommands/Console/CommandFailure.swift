// SPDX-License-Identifier: Apache-2.0

/// The reason why a command failed: the message for the user, and the exit status.
///
/// Contains names and reasons, never a secret.
struct CommandFailure: Error, Hashable, Sendable {
    let message: String
    /// The recommended action, if known.
    let hint: String?
    let exitCode: ExitCode
    /// Whether the failure is that of a secret which the user may have mistyped.
    let isWrongSecret: Bool

    init(_ message: String, hint: String? = nil, exitCode: ExitCode = .failure) {
        self.init(message, hint: hint, exitCode: exitCode, isWrongSecret: false)
    }

    init(_ message: String, hint: String? = nil, exitCode: ExitCode, isWrongSecret: Bool) {
        self.message = message
        self.hint = hint
        self.exitCode = exitCode
        self.isWrongSecret = isWrongSecret
    }

    /// Exit statuses of `chatelaine`, documented in chatelaine(1). They never change.
    enum ExitCode: Int32, Hashable, Sendable {
        case success = 0
        case failure = 1
        case itemNotFound = 3
        /// The keychain service refused the request.
        case refused = 4
        /// The keychain service cannot be reached.
        case unavailable = 5
        /// Partly done: the omitted parts are reported on standard error.
        case partial = 6
        /// `doctor` found a problem that requires an action.
        case findings = 7
        /// EX_USAGE of sysexits(3)
        case usage = 64
    }

    /// Returns the lines for standard error.
    func report(styled: Bool) -> String {
        let label = styled ? "\u{1B}[1;31merror:\u{1B}[0m" : "error:"
        // Messages name items, and other users or programs may have chosen the names.
        var text = "\(label) \(visible(message))\n"
        if let hint { text += "\(Self.hintLabel(styled: styled)) \(visible(hint))\n" }
        return text
    }

    /// Returns the label before advice on standard error.
    static func hintLabel(styled: Bool) -> String { styled ? "\u{1B}[1mhint:\u{1B}[0m" : "hint:" }
}
