// SPDX-License-Identifier: Apache-2.0

/// A password during an estimate: one number for each character, overwritten afterwards.
struct PasswordCharacters {
    /// Unicode scalars; each byte that is not UTF-8 counts as one character.
    private(set) var scalars: [UInt32]

    init(_ scalars: ArraySlice<UInt32>) {
        self.scalars = Array(scalars)
    }

    /// Takes at most `limit` characters of a text.
    init(_ bytes: Span<UInt8>, limit: Int) {
        scalars = []
        // Reserved at once, because a growing array leaves copies behind.
        scalars.reserveCapacity(limit)
        var place = 0
        while place < bytes.count, scalars.count < limit {
            let (scalar, length) = Self.scalar(in: bytes, at: place)
            scalars.append(scalar)
            place += length
        }
    }

    var count: Int { scalars.count }

    /// As lowercase ASCII; 0 for a character that is not ASCII.
    var folded: [UInt8] {
        scalars.map { scalar in
            switch scalar {
            case 0x41...0x5A: UInt8(scalar) + 0x20
            case 1...0x7F: UInt8(scalar)
            default: 0
            }
        }
    }

    /// Returns a digit's value; nil for another character, or beyond the end.
    func digit(at place: Int) -> Int? {
        guard scalars.indices.contains(place), case 0x30...0x39 = scalars[place] else { return nil }
        return Int(scalars[place]) - 0x30
    }

    mutating func overwrite() { KeychainPasswords.overwrite(&scalars) }

    private static func scalar(in bytes: Span<UInt8>, at place: Int) -> (UInt32, length: Int) {
        let first = bytes[place]
        let length =
            switch first {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        guard length > 1, place + length <= bytes.count else { return (UInt32(first), 1) }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for next in 1..<length {
            let byte = bytes[place + next]
            guard byte & 0xC0 == 0x80 else { return (UInt32(first), 1) }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        // Excludes overlong forms and surrogates.
        guard Unicode.Scalar(value) != nil, value >= [0, 0, 0x80, 0x800, 0x1_0000][length] else {
            return (UInt32(first), 1)
        }
        return (value, length)
    }
}

/// Overwrites data derived from a password. Not inlined, because a compiler could otherwise remove the writes as
/// unused.
@inline(never)
func overwrite<Number: FixedWidthInteger>(_ numbers: inout [Number]) {
    for index in numbers.indices { numbers[index] = 0 }
}
