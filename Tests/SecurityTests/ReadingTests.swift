// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Security
import Testing

@Suite struct `Reading dictionaries` {
    @Test func `text in all its types is text`() throws {
        let substring = "a joe".dropFirst(2)
        let mutable = NSMutableString(string: "joe")
        let present: String? = "joe"
        for value in ["joe", "joe" as NSString, substring, mutable, present as Any] as [Any] {
            #expect(sentValue(kSecAttrAccount, value) == .string("joe"))
        }
    }

    @Test func `data in both its types is data`() {
        for value in [Data([1, 2]), NSData(data: Data([1, 2])), Data([0, 1, 2]).dropFirst()] as [Any] {
            #expect(sentValue(kSecAttrGeneric, value) == .data([1, 2]))
        }
    }

    @Test func `integers in all their types are numbers`() {
        let values: [Any] = [
            5, Int8(5), Int16(5), Int32(5), Int64(5), UInt(5), UInt8(5), UInt16(5), UInt32(5), UInt64(5),
            NSNumber(value: 5), 5.0, Float(5), CGFloat(5), Decimal(5), NSDecimalNumber(value: 5), Int?.some(5) as Any,
        ]
        for value in values { #expect(sentValue(kSecAttrCreator, value) == .number(5), "\(type(of: value))") }
        #expect(sentValue(kSecAttrCreator, -1) == .number(-1))
        #expect(sentValue(kSecAttrCreator, Int64.min) == .number(.min))
    }

    @Test func `numbers that no attribute can hold are refused`() {
        for value in [
            1.5, Double.nan, Double.infinity, 1e300, UInt64.max, Decimal(1) / 3, NSDecimalNumber.notANumber,
            Decimal.greatestFiniteMagnitude, CGFloat.nan,
            CGFloat(0.5), NSNumber(value: UInt64.max),
        ] as [Any] {
            #expect(sentValue(kSecAttrCreator, value) == nil, "\(value)")
        }
    }

    @Test func `truth values are the numbers one and zero`() {
        for value in [true, NSNumber(value: true), kCFBooleanTrue as Any] as [Any] {
            #expect(sentValue(kSecAttrIsInvisible, value) == .number(1))
        }
        #expect(sentValue(kSecAttrIsInvisible, false) == .number(0))
    }

    @Test func `canonical decimals become numbers where a number belongs`() {
        #expect(sentValue(kSecAttrCreator, "1234") == .number(1234))
        #expect(sentValue(kSecAttrCreator, "01234") == .string("01234"))
    }

    @Test func `dates are dates and identifiers are text`() {
        let moment = Date(timeIntervalSinceReferenceDate: 1234.5678)
        for value in [moment, moment as NSDate] as [Any] {
            #expect(
                sentValue(kSecAttrCreationDate, value)
                    == .date(Timestamp(secondsSinceReferenceDate: moment.timeIntervalSinceReferenceDate)))
        }
        let identifier = UUID()
        for value in [identifier, identifier as NSUUID] as [Any] {
            #expect(sentValue(kSecAttrAccount, value) == .string(identifier.uuidString))
        }
    }

    @Test func `values that no attribute takes are refused`() {
        let values: [Any] = [
            NSNull(), Int?.none as Any, ["a": 1], [1, 2], NSObject(), Character("a"), URL(string: "file:///")!,
            [UInt8(1)],
        ]
        for value in values { #expect(sentValue(kSecAttrAccount, value) == nil, "\(type(of: value))") }
    }

    @Test func `keys may be of either string type and come from any kind of dictionary`() throws {
        let expected = try ItemAttributes(
            .genericPassword, for: .query, [.init(.account, .string("joe")), .init(.service, .string("mail"))])
        let mutable = NSMutableDictionary()
        mutable[kSecClass] = kSecClassGenericPassword
        mutable.setValue("joe", forKey: kSecAttrAccount as String)
        mutable["svce"] = "mail"
        let dictionaries = [
            [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "joe", kSecAttrService: "mail"] as CFDictionary,
            ["class": "genp", "acct": "joe", "svce": "mail"] as CFDictionary,
            [kSecClass as AnyHashable: kSecClassGenericPassword, "acct" as AnyHashable: "joe", "svce": "mail"]
                as [AnyHashable: Any] as CFDictionary,
            mutable as CFDictionary,
            NSDictionary(objects: ["genp", "joe", "mail"], forKeys: ["class", "acct", "svce"] as [NSString]),
        ]
        for dictionary in dictionaries { #expect(sentQuery(dictionary)?.attributes == expected) }
    }

    @Test func `access group and synchronizable become filters of their own`() throws {
        let base: [CFString: Any] = [kSecClass: kSecClassGenericPassword]
        func query(_ more: [CFString: Any]) -> ItemQuery? { sentQuery(base.merging(more) { $1 } as CFDictionary) }
        #expect(query([:])?.synchronizable == .localOnly)
        #expect(query([kSecAttrSynchronizable: kSecAttrSynchronizableAny])?.synchronizable == .any)
        #expect(query([kSecAttrSynchronizable: true])?.synchronizable == .synchronizableOnly)
        #expect(query([kSecAttrSynchronizable: 1])?.synchronizable == .synchronizableOnly)
        #expect(query([kSecAttrSynchronizable: "1"])?.synchronizable == .synchronizableOnly)
        #expect(query([kSecAttrSynchronizable: kCFBooleanFalse!])?.synchronizable == .localOnly)
        let grouped = try #require(query([kSecAttrAccessGroup: "team.example"]))
        #expect(grouped.accessGroup == "team.example")
        #expect(grouped.attributes.isEmpty)
    }

    @Test func `an item added as either kind of synchronizable is a local one`() throws {
        let attributes = try #require(
            sentAttributes(
                [kSecClass: kSecClassGenericPassword, kSecAttrSynchronizable: kSecAttrSynchronizableAny]
                    as CFDictionary))
        #expect(attributes.isEmpty)
    }

    @Test func `a persistent reference in either encoding names the class and any kind of item`() throws {
        let old = Data("genp".utf8) + Data([0, 0, 0, 0, 0, 0, 1, 2])
        let byRow = try #require(sentQuery([kSecValuePersistentRef: old] as CFDictionary))
        #expect(byRow.persistentReference?.target == .row(258))
        let current = Data(PersistentReference.example.bytes)
        let byIdentifier = try #require(
            sentQuery([kSecValuePersistentRef: current, kSecMatchLimit: kSecMatchLimitOne] as CFDictionary))
        #expect(byIdentifier.persistentReference == .example)
        #expect(byIdentifier.itemClass == .genericPassword)
        #expect(byIdentifier.synchronizable == .any)
    }

