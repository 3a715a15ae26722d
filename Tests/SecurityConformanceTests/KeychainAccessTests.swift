// SPDX-License-Identifier: Apache-2.0

import Keychain
import KeychainTesting
import Security
import Testing

// Who may use the items of keychain files: cases C141, C146 and C149 of Documentation/Cases.md. C147 and C148 are about what is written
// behind the service, and are tested beside it (PartitionTests).

@Suite struct `Access to items of keychain files` {
    private func created() throws -> SecKeychain {
        var keychain: SecKeychain?
        #expect(SecKeychainCreate("test.keychain", 8, "password", false, nil, &keychain) == errSecSuccess)
        return try #require(keychain)
    }

    private func added(_ access: SecAccess?, to keychain: SecKeychain) throws -> SecKeychainItem {
        var service = Array("service".utf8)
        var item: SecKeychainItem?
        service.withUnsafeMutableBytes { service in
            var value = SecKeychainAttribute(
                tag: SecItemAttr.serviceItemAttr.rawValue, length: UInt32(service.count), data: service.baseAddress)
            withUnsafeMutablePointer(to: &value) { value in
                var list = SecKeychainAttributeList(count: 1, attr: value)
                #expect(
                    SecKeychainItemCreateFromContent(
                        .genericPasswordItemClass, &list, 4, "test", keychain, access, &item) == errSecSuccess)
            }
        }
        return try #require(item)
    }

    private func data(_ item: SecKeychainItem) -> (status: OSStatus, text: String?) {
        var length: UInt32 = 0
        var data: UnsafeMutableRawPointer?
        let status = SecKeychainItemCopyContent(item, nil, nil, &length, &data)
        guard status == errSecSuccess, let data else { return (status, nil) }
        defer { SecKeychainItemFreeContent(nil, data) }
        return (status, String(decoding: UnsafeRawBufferPointer(start: data, count: Int(length)), as: UTF8.self))
    }

    @Test func `C141: an item that no program may read changes without a prompt, and each reading prompts`() throws {
        try withKeychainFolder { memory, _ in
            var access: SecAccess?
            #expect(SecAccessCreate("mail" as CFString, [] as CFArray, &access) == errSecSuccess)
            let item = try added(access, to: try created())
            memory.person = .denying
            #expect(data(item).status == errSecAuthFailed)
            #expect(memory.questions.count == 1)
            #expect(SecKeychainItemModifyContent(item, nil, 5, "other") == errSecSuccess)
            #expect(memory.questions.count == 1)
            #expect(data(item).status == errSecAuthFailed)
            #expect(memory.questions.count == 2)
        }
    }

    @Test func `C146: a private key in a file that is not extractable is not exported, encrypted neither`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecAttrIsPermanent: true, kSecAttrIsExtractable: false, kSecUseKeychain: keychain,
            ]
            let key = try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
            var export = SecItemImportExportKeyParameters()
            let passphrase = "secret" as CFString
            export.passphrase = Unmanaged.passUnretained(passphrase)
            for format in [SecExternalFormat.formatWrappedPKCS8, .formatOpenSSL, .formatPKCS12] {
                var written: CFData?
                let status = withExtendedLifetime(passphrase) { SecItemExport(key, format, [], &export, &written) }
                #expect(status == errSecDataNotAvailable)
                #expect(written == nil)
            }
        }
    }

    @Test func `C149: access for a user has an owner and one entry, and stays when the content changes`() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/keychains-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let memory = try InMemoryKeychain(keychainFolder: folder)
        // The person who approves types this.
        try await memory.setPasscode(SecretData(utf8: "password"))
        try memory.run {
            let item = try added(nil, to: try created())
            let type = SecAccessOwnerType(kSecUseOnlyUID)
            let access = try #require(
                SecAccessCreateWithOwnerAndACL(1000, 0, type, [kSecACLAuthorizationAny] as CFArray, nil))
            #expect(SecKeychainItemSetAccess(item, access) == errSecAuthFailed)
            memory.person = .approving
            #expect(SecKeychainItemSetAccess(item, access) == errSecSuccess)
            memory.person = .absent
            for text in ["one", "three"] {
                var stored: SecAccess?
                #expect(SecKeychainItemCopyAccess(item, &stored) == errSecSuccess)
                var list: CFArray?
                #expect(SecAccessCopyACLList(try #require(stored), &list) == errSecSuccess)
                let entries = try #require(list as? [SecACL]).filter {
                    SecACLCopyAuthorizations($0) as? [String] != [kSecACLAuthorizationPartitionID as String]
                }
                #expect(entries.count == 2)
                var (user, group, kind): (uid_t, gid_t, SecAccessOwnerType) = (7, 7, 7)
                #expect(
                    SecAccessCopyOwnerAndACL(try #require(stored), &user, &group, &kind, nil) == errSecSuccess)
                #expect(user == 1000 && kind == type)
                #expect(SecKeychainItemModifyContent(item, nil, UInt32(text.utf8.count), text) == errSecSuccess)
            }
        }
    }
}
