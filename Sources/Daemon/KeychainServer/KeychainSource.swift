// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy

/// Finds the keychain of a connection.
public struct KeychainSource: Sendable {
    /// Returns whether programs of a user can have a keychain here. Otherwise their connections are refused before they
    /// take a place.
    let serves: @Sendable (_ user: UInt32) -> Bool
    /// Returns the keychain of a caller that has just connected. Throws the reason if there is none; the caller is
    /// told.
    let begin: @Sendable (Caller) throws(Refusal) -> KeychainEntrance
    /// Called when the connection of a caller to which ``begin`` gave a keychain has ended.
    let end: @Sendable (Caller) -> Void
    /// The agents that show prompts for this service; nil if it shows prompts itself, or has none.
    let agents: PromptAgents?

    /// Creates a source.
    ///
    /// - Parameter agents: the agents, whose connections use no keychain.
    init(
        agents: PromptAgents? = nil, serves: @escaping @Sendable (_ user: UInt32) -> Bool = { _ in true },
        begin: @escaping @Sendable (Caller) throws(Refusal) -> KeychainEntrance,
        end: @escaping @Sendable (Caller) -> Void
    ) {
        self.agents = agents
        self.serves = serves
        self.begin = begin
        self.end = end
    }

    /// Returns a source that gives this keychain to every connection, except those of agents.
    public static func one(_ pipeline: Pipeline, agents: PromptAgents? = nil) -> KeychainSource {
        KeychainSource(agents: agents, begin: { _ in .open(pipeline) }, end: { _ in })
    }
}
