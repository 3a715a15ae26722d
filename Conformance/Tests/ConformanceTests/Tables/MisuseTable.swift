// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// A call that must fail.
struct Misuse: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let status: OSStatus
    let call: @Sendable (PasswordClass) -> OSStatus

    init(_ title: String, _ status: OSStatus, _ call: @escaping @Sendable (PasswordClass) -> OSStatus) {
        testDescription = title
        self.status = status
        self.call = call
    }

    /// The same entries in several dictionaries, together with the names of the existing item (in an addition, of
    /// another item).
    static func entries(
        _ title: String, _ status: OSStatus, in places: [Place] = Place.allCases,
        _ entries: @escaping @Sendable () -> Entries
    ) -> [Misuse] {
        places.map { place in
            Misuse("\(title), \(place)", status) { itemClass in
                let all = entries()
                guard place == .add else { return place.status(itemClass, all) }
                return SecItemAdd(itemClass.item("new", "s", all), nil)
            }
        }
    }
}

private let queries: [Place] = [.copy, .updateQuery, .delete]
private let withoutChanges: [Place] = [.add, .copy, .updateQuery, .delete]

/// A four-character code or a longer name as a key.
private func key(_ name: String) -> CFString { name as CFString }

private func control(_ flags: SecAccessControlCreateFlags = []) -> SecAccessControl {
    SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)!
}

/// The functions that accept a dictionary of the caller as the query.
private func calls(_ dictionary: CFDictionary) -> [(String, OSStatus)] {
    [
        ("add", SecItemAdd(dictionary, nil)), ("copy", SecItemCopyMatching(dictionary, nil)),
        ("update", SecItemUpdate(dictionary, [kSecAttrLabel: "x"] as CFDictionary)),
        ("delete", SecItemDelete(dictionary)),
    ]
}

extension Misuse {
    /// Semantics 1.1, 1.2, 1.11, 2.1, 2.4 to 2.9, 3.
    static let all: [Misuse] = [keys, values, limits, returns, matches, uses, references, groups, protection].flatMap {
        $0
    }

    private static var keys: [Misuse] {
        var all: [Misuse] = []
        all += [
            "m_Unknown", "r_Unknown", "u_Unknown", "v_Unknown", "c_Unknown", "unknown", "rounds", "prf", "", "x",
            "persistref",
        ]
        .flatMap { name in
            entries("the unknown key \"\(name)\"", errSecParam, in: withoutChanges) { [key(name): "text"] }
                + entries("the unknown key \"\(name)\"", errSecNoSuchAttr, in: [.updateAttributes]) {
                    [key(name): "text"]
                }
        }
        all += entries("the unknown attribute \"wxyz\"", errSecNoSuchAttr) { [key("wxyz"): "text"] }
        all += entries("the salt of a key derivation", errSecNoSuchAttr) { [key("salt"): Data([1])] }
        all += entries("the class", errSecNoSuchAttr, in: [.updateAttributes]) { [kSecClass: kSecClassGenericPassword] }
        all += entries("an internal attribute", errSecParam) { [key("clip"): true] }
        all += entries("a sharing group", errSecParam, in: [.updateAttributes]) { [key("ggrp"): "group"] }
        return all
    }

    private static var values: [Misuse] {
        var all: [Misuse] = []
        all += [Given.text("secret"), .number(1), .truth(true), .date(0), .array, .dictionary, .null].flatMap { value in
            entries("data that is \(value)", errSecParam, in: [.add, .updateAttributes]) {
                [kSecValueData: value.object]
            }
        }
        all += [Given.number(1), .truth(true), .data([1]), .array, .null].flatMap { value in
            entries("a class that is \(value)", errSecParam, in: withoutChanges) { [kSecClass: value.object] }
        }
        all += ["", "bogus", "ashp", "GENP", "acct"].flatMap { name in
            entries("the class \"\(name)\"", errSecNoSuchClass, in: withoutChanges) { [kSecClass: name] }
        }
        return all
    }

    private static var limits: [Misuse] {
        var all: [Misuse] = []
        all += [
            Given.text("bogus"), .text("1"), .truth(true), .date(0), .data([1]), .array, .null, .number(0), .number(-1),
        ]
        .flatMap { value in
            entries("a limit that is \(value)", errSecParam, in: [.copy]) { [kSecMatchLimit: value.object] }
        }
        return all
    }

