// SPDX-License-Identifier: Apache-2.0

/// Why a terminal gave no answer.
public enum TerminalError: Error, Hashable, Sendable {
    /// There is no such terminal, or this process may not use it.
    case unavailable
    /// The person ended the input instead of answering.
    case endOfInput
    /// More bytes than a terminal passes on in one line; it drops the rest without a word.
    case lineTooLong(limit: Int)
    /// The terminal refused; the system's words.
    case failed(reason: String)
}
