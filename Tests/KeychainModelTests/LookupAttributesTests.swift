// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

struct LookupAttributesTests {
    private let mail = ["xdg:schema": "org.example.Mail", "user": "ann", "server": ""]

    @Test func `a set is encoded ascending by the bytes of its names, each text after its length`() throws {
        let set = try LookupAttributes(["b": "12", "a": "", "ä": "3"])
        #expect(
            set.encoded == [0, 0, 0, 1, 0x61, 0, 0, 0, 0] + [0, 0, 0, 1, 0x62, 0, 0, 0, 2, 0x31, 0x32]
                + [0, 0, 0, 2, 0xC3, 0xA4, 0, 0, 0, 1, 0x33])
        #expect(try LookupAttributes([:]).encoded.isEmpty)
    }

    @Test func `a set that is read is the set that was written`() throws {
        for pairs in [mail, [:], ["": ""], ["a\0b": "c\0"]] {
            let set = try LookupAttributes(pairs)
            #expect(set.pairs == pairs)
            #expect(LookupAttributes(encoded: set.encoded) == set)
        }
    }

    @Test func `the encoding of a pair is that of a set of this pair alone`() throws {
        let set = try LookupAttributes(mail)
        #expect(set.encodedPairs.count == 3)
        #expect(try set.encodedPairs[1] == LookupAttributes(["user": "ann"]).encoded)
    }

    @Test func `bytes that no set has are refused`() throws {
        let (a, b) = try (LookupAttributes(["a": "1"]).encoded, LookupAttributes(["b": "1"]).encoded)
        #expect(LookupAttributes(encoded: a + b) != nil)
        // Not ascending, a name twice, a part missing, a byte too many, and a length beyond the end.
        let other = try LookupAttributes(["a": "2"]).encoded
        let wrong: [[UInt8]] = [b + a, a + a, a + other, a.dropLast(), a + [0], [0, 0, 0, 9, 0x61, 0, 0, 0, 0]]
        for bytes in wrong {
            #expect(LookupAttributes(encoded: bytes) == nil, "\(bytes)")
        }
        for count in 1..<a.count { #expect(LookupAttributes(encoded: Array(a.prefix(count))) == nil) }
        // Texts that are not UTF-8.
        #expect(LookupAttributes(encoded: [0, 0, 0, 1, 0xFF, 0, 0, 0, 0]) == nil)
        #expect(LookupAttributes(encoded: [0, 0, 0, 1, 0x61, 0, 0, 0, 1, 0x80]) == nil)
    }

    @Test func `two names that Unicode considers equal are not in one set`() throws {
        let (composed, decomposed) = try (LookupAttributes(["\u{E9}": "1"]), LookupAttributes(["e\u{301}": "1"]))
        #expect(LookupAttributes(encoded: decomposed.encoded + composed.encoded) == nil)
        // Each alone is another set, because texts are compared byte by byte.
        #expect(composed != decomposed)
        #expect(!composed.contains(decomposed))
        #expect(try !LookupAttributes(["a": "\u{E9}"]).contains(LookupAttributes(["a": "e\u{301}"])))
    }

    @Test func `a set contains each of its parts, and no other pair`() throws {
        let set = try LookupAttributes(mail)
        for part in [mail, ["user": "ann"], ["server": "", "user": "ann"], [:]] {
            #expect(try set.contains(LookupAttributes(part)))
        }
        for other in [["user": "bob"], ["user": ""], ["user": "ann", "port": "1"], ["ann": "user"]] {
            #expect(try !set.contains(LookupAttributes(other)))
        }
    }

    @Test func `a set of the largest size is accepted, and nothing larger`() throws {
        func pairs(_ count: Int) -> [String: String] {
            Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", "") })
        }
        let most = try LookupAttributes(pairs(256))
        #expect(LookupAttributes(encoded: most.encoded) == most)
        #expect(throws: LookupAttributesError.tooManyPairs) { try LookupAttributes(pairs(257)) }
        let further = try LookupAttributes(["z": ""]).encoded
        #expect(LookupAttributes(encoded: most.encoded + further) == nil)

        let long = String(repeating: "n", count: 1024)
        #expect(try LookupAttributes(encoded: LookupAttributes([long: ""]).encoded) != nil)
        #expect(throws: LookupAttributesError.nameTooLong) { try LookupAttributes([long + "n": ""]) }
        #expect(LookupAttributes(encoded: [0, 0, 4, 1] + Array((long + "n").utf8) + [0, 0, 0, 0]) == nil)

        let value = String(repeating: "v", count: 8192)
        #expect(try LookupAttributes(encoded: LookupAttributes(["n": value]).encoded) != nil)
        #expect(throws: LookupAttributesError.valueTooLong) { try LookupAttributes(["n": value + "v"]) }
        #expect(LookupAttributes(encoded: [0, 0, 0, 0, 0, 0, 0x20, 1] + Array((value + "v").utf8)) == nil)

        // Seven values of 8192 bytes, and one that fills the rest: 8 pairs with 9 bytes each besides.
        var full = Dictionary(uniqueKeysWithValues: (0..<7).map { ("\($0)", value) })
        full["7"] = String(repeating: "v", count: 65_536 - 7 * 8192 - 8 * 9)
        #expect(try LookupAttributes(full).encoded.count == 65_536)
        full["7"]! += "v"
        #expect(throws: LookupAttributesError.tooLarge) { try LookupAttributes(full) }
    }

    @Test func `a generic password accepts an encoded set in each use, and no other class does`() throws {
        let entry = ItemAttributes.Entry(.lookup, .data(try LookupAttributes(mail).encoded))
        for use in [AttributeUse.add, .update, .query] {
            #expect(try ItemAttributes(.genericPassword, for: use, [entry]).entries == [entry])
        }
        for itemClass in ItemClass.allCases where itemClass != .genericPassword {
            #expect(throws: AttributeError.noSuchAttribute(.lookup, itemClass)) {
                try ItemAttributes(itemClass, for: .query, [entry])
            }
        }
    }

    @Test func `anything but an encoded set is errSecParam`() {
        for value in [AttributeValue.data([1]), .string(""), .number(1)] {
            #expect(throws: AttributeError.wrongType(.lookup)) {
                try ItemAttributes(.genericPassword, for: .add, [.init(.lookup, value)])
            }
        }
        #expect(AttributeError.wrongType(.lookup).status == .parameter)
    }
}