    private static var returns: [Misuse] {
        var all: [Misuse] = []
        all += ["r_Data", "r_Attributes", "r_Ref", "r_PersistentRef"].flatMap { name in
            [Given.number(1), .number(0), .text("true"), .null, .array].flatMap { value in
                entries("\(name) that is \(value)", errSecParam, in: withoutChanges) { [key(name): value.object] }
            }
                + entries("\(name)", errSecParam, in: [.updateQuery]) { [key(name): true] }
                + entries("\(name)", errSecNoSuchAttr, in: [.updateAttributes]) { [key(name): true] }
        }
        return all
    }

    private static var matches: [Misuse] {
        var all: [Misuse] = []
        all += [
            ("m_Limit", Given.text("m_LimitAll")), ("m_Limit", .text("m_LimitOne")), ("m_Limit", .number(1)),
            ("m_ItemList", .array), ("m_SearchList", .array), ("m_CaseInsensitive", .truth(true)),
            ("m_SubjectContains", .text("x")), ("m_EmailAddressIfPresent", .text("x")), ("m_TrustedOnly", .truth(true)),
            ("m_ValidOnDate", .date(0)), ("m_HostOrSubdomainOfHost", .text("x")),
        ].flatMap { name, value in
            entries("\(name) \(value)", errSecParam, in: [.add, .updateQuery]) { [key(name): value.object] }
                + entries("\(name) \(value)", errSecNoSuchAttr, in: [.updateAttributes]) { [key(name): value.object] }
        }
        // Without these, a deletion would delete more items than the program named.
        all += [
            ("m_Limit", Given.text("m_LimitOne")), ("m_Limit", .number(1)), ("m_ItemList", .array),
            ("m_HostOrSubdomainOfHost", .text("x")),
        ].flatMap { name, value in
            entries("\(name) \(value)", errSecParam, in: [.delete]) { [key(name): value.object] }
        }
        all += [Given.text("yes"), .number(1), .null].flatMap { value in
            entries("trusted only that is \(value)", errSecParam, in: [.copy]) { [kSecMatchTrustedOnly: value.object] }
        }
        all += [Given.text("now"), .number(1), .truth(true)].flatMap { value in
            entries("a date of validity that is \(value)", errSecParam, in: [.copy]) {
                [kSecMatchValidOnDate: value.object]
            }
        }
        all += [Given.data([1]), .number(1), .null].flatMap { value in
            entries("a mail address that is \(value)", errSecParam, in: [.copy]) {
                [kSecMatchEmailAddressIfPresent: value.object]
            }
        }
        all += [
            Misuse("issuers of a password", errSecUnimplemented) { itemClass in
                probe(itemClass.query([kSecMatchIssuers: [Data([0x30, 0])]]))
            },
            Misuse("a host of a generic password", errSecUnimplemented) { _ in
                probe(PasswordClass.generic.query([kSecMatchHostOrSubdomainOfHost: "example.com"]))
            },
            Misuse("a host that is no text", errSecParam) { _ in
                probe(PasswordClass.internet.query([kSecMatchHostOrSubdomainOfHost: 1]))
            },
        ]
        return all
    }

    private static var uses: [Misuse] {
        var all: [Misuse] = []
        all += entries("a list of items", errSecParam, in: withoutChanges) { [kSecUseItemList: [Any]()] }
        all += entries("a list of items", errSecNoSuchAttr, in: [.updateAttributes]) { [kSecUseItemList: [Any]()] }
        all += entries("leaving out what asks", errSecParam, in: [.add, .updateQuery, .delete]) {
            [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]
        }
        all += entries("an unknown way of asking", errSecParam, in: withoutChanges) {
            [kSecUseAuthenticationUI: "bogus"]
        }
        all += [Given.text("context"), .number(1), .data([1]), .null].flatMap { value in
            entries("an authentication context that is \(value)", errSecParam, in: withoutChanges) {
                [kSecUseAuthenticationContext: value.object]
            }
        }
        all += entries("a key of the use family", errSecNoSuchAttr, in: [.updateAttributes]) {
            [kSecUseDataProtectionKeychain: true]
        }
        return all
    }

