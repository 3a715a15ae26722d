// SPDX-License-Identifier: Apache-2.0

internal import SwiftASN1

/// Values in DER (X.690), each as the bytes of its whole encoding.
enum Encoded {
    static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(0x30, parts) }

    static func sequence(of parts: [[UInt8]]) -> [UInt8] { value(0x30, parts) }

    static func set(of parts: [[UInt8]]) -> [UInt8] { value(0x31, parts) }

    static func octets(_ bytes: some Sequence<UInt8>) -> [UInt8] { value(0x04, [Array(bytes)]) }

    static func bits(_ bytes: some Sequence<UInt8>) -> [UInt8] { value(0x03, [[0], Array(bytes)]) }

    static func oid(_ type: ASN1ObjectIdentifier) -> [UInt8] {
        var serializer = DER.Serializer()
        do {
            try serializer.serialize(type)
        } catch {
            // Every identifier in this module has an encoding.
            fatalError("an object identifier has no DER encoding")
        }
        return serializer.serializedBytes
    }

    static var null: [UInt8] { [0x05, 0x00] }

    static func number(_ number: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = number
        while rest > 0 {
            bytes.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        }
        return magnitude(bytes)
    }

    /// Encodes a number.
    ///
    /// - Parameter bytes: the bytes of a non-negative number, the highest first.
    static func magnitude(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let shortest = Array(bytes.drop { $0 == 0 })
        return value(0x02, [shortest.first.map { $0 < 0x80 } ?? false ? [] : [0], shortest])
    }

    /// Encodes a BMPString: UTF-16, the high byte first.
    static func wideText(_ text: String) -> [UInt8] {
        value(0x1E, [text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }])
    }

    /// Encodes a field with an explicit tag around its contents.
    static func tagged(_ number: UInt8, _ parts: [UInt8]...) -> [UInt8] { value(0xA0 | number, parts) }

    /// Encodes an octet string with an implicit tag.
    static func taggedOctets(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] { value(0x80 | number, [bytes]) }

    static func algorithm(_ type: ASN1ObjectIdentifier, _ parameters: [UInt8] = []) -> [UInt8] {
        sequence(oid(type), parameters)
    }

    private static func value(_ tag: UInt8, _ parts: [[UInt8]]) -> [UInt8] {
        let count = parts.reduce(0) { $0 + $1.count }
        var bytes: [UInt8] = [tag]
        if count < 0x80 {
            bytes.append(UInt8(count))
        } else {
            var length: [UInt8] = []
            var rest = count
            while rest > 0 {
                length.insert(UInt8(rest & 0xFF), at: 0)
                rest >>= 8
            }
            bytes.append(0x80 | UInt8(length.count))
            bytes += length
        }
        bytes.reserveCapacity(bytes.count + count)
        for part in parts { bytes += part }
        return bytes
    }
}
