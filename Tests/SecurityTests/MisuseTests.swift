// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Security
import Testing

private var base: [CFString: Any] { [kSecClass: kSecClassGenericPassword] }

private func with(_ more: [CFString: Any]) -> CFDictionary { base.merging(more) { $1 } as CFDictionary }

/// The statuses of the four functions for the same dictionary; each request that is sent gets a successful answer.
private struct Statuses {
    let add, copy, update, delete: OSStatus

    init(_ dictionary: CFDictionary) {
        let service = RecordingService(
            .items([ReturnedItem(reference: .example, attributes: nil, secret: nil)]))
        (add, copy, update, delete) = service.run {
            (
                SecItemAdd(dictionary, nil), SecItemCopyMatching(dictionary, nil),
                SecItemUpdate(dictionary, [:]), SecItemDelete(dictionary)
            )
        }
    }

    var all: [OSStatus] { [add, copy, update, delete] }
}

private func updating(_ changes: [CFString: Any]) -> OSStatus {
    RecordingService().run { SecItemUpdate(base as CFDictionary, changes as CFDictionary) }
}

private func everywhere(_ status: OSStatus) -> [OSStatus] { Array(repeating: status, count: 4) }

@Suite struct `Dictionaries that make no sense` {
    @Test func `a dictionary without a class is a parameter error`() {
        #expect(Statuses([:]).all == everywhere(errSecParam))
        #expect(Statuses([kSecAttrAccount: "joe"] as CFDictionary).all == everywhere(errSecParam))
    }

    @Test func `a class that is not text is a parameter error`() {
        for value in [1, Data("genp".utf8), NSNull(), true] as [Any] {
            #expect(Statuses([kSecClass: value] as CFDictionary).all == everywhere(errSecParam))
        }
    }

    @Test func `a class that does not exist is no such class`() {
        for name in ["ashp", "", "genericPassword", "GENP"] {
            #expect(Statuses([kSecClass: name] as CFDictionary).all == everywhere(errSecNoSuchClass))
        }
    }

    @Test func `an identity is added by reference only`() {
        for item in [[kSecAttrLabel: "x"], [kSecValueData: Data([1])]] as [[CFString: Any]] {
            let item = item.merging([kSecClass: kSecClassIdentity]) { $1 }
            #expect(Statuses(item as CFDictionary).add == errSecParam)
        }
    }

    @Test func `keys that are not text are a parameter error`() {
        for key in [1, true, Data([1]), NSNull()] as [AnyHashable] {
            #expect(Statuses([kSecClass: "genp", key: 1] as CFDictionary).all == everywhere(errSecParam))
            let status = RecordingService().run { SecItemUpdate(base as CFDictionary, [key: "x"] as CFDictionary) }
            #expect(status == errSecParam)
        }
    }

    @Test func `unknown keys of no or some family are a parameter error`() {
        for key in [
            "", "x", "unknown", "r_Unknown", "m_Unknown", "u_Unknown", "v_Unknown", "classes", "prf", "persistref",
        ] {
            #expect(Statuses(with([key as CFString: true])).all == everywhere(errSecParam), "\(key)")
        }
    }

    @Test func `more than 128 entries are a parameter error`() {
        var many: [String: Any] = ["class": "genp"]
        for index in 1...127 { many["f_entry\(index)"] = index }
        #expect(Statuses(many as CFDictionary).all == everywhere(errSecSuccess))
        many["f_entry128"] = 128
        #expect(Statuses(many as CFDictionary).all == everywhere(errSecParam))
    }

    @Test func `an attribute that the class lacks is no such attribute`() {
        for key in [kSecAttrServer, kSecAttrApplicationTag, kSecAttrAccess, "lkup", "zzzz", "\u{E9}\u{E9}\u{E9}\u{E9}"]
        {
            #expect(Statuses(with([key: "x"])).all == everywhere(errSecNoSuchAttr), "\(key)")
            #expect(updating([key: "x"]) == errSecNoSuchAttr, "\(key)")
        }
    }

    @Test func `internal attributes are a parameter error everywhere`() {
        for key in ["clip", "tomb", "musr", "ggrp"] as [CFString] {
            #expect(Statuses(with([key: 1])).all == everywhere(errSecParam), "\(key)")
            // Whose item it is cannot be changed, and trying to is passed over.
            #expect(updating([key: 1]) == (key == "musr" ? errSecSuccess : errSecParam), "\(key)")
        }
    }

    @Test func `attributes of the wrong type are a parameter error`() {
        let wrong: [(CFString, Any)] = [
            (kSecAttrAccount, Date()), (kSecAttrAccount, NSNull()), (kSecAttrAccessible, "never"),
            (kSecAttrAccessible, 1),
            (kSecAttrAccessControl, "text"), (kSecAttrAccessControl, NSObject()), (kSecAttrCreationDate, "today"),
            (kSecAttrCreationDate, Date(timeIntervalSinceReferenceDate: .nan)), (kSecAttrSynchronizable, Data([1])),
            (kSecAttrAccessGroup, 1), (kSecAttrAccessGroup, Data([0xFF])), (kSecAttrCreator, Data([1])),
        ]
        for (key, value) in wrong {
            #expect(Statuses(with([key: value])).all == everywhere(errSecParam), "\(key)")
            #expect(updating([key: value]) == errSecParam, "\(key)")
        }
    }

