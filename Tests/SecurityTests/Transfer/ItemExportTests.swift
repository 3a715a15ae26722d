// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import SecurityValues
import Testing

/// `SecItemExport` (semantics 6.8).
@Suite struct ItemExportTests {
    private func certificate(_ number: Int = 0) throws -> SecCertificate {
        let items = try Imported("three certificates in PEM, with text between them").items
        return try #require(items?[number] as? SecCertificate)
    }

    private func identity() throws -> SecIdentity {
        try #require(try Imported("PKCS #12 as OpenSSL 3 writes it").items?.first as? SecIdentity)
    }

    private func key(_ name: String = "P-256") throws -> SecKey { try #require(try Imported("PKCS #8 of \(name)").key) }

    private func text(_ result: (status: OSStatus, data: Data?)) throws -> String {
        #expect(result.status == errSecSuccess)
        return String(decoding: try #require(result.data), as: UTF8.self)
    }

    @Test func `the formats and kinds of the command are Apple's, with the same numbers`() {
        let numbers = UInt32(0)...20
        #expect(
            numbers.filter { SecExternalFormat(rawValue: $0) != nil } == ExternalFormat.allCases.map(\.rawValue))
        #expect(
            numbers.filter { SecExternalItemType(rawValue: $0) != nil } == ExternalItemType.allCases.map(\.rawValue))
        #expect(ExternalFormat.wrappedPKCS8.rawValue == SecExternalFormat.formatWrappedPKCS8.rawValue)
        #expect(ExternalFormat.netscapeSequence.rawValue == SecExternalFormat.formatNetscapeCertSequence.rawValue)
    }

    @Test func `without a format, a certificate is X.509, a key OpenSSL's, and several items a sequence`() throws {
        let certificate = try certificate()
        #expect(exported(certificate).data == SecCertificateCopyData(certificate) as Data)
        #expect(exported([certificate] as CFArray).data == SecCertificateCopyData(certificate) as Data)
        #expect(try text(exported(certificate, pem: true)).hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        #expect(try text(exported(key(), pem: true)).hasPrefix("-----BEGIN EC PRIVATE KEY-----\n"))
        #expect(try text(exported(key("RSA"), pem: true)).hasPrefix("-----BEGIN RSA PRIVATE KEY-----\n"))
        #expect(try text(exported(key("Ed25519"), pem: true)).hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        let publicKey = try #require(SecKeyCopyPublicKey(key()))
        #expect(try text(exported(publicKey, pem: true)).hasPrefix("-----BEGIN PUBLIC KEY-----\n"))
        let sequence = try text(exported([certificate, publicKey] as CFArray))
        #expect(sequence.contains("-----END CERTIFICATE-----\n-----BEGIN PUBLIC KEY-----\n"))
        #expect(try text(exported(identity())).contains("-----END CERTIFICATE-----\n-----BEGIN EC PRIVATE KEY-----\n"))
    }

