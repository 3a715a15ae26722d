// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
public import KeychainWire
public import SecretMemory

/// Whether somebody may be asked.
public typealias AuthenticationInteraction = RequestAuthentication<SecretBytes.BytesView>.Interaction

/// What goes with the requests of a client, and what becomes of proofs that come back.
public struct ClientAuthentication: Sendable {
    let fields: RequestAuthentication<SecretBytes.BytesView>
    let keep: @Sendable (_ proof: [UInt8]) -> Void

    /// - Parameter keep: given each proof that an answer brings, before the answer is returned. Comes only where
    ///   ``RequestAuthentication/keepsProof`` is set.
    public init(
        _ fields: RequestAuthentication<SecretBytes.BytesView>,
        keep: @escaping @Sendable (_ proof: [UInt8]) -> Void = { _ in }
    ) {
        self.fields = fields
        self.keep = keep
    }
}

// Requests for which somebody may have to show to be there.
extension KeychainClient {
    /// The same client, whose requests for items and keys say how to ask and what was shown before.
    ///
    /// - Parameter authentication: nil: nothing to say.
    /// - Throws: `.refused` with `errSecParam` for texts, proofs or a password larger than ``WireLimits`` allows.
    public func authenticating(_ authentication: ClientAuthentication?) throws(ClientError) -> KeychainClient {
        guard let authentication else { return self }
        guard authentication.fields.isWithinLimits else { throw .refused(Refusal(.parameter, .none)) }
        var client = self
        client.authentication = authentication
        return client
    }

    /// What could be shown, and where it would be asked for. Asks nobody.
    ///
    /// - Throws: `.unavailable`, `.refused` for a caller that may not use the keychain at all.
    public func authenticationState() throws(ClientError) -> AuthenticationState {
        try authenticate(.state).state
    }

    /// Has the caller's user show to be there. Blocks until the person has answered, or will not any more.
    ///
    /// - Returns: how it ended, whatever that is; with a proof for requests to come of this process if it succeeded.
    /// - Throws: `.unavailable`, `.refused` for a caller that may not use the keychain at all.
    public func authenticate(_ request: AuthenticationRequest) throws(ClientError) -> AuthenticationAnswer {
        // Not again by itself: the person may have answered already.
        try answer(to: Request<[UInt8]>.authentication(request), isRepeatable: request == .state) {
            frame throws(WireError) in try AuthenticationAnswer(frame)
        }
    }

    func frame<Secret: Collection<UInt8>>(of request: Request<Secret>, nonce: [UInt8]) -> [UInt8] {
        guard let keychain, request.isAboutItems else { return authenticatedFrame(of: request, nonce: nonce) }
        return authenticatedFrame(of: .inKeychain(keychain, request), nonce: nonce)
    }

    private func authenticatedFrame(of request: Request<some Collection<UInt8>>, nonce: [UInt8]) -> [UInt8] {
        guard let authentication, request.mayNeedAuthentication else { return request.frame(nonce: nonce) }
        return request.frame(nonce: nonce, with: authentication.fields)
    }

    func keepsProof(in frame: Frame) throws(WireError) -> Bool {
        guard let authentication, frame.kind == .proof else { return false }
        authentication.keep(try ProofFrame(frame).proof)
        return true
    }
}
