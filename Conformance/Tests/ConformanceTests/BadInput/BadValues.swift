// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

extension Conformance {
    /// Invalid and unusual values: each has a status, and neither side crashes. (Every test is followed by a check that
    /// the service still runs.)
    @Suite struct `Bad input` {
        // MARK: Sizes

        /// Bytes that repeat at no power of two.
        private func pattern(_ length: Int, from start: UInt8 = 0) -> Data {
            let block = Data((0..<251).map { start &+ UInt8($0) })
            var data = Data(capacity: length + block.count)
            while data.count < length { data.append(block) }
            return data.prefix(length)
        }

        @Test(arguments: [0, 1, 31, 4096, 65_535, 65_536, 1 << 20, 16 << 20], PasswordClass.allCases)
        func `a secret of any length up to 16 MiB comes back`(_ length: Int, _ itemClass: PasswordClass) {
            let secret = pattern(length)
            add(itemClass.item("a", "s", [kSecValueData: secret]))
            #expect(data(itemClass, "a", "s") == secret)
            let changed = pattern(length, from: 7)
            #expect(SecItemUpdate(itemClass.item("a", "s"), changes([kSecValueData: changed])) == errSecSuccess)
            #expect(data(itemClass, "a", "s") == changed)
        }

        #if os(Linux)
            // Apple documents no limit. Ours is in Documentation/Differences.md.
            @Test(arguments: PasswordClass.allCases)
            func `a longer secret is too large, and nothing is stored or changed`(_ itemClass: PasswordClass) {
                add(itemClass.item("a", "s", [kSecValueData: Data([1])]))
                let before = dump()
                let secret = Data(count: (16 << 20) + 1)
                #expect(SecItemAdd(itemClass.item("b", "s", [kSecValueData: secret]), nil) == errSecDataTooLarge)
                #expect(SecItemUpdate(itemClass.item("a", "s"), changes([kSecValueData: secret])) == errSecDataTooLarge)
                #expect(dump() == before)
            }

            @Test(arguments: PasswordClass.allCases)
            func `attributes of more than a megabyte are too large, and nothing is stored or changed`(
                _ itemClass: PasswordClass
            ) {
                add(itemClass.item("a", "s"))
                let before = dump()
                let long = String(repeating: "x", count: (1 << 20) + 1)
                #expect(SecItemAdd(itemClass.item("b", "s", [kSecAttrComment: long]), nil) == errSecDataTooLarge)
                #expect(SecItemUpdate(itemClass.item("a", "s"), changes([kSecAttrComment: long])) == errSecDataTooLarge)
                let halves: Entries = [
                    kSecAttrComment: String(repeating: "x", count: (1 << 19) + 1),
                    kSecAttrDescription: Data(count: 1 << 19),
                ]
                #expect(SecItemAdd(itemClass.item("b", "s", halves), nil) == errSecDataTooLarge)
                #expect(dump() == before)
            }
        #endif

        @Test(
            arguments: AttributeRow.ofPasswords.filter { $0.kind == .blob || $0.kind == .text }, PasswordClass.allCases)
        func `a name of 10,000 characters`(_ row: AttributeRow, _ itemClass: PasswordClass) throws {
            guard row.classes.contains(itemClass) else { return }
            let long = String(repeating: "é👩‍👩‍👧x", count: 3334)
            #expect(long.count >= 10_000)
            add(itemClass.query([row.key: long]))
            #expect(count(itemClass, [row.key: long]) == 1)
            #expect(try attributes(itemClass, [:])[row.key] as? String == long)
            #expect(count(itemClass, [row.key: long + "x"]) == 0)
            #expect(count(itemClass, [row.key: String(long.dropLast())]) == 0)
        }

        @Test(arguments: PasswordClass.allCases)
        func `a secret and all attributes at once, at their largest`(_ itemClass: PasswordClass) throws {
            var item: Entries = [kSecValueData: Data(count: 16 << 20)]
            for row in AttributeRow.ofPasswords where row.kind == .blob && row.classes.contains(itemClass) {
                item[row.key] = String(repeating: row.name, count: 10_000)
            }
            add(itemClass.query(item))
            let found = find(itemClass.query([kSecReturnData: true, kSecReturnAttributes: true])) as? Entries
            #expect((found?[kSecValueData] as? Data)?.count == 16 << 20)
            #expect(found?[kSecAttrComment] as? String == String(repeating: "icmt", count: 10_000))
        }