    @Test(arguments: ["RSA", "P-256", "P-384", "P-521", "Ed25519", "X25519"])
    func `a private key comes back from every format that has a place for it`(_ name: String) throws {
        let key = try key(name)
        let formats: [(SecExternalFormat, SecExternalFormat)] = [
            (.formatOpenSSL, .formatOpenSSL), (.formatBSAFE, .formatOpenSSL), (.formatSSHv2, .formatSSHv2),
            (.formatWrappedPKCS8, .formatWrappedPKCS8), (.formatPKCS12, .formatPKCS12),
            (.formatPEMSequence, .formatOpenSSL),
        ]
        var unsupported: Set<SecExternalFormat> = []
        for (format, found) in formats {
            // Encryption takes its time, and does not depend on the key.
            let isEncrypted = format == .formatWrappedPKCS8 || format == .formatPKCS12
            if isEncrypted, name != "P-256", name != "Ed25519" { continue }
            for pem in isEncrypted ? [name == "P-256"] : [false, true] {
                let (status, data) = exported(key, format, pem: pem, passphrase: "p")
                guard status == errSecSuccess else {
                    #expect(status == errSecUnsupportedFormat)
                    unsupported.insert(format)
                    continue
                }
                let read = Imported(try #require(data) as CFData, passphrase: "p")
                #expect(read.status == errSecSuccess)
                #expect(read.format == found)
                #expect(read.key == key)
            }
        }
        #expect(unsupported == (name == "RSA" ? [] : name == "X25519" ? [.formatBSAFE, .formatSSHv2] : [.formatBSAFE]))
    }

    @Test func `encrypted data needs a passphrase, as text or data`() throws {
        for format in [SecExternalFormat.formatWrappedPKCS8, .formatPKCS12] {
            #expect(exported(try key(), format).status == errSecPassphraseRequired)
            #expect(exported(try key(), format, flags: .securePassphrase).status == errSecInteractionNotAllowed)
            #expect(exported(try key(), format, passphrase: 7).status == errSecParam)
        }
        let data = exported(try key(), .formatWrappedPKCS8, passphrase: Data("é".utf8)).data
        #expect(Imported(try #require(data) as CFData, passphrase: "é").key == (try key()))
        #expect(Imported(try #require(data) as CFData, passphrase: "e").status == errSecPkcs12VerifyFailure)
    }

    @Test func `an identity in PKCS #12 comes back with its name and chain`() throws {
        let items = [try identity(), try certificate(1), try certificate(2)] as CFArray
        let data = try #require(exported(items, .formatPKCS12, passphrase: "p").data)
        var found: CFArray?
        #expect(
            SecPKCS12Import(data as CFData, [kSecImportExportPassphrase: "p"] as CFDictionary, &found) == errSecSuccess)
        let item = try #require((found as? [[String: Any]])?.first)
        #expect(item[kSecImportItemIdentity as String] as? SecIdentity == (try identity()))
        #expect((item[kSecImportItemCertChain as String] as? [SecCertificate])?.count == 3)
        #expect(item[kSecImportItemLabel as String] as? String == "Ann")
    }

    @Test func `certificates come back from bags in their order`() throws {
        let certificates = [try certificate(0), try certificate(1), try certificate(2)]
        for format in [SecExternalFormat.formatPKCS7, .formatNetscapeCertSequence, .formatPEMSequence] {
            for pem in [false, true] {
                let data = try #require(exported(certificates as CFArray, format, pem: pem).data)
                let found = Imported(data as CFData)
                #expect(found.format == format)
                #expect(found.items as? [SecCertificate] == certificates)
            }
        }
    }

    @Test func `a format without a place for an item is refused`() throws {
        let publicKey = try #require(SecKeyCopyPublicKey(key()))
        let cases: [(CFTypeRef, SecExternalFormat, OSStatus)] = [
            (try key(), .formatX509Cert, errSecUnsupportedFormat), (try key(), .formatPKCS7, errSecUnsupportedFormat),
            (try key(), .formatBSAFE, errSecUnsupportedFormat),
            (publicKey, .formatPKCS12, errSecUnsupportedFormat),
            (publicKey, .formatWrappedPKCS8, errSecUnsupportedFormat),
            (try certificate(), .formatOpenSSL, errSecUnsupportedFormat),
            (try key(), .formatSSH, errSecUnsupportedFormat),
            (try key(), .formatWrappedOpenSSL, errSecUnsupportedFormat),
            (try key(), .formatRawKey, errSecUnimplemented),
            ([try certificate(0), try certificate(1)] as CFArray, .formatX509Cert, errSecParam),
            ([try key(), publicKey] as CFArray, .formatOpenSSL, errSecParam),
            ([] as CFArray, .formatUnknown, errSecParam),
            ("a text" as CFString, .formatUnknown, errSecParam), (["a text"] as CFArray, .formatUnknown, errSecParam),
        ]
        for (items, format, status) in cases {
            #expect(exported(items, format, passphrase: "p").status == status, "\(items) as \(format)")
        }
    }
}
