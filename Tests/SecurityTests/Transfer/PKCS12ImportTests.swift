// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainTesting
import Security
import SecurityValues
import Testing

/// `SecPKCS12Import` (semantics 6.7).
@Suite struct PKCS12ImportTests {
    private func imported(
        _ about: String, _ options: [CFString: Any]? = nil
    ) throws -> (status: OSStatus, items: [[String: Any]]?) {
        let file = try TransferFile(about)
        var items: CFArray?
        let options = options ?? [kSecImportExportPassphrase: file.passphrase ?? ""]
        let status = SecPKCS12Import(file.data, options as CFDictionary, &items)
        return (status, items as? [[String: Any]])
    }

    private let name = "PKCS #12 as OpenSSL 3 writes it"
    private let passphrase = "correct horse"

    @Test func `an identity comes with its chain, its name and its identifier`() throws {
        let (status, items) = try imported(name)
        #expect(status == errSecSuccess)
        let item = try #require(items?.first)
        #expect(items?.count == 1)
        #expect(Set(item.keys) == ["identity", "chain", "trust", "label", "keyid"])
        let identity = try #require(item[kSecImportItemIdentity as String] as? SecIdentity)
        var certificate: SecCertificate?
        var key: SecKey?
        #expect(SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess)
        #expect(SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess)
        let (leaf, secret) = (try #require(certificate), try #require(key))
        #expect(SecCertificateCopyKey(leaf) == SecKeyCopyPublicKey(secret))
        let message = Data("hello".utf8) as CFData
        let signature = try #require(SecKeyCreateSignature(secret, .ecdsaSignatureMessageX962SHA256, message, nil))
        let publicKey = try #require(SecCertificateCopyKey(leaf))
        #expect(SecKeyVerifySignature(publicKey, .ecdsaSignatureMessageX962SHA256, message, signature, nil))
        let chain = try #require(item[kSecImportItemCertChain as String] as? [SecCertificate])
        let trust = try #require(item[kSecImportItemTrust as String] as? SecTrust)
        #expect(SecTrustGetCertificateAtIndex(trust, 0) == chain.first)
        #expect(chain.map { SecCertificateCopySubjectSummary($0) as String? } == ["Ann", "Middle", "Root"])
        #expect(chain.first == leaf)
        #expect(item[kSecImportItemLabel as String] as? String == "Ann's identity")
        // OpenSSL's identifier is SHA-1 over the certificate.
        #expect((item[kSecImportItemKeyID as String] as? Data)?.count == 20)
    }

    @Test func `a key without an identifier gets the hash of its public half`() throws {
        let items = try imported("PKCS #12 with two certificates for one key, neither of them named by it").items
        #expect(items?.count == 2)
        for item in items ?? [] {
            let identity = try #require(item[kSecImportItemIdentity as String] as? SecIdentity)
            var key: SecKey?
            #expect(SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess)
            let attributes = SecKeyCopyAttributes(try #require(key)) as? [String: Any]
            #expect(
                item[kSecImportItemKeyID as String] as? Data == attributes?[kSecAttrApplicationLabel as String] as? Data
            )
        }
        #expect(items?.map { $0[kSecImportItemLabel as String] as? String } == [nil, "again"])
    }

    @Test func `several identities are several dictionaries`() throws {
        let items = try imported("PKCS #12 with two identities").items
        #expect(items?.map { $0[kSecImportItemLabel as String] as? String } == ["first", "second"])
    }

    @Test func `certificates alone are one dictionary with a chain, a key alone is none`() throws {
        let certificates = try imported("PKCS #12 with its certificates alone")
        #expect(certificates.status == errSecSuccess)
        #expect(certificates.items?.map { Set($0.keys) } == [["chain"]])
        #expect((certificates.items?.first?["chain"] as? [SecCertificate])?.count == 3)
        let key = try imported("PKCS #12 with its key alone")
        #expect(key.status == errSecSuccess)
        #expect(key.items?.isEmpty == true)
        let strangers = try imported("PKCS #12 that says that a key and another's certificate belong together")
        #expect(strangers.items?.map { Set($0.keys) } == [["chain"]])
    }

    @Test func `a passphrase is a text or data, and none is the empty one`() throws {
        #expect(try imported(name, [kSecImportExportPassphrase: Data(passphrase.utf8)]).status == errSecSuccess)
        #expect(try imported(name, [kSecImportExportPassphrase: 7]).status == errSecParam)
        #expect(try imported(name, [:]).status == errSecAuthFailed)
        #expect(try imported(name, [kSecImportExportPassphrase: ""]).status == errSecAuthFailed)
        #expect(try imported(name, [kSecImportExportPassphrase: "wrong"]).status == errSecAuthFailed)
        for empty in ["PKCS #12 with an empty passphrase", "PKCS #12 authenticated with no passphrase"] {
            #expect(try imported(empty, [:]).status == errSecSuccess)
            #expect(try imported(empty, [kSecImportExportPassphrase: ""]).status == errSecSuccess)
        }
    }

    @Test(arguments: [
        "PKCS #12 with what is no certificate", "PKCS #12 with a key on secp256k1",
        "PKCS #12 as OpenSSL wrote it before, with RC2",
        "PKCS #12 authenticated with two thousand million repetitions", "PKCS #12 of version 2",
        "PKCS #8 of P-256", "a certificate in PEM", "text", "nothing",
    ])
    func `bytes that are not a readable PKCS #12 file cannot be decoded`(_ about: String) throws {
        // Without chatelaine-crypto.
        let status = try CryptoHelper.$current.withValue(CryptoHelper(ask: nil)) { try imported(about).status }
        #expect(status == errSecDecode)
    }

    @Test func `what was found before stays where it fails`() throws {
        var items: CFArray? = ["before"] as NSArray
        #expect(SecPKCS12Import(Data() as CFData, [:] as CFDictionary, &items) == errSecDecode)
        #expect(items as? [String] == ["before"])
    }

    @Test func `options of the wrong type are refused`() throws {
        #expect(try imported(name, [kSecImportExportKeychain: "k"]).status == errSecParam)
        #expect(try imported(name, [kSecImportExportAccess: "a"]).status == errSecParam)
        #expect(try imported(name, [kSecImportToMemoryOnly: 1]).status == errSecParam)
        #expect(try imported(name, [kSecUseDataProtectionKeychain: "yes"]).status == errSecParam)
    }

    @Test func `nothing is stored unless it is asked for`() throws {
        try InMemoryKeychain(accessGroups: ["tests"]).run { () throws in
            let memory: [[CFString: Any]] = [
                [:], [kSecUseDataProtectionKeychain: false],
                [kSecUseDataProtectionKeychain: true, kSecImportToMemoryOnly: true],
            ]
            for options in memory {
                let all = options.merging([kSecImportExportPassphrase: passphrase]) { $1 }
                #expect(try imported(name, all).status == errSecSuccess)
                for itemClass in [kSecClassKey, kSecClassCertificate] {
                    #expect(SecItemCopyMatching([kSecClass: itemClass] as CFDictionary, nil) == errSecItemNotFound)
                }
            }
        }
    }

    @Test func `identities and other certificates are stored by their names`() throws {
        try InMemoryKeychain(accessGroups: ["tests"]).run { () throws in
            let options: [CFString: Any] = [
                kSecImportExportPassphrase: passphrase, kSecUseDataProtectionKeychain: true,
            ]
            for _ in 0..<2 {
                #expect(try imported(name, options).status == errSecSuccess, "what is there already stays")
                var result: CFTypeRef?
                let certificates: [CFString: Any] = [
                    kSecClass: kSecClassCertificate, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
                ]
                #expect(SecItemCopyMatching(certificates as CFDictionary, &result) == errSecSuccess)
                let labels = (result as? [[String: Any]])?.map { $0[kSecAttrLabel as String] as? String }
                #expect(Set(labels ?? []) == ["Ann's identity", "Middle", "Root"])
                let identities: [CFString: Any] = [
                    kSecClass: kSecClassIdentity, kSecMatchLimit: kSecMatchLimitAll, kSecReturnRef: true,
                ]
                #expect(SecItemCopyMatching(identities as CFDictionary, &result) == errSecSuccess)
                #expect((result as? [SecIdentity])?.count == 1)
            }
        }
    }
}
