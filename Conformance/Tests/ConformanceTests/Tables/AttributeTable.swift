// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// A value that can be a test argument.
enum Given: Equatable, Sendable, CustomTestStringConvertible {
    case text(String)
    case data([UInt8])
    case number(Int)
    case truth(Bool)
    case date(Double)
    case identifier(UUID)
    /// Access control without flags, with when-unlocked protection.
    case control
    case array
    case dictionary
    case null

    var object: Any {
        switch self {
        case .text(let text): text
        case .data(let bytes): Data(bytes)
        case .number(let number): number
        case .truth(let truth): truth
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .identifier(let identifier): identifier
        case .control: SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [], nil)!
        case .array: ["text"]
        case .dictionary: ["key": "text"]
        case .null: NSNull()
        }
    }

    var testDescription: String { "\(self)" }
}

/// One row of the tables of semantics 1.4 to 1.8.
struct AttributeRow: Sendable, CustomTestStringConvertible {
    enum Kind { case text, blob, data, number, date, flag, accessible, control }

    let name: String
    let kind: Kind
    /// The classes of passwords with this attribute; other attributes belong to certificates and keys.
    let classes: [PasswordClass]

    init(_ constant: CFString, _ kind: Kind, _ classes: [PasswordClass] = PasswordClass.allCases) {
        name = constant as String
        self.kind = kind
        self.classes = classes
    }

    var testDescription: String { name }
    var key: CFString { name as CFString }

    /// Values that the attribute accepts (semantics 1.3).
    var right: [Given] {
        switch kind {
        case .text: [.text("x"), .data(Array("x".utf8))]
        case .blob: [.text("x"), .data([0, 255]), .number(7), .identifier(UUID())]
        case .data: [.data([1, 2]), .text("x")]
        case .number: [.number(7), .truth(true), .text("12"), .text("http"), .text("")]
        // The keychain sets its dates itself; an item can be found by them.
        case .date: []
        case .flag: [.number(0), .truth(false), .text("0")]
        case .accessible: ["ak", "ck", "dk", "aku", "cku", "dku"].map(Given.text)
        case .control: [.control]
        }
    }

    /// Values that the attribute rejects: -50.
    var wrong: [Given] {
        let never: [Given] = [.array, .dictionary, .null]
        return switch kind {
        case .text: never + [.number(1), .truth(true), .date(0), .control]
        case .blob: never + [.date(0), .control]
        case .data: never + [.date(0), .control]
        case .number: never + [.data([1]), .date(0), .control]
        case .date: never + [.text("2001-01-01"), .number(0), .data([0]), .truth(true), .control]
        case .flag: never + [.data([1]), .date(0), .control]
        case .accessible: never + [.text("bogus"), .text(""), .number(1), .truth(true), .date(0), .control]
        case .control: never + [.text("ak"), .number(1), .data([1]), .date(0), .truth(true)]
        }
    }

    /// The attributes of passwords that a program may set and search.
    static let ofPasswords: [AttributeRow] = [
        AttributeRow(kSecAttrAccessible, .accessible), AttributeRow(kSecAttrAccessControl, .control),
        AttributeRow(kSecAttrSynchronizable, .flag), AttributeRow(kSecAttrLabel, .blob),
        AttributeRow(kSecAttrSyncViewHint, .text), AttributeRow(kSecAttrDescription, .blob),
        AttributeRow(kSecAttrComment, .blob), AttributeRow(kSecAttrCreator, .number),
        AttributeRow(kSecAttrType, .number),
        AttributeRow(kSecAttrIsInvisible, .number), AttributeRow(kSecAttrIsNegative, .number),
        AttributeRow("scrp" as CFString, .number), AttributeRow("alis" as CFString, .blob),
        AttributeRow("cusi" as CFString, .number), AttributeRow("prot" as CFString, .blob),
        AttributeRow(kSecAttrAccount, .blob),
        AttributeRow(kSecAttrService, .blob, [.generic]), AttributeRow(kSecAttrGeneric, .blob, [.generic]),
        AttributeRow(kSecAttrSecurityDomain, .blob, [.internet]), AttributeRow(kSecAttrServer, .blob, [.internet]),
        AttributeRow(kSecAttrProtocol, .number, [.internet]),
        AttributeRow(kSecAttrAuthenticationType, .blob, [.internet]),
        AttributeRow(kSecAttrPort, .number, [.internet]), AttributeRow(kSecAttrPath, .blob, [.internet]),
    ]

