// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// The return keys that are true.
struct Parts: OptionSet, Hashable, Sendable, CustomTestStringConvertible {
    let rawValue: Int
    static let data = Parts(rawValue: 1)
    static let attributes = Parts(rawValue: 2)
    static let reference = Parts(rawValue: 4)
    static let persistentReference = Parts(rawValue: 8)
    static let combinations = (0..<16).map(Parts.init(rawValue:))

    private static var keys: [(Parts, CFString)] {
        [
            (.data, kSecReturnData), (.attributes, kSecReturnAttributes), (.reference, kSecReturnRef),
            (.persistentReference, kSecReturnPersistentRef),
        ]
    }

    var entries: Entries {
        Dictionary(uniqueKeysWithValues: Self.keys.filter { contains($0.0) }.map { ($0.1, true) })
    }

    /// A key with the value false is equivalent to a missing key.
    var allEntries: Entries { Dictionary(uniqueKeysWithValues: Self.keys.map { ($0.1, contains($0.0)) }) }

    var count: Int { rawValue.nonzeroBitCount }
    var testDescription: String {
        isEmpty ? "nothing" : entries.keys.map { $0 as String }.sorted().joined(separator: " ")
    }
}

enum Limit: CaseIterable, Sendable {
    case none, one, numberOne, all, two

    var entries: Entries {
        switch self {
        case .none: [:]
        case .one: [kSecMatchLimit: kSecMatchLimitOne]
        case .numberOne: [kSecMatchLimit: 1]
        case .all: [kSecMatchLimit: kSecMatchLimitAll]
        case .two: [kSecMatchLimit: 2]
        }
    }

    var isArray: Bool { self == .all || self == .two }
}

extension Conformance {
    /// Semantics 2.3 and 2.4.
    @Suite struct `Results` {
        /// Checks one element against the table of 2.3.
        private func check(
            _ element: Any?, _ parts: Parts, _ itemClass: PasswordClass, hasData: Bool, reference: Data?,
            _ place: Comment
        ) {
            switch parts {
            case [], .reference:
                // Passwords have no references here (C021).
                #expect(element == nil, place)
            case .data:
                #expect(element as? Data == (hasData ? Data([1]) : Data()), place)
            case .persistentReference:
                #expect(element as? Data == reference, place)
            default:
                guard let found = element as? Entries else {
                    Issue.record("no dictionary: \(place)")
                    return
                }
                let isData = parts.contains(.data) && hasData
                #expect(found[kSecValueData] as? Data == (isData ? Data([1]) : nil), place)
                #expect((found[kSecValueData] == nil) == !isData, place)
                #expect(
                    found[kSecValuePersistentRef] as? Data == (parts.contains(.persistentReference) ? reference : nil),
                    place)
                #expect((found[kSecClass] as? String == itemClass.rawValue) == parts.contains(.reference), place)
                #expect((found[kSecClass] == nil) == !parts.contains(.reference), place)
                #expect(found[kSecValueRef] == nil, place)
                let own: Set = ["v_Data", "v_PersistentRef", "class"]
                let names = Set(found.keys.map { $0 as String }).subtracting(own)
                #expect(names == (parts.contains(.attributes) ? Self.names(itemClass) : []), place)
            }
        }

        /// The attributes of an item that was added with an account, a place and a label: these, the default
        /// attributes, and those of every item.
        private static func names(_ itemClass: PasswordClass) -> Set<String> {
            let all: Set = ["acct", "labl", "agrp", "pdmn", "accc", "sync", "cdat", "mdat"]
            return switch itemClass {
            case .generic: all.union(["svce"])
            case .internet: all.union(["srvr", "sdmn", "ptcl", "atyp", "port", "path"])
            }
        }

        @Test(
            "the result has the shape that was asked for", arguments: Parts.combinations, PasswordClass.allCases)
        func shapes(_ parts: Parts, _ itemClass: PasswordClass) throws {
            for limit in Limit.allCases {
                for hasData in [true, false] {
                    emptyKeychain()
                    var references: [Data] = []
                    for matches in 0...2 {
                        if matches > 0 {
                            var more: Entries = [kSecAttrLabel: "L"]
                            if hasData { more[kSecValueData] = Data([1]) }
                            references.append(try addedReference(itemClass, "\(matches)", "s", more))
                        }
                        for entries in [parts.entries, parts.allEntries] {
                            let query = itemClass.query(
                                [kSecAttrLabel: "L"].merging(entries) { $1 }.merging(limit.entries) { $1 })
                            check(query, parts, limit, itemClass, hasData, references)
                        }
                    }
                }
            }
        }

