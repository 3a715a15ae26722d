// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import FoundationEssentials

// swift-crypto lends its bytes, and takes digests, only through pointers. This is the one file of the module that touches
// them; no pointer leaves it.

extension Data {
    /// A copy of bytes that swift-crypto lends: of a shared secret or a derived key. Whoever takes it wipes it.
    init(lentBy owner: some ContiguousBytes) {
        // The pointer is used while it is lent.
        self = unsafe owner.withUnsafeBytes { unsafe Data($0) }
    }
}

extension HashFunction {
    /// The digest with these bytes, which somebody else computed; nil when they are not as many as a digest has.
    ///
    /// RSA's functions take the digest types of swift-crypto alone, as those name the hash, and the types have no
    /// initialiser of their own.
    static func digest(withBytes bytes: Data) -> Digest? {
        guard bytes.count == Digest.byteCount else { return nil }
        var digest = hash(data: Data())
        // A digest is a tuple of integers, the bytes in order from the first. Were that ever different, the comparison
        // would say so.
        unsafe withUnsafeMutableBytes(of: &digest) { unsafe $0.copyBytes(from: bytes) }
        return digest == bytes ? digest : nil
    }
}

/// A digest of any length, for ECDSA, which cuts it to the length of its curve.
struct AnyDigest: Digest {
    let bytes: Data

    /// The protocol asks the type for the length, ECDSA asks the value for its bytes.
    static var byteCount: Int { 0 }

    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try unsafe bytes.withUnsafeBytes { try unsafe body($0) }
    }
}
