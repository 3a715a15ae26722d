// SPDX-License-Identifier: Apache-2.0

import KeychainBytes

/// The first frame of a connection, sent by the service before it reads anything.
///
/// A request must repeat the nonce, so it was written after the service inspected the process: a program cannot write a
/// request first and then start another program before the inspection.
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

/// The reply to the hello, and the first frame of a client. It is sent in one message with one descriptor, an end of a
/// pair of sockets that the program made for it (Documentation/Protocols/client.md, "Greeting").
///
/// It prevents the reverse exec: a program connects and then executes another one, which copies its input (`cat`,
/// `tee`, `curl`) to the connection. The bytes then come from that program, but a descriptor is sent with them only by
/// a deliberate call of sendmsg(2).
public enum Greeting {
    public static let size = FrameHeader.size + WireLimits.nonceBytes

    /// Returns the frame of a greeting.
    ///
    /// - Parameter nonce: the nonce of the connection's hello.
    public static func frame(nonce: [UInt8]) -> [UInt8] {
        var writer = WireWriter(.greeting, reserving: WireLimits.nonceBytes)
        writer.raw(nonce)
        return writer.frame()
    }
}
