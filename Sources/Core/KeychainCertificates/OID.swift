// SPDX-License-Identifier: Apache-2.0

/// An object identifier: the name of an algorithm, attribute or extension.
public struct OID: Hashable, Sendable, CustomStringConvertible {
    /// The content of its DER encoding, without tag and length.
    public let bytes: [UInt8]

    /// The longest encoding: identifiers in use have up to 20 bytes, an identifier made of a UUID has 21.
    static let maximumByteCount = 128

    /// Reads the content of a DER encoding (X.690, 8.19): numbers in base 128, each in the fewest bytes.
    ///
    /// - Returns: nil for anything else, and for more than 128 bytes.
    public init?(content bytes: some Collection<UInt8>) {
        guard !bytes.isEmpty, bytes.count <= Self.maximumByteCount else { return nil }
        var begins = true
        for byte in bytes {
            guard !(begins && byte == 0x80) else { return nil }
            begins = byte & 0x80 == 0
        }
        guard begins else { return nil }
        self.bytes = Array(bytes)
    }

    init(_ first: UInt32, _ second: UInt32, _ others: UInt32...) {
        bytes = ([first * 40 + second] + others).flatMap { number in
            var groups = [UInt8(number & 0x7F)]
            var rest = number >> 7
            while rest > 0 {
                groups.append(UInt8(rest & 0x7F) | 0x80)
                rest >>= 7
            }
            return groups.reversed()
        }
    }

    /// The numbers with dots between them, as in `2.5.4.3`.
    public var description: String {
        var numbers = bytes.split(after: { $0 & 0x80 == 0 }).map { decimal(base128: $0) }
        // The first two numbers share one place: the first is 0, 1 or 2, and under 0 and 1 there are only 40.
        guard let shared = numbers.first else { return "" }
        if let small = Int(shared), small < 80 {
            numbers.replaceSubrange(0..<1, with: ["\(small / 40)", "\(small % 40)"])
        } else {
            numbers.replaceSubrange(0..<1, with: ["2", subtracting80(from: shared)])
        }
        return numbers.joined(separator: ".")
    }
}

extension Array {
    fileprivate func split(after isLast: (Element) -> Bool) -> [[Element]] {
        var result: [[Element]] = []
        var current: [Element] = []
        for element in self {
            current.append(element)
            if isLast(element) {
                result.append(current)
                current = []
            }
        }
        return result
    }
}

/// Converts digit by digit, because a number may have 128 bits and more (UUIDs below 2.25).
private func decimal(base128 groups: [UInt8]) -> String {
    var digits: [Int] = [0]  // the lowest first
    for group in groups {
        var carry = Int(group & 0x7F)
        for place in digits.indices {
            let value = digits[place] * 128 + carry
            digits[place] = value % 10
            carry = value / 10
        }
        while carry > 0 {
            digits.append(carry % 10)
            carry /= 10
        }
    }
    return digits.reversed().map(String.init).joined()
}

private func subtracting80(from decimal: String) -> String {
    var digits = decimal.utf8.reversed().map { Int($0) - 48 }
    var place = 1
    digits[place] -= 8
    while digits[place] < 0 {
        digits[place] += 10
        place += 1
        digits[place] -= 1
    }
    while digits.count > 1, digits.last == 0 { digits.removeLast() }
    return digits.reversed().map(String.init).joined()
}

extension OID {
    // Attributes of names (X.520, RFC 4519, RFC 2985).
    public static let commonName = OID(2, 5, 4, 3)
    public static let organizationName = OID(2, 5, 4, 10)
    public static let organizationalUnitName = OID(2, 5, 4, 11)
    public static let attributeDescription = OID(2, 5, 4, 13)
    public static let emailAddress = OID(1, 2, 840, 113549, 1, 9, 1)

    // Extensions (RFC 5280, 4.2.1).
    public static let subjectKeyIdentifier = OID(2, 5, 29, 14)
    public static let keyUsage = OID(2, 5, 29, 15)
    public static let subjectAlternativeName = OID(2, 5, 29, 17)
    public static let basicConstraints = OID(2, 5, 29, 19)
    public static let authorityKeyIdentifier = OID(2, 5, 29, 35)
    public static let extendedKeyUsage = OID(2, 5, 29, 37)
}
