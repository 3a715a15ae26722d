// SPDX-License-Identifier: Apache-2.0

/// Why a command did not do what it was told: what the person reads, and the exit status.
///
/// Holds names and reasons, never a secret.
public struct CommandFailure: Error, Hashable, Sendable {
    public let message: String
    /// What to do about it, where that is known.
    public let hint: String?
    public let exitCode: ExitCode

    public init(_ message: String, hint: String? = nil, exitCode: ExitCode = .failure) {
        self.message = message
        self.hint = hint
        self.exitCode = exitCode
    }

    /// Exit statuses of `chatelaine`, documented in chatelaine(1). They never change.
    public enum ExitCode: Int32, Hashable, Sendable {
        case success = 0
        case failure = 1
        case itemNotFound = 3
        /// The keychain service refused the request.
        case refused = 4
        /// The keychain service cannot be reached.
        case unavailable = 5
        /// Done in part: what was left out is told on standard error.
        case partial = 6
        /// `doctor` found something that is to be done.
        case findings = 7
        /// EX_USAGE of sysexits(3)
        case usage = 64
    }

    /// The lines for standard error.
    func report(styled: Bool) -> String {
        let label = styled ? "\u{1B}[1;31merror:\u{1B}[0m" : "error:"
        // Messages name items, and names are other people's bytes.
        var text = "\(label) \(visible(message))\n"
        if let hint { text += "\(Self.hintLabel(styled: styled)) \(visible(hint))\n" }
        return text
    }

    /// What stands before advice on standard error.
    static func hintLabel(styled: Bool) -> String { styled ? "\u{1B}[1mhint:\u{1B}[0m" : "hint:" }
}
