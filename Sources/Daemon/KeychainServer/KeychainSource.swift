// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
public import KeychainPolicy

/// Finds the keychain that a connection is about.
public struct KeychainSource: Sendable {
    /// The keychain of a caller who has just connected. Throws why there is none; the caller is told.
    let begin: @Sendable (Caller) throws(Refusal) -> Pipeline
    /// The connection of a caller whom ``begin`` gave a keychain is gone.
    let end: @Sendable (Caller) -> Void
    /// Those who ask people for this service; nil where it does that itself, or not at all.
    let agents: PromptAgents?

    /// - Parameter agents: whose connections are about no keychain.
    public init(
        agents: PromptAgents? = nil, begin: @escaping @Sendable (Caller) throws(Refusal) -> Pipeline,
        end: @escaping @Sendable (Caller) -> Void
    ) {
        self.agents = agents
        self.begin = begin
        self.end = end
    }

    /// Everybody's connection is about this one.
    public static func one(_ pipeline: Pipeline) -> KeychainSource {
        KeychainSource(begin: { _ in pipeline }, end: { _ in })
    }
}
