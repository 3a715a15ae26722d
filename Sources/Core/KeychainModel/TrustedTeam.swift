// SPDX-License-Identifier: Apache-2.0

/// A team whose programs may hold lasting grants. Anybody can make a team, so somebody has to say which ones are known.
public struct TrustedTeam: Hashable, Sendable {
    /// As in a code signature (Documentation/Formats/code-signature.md).
    public let identifier: String
    /// The machine's policy names it, and no user takes it off.
    public let isOfMachine: Bool

    /// So many teams can be trusted by a user.
    public static let limit = 1000

    public init(_ identifier: String, isOfMachine: Bool) {
        self.identifier = identifier
        self.isOfMachine = isOfMachine
    }
}
