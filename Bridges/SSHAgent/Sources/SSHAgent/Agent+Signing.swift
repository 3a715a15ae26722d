// SPDX-License-Identifier: Apache-2.0

internal import SSHAgentProtocol

// Signatures: constraints first, then the user, then the key.
extension Agent {
    func sign(_ request: SigningRequest, _ connection: AgentConnection) throws(AgentError) -> [UInt8] {
        for store in stores(connection) {
            guard let key = try store.key(request.key) else { continue }
            let data = SignedData(request.data, by: key.publicKey)
            let host = try admit(data, key, connection)
            let isForwarded = connection.sessions.isForwarded
            // The files of known hosts are read only for a prompt.
            func purpose() -> SignaturePurpose {
                SignaturePurpose(
                    data, connection.sessions, constraint: host, knownHosts: dependencies.knownHosts)
            }
            if key.needsConfirmation || (isForwarded && key.needsConfirmationIfForwarded) {
                let request = ConfirmationRequest(
                    key: key, purpose: purpose(), client: connection.client, isForwarded: isForwarded)
                guard dependencies.confirm(request) else {
                    throw AgentError("the user did not confirm the signature")
                }
            }
            return try store.signature(request, by: key, for: purpose)
        }
        throw AgentError("no key has this public key")
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
