// SPDX-License-Identifier: Apache-2.0

/// A set of ASCII characters.
struct ASCIICharacters: Hashable, Sendable {
    private var bits: UInt128

    private init(bits: UInt128) { self.bits = bits }

    init() { bits = 0 }

    /// Creates a set; characters that are not ASCII are ignored.
    init(_ text: String) {
        self.init()
        for byte in text.utf8 where byte < 0x80 { bits |= 1 << UInt128(byte) }
    }

    init(_ range: ClosedRange<UInt8>) {
        self.init()
        for byte in range where byte < 0x80 { bits |= 1 << UInt128(byte) }
    }

    static let upper = ASCIICharacters(0x41...0x5A)
    static let lower = ASCIICharacters(0x61...0x7A)
    static let digits = ASCIICharacters(0x30...0x39)
    /// Apple's list: all printable characters that are not letters or digits, except the two slashes.
    static let special = printable.subtracting(upper).subtracting(lower).subtracting(digits)
        .subtracting(ASCIICharacters(#"/\"#))
    static let printable = ASCIICharacters(0x20...0x7E)
    static let space = ASCIICharacters(" ")

    var count: Int { bits.nonzeroBitCount }
    var isEmpty: Bool { bits == 0 }
    /// In the order of their codes.
    var characters: [UInt8] { (0..<128).filter { contains($0) } }

    func contains(_ byte: UInt8) -> Bool { byte < 0x80 && bits >> UInt128(byte) & 1 == 1 }
    func union(_ other: Self) -> Self { Self(bits: bits | other.bits) }
    func intersection(_ other: Self) -> Self { Self(bits: bits & other.bits) }
    func subtracting(_ other: Self) -> Self { Self(bits: bits & ~other.bits) }
    func isSubset(of other: Self) -> Bool { bits & ~other.bits == 0 }
}
