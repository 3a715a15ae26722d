// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import FoundationEssentials

// swift-crypto passes its bytes, and takes digests, only through pointers. This is the only file of the module that
// uses them; no pointer leaves it.

extension Data {
    /// Copies borrowed bytes of swift-crypto: a key, a shared secret or a derived key. The caller wipes the copy.
    package init(lentBy owner: some ContiguousBytes) {
        // The pointer is used only while it is valid.
        self = unsafe owner.withUnsafeBytes { unsafe Data($0) }
    }
}

extension HashFunction {
    /// Returns a digest with these bytes, which another program computed; nil if their number is not that of a digest.
    ///
    /// RSA's functions take only the digest types of swift-crypto, because those name the hash, and the types have no
    /// public initialiser.
    static func digest(withBytes bytes: Data) -> Digest? {
        guard bytes.count == Digest.byteCount else { return nil }
        var digest = hash(data: Data())
        // A digest is a tuple of integers with the bytes in order from the first. The comparison would detect another
        // layout.
        unsafe withUnsafeMutableBytes(of: &digest) { unsafe $0.copyBytes(from: bytes) }
        return digest == bytes ? digest : nil
    }
}

/// A digest of any length, for ECDSA, which cuts it to the length of its curve.
struct AnyDigest: Digest {
    let bytes: Data

    /// The protocol requires a length of the type; ECDSA reads the bytes of the value.
    static var byteCount: Int { 0 }

    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try unsafe bytes.withUnsafeBytes { try unsafe body($0) }
    }
}
