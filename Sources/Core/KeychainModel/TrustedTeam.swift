// SPDX-License-Identifier: Apache-2.0

/// A team whose programs may hold lasting grants. Every program can make a team, so the user or the machine's policy
/// must name the trusted ones.
public struct TrustedTeam: Hashable, Sendable {
    /// The team identifier of a code signature (Documentation/Formats/code-signature.md).
    public let identifier: String
    /// Whether the machine's policy names it, so that no user can remove it.
    public let isOfMachine: Bool

    /// The largest number of teams that a user can trust.
    public static let limit = 1000

    public init(_ identifier: String, isOfMachine: Bool) {
        self.identifier = identifier
        self.isOfMachine = isOfMachine
    }
}
