// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import FoundationEssentials
internal import SecretMemory

// swift-crypto lends its bytes, and takes digests, only through pointers. This is the one file of the module that touches them; no
// pointer leaves it.

extension SecretBytes {
    convenience init(lentBy key: SymmetricKey) {
        // The pointer is used while it is lent.
        let bytes: SecretBytes = unsafe key.withUnsafeBytes { unsafe SecretBytes(copying: $0) }
        self.init(copying: bytes.bytes)
    }
}

extension SymmetricKey {
    init(_ secret: SecretBytes) {
        // The pointer is used while it is lent.
        self = unsafe secret.withUnsafeBytes { unsafe SymmetricKey(data: $0) }
    }
}

extension SharedSecret {
    /// Whoever takes them wipes them.
    var bytes: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}

/// A digest that somebody else computed.
struct GivenDigest: Digest {
    let bytes: [UInt8]

    /// The protocol asks the type for the length, ECDSA asks the value for its bytes.
    static var byteCount: Int { TokenDigest.size }

    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try unsafe bytes.withUnsafeBytes { try unsafe body($0) }
    }
}

private enum TokenDigest {
    static let size = 32
}