    private static var references: [Misuse] {
        var all: [Misuse] = []
        all += [0, 3, 4, 11, 13, 16, 19, 21, 1000].flatMap { length in
            entries("a persistent reference of \(length) bytes", errSecParam, in: withoutChanges) {
                [kSecValuePersistentRef: Data((Data("genp".utf8) + Data(count: 1000)).prefix(length))]
            }
        }
        all += [Given.text("genp"), .number(1), .null].flatMap { value in
            entries("a persistent reference that is \(value)", errSecParam, in: withoutChanges) {
                [kSecValuePersistentRef: value.object]
            }
        }
        all += [
            Misuse("a persistent reference of an unknown class", errSecParam) { _ in
                probe([kSecValuePersistentRef: Data("abcd".utf8) + Data(count: 16)] as CFDictionary)
            },
            Misuse("a persistent reference of another class", errSecParam) { itemClass in
                probe(
                    itemClass.query([kSecValuePersistentRef: Data(itemClass.other.rawValue.utf8) + Data(count: 16)]))
            },
            Misuse("adding by persistent reference", errSecParam) { itemClass in
                SecItemAdd(
                    itemClass.query([kSecValuePersistentRef: Data(itemClass.rawValue.utf8) + Data(count: 16)]), nil)
            },
            Misuse("a persistent reference in changes", errSecNoSuchAttr) { itemClass in
                let reference = Data(itemClass.rawValue.utf8) + Data(count: 16)
                return SecItemUpdate(itemClass.query(), changes([kSecValuePersistentRef: reference]))
            },
            Misuse("an unknown persistent reference", errSecItemNotFound) { itemClass in
                probe([kSecValuePersistentRef: Data(itemClass.rawValue.utf8) + Data(count: 16)] as CFDictionary)
            },
            Misuse("an unknown persistent reference of 12 bytes", errSecItemNotFound) { itemClass in
                let reference = Data(itemClass.rawValue.utf8) + Data(repeating: 0x7F, count: 8)
                return SecItemDelete([kSecValuePersistentRef: reference] as CFDictionary)
            },
            Misuse("updating an unknown persistent reference", errSecItemNotFound) { itemClass in
                let reference = Data(itemClass.rawValue.utf8) + Data(count: 16)
                return SecItemUpdate(
                    [kSecValuePersistentRef: reference] as CFDictionary, changes([kSecAttrLabel: "x"]))
            },
        ]
        all += entries("a reference", errSecParam, in: withoutChanges) { [kSecValueRef: NSObject()] }
        all += entries("a reference", errSecNoSuchAttr, in: [.updateAttributes]) { [kSecValueRef: NSObject()] }
        return all
    }

    private static var groups: [Misuse] {
        var all: [Misuse] = []
        all += ["com.apple.token", "foreign", ""].flatMap { group in
            entries("the group \"\(group)\"", errSecMissingEntitlement) { [kSecAttrAccessGroup: group] }
        }
        return all
    }

    private static var protection: [Misuse] {
        var all: [Misuse] = []
        all += [SecAccessControlCreateFlags.userPresence, .devicePasscode].flatMap { flags in
            entries("accessibility beside access control", errSecParam, in: [.add, .updateAttributes]) {
                [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked, kSecAttrAccessControl: control(flags)]
            }
                + entries("access control of what synchronizes", errSecParam, in: [.add, .updateAttributes]) {
                    [kSecAttrSynchronizable: true, kSecAttrAccessControl: control(flags)]
                }
        }
        all += entries("access control without flags of what synchronizes", errSecParam, in: [.add, .updateAttributes])
        {
            [kSecAttrSynchronizable: true, kSecAttrAccessControl: control()]
        }
        all += entries("a passcode where there is none", errSecAuthFailed, in: [.add, .updateAttributes]) {
            [kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly]
        }
        return all
    }

    /// Calls with valid dictionaries.
    static let ofTheState: [Misuse] = [
        Misuse("a duplicate", errSecDuplicateItem) { itemClass in SecItemAdd(itemClass.item("a", "s"), nil) },
        Misuse("becoming the same as another", errSecDuplicateItem) { itemClass in
            SecItemUpdate(itemClass.item("a", "s"), changes([kSecAttrAccount: "b", kSecValueData: Data([9])]))
        },
        Misuse("several becoming the same", errSecDuplicateItem) { itemClass in
            SecItemUpdate(itemClass.query(), changes([kSecAttrAccount: "z", kSecAttrLabel: "z"]))
        },
        Misuse("searching what is not there", errSecItemNotFound) { itemClass in probe(itemClass.item("z", "s")) },
        Misuse("updating what is not there", errSecItemNotFound) { itemClass in
            SecItemUpdate(itemClass.item("z", "s"), changes([kSecAttrLabel: "z"]))
        },
        Misuse("deleting what is not there", errSecItemNotFound) { itemClass in SecItemDelete(itemClass.item("z", "s"))
        },
    ]
}

