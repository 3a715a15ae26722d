// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
public import KeychainWire
public import SecretMemory

/// Whether requests may prompt the user.
public typealias AuthenticationInteraction = RequestAuthentication<SecretBytes.BytesView>.Interaction

/// The authentication data of a client's requests, and the handling of returned proofs.
public struct ClientAuthentication: Sendable {
    let fields: RequestAuthentication<SecretBytes.BytesView>
    let keep: @Sendable (_ proof: [UInt8]) -> Void

    /// - Parameter keep: called with each proof of an answer before the answer is returned, only if
    ///   ``RequestAuthentication/keepsProof`` is set.
    public init(
        _ fields: RequestAuthentication<SecretBytes.BytesView>,
        keep: @escaping @Sendable (_ proof: [UInt8]) -> Void = { _ in }
    ) {
        self.fields = fields
        self.keep = keep
    }
}

// Requests that may require owner authentication.
extension KeychainClient {
    /// The same client, whose requests for items and keys contain these prompt settings and proofs.
    ///
    /// - Parameter authentication: nil for none.
    /// - Throws: `.refused` with `errSecParam` for texts, proofs or a password larger than ``WireLimits`` allows.
    public func authenticating(_ authentication: ClientAuthentication?) throws(ClientError) -> KeychainClient {
        guard let authentication else { return self }
        guard authentication.fields.isWithinLimits else { throw .refused(Refusal(.parameter, .none)) }
        var client = self
        client.authentication = authentication
        return client
    }

    /// Returns the available authentication methods, and where a prompt would be shown. Does not prompt.
    ///
    /// - Throws: `.unavailable`, `.refused` for a caller that may not use the keychain at all.
    public func authenticationState() throws(ClientError) -> AuthenticationState {
        try authenticate(.state).state
    }

    /// Prompts the caller's user to authenticate. Blocks until the prompt has ended.
    ///
    /// - Returns: the outcome, whatever it is; on success with a proof for later requests of this process.
    /// - Throws: `.unavailable`, `.refused` for a caller that may not use the keychain at all.
    public func authenticate(_ request: AuthenticationRequest) throws(ClientError) -> AuthenticationAnswer {
        // Not repeated automatically: the user may have answered already.
        try answer(to: Request<[UInt8]>.authentication(request), isRepeatable: request == .state) {
            frame throws(WireError) in try AuthenticationAnswer(frame)
        }
    }
}