    @Test func `every form of the limit is understood`() {
        let forms: [(Any, MatchLimit)] = [
            (kSecMatchLimitOne, .one), (kSecMatchLimitAll, .all), (1, .one), (2, .atMost(2)),
            (NSNumber(value: 7), .atMost(7)),
            (Int.max, .atMost(.max)),
        ]
        for (given, expected) in forms {
            let service = RecordingService()
            service.run {
                SecItemCopyMatching([kSecClass: kSecClassGenericPassword, kSecMatchLimit: given] as CFDictionary, nil)
            }
            guard case .copyMatching(_, let limit, _) = service.received.first else {
                Issue.record("\(given) was refused")
                continue
            }
            #expect(limit == expected)
        }
    }

    @Test func `a search can overlook case, diacritics and width`() {
        let keys: [(CFString, TextMatching)] = [
            (kSecMatchCaseInsensitive, .caseInsensitive), (kSecMatchDiacriticInsensitive, .diacriticInsensitive),
            (kSecMatchWidthInsensitive, .widthInsensitive),
        ]
        var all: [CFString: Any] = [kSecClass: kSecClassGenericPassword]
        for (key, matching) in keys {
            let query = sentQuery([kSecClass: kSecClassGenericPassword, key: true] as CFDictionary)
            #expect(query?.textMatching == matching)
            all[key] = kCFBooleanTrue
        }
        #expect(sentQuery(all as CFDictionary)?.textMatching == .all)
    }

    @Test func `a search for internet passwords can name a host`() {
        let query = sentQuery(
            [kSecClass: kSecClassInternetPassword, kSecMatchHostOrSubdomainOfHost: "example.com"] as CFDictionary)
        #expect(query?.hostOrSubdomain == "example.com")
        #expect(query?.itemClass == .internetPassword)
    }

    @Test func `keys without effect on passwords change nothing`() {
        let keys: [CFString: Any] = [
            kSecMatchCaseInsensitive: false, kSecMatchItemList: [], kSecMatchSearchList: [],
            kSecMatchSubjectContains: "x",
            kSecMatchEmailAddressIfPresent: "x", kSecMatchTrustedOnly: true, kSecMatchValidOnDate: NSNull(),
            kSecUseAuthenticationUI: kSecUseAuthenticationUIAllow, kSecUseNoAuthenticationUI: true,
            kSecUseOperationPrompt: "Why", kSecUseDataProtectionKeychain: true, kSecUseUserIndependentKeychain: false,
            kSecValueData: Data([1]), "f_callback" as CFString: 1,
        ]
        for (key, value) in keys {
            let query = sentQuery([kSecClass: kSecClassGenericPassword, key: value] as CFDictionary)
            #expect(query == ItemQuery(.genericPassword), "\(key)")
        }
        for value in [kSecUseAuthenticationUIFail, kSecUseAuthenticationUISkip] {
            let query = sentQuery(
                [kSecClass: kSecClassGenericPassword, kSecUseAuthenticationUI: value] as CFDictionary)
            #expect(query == ItemQuery(.genericPassword), "\(value)")
        }
    }

    @Test func `new data and attributes of an update are sent, and nothing else`() throws {
        let service = RecordingService()
        service.run {
            SecItemUpdate(
                [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "joe"] as CFDictionary,
                [kSecValueData: Data([1, 2]), kSecAttrLabel: "Mail"] as CFDictionary)
        }
        var query = ItemQuery(.genericPassword)
        query.attributes = try ItemAttributes(.genericPassword, for: .query, [.init(.account, .string("joe"))])
        let changes = try ItemAttributes(.genericPassword, for: .update, [.init(.label, .string("Mail"))])
        #expect(service.received == [.update(query, changes: changes, data: [1, 2])])
    }

    @Test func `parts are only asked for when there is a place for them`() {
        let query =
            [kSecClass: kSecClassGenericPassword, kSecReturnData: true, kSecReturnAttributes: true] as CFDictionary
        let service = RecordingService()
        var result: CFTypeRef?
        service.run {
            SecItemCopyMatching(query, nil)
            SecItemCopyMatching(query, &result)
        }
        let plain = ItemQuery(.genericPassword)
        #expect(
            service.received == [
                .copyMatching(plain, limit: .one, parts: []),
                .copyMatching(plain, limit: .one, parts: [.data, .attributes]),
            ])
    }
}
