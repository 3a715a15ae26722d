// SPDX-License-Identifier: Apache-2.0

public import SSHAgentProtocol

/// A store of private keys, as one client sees it. The calls block; those of different clients run at the same time.
public protocol AgentKeys: Sendable {
    /// Returns the keys that the client may see, in the order in which clients try them.
    func keys() throws(AgentError) -> [AgentKey]

    /// Returns the keys with exactly this public key or certificate, the most trusted one first. A store that other
    /// programs fill may have several, with rules of their own, and not all can sign.
    func keys(_ blob: [UInt8]) throws(AgentError) -> [AgentKey]

    /// Signs data with a key of this store.
    ///
    /// - Parameters:
    ///   - client: the process that requests the signature; nil if it cannot be inspected.
    ///   - purpose: returns what the signature is for, if the store prompts.
    /// - Returns: the bytes of the signature with the name of its algorithm.
    func signature(
        _ request: SigningRequest, by key: AgentKey, client: Int32?, for purpose: () -> SignaturePurpose
    ) throws(AgentError) -> [UInt8]
}

/// A key that the agent offers.
public struct AgentKey: Hashable, Sendable {
    public let publicKey: SSHPublicKey
    /// The bytes of the comment, as the client that added the key sent it.
    public let comment: [UInt8]
    /// Whether the user must confirm each signature.
    public let needsConfirmation: Bool
    /// Whether the user must confirm each signature that another machine requests.
    public let needsConfirmationIfForwarded: Bool
    /// The hosts to which the key may authenticate; nil for all.
    public let destinations: [DestinationConstraint]?
    /// The paths of the programs that may use the key; nil for all.
    public let programs: [String]?

    public init(
        _ publicKey: SSHPublicKey, comment: [UInt8], needsConfirmation: Bool = false,
        needsConfirmationIfForwarded: Bool = false, destinations: [DestinationConstraint]? = nil,
        programs: [String]? = nil
    ) {
        self.publicKey = publicKey
        self.comment = comment
        self.needsConfirmation = needsConfirmation
        self.needsConfirmationIfForwarded = needsConfirmationIfForwarded
        self.destinations = destinations
        self.programs = programs
    }
}

/// The reason why the agent refuses a request. The client gets none; the log does. It contains nothing secret.
public struct AgentError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }

    init(_ error: MessageError) { description = error.description }
}
