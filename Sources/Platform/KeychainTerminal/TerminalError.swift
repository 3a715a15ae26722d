// SPDX-License-Identifier: Apache-2.0

/// The reason why a terminal gave no answer.
public enum TerminalError: Error, Hashable, Sendable {
    /// The terminal does not exist, or this process may not use it.
    case unavailable
    /// The user ended the input instead of answering.
    case endOfInput
    /// More bytes than a terminal passes on in one line; it drops the rest silently.
    case lineTooLong(limit: Int)
    /// A call failed; with the system's text.
    case failed(reason: String)
}
