// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainTesting
import Security
import Testing

/// Files of keys and certificates that are read into keychain files (semantics 6.7, 6.8).
@Suite struct FileTransferTests {
    private let name = "PKCS #12 as OpenSSL 3 writes it"
    private let passphrase = "correct horse"

    private func created() throws -> SecKeychain {
        var keychain: SecKeychain?
        #expect(SecKeychainCreate("test.keychain", 8, "password", false, nil, &keychain) == errSecSuccess)
        return try #require(keychain)
    }

    private func imported(_ options: [CFString: Any]) throws -> OSStatus {
        var items: CFArray?
        let all = options.merging([kSecImportExportPassphrase: passphrase]) { $1 }
        return SecPKCS12Import(try TransferFile(name).data, all as CFDictionary, &items)
    }

    private func count(_ itemClass: CFString, in keychain: SecKeychain) -> Int {
        var found: CFTypeRef?
        let query: [CFString: Any] = [
            kSecClass: itemClass, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
            kSecMatchSearchList: [keychain],
        ]
        guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess else { return 0 }
        return (found as? [Any])?.count ?? 0
    }

    /// Of the only private key there.
    private func access(in keychain: SecKeychain) throws -> AccessObject {
        var found: CFTypeRef?
        let query: [CFString: Any] = [
            kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecReturnAttributes: true,
            kSecMatchSearchList: [keychain],
        ]
        #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
        let attributes = try #require(found as? [String: Any])
        return try #require(attributes[kSecAttrAccess as String] as? SecAccess).value
    }