        @Test(arguments: PasswordClass.allCases)
        func `keys of any length`(_ itemClass: PasswordClass) {
            for length in [0, 1, 3, 5, 1000, 1_000_000] {
                for letter in ["m", "r", "u", "v", "c", "z", "é", "\u{0}"] {
                    let key = String(repeating: letter, count: length) as CFString
                    #expect(probe(itemClass.query([key: "x"])) == errSecParam, "\(length) \(letter)")
                    #expect(SecItemAdd(itemClass.query([key: "x"]), nil) == errSecParam, "\(length) \(letter)")
                }
            }
            // Four characters are the name of an attribute.
            for key in ["éééé", "\u{0}\u{0}\u{0}\u{0}", "    ", "ACCT"] {
                #expect(probe(itemClass.query([key as CFString: "x"])) == errSecNoSuchAttr, "\(key)")
            }
        }

        // MARK: Text

        @Test(arguments: PasswordClass.allCases)
        func `text is what its bytes are`(_ itemClass: PasswordClass) throws {
            let texts = [
                "a\u{0}b", "a", "a\u{0}", "\u{0}", "é", "e\u{301}", "\u{FEFF}a", "a ", " a", "\u{202E}a", "\u{1F600}",
                "\u{FFFD}", "\u{10FFFF}", "\n", "%", "'; DROP TABLE genp; --", "\\", "\"",
            ]
            for text in texts { add(itemClass.item(text, "s", [kSecValueData: Data(text.utf8)])) }
            #expect(count(itemClass) == texts.count)
            for text in texts {
                #expect(count(itemClass, [kSecAttrAccount: text]) == 1, "\(text.utf8.map { $0 })")
                #expect(data(itemClass, text, "s") == Data(text.utf8))
                let found = try attributes(itemClass, [kSecAttrAccount: text])[kSecAttrAccount] as? String
                #expect(found.map { Array($0.utf8) } == Array(text.utf8))
            }
            for text in texts {
                #expect(SecItemDelete(itemClass.item(text, "s")) == errSecSuccess)
                #expect(probe(itemClass.item(text, "s")) == errSecItemNotFound)
            }
        }

        @Test(arguments: PasswordClass.allCases)
        func `half of a surrogate pair is no text, or one like any other`(_ itemClass: PasswordClass) {
            for units in [[0xD800], [0xDFFF], [0x61, 0xD83D], [0xDE00, 0xD83D], [0xD800, 0xD800]] as [[UInt16]] {
                emptyKeychain()
                let text = NSString(characters: units, length: units.count)
                for key in [kSecAttrAccount, itemClass.place, kSecAttrLabel] {
                    let item = itemClass.query([key: text])
                    let status = SecItemAdd(item, nil)
                    #expect(status == errSecSuccess || status == errSecParam)
                    #expect(probe(item) == (status == errSecSuccess ? errSecSuccess : errSecParam))
                    let deleted = SecItemDelete(item)
                    #expect(deleted == status)
                }
                // As the name of a key it is none.
                let status = probe(itemClass.query([text: "x"]))
                #expect(status == errSecParam || status == errSecNoSuchAttr)
            }
        }