    /// The attributes that the keychain sets itself, and the group, which must be one of the program's.
    static let ofTheKeychain: [AttributeRow] = [
        AttributeRow(kSecAttrAccessGroup, .text), AttributeRow(kSecAttrCreationDate, .date),
        AttributeRow(kSecAttrModificationDate, .date),
    ]

    /// Attributes of certificates and keys, and unknown attributes.
    static let foreign: [String] =
        [
            kSecAttrSubject, kSecAttrIssuer, kSecAttrSerialNumber, kSecAttrSubjectKeyID, kSecAttrPublicKeyHash,
            kSecAttrCertificateType, kSecAttrCertificateEncoding, kSecAttrKeyClass, kSecAttrApplicationLabel,
            kSecAttrIsPermanent, kSecAttrApplicationTag, kSecAttrKeySizeInBits, kSecAttrEffectiveKeySize,
            kSecAttrCanEncrypt, kSecAttrCanDecrypt, kSecAttrCanDerive, kSecAttrCanSign, kSecAttrCanVerify,
            kSecAttrCanWrap, kSecAttrCanUnwrap,
        ].map { $0 as String } + [
            "priv", "modi", "sens", "asen", "extr", "next", "sdat", "edat", "snrc", "vyrc", "abcd",
        ]
}

/// The dictionaries that may contain an attribute.
enum Place: CaseIterable, Sendable {
    case add, copy, updateQuery, updateAttributes, delete

    /// Adds the entries to this dictionary of a call for the item with account "a" and place "s".
    func status(_ itemClass: PasswordClass, _ entries: Entries) -> OSStatus {
        let item: Entries = [kSecAttrAccount: "a", itemClass.place: "s"]
        let all = itemClass.query(item.merging(entries) { $1 })
        return switch self {
        case .add: SecItemAdd(all, nil)
        case .copy: SecItemCopyMatching(all, nil)
        case .updateQuery: SecItemUpdate(all, changes([kSecAttrComment: "changed"]))
        case .updateAttributes: SecItemUpdate(itemClass.query(), changes(entries))
        case .delete: SecItemDelete(all)
        }
    }
}

extension Conformance {
    @Suite struct `Attributes` {
        @Test(
            "an attribute of the right type is taken everywhere",
            arguments: AttributeRow.ofPasswords, PasswordClass.allCases)
        func rightType(_ row: AttributeRow, _ itemClass: PasswordClass) {
            guard row.classes.contains(itemClass) else { return }
            for value in row.right {
                let entry: Entries = [row.key: value.object]
                for place in Place.allCases {
                    emptyKeychain()
                    // The item to be found has the attribute; the one to be changed does not.
                    if place != .add {
                        var item: Entries = [kSecAttrAccount: "a", itemClass.place: "s"]
                        if place != .updateAttributes { item.merge(entry) { $1 } }
                        #expect(SecItemAdd(itemClass.query(item), nil) == errSecSuccess, "\(row) \(value)")
                    }
                    #expect(place.status(itemClass, entry) == errSecSuccess, "\(row) \(value) \(place)")
                    if place != .delete {
                        #expect(count(itemClass) == 1, "\(row) \(value) \(place)")
                    }
                }
            }
        }

        @Test(
            "an attribute of the wrong type is -50 everywhere, and nothing changes",
            arguments: AttributeRow.ofPasswords + AttributeRow.ofTheKeychain, PasswordClass.allCases)
        func wrongType(_ row: AttributeRow, _ itemClass: PasswordClass) {
            guard row.classes.contains(itemClass) else { return }
            add(itemClass.item("b", "s", [kSecValueData: Data([1])]))
            let before = dump()
            for value in row.wrong {
                for place in Place.allCases {
                    #expect(
                        place.status(itemClass, [row.key: value.object]) == errSecParam, "\(row) \(value) \(place)")
                }
            }
            #expect(dump() == before)
        }

