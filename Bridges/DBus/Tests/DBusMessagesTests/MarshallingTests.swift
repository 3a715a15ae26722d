// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DBusMessages

/// Chapter "Marshaling (Wire Format)" of the D-Bus Specification.
@Suite struct MarshallingTests {
    private func decode(
        _ signature: String, _ bytes: [UInt8], _ order: ByteOrder = .big, descriptors: Int = 0
    ) throws(CodingError) -> [Value] {
        var decoder = ByteDecoder(bytes[...], order, descriptorCount: descriptors)
        var values: [Value] = []
        for type in try Signature(signature).types { values.append(try decoder.value(type, depth: 0)) }
        try decoder.finish()
        return values
    }

    private func encode(_ values: [Value]) throws(CodingError) -> [UInt8] {
        var encoder = ByteEncoder()
        for value in values { try encoder.value(value, depth: 0) }
        return encoder.bytes
    }

    @Test func `the specification's example of strings is read`() throws {
        let bytes: [UInt8] = [
            0x00, 0x00, 0x00, 0x03, 0x66, 0x6F, 0x6F, 0x00,
            0x00, 0x00, 0x00, 0x01, 0x2B, 0x00, 0x00, 0x00,
            0x00, 0x00, 0x00, 0x03, 0x62, 0x61, 0x72, 0x00,
        ]
        #expect(try decode("sss", bytes) == [.string("foo"), .string("+"), .string("bar")])
    }

    @Test func `the specification's example of an array of 64-bit numbers is read`() throws {
        let bytes: [UInt8] = [
            0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x00,
            0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x05,
        ]
        #expect(try decode("ax", bytes) == [.array(of: .int64, [.int64(5)])])
    }

    @Test func `an empty array of structures has the padding of its first element`() throws {
        #expect(try encode([.array(of: .structure([.uint32]), [])]) == [0, 0, 0, 0, 0, 0, 0, 0])
        #expect(try decode("a(u)", [0, 0, 0, 0, 0, 0, 0, 0]) == [.array(of: .structure([.uint32]), [])])
        #expect(throws: CodingError.truncated) { try decode("a(u)", [0, 0, 0, 0]) }
    }

    /// The body that GLib 2.74 encodes for `({'a': <uint32 7>, 'b': <[true, false]>}, [byte 1, 2], (int16 -2, -1.5))`.
    @Test func `our bytes are equal to GLib's`() throws {
        let values: [Value] = [
            .dictionary(
                key: .string, value: .variant,
                [
                    .init(.string("a"), .variant(.uint32(7))),
                    .init(.string("b"), .variant(.array(of: .boolean, [.boolean(true), .boolean(false)]))),
                ]),
            .bytes([1, 2]),
            .structure([.int16(-2), .double(-1.5)]),
        ]
        let bytes: [UInt8] = [
            0x28, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
            0x01, 0x00, 0x00, 0x00, 0x61, 0x00, 0x01, 0x75,
            0x00, 0x00, 0x00, 0x00, 0x07, 0x00, 0x00, 0x00,
            0x01, 0x00, 0x00, 0x00, 0x62, 0x00, 0x02, 0x61,
            0x62, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00,
            0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
            0x02, 0x00, 0x00, 0x00, 0x01, 0x02, 0x00, 0x00,
            0xFE, 0xFF, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
            0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xF8, 0xBF,
        ]
        #expect(try encode(values) == bytes)
        #expect(try decode("a{sv}ay(nd)", bytes, .little) == values)
    }

    @Test func `every type comes back as it was written`() throws {
        let values = Samples.values
        let bytes = try encode(values)
        let signature = try Signature(of: values.map(\.type))
        #expect(try decode(signature.text, bytes, .little, descriptors: 3) == values)
        #expect(try Signature(signature.text) == signature)
    }

    @Test(arguments: Samples.values)
    func `every type comes back from inside a variant`(_ value: Value) throws {
        #expect(try decode("v", try encode([.variant(value)]), .little, descriptors: 3) == [.variant(value)])
    }

    @Test func `numbers of all sizes are read in both orders`() throws {
        let big: [UInt8] = [
            0x01, 0, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F,
        ]
        let values: [Value] = [
            .byte(0x01), .uint16(0x0203), .uint32(0x0405_0607), .uint64(0x0809_0A0B_0C0D_0E0F),
        ]
        #expect(try decode("yqut", big) == values)
        let little: [UInt8] = [
            0x01, 0, 0x03, 0x02, 0x07, 0x06, 0x05, 0x04, 0x0F, 0x0E, 0x0D, 0x0C, 0x0B, 0x0A, 0x09, 0x08,
        ]
        #expect(try decode("yqut", little, .little) == values)
        #expect(try encode(values) == little)
    }

