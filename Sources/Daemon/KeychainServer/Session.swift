// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainPolicy
internal import KeychainWire
internal import SecretMemory

/// One connection, served by one thread from the hello to the end.
final class Session: Sendable {
    let connection: ServerConnection
    let pipeline: Pipeline
    let identifier: CallerIdentifier
    let activity: SessionActivity
    let nonce: [UInt8]

    init(
        connection: ServerConnection, pipeline: Pipeline, identifier: CallerIdentifier, activity: SessionActivity,
        nonce: [UInt8]
    ) {
        self.connection = connection
        self.pipeline = pipeline
        self.identifier = identifier
        self.activity = activity
        self.nonce = nonce
    }

    /// A frame that has begun must be complete within this time, or the connection ends.
    private static let frameTimeout: Duration = .seconds(10)
    private static let sendTimeout: Duration = .seconds(30)
    private static let receiveBytes = 16 * 1024

    /// Serves until either side ends the connection. Whatever ends it ends nothing else.
    func run() {
        do throws(ConnectionLost) {
            // Look first, speak then: what the caller writes in answer to the nonce was written by what was seen here.
            let caller = identifier.identify(connection)
            var hello = Hello(nonce: nonce).frame
            try send(&hello)
            try serve(caller)
        } catch {
            // The client is gone, or never was one.
        }
    }

    private func serve(_ identified: IdentifiedCaller) throws(ConnectionLost) {
        var reader = FrameReader()
        while true {
            guard let sender = try receiveFrame(&reader) else { return }
            activity.begin()
            let phase = try answer(&reader, identified, sender)
            activity.end()
            switch phase {
            case .requests: continue
            case .end: return
            case .changes(let caller): return watch(caller)
            }
        }
    }

    private func answer(
        _ reader: inout FrameReader, _ identified: IdentifiedCaller, _ sender: ServerConnection.Sender?
    ) throws(ConnectionLost) -> Pipeline.NextPhase {
        defer { reader.discard { wipe(&$0) } }
        let frame: Frame
        do throws(WireError) {
            frame = try reader.frame()
        } catch {
            var refusal = ReplyWriter.refusal(Refusal(.parameter, .malformedRequest))
            try send(&refusal)
            return .end
        }
        return try pipeline.respond(
            to: frame, nonce: nonce,
            identify: { () throws(Refusal) in
                guard identified.stillIs(sender) else { throw Refusal(.missingEntitlement, .unidentifiedCaller) }
                return identified.caller
            },
            send: { frame throws(ConnectionLost) in try send(&frame) })
    }

    /// Receives one request, all of which one process must have sent.
    ///
    /// - Returns: the sender; nil at the end of the connection.
    private func receiveFrame(_ reader: inout FrameReader) throws(ConnectionLost) -> ServerConnection.Sender?? {
        var sender: ServerConnection.Sender??
        while true {
            let received = try receive(&reader)
            guard received.count > 0 else { return nil }
            if let sender, sender != received.sender { throw ConnectionLost() }
            let isFirst = sender == nil
            sender = .some(received.sender)
            guard try !isComplete(reader) else {
                if !isFirst { try setReceiveTimeout(nil) }
                return sender
            }
            // A client may be silent between requests for as long as it likes, but not within one.
            if isFirst { try setReceiveTimeout(Self.frameTimeout) }
        }
    }

    private func receive(_ reader: inout FrameReader) throws(ConnectionLost) -> ServerConnection.Received {
        let size: Int
        do throws(WireError) {
            // A request of usual size comes in one piece; a large one should not take a thousand calls.
            size = (try reader.missing ?? 0) > Self.receiveBytes ? 16 * Self.receiveBytes : Self.receiveBytes
        } catch {
            size = Self.receiveBytes
        }
        let result: Result<ServerConnection.Received, ConnectionLost> = unsafe withUnsafeTemporaryAllocation(
            byteCount: size, alignment: 8
        ) { buffer in
            do throws(EndpointError) {
                // SAFETY: the buffer lives until the closure ends, and only the part that was received is read.
                let received = try unsafe connection.receive(into: buffer)
                let bytes = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<received.count])
                defer { unsafe wipe(bytes) }
                do throws(WireError) {
                    try unsafe reader.receive(bytes)
                } catch {
                    return .failure(ConnectionLost())
                }
                return .success(received)
            } catch {
                return .failure(ConnectionLost())
            }
        }
        return try result.get()
    }

    /// True also for bytes that cannot become a frame: reading the frame says why.
    private func isComplete(_ reader: FrameReader) throws(ConnectionLost) -> Bool {
        do throws(WireError) {
            return try reader.missing == nil
        } catch {
            return true
        }
    }

    private func send(_ frame: inout [UInt8]) throws(ConnectionLost) {
        let result: Result<Void, ConnectionLost> = unsafe frame.withUnsafeBytes { bytes in
            do throws(EndpointError) {
                // SAFETY: the array lives across the call.
                return .success(try unsafe connection.send(bytes, timeout: Self.sendTimeout))
            } catch {
                return .failure(ConnectionLost())
            }
        }
        wipe(&frame)
        try result.get()
    }

    private func setReceiveTimeout(_ timeout: Duration?) throws(ConnectionLost) {
        do throws(EndpointError) {
            try connection.setReceiveTimeout(timeout)
        } catch {
            throw ConnectionLost()
        }
    }

    /// Delivers changes until the client ends the connection, or says anything at all.
    private func watch(_ caller: Caller) {
        activity.watch()
        let connection = connection
        let feed = pipeline.service.changes
        let number = feed.add(
            caller,
            deliver: { _, frame in
                // SAFETY: the array lives across the call.
                unsafe frame.withUnsafeBytes { bytes in unsafe connection.sendWithoutWaiting(bytes) }
            },
            drop: { connection.shutDown() })
        defer { feed.remove(number) }
        var reader = FrameReader()
        _ = try? receive(&reader)
    }
}
