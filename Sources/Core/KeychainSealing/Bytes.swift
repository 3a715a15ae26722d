// SPDX-License-Identifier: Apache-2.0

import Crypto
import FoundationEssentials
import KeychainBytes

/// Reads a format from its first byte to its last.
typealias SealedReader = ByteReader<SealingError>

extension SealedReader {
    init(_ bytes: some Sequence<UInt8>) { self.init(Array(bytes)) }

    mutating func bytes(_ count: Int) throws(SealingError) -> [UInt8] { Array(try take(count)) }

    /// Checks the eight bytes of magic and version at the start of a format.
    mutating func magic(_ magic: [UInt8]) throws(SealingError) {
        let found = try bytes(magic.count)
        guard found.dropLast() == magic.dropLast() else { throw .damaged }
        guard found.last == magic.last else { throw .unsupportedVersion }
    }
}

extension [UInt8] {
    /// Appends an integer, big-endian.
    mutating func append(bigEndian integer: some FixedWidthInteger) {
        append(addingCapacity: integer.bitWidth / 8) { $0.append(bigEndian: integer) }
    }
}

extension OutputSpan<UInt8> {
    /// Appends an integer, big-endian.
    mutating func append(bigEndian integer: some FixedWidthInteger) {
        var shift = integer.bitWidth
        while shift > 0 {
            shift -= 8
            append(UInt8(truncatingIfNeeded: integer >> shift))
        }
    }

    mutating func append(_ bytes: Span<UInt8>) {
        for index in bytes.indices { append(bytes[index]) }
    }
}

extension Data {
    /// Overwrites the bytes with zeros in place. The caller must hold the only reference; otherwise a copy is made and
    /// wiped instead.
    package mutating func wipe() {
        resetBytes(in: startIndex..<endIndex)
    }
}

extension RandomBytes {
    /// Returns a new nonce for AES-GCM.
    func nonce() -> AES.GCM.Nonce {
        var bytes = Data(count: SealingConstants.nonceSize)
        // Filled inside the closure only.
        unsafe bytes.withUnsafeMutableBytes { unsafe fill($0) }
        // Only nonces of less than twelve bytes are refused.
        return try! AES.GCM.Nonce(data: bytes)
    }
}

extension SymmetricKey {
    /// Returns a new key from the system's generator.
    static func generate() -> SymmetricKey { SymmetricKey(size: .bits256) }

    /// Returns a copy of the key's bytes; the caller wipes it.
    func copyBytes() -> Data {
        // swift-crypto passes key bytes only as a pointer, which is copied from and not kept.
        unsafe withUnsafeBytes { unsafe Data($0) }
    }

    /// Wraps a key with RFC 3394. All keys here have the same size.
    func wrap(_ key: SymmetricKey) throws(SealingError) -> Data {
        do { return try AES.KeyWrap.wrap(key, using: self) } catch { throw .damaged }
    }

    /// Unwraps a key. swift-crypto 4 unwraps into its own array and releases it without wiping: in the service, the
    /// allocator wipes it.
    func unwrap(_ wrapped: some DataProtocol) throws(SealingError) -> SymmetricKey {
        guard wrapped.count == SealingConstants.wrappedKeySize else { throw .damaged }
        do { return try AES.KeyWrap.unwrap(wrapped, using: self) } catch { throw .damaged }
    }
}
