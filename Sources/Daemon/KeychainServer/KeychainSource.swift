// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy

/// Finds the keychain that a connection is about.
public struct KeychainSource: Sendable {
    /// The keychain of a caller who has just connected. Throws why there is none; the caller is told.
    let begin: @Sendable (Caller) throws(Refusal) -> KeychainEntrance
    /// The connection of a caller whom ``begin`` gave a keychain is gone.
    let end: @Sendable (Caller) -> Void
    /// Those who ask people for this service; nil where it does that itself, or not at all.
    let agents: PromptAgents?

    /// - Parameter agents: whose connections are about no keychain.
    init(
        agents: PromptAgents? = nil, begin: @escaping @Sendable (Caller) throws(Refusal) -> KeychainEntrance,
        end: @escaping @Sendable (Caller) -> Void
    ) {
        self.agents = agents
        self.begin = begin
        self.end = end
    }

    /// Everybody's connection is about this one, but for agents'.
    public static func one(_ pipeline: Pipeline, agents: PromptAgents? = nil) -> KeychainSource {
        KeychainSource(agents: agents, begin: { _ in .open(pipeline) }, end: { _ in })
    }
}