    @Test func `data that is not Data is a parameter error`() {
        for value in ["secret", 1, NSNull(), [UInt8(1)], Data?.none as Any] as [Any] {
            #expect(Statuses(with([kSecValueData: value])).all == everywhere(errSecParam))
            #expect(updating([kSecValueData: value]) == errSecParam)
        }
    }

    @Test func `return keys take truth values and no numbers`() {
        for key in [kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef] {
            for value in [1, 0, "true", NSNumber(value: Int8(1)), UInt8(1), NSNull()] as [Any] {
                #expect(Statuses(with([key: value])).all == everywhere(errSecParam), "\(key)")
            }
            for value in [true, kCFBooleanTrue as Any, NSNumber(value: true)] as [Any] {
                let statuses = Statuses(with([key: value]))
                #expect(statuses.all == [errSecSuccess, errSecSuccess, errSecParam, errSecSuccess], "\(key)")
            }
            #expect(Statuses(with([key: false])).all == everywhere(errSecSuccess), "\(key)")
        }
    }

    @Test func `match keys belong into searches, and deletions ignore them`() {
        let keys: [CFString: Any] = [
            kSecMatchLimit: kSecMatchLimitAll, kSecMatchCaseInsensitive: true, kSecMatchTrustedOnly: true,
            kSecMatchSearchList: [], kSecMatchEmailAddressIfPresent: "x", kSecMatchSubjectContains: "x",
        ]
        for (key, value) in keys {
            #expect(
                Statuses(with([key: value])).all == [errSecParam, errSecSuccess, errSecParam, errSecSuccess], "\(key)")
        }
        #expect(
            Statuses(with([kSecMatchItemList: []])).all == [errSecParam, errSecSuccess, errSecParam, errSecParam])
        // Also where a search would need certificates.
        for key in [kSecMatchPolicy, kSecMatchIssuers] {
            #expect(Statuses(with([key: "x"])).delete == errSecSuccess, "\(key)")
        }
    }

    @Test func `a deletion takes no match key that would leave items in the data-protection keychain`() {
        let keys: [(CFString, Any)] = [
            (kSecMatchLimit, kSecMatchLimitOne), (kSecMatchLimit, 1), (kSecMatchLimit, 2), (kSecMatchLimit, "all"),
            (kSecMatchHostOrSubdomainOfHost, "example.org"), (kSecMatchSubjectStartsWith, "x"),
            (kSecMatchSubjectEndsWith, "x"), (kSecMatchSubjectWholeString, "x"),
        ]
        for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate] {
            for (key, value) in keys {
                let query: [CFString: Any] = [kSecClass: itemClass, key: value]
                #expect(Statuses(query as CFDictionary).delete == errSecParam, "\(key) \(value)")
            }
        }
    }

    @Test func `a limit is one, all or a number from 1`() {
        for value in ["all", "1", true, 0, -1, 1.5, NSNull(), Data([1])] as [Any] {
            #expect(Statuses(with([kSecMatchLimit: value])).copy == errSecParam, "\(value)")
        }
    }

    @Test func `match keys of the wrong type are a parameter error`() {
        let wrong: [(CFString, Any)] = [
            (kSecMatchTrustedOnly, 1), (kSecMatchValidOnDate, "now"), (kSecMatchEmailAddressIfPresent, 1),
        ]
        for (key, value) in wrong { #expect(Statuses(with([key: value])).copy == errSecParam, "\(key)") }
    }

    @Test func `match keys of other classes are unimplemented`() {
        for key in [kSecMatchPolicy, kSecMatchIssuers, kSecMatchHostOrSubdomainOfHost] {
            #expect(Statuses(with([key: "x"])).copy == errSecUnimplemented, "\(key)")
        }
    }

    @Test func `keys of file-based keychains are a parameter error`() {
        for key in [kSecUseItemList, kSecUseKeychain, kSecValueRef] {
            #expect(Statuses(with([key: [] as [Any]])).all == everywhere(errSecParam), "\(key)")
        }
    }

    @Test func `text matching is a truth value, for searches, and a deletion ignores that of the case`() {
        for key in [kSecMatchCaseInsensitive, kSecMatchDiacriticInsensitive, kSecMatchWidthInsensitive] {
            #expect(Statuses(with([key: 1])).copy == errSecParam, "\(key)")
            #expect(Statuses(with([key: "yes"])).copy == errSecParam, "\(key)")
            let all = Statuses(with([key: true]))
            #expect(all.copy == errSecSuccess, "\(key)")
            #expect(all.add == errSecParam && all.update == errSecParam, "\(key)")
            #expect(all.delete == (key == kSecMatchCaseInsensitive ? errSecSuccess : errSecParam), "\(key)")
        }
    }

    @Test func `a host is text, of a length that a host can have`() {
        for value: Any in ["", 1, Data([0x61]), String(repeating: "a", count: 1025)] {
            let query: [CFString: Any] = [
                kSecClass: kSecClassInternetPassword, kSecMatchHostOrSubdomainOfHost: value,
            ]
            #expect(Statuses(query as CFDictionary).copy == errSecParam, "\(value)")
        }
    }

    @Test func `leaving items out that need authentication is for searches only`() {
        let dictionary = with([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip])
        #expect(Statuses(dictionary).all == [errSecParam, errSecSuccess, errSecParam, errSecParam])
        for value in ["skip", 1, true] as [Any] {
            #expect(Statuses(with([kSecUseAuthenticationUI: value])).all == everywhere(errSecParam))
        }
    }

    @Test func `authentication keys of the wrong type are a parameter error`() {
        for value in [NSObject(), "context", NSNull()] as [Any] {
            #expect(Statuses(with([kSecUseAuthenticationContext: value])).all == everywhere(errSecParam))
        }
        #expect(Statuses(with([kSecUseNoAuthenticationUI: 1])).all == everywhere(errSecParam))
        #expect(Statuses(with([kSecUseOperationPrompt: 1])).all == everywhere(errSecParam))
    }

    @Test func `changes hold attributes and data and nothing else`() {
        let keys: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne,
            kSecUseOperationPrompt: "Why", kSecUseDataProtectionKeychain: true, kSecValueRef: "x",
            kSecValuePersistentRef: Data(PersistentReference.example.bytes), "unknown" as CFString: 1,
        ]
        for (key, value) in keys { #expect(updating([key: value]) == errSecNoSuchAttr, "\(key)") }
        #expect(updating([kSecAttrSynchronizable: kSecAttrSynchronizableAny]) == errSecParam)
        #expect(updating([kSecAttrTokenID: "x"]) == errSecParam)
    }

    @Test func `malformed persistent references are a parameter error`() {
        let values: [Any] = [
            Data(), Data("genp".utf8), Data(repeating: 0, count: 20), Data("genp".utf8) + Data(repeating: 0, count: 17),
            "genp", NSNull(),
        ]
        for value in values {
            #expect(Statuses([kSecValuePersistentRef: value] as CFDictionary).all == everywhere(errSecParam))
        }
    }

    @Test func `a persistent reference stands alone in a search, and never in an addition`() {
        let current = Data(PersistentReference.example.bytes)
        let old = Data("genp".utf8) + Data(repeating: 1, count: 8)
        let alone = Statuses(with([kSecValuePersistentRef: current]))
        #expect(alone.all == [errSecParam, errSecSuccess, errSecSuccess, errSecSuccess])
        let besides = Statuses(with([kSecValuePersistentRef: current, kSecAttrAccount: "joe"]))
        #expect(besides.all == [errSecParam, errSecParam, errSecSuccess, errSecSuccess])
        let oldBesides = Statuses(with([kSecValuePersistentRef: old, kSecAttrAccount: "joe"]))
        #expect(oldBesides.all == everywhere(errSecParam))
        let other = Statuses([kSecClass: kSecClassKey, kSecValuePersistentRef: current] as CFDictionary)
        #expect(other.all == everywhere(errSecParam))
    }

    @Test func `an access group with an impossible name is a missing entitlement`() {
        let group = String(repeating: "g", count: 2000)
        #expect(Statuses(with([kSecAttrAccessGroup: group])).copy == errSecMissingEntitlement)
    }

    @Test func `attributes over a mebibyte are too large`() {
        let text = String(repeating: "x", count: 1 << 20 + 1)
        #expect(Statuses(with([kSecAttrComment: text])).all == everywhere(errSecDataTooLarge))
    }

    @Test func `of several mistakes the gravest is told, whatever the order`() {
        for round in 0..<20 {
            // Another capacity is another order of the entries.
            let dictionary = NSMutableDictionary(capacity: round * 10)
            dictionary[kSecClass] = "ashp"
            dictionary["zzzz"] = 1
            dictionary["unknown"] = 1
            #expect(Statuses(dictionary).all == everywhere(errSecParam))
        }
    }

    @Test func `a refusal of the service is the status, and the result stays`() {
        let before = NSObject()
        for status in [StatusCode.itemNotFound, .duplicateItem, .missingEntitlement, .interactionNotAllowed] {
            var result: CFTypeRef? = before
            RecordingService(.refusal(status)).run {
                #expect(SecItemAdd(with([kSecReturnData: true]), &result) == status.rawValue)
                #expect(SecItemCopyMatching(with([kSecReturnData: true]), &result) == status.rawValue)
                #expect(SecItemUpdate(base as CFDictionary, [:]) == status.rawValue)
                #expect(SecItemDelete(base as CFDictionary) == status.rawValue)
            }
            #expect(result === before)
        }
    }
}
