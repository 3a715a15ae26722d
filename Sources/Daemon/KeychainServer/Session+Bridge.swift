// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainPolicy
internal import KeychainWire

// The connection of a bridge. It names its client by a pidfd; from then on the connection is the client's, with the
// client's rights and limits.
extension Session {
    /// Serves the client of a bridge until either side ends the connection.
    func serveClient(of bridge: IdentifiedCaller) throws(ConnectionLostError) {
        var hello = Hello(nonce: nonce).frame
        try send(&hello)
        let client: IdentifiedCaller
        let entrance: KeychainEntrance
        switch try admitClient(of: bridge) {
        case .success(let admitted): (client, entrance) = admitted
        case .failure(let refusal):
            var answer = ReplyWriter.refusal(refusal)
            return try send(&answer)
        }
        defer { keychains.end(client.caller.caller) }
        var writer = ReplyWriter()
        var answer = writer.finish()
        try send(&answer)
        try serve(client, entrance)
    }

    /// Receives the first request of a bridge, and identifies the client that it names.
    private func admitClient(
        of bridge: IdentifiedCaller
    ) throws(ConnectionLostError) -> Result<(IdentifiedCaller, KeychainEntrance), Refusal> {
        guard try isGreeted(by: bridge) else {
            record(Self.notGreeted, of: AuditEvent(malformed: Self.notGreeted, by: nil), from: bridge)
            return .failure(Self.notGreeted)
        }
        let (descriptor, sender) = try receiveDescriptor(from: bridge)
        guard let descriptor else {
            let refusal = Refusal(.missingEntitlement, .bridgesOnly)
            record(refusal, of: AuditEvent(malformed: refusal, by: sender), from: bridge)
            return .failure(refusal)
        }
        let client: IdentifiedCaller
        do throws(Refusal) {
            client = try identifier.client(descriptor, bridge)
        } catch {
            let event = AuditEvent(Request<Void>.behalf, by: sender, .refused(error, .none))
            record(error, of: event, from: bridge)
            return .failure(error)
        }
        do throws(Refusal) {
            return .success((client, try enter(client.caller.caller)))
        } catch {
            return .failure(error)
        }
    }

    /// Returns the caller as the client of a bridge, if it names itself: a bridge can be a library inside its client, such
    /// as the module for PKCS #11.
    ///
    /// The connection then has the rights that the program has through an installed bridge, which each program of the user
    /// can start. So it must be identified, but need not be installed with the service.
    func client(
        itself caller: IdentifiedCaller, naming descriptor: OwnedDescriptor, _ sender: ServerConnection.Sender?
    ) -> IdentifiedCaller? {
        let itself = caller.caller.caller
        guard caller.stillIs(sender), itself.tier != .unidentified,
            let client = try? identifier.client(descriptor, caller),
            client.caller.caller.processID == itself.processID,
            client.caller.caller.processStart == itself.processStart
        else { return nil }
        return client
    }

    /// Makes the connection that of a client which is its own bridge.
    func begin(_ frame: consuming Frame, as client: IdentifiedCaller) throws(ConnectionLostError) -> Next {
        guard case .behalf = try? Request(consume frame, nonce: nonce, secret: { _ in () }) else {
            var answer = ReplyWriter.refusal(Refusal(.parameter, .malformedRequest))
            try send(&answer)
            return .end
        }
        var writer = ReplyWriter()
        var answer = writer.finish()
        try send(&answer)
        return .client(client)
    }

    /// Records the refusal of a bridge that has no client, in its user's keychain. As for any caller, its program's limit
    /// of connections comes first: beyond it there is no line.
    private func record(_ refusal: Refusal, of event: AuditEvent, from bridge: IdentifiedCaller) {
        let caller = bridge.caller.caller
        guard let entrance = try? enter(caller) else { return }
        defer { keychains.end(caller) }
        guard case .open(let pipeline) = entrance else { return }
        pipeline.service.record(event)
        pipeline.service.count(RequestMeasure(outcome: .refused(refusal)), nanoseconds: 0)
    }

    /// Receives the descriptor of the request `behalf`.
    ///
    /// - Returns: no descriptor for another request, and for a request that is not in one message with one descriptor;
    ///   no sender if the bridge is not the process or the program that was identified.
    private func receiveDescriptor(
        from bridge: IdentifiedCaller
    ) throws(ConnectionLostError) -> (OwnedDescriptor?, sender: AuditedCaller?) {
        var reader = FrameReader()
        var descriptor: OwnedDescriptor?
        let received: ServerConnection.Received
        do throws(EndpointError) {
            // The request has the fields of a greeting. More bytes in the message make its frame invalid.
            received = try connection.receive(atMost: Greeting.size + 1, keeping: &descriptor) {
                try? reader.receive($0)
            }
        } catch {
            throw ConnectionLostError()
        }
        guard received.count > 0 else { throw ConnectionLostError() }
        guard bridge.stillIs(received.sender) else { return (nil, nil) }
        guard let frame = try? reader.frame(),
            case .behalf = try? Request(consume frame, nonce: nonce, secret: { _ in () })
        else { return (nil, bridge.caller) }
        return (descriptor, bridge.caller)
    }
}