    @Test func `a PKCS #12 file is stored in the keychain file that is named, and nowhere else`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            for _ in 0..<2 { #expect(try imported([kSecImportExportKeychain: keychain]) == errSecSuccess) }
            #expect(count(kSecClassCertificate, in: keychain) == 3)
            #expect(count(kSecClassKey, in: keychain) == 1)
            #expect(SecItemCopyMatching([kSecClass: kSecClassKey] as CFDictionary, nil) == errSecItemNotFound)
            #expect(try access(in: keychain).entries.count == 2)
        }
    }

    @Test func `the private key gets the access that is given, and certificates need none`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            var access: SecAccess?
            #expect(SecAccessCreate("the key" as CFString, [] as CFArray, &access) == errSecSuccess)
            let options: [CFString: Any] = [
                kSecImportExportKeychain: keychain, kSecImportExportAccess: try #require(access),
            ]
            #expect(try imported(options) == errSecSuccess)
            #expect(count(kSecClassCertificate, in: keychain) == 3)
            let stored = try self.access(in: keychain)
            #expect(stored.entries.map(\.description) == ["the key", "the key"])
            #expect(stored.entries.last?.subject == .applications([]))
        }
    }

    @Test func `to memory only, nothing is stored`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            let options: [CFString: Any] = [kSecImportExportKeychain: keychain, kSecImportToMemoryOnly: true]
            #expect(try imported(options) == errSecSuccess)
            #expect(count(kSecClassCertificate, in: keychain) == 0)
        }
    }

    @Test func `places that contradict each other, and access without a place, are refused`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            var access: SecAccess?
            #expect(SecAccessCreate("the key" as CFString, [] as CFArray, &access) == errSecSuccess)
            let wrong: [[CFString: Any]] = [
                [kSecImportExportKeychain: keychain, kSecUseDataProtectionKeychain: true],
                [kSecImportExportAccess: try #require(access)], [kSecImportExportKeychain: "test.keychain"],
                [kSecImportExportKeychain: keychain, kSecImportExportAccess: "mine"],
            ]
            for options in wrong { #expect(try imported(options) == errSecParam) }
            #expect(count(kSecClassCertificate, in: keychain) == 0)
        }
    }

    /// The attributes of all keys there.
    private func keys(in keychain: SecKeychain) throws -> [[String: Any]] {
        var found: CFTypeRef?
        let query: [CFString: Any] = [
            kSecClass: kSecClassKey, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
            kSecMatchSearchList: [keychain],
        ]
        #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
        return try #require(found as? [[String: Any]])
    }

    @Test func `SecItemImport stores keys with the attributes of its parameters, and with Apple's label`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            let data = try TransferFile("PKCS #8 of P-256").data
            let all = [kSecAttrIsPermanent, kSecAttrIsSensitive, kSecAttrIsExtractable]
            for (attributes, sensitive, extractable) in [
                (all, 1, 1), ([kSecAttrIsPermanent], 0, 0), ([kSecAttrIsPermanent, kSecAttrIsExtractable], 0, 1),
                ([kSecAttrIsSensitive, kSecAttrIsExtractable], 1, 1),
            ] {
                let file = Imported(data, attributes: attributes, keychain: keychain)
                #expect(file.status == errSecSuccess && file.key != nil)
                let key = try #require(try keys(in: keychain).first)
                #expect(key[kSecAttrLabel as String] as? String == "Imported Private Key")
                #expect(key[kSecAttrIsSensitive as String] as? Int == sensitive)
                #expect(key[kSecAttrIsExtractable as String] as? Int == extractable)
                #expect(key[kSecAttrIsPermanent as String] as? Int == 1)
                #expect(
                    SecItemDelete(
                        [kSecClass: kSecClassKey, kSecUseKeychain: keychain] as [CFString: Any] as CFDictionary)
                        == errSecSuccess)
            }
            let publicKey = try TransferFile("SubjectPublicKeyInfo of P-256").data
            #expect(Imported(publicKey, keychain: keychain).status == errSecSuccess)
            #expect(try keys(in: keychain).map { $0[kSecAttrLabel as String] as? String } == ["Imported Public Key"])
            // There is no keychain to keep the key.
            #expect(Imported(data, attributes: all).status == errSecParam)
        }
    }

    @Test func `SecItemImport labels a key with its name in a PKCS #12 file, and its certificate with the subject`()
        throws
    {
        try withKeychainFolder { _, _ in
            for (name, label) in [
                ("PKCS #12 as OpenSSL 3 writes it", "Ann's identity"), ("PKCS #12 as cryptography writes it", "Ann ☃"),
                ("PKCS #12 authenticated with sha512", "Imported Private Key"),
            ] {
                let keychain = try created()
                let data = try TransferFile(name).data
                var parameters = SecItemImportExportKeyParameters()
                let secret = passphrase as CFString
                let status = withExtendedLifetime(secret) {
                    parameters.passphrase = Unmanaged.passUnretained(secret as CFTypeRef)
                    return SecItemImport(data, nil, nil, nil, [], &parameters, keychain, nil)
                }
                #expect(status == errSecSuccess)
                #expect(try keys(in: keychain).map { $0[kSecAttrLabel as String] as? String } == [label])
                var found: CFTypeRef?
                let query: [CFString: Any] = [
                    kSecClass: kSecClassCertificate, kSecAttrLabel: label, kSecMatchSearchList: [keychain],
                ]
                #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecItemNotFound)
                #expect(SecKeychainDelete(keychain) == errSecSuccess)
            }
        }
    }

    @Test func `SecItemImport gives keys the access of its parameters, or opens them to all`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created()
            let data = try TransferFile("PKCS #8 of P-256").data
            func imported(
                _ flags: SecKeyImportExportFlags, _ access: SecAccess?, _ keychain: SecKeychain?
            ) -> OSStatus {
                var parameters = SecItemImportExportKeyParameters()
                parameters.flags = flags
                return withExtendedLifetime(access) {
                    parameters.accessRef = access.map { Unmanaged.passUnretained($0) }
                    return SecItemImport(data, nil, nil, nil, [], &parameters, keychain, nil)
                }
            }
            var access: SecAccess?
            #expect(SecAccessCreate("the key" as CFString, [] as CFArray, &access) == errSecSuccess)
            #expect(imported([], access, nil) == errSecParam)
            #expect(imported(.noAccessControl, nil, nil) == errSecParam)
            #expect(imported(.noAccessControl, access, keychain) == errSecParam)
            #expect(imported([], access, keychain) == errSecSuccess)
            #expect(try self.access(in: keychain).entries.last?.subject == .applications([]))
            #expect(
                SecItemDelete([kSecClass: kSecClassKey, kSecUseKeychain: keychain] as [CFString: Any] as CFDictionary)
                    == errSecSuccess)
            #expect(imported(.noAccessControl, nil, keychain) == errSecSuccess)
            #expect(try self.access(in: keychain).entries.map(\.subject) == [.anyApplication])
        }
    }
}