extension Conformance {
    @Suite struct `Misuse changes nothing` {
        @Test(arguments: Misuse.all + Misuse.ofTheState, PasswordClass.allCases)
        func `each misuse has its status`(_ misuse: Misuse, _ itemClass: PasswordClass) {
            for each in PasswordClass.allCases {
                add(each.item("a", "s", [kSecValueData: Data([1]), kSecAttrLabel: "L"]))
                add(each.item("b", "s", [kSecValueData: Data([2])]))
            }
            add(itemClass.item("a", "s", [kSecAttrSynchronizable: true]))
            let before = dump()
            #expect(misuse.call(itemClass) == misuse.status)
            #expect(dump() == before)
        }

        @Test func `a dictionary without class or reference is refused`() {
            add(PasswordClass.generic.item("a", "s"))
            let before = dump()
            for dictionary in [[:], [kSecAttrAccount: "a"], [kSecReturnData: true], [kSecValueData: Data([1])]]
                as [Entries]
            {
                for (function, status) in calls(dictionary as CFDictionary) {
                    #expect(status == errSecParam, "\(function) \(dictionary)")
                }
            }
            #expect(dump() == before)
        }

        @Test func `a key that is no text is refused`() {
            add(PasswordClass.generic.item("a", "s"))
            let before = dump()
            let keys: [any Hashable & Sendable] = [1, true, Data("acct".utf8), Date(), UUID()]
            for key in keys {
                let dictionary = NSMutableDictionary()
                dictionary[kSecClass] = kSecClassGenericPassword
                dictionary[AnyHashable(key)] = "x"
                for (function, status) in calls(dictionary) { #expect(status == errSecParam, "\(function) \(key)") }
                let query = PasswordClass.generic.query()
                let change = NSMutableDictionary()
                change[AnyHashable(key)] = "x"
                #expect(SecItemUpdate(query, change) == errSecParam, "\(key)")
            }
            #expect(dump() == before)
        }

        @Test(arguments: PasswordClass.allCases)
        func `a dictionary has at most 128 entries`(_ itemClass: PasswordClass) {
            // Keys that begin with f are ignored.
            func padded(_ entries: Entries, to count: Int) -> CFDictionary {
                let all = NSMutableDictionary()
                for (key, value) in entries { all[key] = value }
                for number in 0..<(count - entries.count) { all["f_padding\(number)"] = number }
                return all
            }
            let item: Entries = [kSecClass: itemClass.constant, kSecAttrAccount: "a"]
            for count in [129, 130, 1000] {
                for (function, status) in calls(padded(item, to: count)) {
                    #expect(status == errSecParam, "\(function) \(count)")
                }
            }
            #expect(SecItemAdd(padded(item, to: 128), nil) == errSecSuccess)
            #expect(SecItemCopyMatching(padded(item, to: 128), nil) == errSecSuccess)
            #expect(SecItemUpdate(padded(item, to: 128), changes([kSecAttrLabel: "x"])) == errSecSuccess)
            #expect(SecItemUpdate(item as CFDictionary, padded([kSecAttrLabel: "y"], to: 129)) == errSecParam)
            #expect(SecItemDelete(padded(item, to: 128)) == errSecSuccess)
        }

        @Test(arguments: PasswordClass.allCases)
        func `an update whose query and changes are both wrong changes nothing`(_ itemClass: PasswordClass) {
            add(itemClass.item("a", "s"))
            let before = dump()
            #expect(
                SecItemUpdate(itemClass.query([kSecAttrAccount: NSNull()]), changes([kSecAttrLabel: NSNull()]))
                    == errSecParam)
            #expect(SecItemUpdate(itemClass.query([kSecMatchLimit: 1]), changes([kSecAttrLabel: "x"])) == errSecParam)
            #expect(SecItemUpdate([:] as CFDictionary, changes([kSecAttrLabel: "x"])) == errSecParam)
            #expect(dump() == before)
        }
    }
}
