// SPDX-License-Identifier: Apache-2.0

public import KeychainPolicy

/// Who answers the questions that only a person can: a prompt on the person's screen.
///
/// Asked on the thread of the connection that the question is about, with nothing of the store held, so that everybody else
/// is served meanwhile. An asker waits for a bounded time, and then says that nobody could be asked.
public struct Asker: Sendable {
    let ask: @Sendable (_ question: Question, _ mayRemember: Bool) -> PersonsAnswer

    /// - Parameter ask: `mayRemember` says whether "Always Allow" is among the answers; given nevertheless, it means "Allow".
    public init(_ ask: @escaping @Sendable (_ question: Question, _ mayRemember: Bool) -> PersonsAnswer) {
        self.ask = ask
    }

    /// There is nobody: the answer comes at once.
    public static let nobody = Asker { _, _ in .notAsked }
}