        @Test(arguments: PasswordClass.allCases)
        func `data that is no text stays what it is`(_ itemClass: PasswordClass) throws {
            for bytes in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0], [0xF8, 0x88, 0x80, 0x80, 0x80]] as [[UInt8]] {
                emptyKeychain()
                add(itemClass.query([kSecAttrAccount: Data(bytes)]))
                #expect(
                    try attributes(itemClass, [kSecAttrAccount: Data(bytes)])[kSecAttrAccount] as? Data == Data(bytes))
                // Where text is required it is refused.
                #expect(
                    probe(itemClass.query([kSecAttrAccessGroup: Data(bytes)]))
                        == (bytes == [0] ? errSecMissingEntitlement : errSecParam))
            }
        }

        // MARK: Numbers

        @Test(arguments: PasswordClass.allCases)
        func `every kind of integer is the same number`(_ itemClass: PasswordClass) throws {
            let kinds: [Any] = [
                Int8(5), UInt8(5), Int16(5), UInt16(5), Int32(5), UInt32(5), Int64(5), UInt64(5), Int(5), UInt(5), 5.0,
                Float(5), CGFloat(5), Decimal(5), NSNumber(value: 5), NSDecimalNumber(value: 5), "5",
            ]
            for kind in kinds {
                emptyKeychain()
                add(itemClass.item("a", "s", [kSecAttrCreator: kind]))
                #expect(try attributes(itemClass, [:])[kSecAttrCreator] as? Int == 5, "\(type(of: kind))")
                for other in kinds { #expect(count(itemClass, [kSecAttrCreator: other]) == 1, "\(type(of: other))") }
            }
        }

        @Test(arguments: PasswordClass.allCases)
        func `the ends of the range of numbers`(_ itemClass: PasswordClass) throws {
            for number in [Int.min, Int.max, Int(Int32.min), Int(Int32.max), 0, -1, 0x6470_6F74] {
                emptyKeychain()
                add(itemClass.item("a", "s", [kSecAttrCreator: number]))
                #expect(try attributes(itemClass, [kSecAttrCreator: number])[kSecAttrCreator] as? Int == number)
            }
        }

        #if os(Linux)
            // Apple keeps any number; ours are integers (Documentation/Differences.md).
            @Test(arguments: PasswordClass.allCases)
            func `a number that is no integer of 64 bits is refused`(_ itemClass: PasswordClass) {
                add(itemClass.item("a", "s"))
                let before = dump()
                let numbers: [Any] = [
                    1.5, -0.25, Double.nan, Double.infinity, -Double.infinity, Double.greatestFiniteMagnitude,
                    UInt64.max,
                    Decimal(string: "1e30")!, NSDecimalNumber.notANumber, Float.nan, CGFloat(0.5), Double(1 << 62) * 4,
                ]
                for number in numbers {
                    for place in Place.allCases {
                        #expect(
                            place.status(itemClass, [kSecAttrCreator: number]) == errSecParam, "\(number) \(place)")
                    }
                    #expect(probe(itemClass.query([kSecMatchLimit: number])) == errSecParam, "\(number)")
                }
                #expect(dump() == before)
            }

            @Test(arguments: PasswordClass.allCases)
            func `a date that is none is refused`(_ itemClass: PasswordClass) {
                for seconds in [Double.nan, .infinity, -.infinity] {
                    let date = Date(timeIntervalSinceReferenceDate: seconds)
                    #expect(probe(itemClass.query([kSecAttrCreationDate: date])) == errSecParam)
                    #expect(SecItemUpdate(itemClass.query(), changes([kSecAttrCreationDate: date])) == errSecParam)
                }
            }
        #endif

        // MARK: Objects of all kinds

        private static let objects: [(String, @Sendable () -> Any)] = [
            ("null", { NSNull() }), ("nil", { String?.none as Any }), ("an object", { NSObject() }),
            ("a class", { NSObject.self }), ("a function", { { 1 } as () -> Int }), ("a tuple", { (1, "a") }),
            ("an array", { [1, 2, 3] }), ("an empty array", { [String]() }), ("an array in arrays", { [[["a"]]] }),
            ("a dictionary", { ["acct": "a"] }), ("an empty dictionary", { NSDictionary() }),
            ("a dictionary in dictionaries", { ["a": ["b": ["c": Data([1])]]] }), ("a set", { NSSet(array: ["a"]) }),
            ("a URL", { URL(string: "https://example.com")! }), ("a character", { Character("a") }),
            ("bytes", { [UInt8](repeating: 1, count: 4) }), ("an error", { NSError(domain: "d", code: 1) }),
            ("an index set", { IndexSet(integer: 1) }), ("a range", { 1..<2 }), ("a structure", { Parts.data }),
            (
                "a deep array",
                {
                    var nested: Any = "x"
                    for _ in 0..<2000 { nested = [nested] }
                    return nested
                }
            ),
            // Without an array that contains itself, because Foundation on Linux does not return when it takes such an
            // array out of a dictionary.
        ]

        @Test(arguments: objects.indices, PasswordClass.allCases)
        func `an object of another kind is refused in every place`(_ index: Int, _ itemClass: PasswordClass) {
            let (title, make) = Self.objects[index]
            add(itemClass.item("a", "s", [kSecValueData: Data([1])]))
            let before = dump()
            let rows = (AttributeRow.ofPasswords + AttributeRow.ofTheKeychain).filter { $0.classes.contains(itemClass) }
            for row in rows {
                for place in Place.allCases {
                    #expect(place.status(itemClass, [row.key: make()]) == errSecParam, "\(title) \(row) \(place)")
                }
            }
            let names = [
                "class", "v_Data", "v_Ref", "v_PersistentRef", "r_Data", "r_Attributes", "r_Ref", "r_PersistentRef",
                "u_AuthUI", "u_OpPrompt", "u_NoAuthUI", "u_AuthCtx",
            ]
            for name in names {
                let entry: Entries = [name as CFString: make()]
                #expect(SecItemAdd(itemClass.item("b", "s", entry), nil) == errSecParam, "\(title) \(name)")
                if name != "v_Data" {
                    #expect(probe(itemClass.query(entry)) == errSecParam, "\(title) \(name)")
                    #expect(SecItemDelete(itemClass.query(entry)) == errSecParam, "\(title) \(name)")
                }
            }
            for name in ["m_Limit", "m_CaseInsensitive", "m_HostOrSubdomainOfHost", "m_TrustedOnly"] {
                let status = probe(itemClass.query([name as CFString: make()]))
                #expect(status == errSecParam, "\(title) \(name)")
            }
            #expect(SecItemUpdate(itemClass.query(), changes([kSecValueData: make()])) == errSecParam, "\(title)")
            #expect(dump() == before)
        }

        @Test(arguments: PasswordClass.allCases)
        func `every kind of text and data is as good as the other`(_ itemClass: PasswordClass) throws {
            let texts: [Any] = [
                "same", NSString("same"), NSMutableString("same"), "xsamex".dropFirst().dropLast(), "same" as CFString,
            ]
            for text in texts {
                emptyKeychain()
                let data: [Any] = [
                    Data([1, 2]), NSData(data: Data([1, 2])), NSMutableData(data: Data([1, 2])),
                    Data([0, 1, 2]).dropFirst(),
                ]
                for secret in data {
                    add(itemClass.item("a", "s", [kSecAttrLabel: text, kSecValueData: secret]))
                    #expect(try attributes(itemClass, [kSecAttrLabel: "same"])[kSecAttrLabel] as? String == "same")
                    #expect(find(itemClass.query([kSecReturnData: true])) as? Data == Data([1, 2]))
                    #expect(SecItemDelete(itemClass.query([kSecAttrLabel: text])) == errSecSuccess)
                }
            }
        }

        @Test(arguments: PasswordClass.allCases)
        func `every kind of dictionary is as good as the other`(_ itemClass: PasswordClass) {
            let mutable = NSMutableDictionary()
            mutable[kSecClass] = itemClass.constant
            mutable[kSecAttrAccount] = "a"
            let plain: [String: Any] = ["class": itemClass.rawValue, "acct": "a"]
            let dictionaries: [CFDictionary] = [
                mutable, plain as CFDictionary, plain as NSDictionary, NSDictionary(dictionary: plain),
                [kSecClass: itemClass.constant, kSecAttrAccount: "a"] as CFDictionary,
            ]
            for dictionary in dictionaries {
                #expect(SecItemAdd(dictionary, nil) == errSecSuccess)
                for other in dictionaries { #expect(probe(other) == errSecSuccess) }
                #expect(SecItemUpdate(dictionary, mutable) == errSecNoSuchAttr)
                #expect(SecItemDelete(dictionary) == errSecSuccess)
            }
        }

        @Test(arguments: PasswordClass.allCases)
        func `random dictionaries are answered`(_ itemClass: PasswordClass) {
            var random = SeededGenerator(seed: itemClass == .generic ? 1 : 2)
            let names =
                AttributeRow.ofPasswords.map(\.name) + AttributeRow.foreign.prefix(5) + [
                    "class", "m_Limit", "r_Data", "r_Attributes", "r_PersistentRef", "v_Data", "v_PersistentRef",
                    "clip",
                    "agrp", "m_CaseInsensitive", "m_HostOrSubdomainOfHost", "u_AuthUI", "f", "cdat", "",
                ]
            let values: [Any] = [
                "genp", "inet", "a", "", "ak", "syna", "m_LimitAll", Data(), Data([1]), 0, 1, -1, Int.max, true, false,
                Date(timeIntervalSinceReferenceDate: 0), NSNull(), [1], ["a": 1], 1.5, UUID(),
            ]
            let known: Set<OSStatus> = [
                errSecSuccess, errSecParam, errSecNoSuchAttr, errSecNoSuchClass, errSecItemNotFound,
                errSecDuplicateItem,
                errSecMissingEntitlement, errSecUnimplemented,
            ]
            func dictionary() -> Entries {
                var entries: Entries = Bool.random(using: &random) ? [kSecClass: itemClass.constant] : [:]
                for _ in 0..<Int.random(in: 0..<6, using: &random) {
                    entries[names.randomElement(using: &random)! as CFString] = values.randomElement(using: &random)!
                }
                return entries
            }
            for _ in 0..<2000 {
                let first = dictionary()
                let second = dictionary()
                var result: CFTypeRef?
                let statuses = [
                    SecItemAdd(first as CFDictionary, &result), SecItemCopyMatching(first as CFDictionary, &result),
                    SecItemUpdate(first as CFDictionary, second as CFDictionary),
                    SecItemDelete(second as CFDictionary),
                ]
                #expect(known.isSuperset(of: statuses), "\(statuses) for \(first) and \(second)")
            }
        }
    }
}
