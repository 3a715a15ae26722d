// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Security
import Testing

private func make(
    _ flags: SecAccessControlCreateFlags, _ protection: CFTypeRef = kSecAttrAccessibleWhenUnlocked
) -> SecAccessControl? {
    SecAccessControlCreateWithFlags(nil, protection, flags, nil)
}

@Suite struct `Access control objects` {
    @Test func `are made of every protection`() {
        for protection in [
            kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleAfterFirstUnlock, kSecAttrAccessibleAlways,
            kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, kSecAttrAccessibleAlwaysThisDeviceOnly,
        ] {
            #expect(make([], protection) != nil)
        }
        #expect(make([], "ak" as CFString) != nil)
        for protection in ["bogus" as CFString, NSNull(), NSNumber(value: 1)] as [CFTypeRef] {
            #expect(make([], protection) == nil)
        }
    }

    @Test func `are made of flags that go together`() {
        let possible: [SecAccessControlCreateFlags] = [
            .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .watch, .privateKeyUsage,
            .applicationPassword, .touchIDAny, .touchIDCurrentSet, [.biometryAny, .or, .devicePasscode],
            [.biometryAny, .and, .devicePasscode], [.userPresence, .applicationPassword],
            [.userPresence, .privateKeyUsage],
        ]
        for flags in possible { #expect(make(flags) != nil, "\(flags.rawValue)") }
        let impossible: [SecAccessControlCreateFlags] = [
            [.userPresence, .biometryAny], [.userPresence, .devicePasscode], [.biometryAny, .biometryCurrentSet],
            [.or, .and], SecAccessControlCreateFlags(rawValue: 4), SecAccessControlCreateFlags(rawValue: 1 << 40),
        ]
        for flags in impossible { #expect(make(flags) == nil, "\(flags.rawValue)") }
    }

    @Test func `explain why they cannot be made`() throws {
        var error: Unmanaged<CFError>?
        #expect(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleAlways, [.or, .and], &error) == nil)
        let cause = try #require(error).takeRetainedValue()
        #expect(CFErrorGetDomain(cause) as String == NSOSStatusErrorDomain)
        #expect(CFErrorGetCode(cause) == Int(errSecParam))
        #expect(
            (cause as any Error).localizedDescription.hasPrefix(
                "The operation couldn\u{2019}t be completed. (OSStatus error -50"))
    }

    @Test func `are equal by content and have a type of their own`() throws {
        let first = try #require(make(.userPresence))
        #expect(first == make(.userPresence))
        #expect(first.hashValue == make(.userPresence)?.hashValue)
        #expect(first != make(.devicePasscode))
        #expect(first != make(.userPresence, kSecAttrAccessibleAlways))
        #expect(CFGetTypeID(first) == SecAccessControlGetTypeID())
        #expect(SecAccessControlGetTypeID() != CFStringGetTypeID())
        let dictionary = [kSecAttrAccessControl: first] as CFDictionary
        #expect(dictionary[kSecAttrAccessControl] as! SecAccessControl === first)
    }

    @Test func `have Apple's bits`() {
        let bits: [(SecAccessControlCreateFlags, CFOptionFlags)] = [
            (.userPresence, 1), (.biometryAny, 2), (.biometryCurrentSet, 8), (.devicePasscode, 16), (.companion, 32),
            (.or, 16384), (.and, 32768), (.privateKeyUsage, 1_073_741_824), (.applicationPassword, 2_147_483_648),
        ]
        for (flag, bit) in bits { #expect(flag.rawValue == bit) }
    }

    @Test func `are sent with an item`() throws {
        let control = try #require(make([], kSecAttrAccessibleAfterFirstUnlock))
        #expect(
            sentValue(kSecAttrAccessControl, control) == .accessControl(AccessControl(protection: .afterFirstUnlock)))
    }

    @Test func `are refused beside an accessibility unless both say the same`() throws {
        func status(_ control: SecAccessControl, _ accessible: CFString) -> (add: OSStatus, copy: OSStatus) {
            let dictionary =
                [kSecClass: kSecClassGenericPassword, kSecAttrAccessControl: control, kSecAttrAccessible: accessible]
                as CFDictionary
            let service = RecordingService(
                .items([ReturnedItem(reference: .example, attributes: nil, secret: nil)]))
            return service.run { (SecItemAdd(dictionary, nil), SecItemCopyMatching(dictionary, nil)) }
        }
        let plain = try #require(make([]))
        let constrained = try #require(make(.applicationPassword))
        #expect(status(plain, kSecAttrAccessibleWhenUnlocked) == (errSecSuccess, errSecSuccess))
        #expect(status(plain, kSecAttrAccessibleAlways) == (errSecParam, errSecParam))
        #expect(status(constrained, kSecAttrAccessibleWhenUnlocked) == (errSecParam, errSecSuccess))
        #expect(status(constrained, kSecAttrAccessibleAlways) == (errSecParam, errSecParam))
    }

    @Test func `filter nothing in a query`() throws {
        let control = try #require(make(.userPresence))
        let query = sentQuery([kSecClass: kSecClassGenericPassword, kSecAttrAccessControl: control] as CFDictionary)
        #expect(query == ItemQuery(.genericPassword))
    }
}