        @Test(
            "an attribute of another class is -25303 everywhere, and nothing changes",
            arguments: AttributeRow.foreign + AttributeRow.ofPasswords.filter { $0.classes.count == 1 }.map(\.name),
            PasswordClass.allCases)
        func foreign(_ name: String, _ itemClass: PasswordClass) {
            let isOwn = AttributeRow.ofPasswords.contains { $0.name == name && $0.classes.contains(itemClass) }
            guard !isOwn else { return }
            add(itemClass.item("a", "s", [kSecValueData: Data([1])]))
            let before = dump()
            for value in ["text", 1, Data([1]), true] as [Any] {
                for place in Place.allCases {
                    #expect(
                        place.status(itemClass, [name as CFString: value]) == errSecNoSuchAttr,
                        "\(name) \(value) \(place)")
                }
            }
            #expect(dump() == before)
        }

        @Test(
            "a value comes back as it was given",
            arguments: AttributeRow.ofPasswords, PasswordClass.allCases)
        func types(_ row: AttributeRow, _ itemClass: PasswordClass) throws {
            guard row.classes.contains(itemClass), row.kind == .blob || row.kind == .number else { return }
            for value in row.right {
                emptyKeychain()
                let entry: Entries = [row.key: value.object]
                add(itemClass.query(entry))
                for found in [try attributes(itemClass, [:]), try attributes(itemClass, entry)] {
                    let object = found[row.key]
                    switch value {
                    case .text("12") where row.kind == .number: #expect(object as? Int == 12)
                    case .text(let text): #expect(object as? String == text, "\(row)")
                    case .data(let bytes): #expect(object as? Data == Data(bytes), "\(row)")
                    case .number(let number): #expect(object as? Int == number, "\(row)")
                    case .truth(let truth): #expect(object as? Int == (truth ? 1 : 0), "\(row)")
                    case .identifier(let identifier): #expect(object as? String == identifier.uuidString, "\(row)")
                    case .date, .control, .array, .dictionary, .null: Issue.record("not a value of \(row)")
                    }
                }
            }
        }

        @Test(
            "an item differs by what makes it unique, and by nothing else",
            arguments: AttributeRow.ofPasswords, PasswordClass.allCases)
        func uniqueness(_ row: AttributeRow, _ itemClass: PasswordClass) throws {
            guard row.classes.contains(itemClass) else { return }
            // Semantics 1.5, 1.6 and 1.10.
            var unique = [kSecAttrAccount, kSecAttrSyncViewHint]
            switch itemClass {
            case .generic: unique += [kSecAttrService]
            case .internet:
                unique += [
                    kSecAttrSecurityDomain, kSecAttrServer, kSecAttrProtocol, kSecAttrAuthenticationType, kSecAttrPort,
                    kSecAttrPath,
                ]
            }
            add(itemClass.query())
            let value = try #require(row.kind == .flag ? .truth(true) : row.right.last { $0 != .text("") })
            let item = itemClass.query([row.key: value.object])
            let isUnique = row.kind == .flag || unique.contains { $0 as String == row.name }
            #expect(SecItemAdd(item, nil) == (isUnique ? errSecSuccess : errSecDuplicateItem), "\(row)")
            #expect(SecItemAdd(item, nil) == errSecDuplicateItem, "\(row)")
            #expect(SecItemAdd(itemClass.query(), nil) == errSecDuplicateItem, "\(row)")
        }

        @Test("a filter must be equal", arguments: AttributeRow.ofPasswords, PasswordClass.allCases)
        func equality(_ row: AttributeRow, _ itemClass: PasswordClass) {
            guard row.classes.contains(itemClass), row.kind == .blob || row.kind == .text else { return }
            add(itemClass.query([row.key: "example"]))
            add(itemClass.query([kSecAttrAccount: "another"]))
            #expect(count(itemClass, [row.key: "example"]) == 1)
            #expect(count(itemClass, [row.key: Data("example".utf8)]) == 1)
            for other in ["Example", "example ", "exampl", "", "exam%", "*"] {
                let expected = other.isEmpty && row.key != kSecAttrAccount && Self.hasEmptyDefault(row) ? 1 : 0
                #expect(count(itemClass, [row.key: other]) == expected, "\(row) \(other)")
            }
        }

        /// Whether an item without the attribute has an empty value.
        private static func hasEmptyDefault(_ row: AttributeRow) -> Bool {
            [
                kSecAttrService, kSecAttrSecurityDomain, kSecAttrServer, kSecAttrAuthenticationType, kSecAttrPath,
                kSecAttrSyncViewHint,
            ]
            .contains { $0 as String == row.name }
        }

        @Test("the keychain sets the dates of a new item itself", arguments: PasswordClass.allCases)
        func datesOfAddition(_ itemClass: PasswordClass) throws {
            let long = Date(timeIntervalSinceReferenceDate: 1000)
            let start = Date().addingTimeInterval(-1)
            add(itemClass.item("a", "s", [kSecAttrCreationDate: long, kSecAttrModificationDate: long]))
            let found = try attributes(itemClass, [:])
            for key in [kSecAttrCreationDate, kSecAttrModificationDate] {
                let date = try #require(found[key] as? Date)
                #expect(date >= start && date <= Date().addingTimeInterval(1))
                #expect(count(itemClass, [key: date]) == 1)
                #expect(count(itemClass, [key: long]) == 0)
            }
        }

        @Test("an update takes a creation date and makes its own modification date", arguments: PasswordClass.allCases)
        func datesOfUpdate(_ itemClass: PasswordClass) throws {
            let long = Date(timeIntervalSinceReferenceDate: 1000)
            add(itemClass.item("a", "s"))
            let before = try #require(try attributes(itemClass, [:])[kSecAttrModificationDate] as? Date)
            #expect(
                SecItemUpdate(
                    itemClass.query(), changes([kSecAttrCreationDate: long, kSecAttrModificationDate: long]))
                    == errSecSuccess)
            let found = try attributes(itemClass, [:])
            #expect(found[kSecAttrCreationDate] as? Date == long)
            #expect(try #require(found[kSecAttrModificationDate] as? Date) > before)
        }

        @Test("internal attributes of an update: one is refused, one ignored", arguments: PasswordClass.allCases)
        func internalAttributes(_ itemClass: PasswordClass) {
            add(itemClass.item("a", "s"))
            #expect(SecItemUpdate(itemClass.query(), changes(["ggrp" as CFString: "group"])) == errSecParam)
            #expect(
                SecItemUpdate(itemClass.query(), changes(["musr" as CFString: Data(count: 16), kSecAttrLabel: "x"]))
                    == errSecSuccess)
            #expect(count(itemClass, [kSecAttrLabel: "x"]) == 1)
        }

        @Test("text and number that say the same are the same number", arguments: PasswordClass.allCases)
        func numbers(_ itemClass: PasswordClass) {
            add(itemClass.item("a", "s", [kSecAttrCreator: "12"]))
            #expect(count(itemClass, [kSecAttrCreator: 12]) == 1)
            #expect(count(itemClass, [kSecAttrCreator: NSNumber(value: 12.0)]) == 1)
            #expect(count(itemClass, [kSecAttrCreator: "12"]) == 1)
            // Not canonical, so it is a different text.
            #expect(count(itemClass, [kSecAttrCreator: "012"]) == 0)
            #expect(count(itemClass, [kSecAttrCreator: "+12"]) == 0)
        }

        @Test("a missing account is an empty one", arguments: PasswordClass.allCases)
        func defaults(_ itemClass: PasswordClass) throws {
            add(itemClass.query())
            #expect(SecItemAdd(itemClass.item("", ""), nil) == errSecDuplicateItem)
            #expect(count(itemClass, [kSecAttrAccount: ""]) == 1)
            if itemClass == .internet {
                #expect(SecItemAdd(itemClass.query([kSecAttrPort: 0]), nil) == errSecDuplicateItem)
                #expect(count(itemClass, [kSecAttrPort: 0]) == 1)
            }
            let found = try attributes(itemClass, [:])
            #expect(found[kSecAttrAccessible] as? String == kSecAttrAccessibleWhenUnlocked as String)
            #expect(found[kSecAttrSynchronizable] as? Int == 0)
            #expect(found[kSecAttrLabel] == nil)
        }
    }
}
