// SPDX-License-Identifier: Apache-2.0

internal import SSHAgentProtocol

// Signatures: constraints first, then the user, then the key.
extension Agent {
    func sign(_ request: SigningRequest, _ connection: AgentConnection) throws(AgentError) -> [UInt8] {
        for store in stores(connection) {
            // The reason why the most trusted key did not sign.
            var refusal: AgentError?
            for key in try store.keys(request.key) {
                do throws(AgentError) {
                    if let signature = try signature(request, by: key, of: store, connection) { return signature }
                } catch {
                    refusal = refusal ?? error
                    continue
                }
                throw AgentError("the user did not confirm the signature")
            }
            if let refusal { throw refusal }
        }
        throw AgentError("no key has this public key")
    }

    /// Signs with one key, under its own rules; nil if the user does not confirm.
    private func signature(
        _ request: SigningRequest, by key: AgentKey, of store: any AgentKeys, _ connection: AgentConnection
    ) throws(AgentError) -> [UInt8]? {
        let data = SignedData(request.data, by: key.publicKey)
        let host = try admit(data, key, connection)
        let isForwarded = connection.sessions.isForwarded
        // The files of known hosts are read only for a prompt.
        func purpose() -> SignaturePurpose {
            SignaturePurpose(data, connection.sessions, constraint: host, knownHosts: dependencies.knownHosts)
        }
        if key.needsConfirmation || (isForwarded && key.needsConfirmationIfForwarded) {
            let confirmation = ConfirmationRequest(
                key: key, purpose: purpose(), client: connection.client, process: connection.process,
                isForwarded: isForwarded)
            guard dependencies.confirm(confirmation) else { return nil }
        }
        return try store.signature(request, by: key, client: connection.process, for: purpose)
    }

    /// Throws an error if a key may not sign data. Returns the name of the host in the constraint that allows it.
    private func admit(
        _ data: SignedData, _ key: AgentKey, _ connection: AgentConnection
    ) throws(AgentError) -> String? {
        if options.restrictsWebSignatures, let application = key.publicKey.application,
            !application.hasPrefix("ssh:"), data == .other
        {
            throw AgentError("the key of a security key is not for SSH, and the data is neither a login nor a message")
        }
        if let programs = key.programs {
            guard let program = connection.program, programs.contains(program) else {
                throw AgentError("the rules of the key allow its use by other programs only")
            }
        }
        guard let destinations = key.destinations else { return nil }
        guard !connection.sessions.bindings.isEmpty else {
            throw AgentError("the key is restricted to hosts, and the client did not bind its connection to a session")
        }
        guard case .authentication(let authentication) = data else {
            throw AgentError("the key is restricted to hosts, and the data is not a request for authentication")
        }
        do throws(MessageError) {
            let host = try destinations.admit(
                connection.sessions, user: authentication.user, at: dependencies.time())
            try authentication.verify(connection.sessions)
            return host
        } catch {
            throw AgentError(error)
        }
    }
}
