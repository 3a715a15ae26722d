// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainModel
internal import KeychainPlatform
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
        guard try isGreeted(by: bridge) else { return .failure(Self.notGreeted) }
        guard let descriptor = try receiveDescriptor(from: bridge) else {
            return .failure(Refusal(.missingEntitlement, .bridgesOnly))
        }
        do throws(Refusal) {
            let client = try identifier.client(descriptor, bridge)
            return .success((client, try enter(client.caller.caller)))
        } catch {
            return .failure(error)
        }
    }

    /// Receives the descriptor of the request `behalf`.
    ///
    /// - Returns: nil for another request, and for a request that is not in one message with one descriptor.
    private func receiveDescriptor(from bridge: IdentifiedCaller) throws(ConnectionLostError) -> OwnedDescriptor? {
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
        guard let frame = try? reader.frame(), bridge.stillIs(received.sender),
            case .behalf = try? Request(consume frame, nonce: nonce, secret: { _ in () })
        else { return nil }
        return descriptor
    }
}
