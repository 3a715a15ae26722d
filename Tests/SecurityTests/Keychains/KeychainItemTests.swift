// SPDX-License-Identifier: Apache-2.0

import Keychain
import KeychainTesting
import Security
import Testing

/// The functions for items of keychains that are files (semantics 8.3).
@Suite struct `Calls for items of keychain files` {
    private func created(_ name: String = "test.keychain") throws -> SecKeychain {
        var keychain: SecKeychain?
        #expect(SecKeychainCreate(name, 8, "password", false, nil, &keychain) == errSecSuccess)
        return try #require(keychain)
    }

    private func added(_ keychain: SecKeychain, _ service: String, _ account: String) throws -> SecKeychainItem {
        var item: SecKeychainItem?
        #expect(
            SecKeychainAddGenericPassword(
                keychain, UInt32(service.utf8.count), service, UInt32(account.utf8.count), account, 4, "test", &item)
                == errSecSuccess)
        return try #require(item)
    }

    private func addedInternet(
        _ keychain: SecKeychain, port: UInt16, _ type: SecProtocolType, _ authentication: SecAuthenticationType
    ) throws -> SecKeychainItem {
        var item: SecKeychainItem?
        #expect(
            SecKeychainAddInternetPassword(
                keychain, 6, "server", 0, nil, 3, "ann", 0, nil, port, type, authentication, 4, "test", &item)
                == errSecSuccess)
        return try #require(item)
    }

    /// The values of attributes; empty for those that the item does not have.
    private func values(_ item: SecKeychainItem, _ attributes: [SecItemAttr]) -> [[UInt8]] {
        var tags = attributes.map(\.rawValue)
        return tags.withUnsafeMutableBufferPointer { tags in
            guard let first = tags.baseAddress else { return [] }
            var info = SecKeychainAttributeInfo(count: UInt32(tags.count), tag: first, format: nil)
            var list: UnsafeMutablePointer<SecKeychainAttributeList>?
            #expect(SecKeychainItemCopyAttributesAndData(item, &info, nil, &list, nil, nil) == errSecSuccess)
            defer { SecKeychainItemFreeAttributesAndData(list, nil) }
            guard let list else { return [] }
            return (0..<Int(list.pointee.count)).map { index in
                guard let value = list.pointee.attr?[index], let data = value.data else { return [] }
                return Array(UnsafeRawBufferPointer(start: data, count: Int(value.length)))
            }
        }
    }

    @Test func `names and passwords are given in every way in which bytes are given`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            let text = "text"
            let characters = Array("chars".utf8CString)
            var bytes = Array("bytes".utf8)
            #expect(
                SecKeychainAddGenericPassword(keychain, 4, text, 5, characters, 5, bytes, nil) == errSecSuccess)
            #expect(SecKeychainAddGenericPassword(keychain, 5, &bytes, 4, text, 0, nil, nil) == errSecSuccess)
            Data("data".utf8).withUnsafeBytes { data in
                text.withCString { name in
                    let status = SecKeychainAddGenericPassword(
                        keychain, 4, data.baseAddress, 4, name, 4, data.baseAddress, nil)
                    #expect(status == errSecSuccess)
                }
            }
            var length: UInt32 = 0
            var password: UnsafeMutableRawPointer?
            #expect(
                SecKeychainFindGenericPassword(keychain, 4, "text", 0, nil, &length, &password, nil) == errSecSuccess)
            #expect(String(data: Data(bytes: password!, count: Int(length)), encoding: .utf8) == "bytes")
            #expect(SecKeychainItemFreeContent(nil, password) == errSecSuccess)
            #expect(
                SecKeychainFindGenericPassword([keychain] as CFArray, 5, "bytes", 0, nil, &length, nil, nil)
                    == errSecSuccess)
            #expect(length == 0)
        }
    }

    @Test func `a length without bytes is a parameter error, and no bytes are an empty password`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            #expect(SecKeychainAddGenericPassword(keychain, 1, "s", 1, "a", 4, nil, nil) == errSecParam)
            #expect(SecKeychainAddGenericPassword(keychain, 1, nil, 1, "a", 4, "test", nil) == errSecParam)
            #expect(SecKeychainFindGenericPassword(keychain, 0, nil, 3, nil, nil, nil, nil) == errSecParam)
            #expect(
                SecKeychainFindGenericPassword("x" as CFString, 0, nil, 0, nil, nil, nil, nil) == errSecInvalidKeychain)
            let item = try added(keychain, "s", "a")
            #expect(SecKeychainItemModifyContent(item, nil, 4, nil) == errSecParam)
            #expect(SecKeychainItemFreeContent(nil, nil) == errSecSuccess)
            #expect(SecKeychainItemFreeAttributesAndData(nil, nil) == errSecSuccess)
        }
    }

    @Test func `names without bytes match everything, others exactly`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            let item = try added(keychain, "service", "ann")
            func find(_ service: String, _ account: String) -> OSStatus {
                SecKeychainFindGenericPassword(
                    keychain, UInt32(service.utf8.count), service, UInt32(account.utf8.count), account, nil, nil, nil)
            }
            #expect(find("", "") == errSecSuccess)
            #expect(find("service", "") == errSecSuccess)
            #expect(find("", "ann") == errSecSuccess)
            #expect(find("Service", "ann") == errSecItemNotFound)
            #expect(find("servic", "ann") == errSecItemNotFound)
            #expect(SecKeychainItemDelete(item) == errSecSuccess)
            #expect(find("", "") == errSecItemNotFound)
        }
    }

    @Test func `port, protocol and way of authentication count unless they are 0`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            let web = try addedInternet(keychain, port: 443, .HTTPS, .httpBasic)
            let mail = try addedInternet(keychain, port: 0, .any, .any)
            func find(_ port: UInt16, _ type: SecProtocolType, _ way: SecAuthenticationType) -> SecKeychainItem? {
                var item: SecKeychainItem?
                _ = SecKeychainFindInternetPassword(
                    keychain, 6, "server", 0, nil, 0, nil, 0, nil, port, type, way, nil, nil, &item)
                return item
            }
            #expect(find(443, .any, .any) == web)
            #expect(find(0, .HTTPS, .any) == web)
            #expect(find(0, .any, .httpBasic) == web)
            #expect(find(443, .HTTPS, .httpBasic) == web)
            #expect(find(0, .FTP, .any) == nil)
            #expect(find(80, .any, .any) == nil)
            let kinds: [SecItemAttr] = [.portItemAttr, .protocolItemAttr, .authenticationTypeItemAttr, .labelItemAttr]
            #expect(
                values(web, kinds) == [[0xBB, 1, 0, 0], Array("spth".utf8), Array("http".utf8), Array("server".utf8)])
            #expect(values(mail, kinds) == [[0, 0, 0, 0], [0, 0, 0, 0], [], Array("server".utf8)])
            // As SecItem calls say it.
            let query: [CFString: Any] = [
                kSecClass: kSecClassInternetPassword, kSecAttrProtocol: kSecAttrProtocolHTTPS, kSecAttrPort: 443,
                kSecAttrAuthenticationType: kSecAttrAuthenticationTypeHTTPBasic, kSecUseKeychain: keychain,
                kSecReturnRef: true,
            ]
            var result: CFTypeRef?
            #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
            #expect(result as? SecKeychainItem == web)
        }
    }

    @Test func `dates are texts of 16 bytes, or seconds since 1904`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            for given in [Array("20240131235959Z\0".utf8), [0x7F, 0x8F, 0xE0, 0xE1]] {
                var given = given
                var item: SecKeychainItem?
                given.withUnsafeMutableBytes { bytes in
                    var value = SecKeychainAttribute(
                        tag: SecItemAttr.creationDateItemAttr.rawValue, length: UInt32(bytes.count),
                        data: bytes.baseAddress)
                    withUnsafeMutablePointer(to: &value) { value in
                        var list = SecKeychainAttributeList(count: 1, attr: value)
                        let status = SecKeychainItemCreateFromContent(
                            .genericPasswordItemClass, &list, 1, "x", keychain, nil, &item)
                        #expect(status == errSecSuccess)
                    }
                }
                let made = try #require(item)
                #expect(values(made, [.creationDateItemAttr]) == [Array("20240131235959Z\0".utf8)])
                #expect(SecKeychainItemDelete(made) == errSecSuccess)
            }
        }
    }

    @Test func `an item made from content is named after service, server or account`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            let names: [(SecItemClass, SecItemAttr)] = [
                (.genericPasswordItemClass, .serviceItemAttr), (.internetPasswordItemClass, .serverItemAttr),
                (.genericPasswordItemClass, .accountItemAttr),
            ]
            for (itemClass, name) in names {
                var bytes = Array("name".utf8)
                var item: SecKeychainItem?
                bytes.withUnsafeMutableBytes { bytes in
                    var value = SecKeychainAttribute(tag: name.rawValue, length: 4, data: bytes.baseAddress)
                    withUnsafeMutablePointer(to: &value) { value in
                        var list = SecKeychainAttributeList(count: 1, attr: value)
                        let status = SecKeychainItemCreateFromContent(itemClass, &list, 1, "x", keychain, nil, &item)
                        #expect(status == errSecSuccess)
                    }
                }
                let made = try #require(item)
                #expect(values(made, [.labelItemAttr]) == [Array("name".utf8)])
                var found = SecItemClass.certificateItemClass
                #expect(SecKeychainItemCopyContent(made, &found, nil, nil, nil) == errSecSuccess)
                #expect(found == itemClass)
            }
        }
    }

    @Test func `there are no items of other classes, and no attributes of theirs`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            func make(_ itemClass: SecItemClass) -> OSStatus {
                SecKeychainItemCreateFromContent(itemClass, nil, 1, "x", keychain, nil, nil)
            }
            #expect(make(.appleSharePasswordItemClass) == errSecNoSuchClass)
            #expect(make(.symmetricKeyItemClass) == errSecNoSuchClass)
            #expect(make(.privateKeyItemClass) == errSecUnimplemented)
            #expect(make(.certificateItemClass) == errSecParam)
            var value = SecKeychainAttribute(tag: SecItemAttr.volumeItemAttr.rawValue, length: 0, data: nil)
            withUnsafeMutablePointer(to: &value) { value in
                var list = SecKeychainAttributeList(count: 1, attr: value)
                let status = SecKeychainItemCreateFromContent(
                    .genericPasswordItemClass, &list, 1, "x", keychain, nil, nil)
                #expect(status == errSecNoSuchAttr)
            }
        }
    }

    @Test func `an item that was deleted is none any more`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            let item = try added(keychain, "s", "a")
            var reference: CFData?
            #expect(SecKeychainItemCreatePersistentReference(item, &reference) == errSecSuccess)
            SecKeychainLock(keychain)
            #expect(SecKeychainItemDelete(item) == errSecSuccess)
            #expect(SecKeychainItemDelete(item) == errSecInvalidItemRef)
            #expect(SecKeychainUnlock(keychain, 8, "password", true) == errSecSuccess)
            var length: UInt32 = 0
            #expect(SecKeychainItemCopyContent(item, nil, nil, &length, nil) == errSecInvalidItemRef)
            #expect(SecKeychainItemModifyContent(item, nil, 1, "x") == errSecInvalidItemRef)
            #expect(SecKeychainItemModifyContent(item, nil, 0, nil) == errSecInvalidItemRef)
            var copy: SecKeychainItem?
            let kept = try #require(reference)
            #expect(SecKeychainItemCopyFromPersistentReference(kept, &copy) == errSecItemNotFound)
            #expect(SecKeychainItemCopyFromPersistentReference(Data("file".utf8) as CFData, &copy) == errSecParam)
            #expect(SecKeychainItemCopyFromPersistentReference(Data(count: 20) as CFData, &copy) == errSecParam)
            #expect(copy == nil)
        }
    }

    @Test func `a search gives the items of one keychain after the other, and then nothing`() throws {
        try withKeychainFolder { _, _ in
            let keychains = [try created("a"), try created("b"), try created("c")]
            var expected: [Set<SecKeychainItem>] = []
            for keychain in keychains {
                expected.append([try added(keychain, "s", "ann"), try added(keychain, "s", "bob")])
            }
            #expect(SecKeychainDelete(keychains[1]) == errSecSuccess)
            var search: SecKeychainSearch?
            #expect(
                SecKeychainSearchCreateFromAttributes(
                    keychains as CFArray, .genericPasswordItemClass, nil, &search) == errSecSuccess)
            let running = try #require(search)
            var found: [SecKeychainItem] = []
            var item: SecKeychainItem?
            while SecKeychainSearchCopyNext(running, &item) == errSecSuccess, let next = item { found.append(next) }
            #expect(SecKeychainSearchCopyNext(running, &item) == errSecItemNotFound)
            #expect(found.count == 4)
            #expect(Set(found.prefix(2)) == expected[0])
            #expect(Set(found.suffix(2)) == expected[2])
            #expect(
                SecKeychainSearchCreateFromAttributes(keychains[1], .genericPasswordItemClass, nil, &search)
                    == errSecSuccess)
            let missing = try #require(search)
            #expect(SecKeychainSearchCopyNext(missing, &item) == errSecNoSuchKeychain)
            #expect(SecKeychainSearchCreateFromAttributes(nil, .genericPasswordItemClass, nil, nil) == errSecParam)
        }
    }

    @Test func `an item's access object is read, copied and set`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            let item = try added(keychain, "s", "a")
            var access: SecAccess?
            #expect(SecKeychainItemCopyAccess(item, &access) == errSecSuccess)
            var list: CFArray?
            let own = try #require(access)
            #expect(SecAccessCopyACLList(own, &list) == errSecSuccess)
            #expect((list?.count ?? 0) >= 3)
            var given: SecAccess?
            #expect(SecAccessCreate("nobody" as CFString, [] as CFArray, &given) == errSecSuccess)
            var guarded: SecKeychainItem?
            #expect(
                SecKeychainItemCreateFromContent(
                    .genericPasswordItemClass, nil, 1, "x", keychain, given, &guarded) == errSecSuccess)
            var length: UInt32 = 0
            #expect(SecKeychainItemCopyContent(item, nil, nil, &length, nil) == errSecSuccess)
            let closed = try #require(guarded)
            #expect(SecKeychainItemCopyContent(closed, nil, nil, &length, nil) == errSecAuthFailed)
        }
    }
}
