// SPDX-License-Identifier: Apache-2.0

/// The text form of a key with a fixed number of bytes: base32 in Crockford's alphabet, the key first and then a
/// checksum.
///
/// The alphabet has no I, L, O and U; the first three are read as the digits that they resemble. Source: Douglas
/// Crockford, "Base 32", https://www.crockford.com/base32.html (its check symbol is not used).
struct CheckedBase32: Sendable {
    let byteCount: Int
    let checksum: Checksum

    /// 16 bytes and 12 bits are 140 bits, 28 characters.
    static let recoveryKey = CheckedBase32(byteCount: 16, checksum: .dect)
    /// 32 bytes and 24 bits are 280 bits, 56 characters.
    static let credential = CheckedBase32(byteCount: 32, checksum: .openPGP)

    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// The number of characters; no bit of the last one is unused.
    var characterCount: Int { (8 * byteCount + checksum.width) / 5 }

    /// Returns the text of a key. Traps when the key has another size.
    ///
    /// - Parameter groupSize: the number of characters between hyphens; nil for no hyphens.
    func text(of key: some Collection<UInt8>, groupSize: Int? = nil) -> [UInt8] {
        precondition(key.count == byteCount, "a key of this kind has \(byteCount) bytes")
        var text: [UInt8] = []
        // Reserved at once, because a growing array leaves copies behind.
        text.reserveCapacity(2 * characterCount)
        var remainder = checksum.initial
        var (pending, pendingBits, count) = (UInt64(0), 0, 0)
        func write(_ value: UInt64, bits: Int) {
            pending = pending << UInt64(bits) | value
            pendingBits += bits
            while pendingBits >= 5 {
                pendingBits -= 5
                if let groupSize, count > 0, count.isMultiple(of: groupSize) { text.append(UInt8(ascii: "-")) }
                text.append(Self.alphabet[Int(pending >> UInt64(pendingBits) & 31)])
                count += 1
            }
            pending &= 1 << UInt64(pendingBits) - 1
        }
        for byte in key {
            checksum.add(byte, to: &remainder)
            write(UInt64(byte), bits: 8)
        }
        write(UInt64(remainder), bits: checksum.width)
        return text
    }

    /// Appends the key of a text to an array. Spaces, hyphens and line ends are skipped.
    ///
    /// Throws ``KeyTextError``. The array may then hold a part of the key.
    func read(_ text: some Sequence<UInt8>, into key: inout [UInt8]) throws(KeyTextError) {
        key.reserveCapacity(key.count + byteCount)
        var remainder = checksum.initial
        var (pending, pendingBits, count, bytesLeft) = (UInt64(0), 0, 0, byteCount)
        for byte in text where !Self.isSeparator(byte) {
            guard let value = Self.value(byte) else { throw .character(position: count + 1) }
            count += 1
            guard count <= characterCount else { continue }
            pending = pending << 5 | UInt64(value)
            pendingBits += 5
            // The bits after the key's bytes are the checksum.
            guard bytesLeft > 0, pendingBits >= 8 else { continue }
            pendingBits -= 8
            let byte = UInt8(truncatingIfNeeded: pending >> UInt64(pendingBits))
            pending &= 1 << UInt64(pendingBits) - 1
            checksum.add(byte, to: &remainder)
            key.append(byte)
            bytesLeft -= 1
        }
        guard count == characterCount else { throw .length(count, expected: characterCount) }
        guard pending == UInt64(remainder) else { throw .checksum }
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
        default: false
        }
    }

    private static func value(_ byte: UInt8) -> Int? {
        let capital = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 32 : byte
        return switch capital {
        case UInt8(ascii: "O"): 0
        case UInt8(ascii: "I"), UInt8(ascii: "L"): 1
        default: alphabet.firstIndex(of: capital)
        }
    }

    /// A cyclic redundancy check: the remainder of dividing by a polynomial. It reads the bits from the highest on, in
    /// the order of the characters. So it finds each error within as many neighbouring bits as the check has.
    struct Checksum: Sendable {
        /// In bits, at most 24.
        let width: Int
        /// The polynomial's coefficients without the highest one.
        let polynomial: UInt32
        let initial: UInt32

        /// CRC-12 of DECT, x¹² + x¹¹ + x³ + x² + x + 1. Source: ETSI EN 300 175-3.
        ///
        /// It is (x + 1) times a polynomial of degree 11 that divides no xⁿ + 1 below n = 2047. So it finds every wrong
        /// character and every exchange of two characters, neighbours or not.
        static let dect = Checksum(width: 12, polynomial: 0x80F, initial: 0)
        /// CRC-24 of OpenPGP. Source: RFC 9580, section 6.1.
        static let openPGP = Checksum(width: 24, polynomial: 0x86_4CFB, initial: 0xB7_04CE)

        func add(_ byte: UInt8, to remainder: inout UInt32) {
            remainder ^= UInt32(byte) << UInt32(width - 8)
            for _ in 0..<8 {
                let isDividing = remainder >> UInt32(width - 1) & 1 == 1
                remainder = remainder << 1 & (1 << UInt32(width) - 1)
                if isDividing { remainder ^= polynomial }
            }
        }
    }
}

/// The fault of a key's text. Contains nothing of the key.
public enum KeyTextError: Error, Hashable, Sendable {
    /// The number of characters, without spaces and hyphens.
    case length(Int, expected: Int)
    /// Not a digit or letter of the alphabet. Counted from 1, without spaces and hyphens.
    case character(position: Int)
    /// All characters are valid, but at least one is wrong.
    case checksum
    /// The text has another prefix or another version.
    case prefix
}