        private func check(
            _ query: CFDictionary, _ parts: Parts, _ limit: Limit, _ itemClass: PasswordClass, _ hasData: Bool,
            _ references: [Data]
        ) {
            let place = Comment(
                "\(parts.testDescription), limit \(limit), \(references.count) matches, data \(hasData)")
            let before = NSObject()
            var result: CFTypeRef? = before
            let status = SecItemCopyMatching(query, &result)
            #expect(probe(query) == status, place)
            guard !references.isEmpty else {
                #expect(status == errSecItemNotFound, place)
                #expect(result === before, place)
                return
            }
            #expect(status == errSecSuccess, place)
            if limit.isArray {
                guard let elements = result as? [Any] else {
                    Issue.record("no array: \(place)")
                    return
                }
                let hasElements = parts != [] && parts != .reference
                #expect(elements.count == (hasElements ? references.count : 0), place)
                // In no particular order.
                var left = references
                for element in elements {
                    let reference = (element as? Data) ?? (element as? Entries)?[kSecValuePersistentRef] as? Data
                    if let index = left.firstIndex(where: { $0 == reference }) { left.remove(at: index) }
                    check(element, parts, itemClass, hasData: hasData, reference: reference, place)
                }
                if parts.contains(.persistentReference) { #expect(left.isEmpty, place) }
            } else if parts.isEmpty {
                #expect(result === before, place)
            } else if parts == .reference {
                #expect(result == nil || result === before, place)
            } else {
                let reference = (result as? Data) ?? (result as? Entries)?[kSecValuePersistentRef] as? Data
                if parts.contains(.persistentReference) { #expect(reference.map(references.contains) == true, place) }
                check(result, parts, itemClass, hasData: hasData, reference: reference, place)
            }
        }

        @Test(
            "an addition returns what a search would", arguments: Parts.combinations, PasswordClass.allCases)
        func addition(_ parts: Parts, _ itemClass: PasswordClass) throws {
            for hasData in [true, false] {
                emptyKeychain()
                var more: Entries = [kSecAttrLabel: "L"]
                if hasData { more[kSecValueData] = Data([1]) }
                var result: CFTypeRef? = NSObject()
                let item = itemClass.item("a", "s", more.merging(parts.entries) { $1 })
                #expect(SecItemAdd(item, &result) == errSecSuccess)
                let reference = find(itemClass.query([kSecReturnPersistentRef: true])) as? Data
                let place = Comment("\(parts.testDescription), data \(hasData)")
                check(result, parts, itemClass, hasData: hasData, reference: reference, place)
                // A failed addition does not change the result.
                let before = NSObject()
                result = before
                #expect(SecItemAdd(item, &result) == errSecDuplicateItem, place)
                #expect(result === before, place)
            }
        }

        @Test("a deletion tolerates return keys", arguments: Parts.combinations, PasswordClass.allCases)
        func deletion(_ parts: Parts, _ itemClass: PasswordClass) {
            add(itemClass.item("a", "s"))
            #expect(SecItemDelete(itemClass.item("a", "s", parts.allEntries)) == errSecSuccess)
            #expect(count(itemClass) == 0)
        }

        @Test("the query of an update takes no return key that is true", arguments: Parts.combinations)
        func update(_ parts: Parts) {
            for itemClass in PasswordClass.allCases {
                add(itemClass.item("a", "s"))
                let status = SecItemUpdate(itemClass.item("a", "s", parts.entries), changes([kSecAttrLabel: "x"]))
                #expect(status == (parts.isEmpty ? errSecSuccess : errSecParam))
                #expect(count(itemClass, [kSecAttrLabel: "x"]) == (parts.isEmpty ? 1 : 0))
            }
        }

        @Test("a limit returns as many as it says", arguments: PasswordClass.allCases)
        func limits(_ itemClass: PasswordClass) {
            for number in 0..<7 { add(itemClass.item("\(number)", "s", [kSecValueData: Data([UInt8(number)])])) }
            for limit in [2, 3, 6, 7, 8, 1000, Int(Int32.max), Int.max] {
                let found = find(itemClass.query([kSecReturnData: true, kSecMatchLimit: limit])) as? [Data]
                #expect(found?.count == min(limit, 7), "\(limit)")
                #expect(Set(found ?? []).count == min(limit, 7), "\(limit)")
            }
        }

        @Test("a persistent reference beside attributes is refused, a limit is not", arguments: PasswordClass.allCases)
        func persistentReferences(_ itemClass: PasswordClass) throws {
            let reference = try addedReference(itemClass, "a", "s", [kSecValueData: Data([1])])
            let query: Entries = [kSecValuePersistentRef: reference, kSecReturnData: true]
            #expect(find(query as CFDictionary) as? Data == Data([1]))
            #expect(find(itemClass.query(query)) as? Data == Data([1]))
            let all = query.merging([kSecMatchLimit: kSecMatchLimitAll]) { $1 }
            #expect(find(all as CFDictionary) as? [Data] == [Data([1])])
            #expect(probe(query.merging([kSecAttrAccount: "a"]) { $1 } as CFDictionary) == errSecParam)
            #expect(probe(itemClass.other.query(query)) == errSecParam)
        }

        @Test("keys of the match family that have no effect on passwords", arguments: PasswordClass.allCases)
        func ignored(_ itemClass: PasswordClass) {
            add(itemClass.item("a", "s"))
            let ignored: [Entries] = [
                [kSecMatchItemList: [Any]()], [kSecMatchSearchList: [Any]()], [kSecMatchSubjectContains: "nobody"],
                ["f_Callback" as CFString: NSObject()], [kSecUseDataProtectionKeychain: true],
                [kSecUseAuthenticationUI: kSecUseAuthenticationUIAllow],
                [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail],
                [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip],
                [kSecUseOperationPrompt: "why"], [kSecUseNoAuthenticationUI: true],
            ]
            for entries in ignored { #expect(count(itemClass, entries) == 1, "\(entries)") }
        }

        @Test("data in a query is accepted and does not filter", arguments: PasswordClass.allCases)
        func dataInQuery(_ itemClass: PasswordClass) {
            add(itemClass.item("a", "s", [kSecValueData: Data([1])]))
            let query = itemClass.item("a", "s", [kSecValueData: Data([2])])
            #expect(probe(query) == errSecSuccess)
            #expect(SecItemUpdate(query, changes([kSecAttrLabel: "x"])) == errSecSuccess)
            #expect(data(itemClass, "a", "s") == Data([1]))
            #expect(SecItemDelete(query) == errSecSuccess)
        }
    }
}
