// SPDX-License-Identifier: Apache-2.0

/// The first frame of a connection, sent by the service before it reads anything.
///
/// It closes the "reverse exec" attack: a program that writes a request and then becomes a trusted program before the
/// service looks. A request must repeat the nonce, so it was written after the service had looked.
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
