// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import FoundationEssentials
internal import SecretMemory

// swift-crypto gives access to its bytes, and accepts digests, only through pointers. Only this file of the module uses
// these pointers, and no pointer leaves it.

extension SecretBytes {
    convenience init(lentBy key: SymmetricKey) {
        // The pointer is used only while it is valid.
        let bytes: SecretBytes = unsafe key.withUnsafeBytes { unsafe SecretBytes(copying: $0) }
        self.init(copying: bytes.bytes)
    }
}

extension SymmetricKey {
    init(_ secret: SecretBytes) {
        // The pointer is used only while it is valid.
        self = unsafe secret.withUnsafeBytes { unsafe SymmetricKey(data: $0) }
    }
}

extension SharedSecret {
    /// A copy of the bytes, which the caller must wipe.
    var bytes: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}

/// A digest that was computed elsewhere.
struct PrecomputedDigest: Digest {
    let bytes: [UInt8]

    /// The protocol takes the length from the type; ECDSA takes the bytes from the value.
    static var byteCount: Int { TokenDigest.size }

    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try unsafe bytes.withUnsafeBytes { try unsafe body($0) }
    }
}

private enum TokenDigest {
    static let size = 32
}