    @Test func `a message that violates a rule is refused with the rule's name`() {
        #expect(throws: CodingError.invalidBoolean) { try decode("b", [0, 0, 0, 2]) }
        #expect(throws: CodingError.nonZeroPadding) { try decode("yu", [1, 0, 9, 0, 0, 0, 0, 1]) }
        #expect(throws: CodingError.trailingBytes) { try decode("y", [1, 2]) }
        #expect(throws: CodingError.truncated) { try decode("t", [1, 2, 3]) }
        // Without a terminating zero, with a zero inside, and not UTF-8 (an overlong slash).
        #expect(throws: CodingError.invalidText) { try decode("s", [0, 0, 0, 1, 0x61, 0x62]) }
        #expect(throws: CodingError.invalidText) { try decode("s", [0, 0, 0, 1, 0, 0]) }
        #expect(throws: CodingError.invalidText) { try decode("s", [0, 0, 0, 2, 0xC0, 0xAF, 0]) }
        #expect(throws: CodingError.invalidName) { try decode("o", [0, 0, 0, 1, 0x61, 0]) }
        #expect(throws: CodingError.tooLarge) { try decode("ay", [0x04, 0, 0, 1]) }
        #expect(throws: CodingError.truncated) { try decode("ay", [0x04, 0, 0, 0]) }
        // An element that reaches beyond the array's end.
        #expect(throws: CodingError.truncated) { try decode("au", [0, 0, 0, 3, 0, 0, 0, 1]) }
        #expect(throws: CodingError.invalidSignature) { try decode("v", [0, 0]) }
        #expect(throws: CodingError.invalidSignature) { try decode("v", [2, 0x79, 0x79, 0, 1, 1]) }
        #expect(throws: CodingError.noSuchDescriptor) { try decode("h", [0, 0, 0, 1], descriptors: 1) }
    }

    @Test func `values that no signature can express are not written`() {
        #expect(throws: CodingError.typeMismatch) { try Signature(of: [.structure([])]) }
        #expect(throws: CodingError.typeMismatch) { try Signature(of: [.dictionary(key: .variant, value: .byte)]) }
        #expect(throws: CodingError.typeMismatch) { try encode([.array(of: .byte, [.uint16(1)])]) }
        #expect(throws: CodingError.typeMismatch) {
            try encode([.dictionary(key: .string, value: .byte, [.init(.byte(1), .byte(1))])])
        }
        #expect(throws: CodingError.invalidText) { try encode([.string("a\0b")]) }
    }

    @Test func `containers may be nested as deep as the specification allows, and no deeper`() throws {
        let arrays = String(repeating: "a", count: 32) + "y"
        #expect(try Signature(arrays).text == arrays)
        #expect(throws: CodingError.tooDeep) { try Signature("a" + arrays) }
        let structures = String(repeating: "(", count: 32) + "y" + String(repeating: ")", count: 32)
        #expect(try Signature(structures).text == structures)
        #expect(throws: CodingError.tooDeep) { try Signature("(" + structures + ")") }

        var value = Value.byte(1)
        for _ in 0..<64 { value = .variant(value) }
        let bytes = try encode([value])
        #expect(try decode("v", bytes, .little) == [value])
        #expect(throws: CodingError.tooDeep) { try encode([.variant(value)]) }
        #expect(throws: CodingError.tooDeep) { try decode("v", [1, 0x76, 0] + bytes, .little) }
    }

    @Test(arguments: [
        "a", "(", "()", "(y", "y)", "{sv}", "a{", "a{s}", "a{svy}", "a{vs}", "a{(y)s}", "z", "a{sv", "m", "\u{E9}",
    ])
    func `a signature that is not a sequence of complete types is refused`(_ text: String) {
        #expect(throws: CodingError.invalidSignature) { try Signature(text) }
    }

    @Test func `a signature has at most 255 bytes`() throws {
        #expect(try Signature(String(repeating: "y", count: 255)).types.count == 255)
        #expect(throws: CodingError.tooLarge) { try Signature(String(repeating: "y", count: 256)) }
        #expect(throws: CodingError.tooLarge) { try Signature(of: .init(repeating: .byte, count: 256)) }
    }

    @Test func `a dictionary is asked by its texts`() {
        let value = Value.dictionary(
            key: .string, value: .variant, [.init(.string("Class"), .variant(.variant(.string("user"))))])
        #expect(value["Class"]?.unwrapped == .string("user"))
        #expect(value["Name"] == nil)
        #expect(Value.byte(1)["Class"] == nil)
    }
}
