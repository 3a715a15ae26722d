// SPDX-License-Identifier: Apache-2.0

/// The first frame of a connection, sent by the service before it reads anything.
///
/// A request must repeat the nonce, so it was written after the service had looked: a program cannot write one and become another
/// program before the service looks.
public struct Hello: Hashable, Sendable {
    /// ``WireLimits/nonceBytes`` random bytes.
    public let nonce: [UInt8]

    public init(nonce: [UInt8]) {
        precondition(nonce.count == WireLimits.nonceBytes, "a nonce has a fixed size")
        self.nonce = nonce
    }

    public init(_ frame: Frame) throws(WireError) {
        guard frame.kind == .hello else { throw .unexpected(frame.kind) }
        var reader = frame.reader
        nonce = Array(try reader.take(WireLimits.nonceBytes))
        try reader.finish()
    }

    public var frame: [UInt8] {
        var writer = WireWriter(.hello, reserving: WireLimits.nonceBytes)
        writer.raw(nonce)
        return writer.frame()
    }
}

/// The answer to the hello, and the first frame of a client. It travels in one message with one descriptor, an end of a pair of sockets
/// that the program made for it (Documentation/Protocols/client.md, "Greeting").
///
/// It closes the reverse exec: a program connects and becomes another one, which copies what it is given (`cat`, `tee`, `curl`) to the
/// connection. Bytes come from that program then, but a descriptor beside them goes only with a deliberate call of sendmsg(2).
public enum Greeting {
    public static let size = FrameHeader.size + WireLimits.nonceBytes

    /// - Parameter nonce: that of the connection's hello.
    public static func frame(nonce: [UInt8]) -> [UInt8] {
        var writer = WireWriter(.greeting, reserving: WireLimits.nonceBytes)
        writer.raw(nonce)
        return writer.frame()
    }
}
