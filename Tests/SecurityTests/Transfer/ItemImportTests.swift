// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// `SecItemImport` (semantics 6.8).
@Suite struct ItemImportTests {
    @Test(arguments: [
        ("PKCS #8 of RSA", SecExternalFormat.formatOpenSSL, SecExternalItemType.itemTypePrivateKey),
        ("the traditional form of P-521", .formatOpenSSL, .itemTypePrivateKey),
        ("SubjectPublicKeyInfo of P-384", .formatOpenSSL, .itemTypePublicKey),
        ("a key of OpenSSH for Ed25519", .formatSSHv2, .itemTypePrivateKey),
        ("a line of OpenSSH for RSA", .formatSSHv2, .itemTypePublicKey),
        ("PKCS #8 encrypted with scrypt", .formatWrappedPKCS8, .itemTypePrivateKey),
        ("the traditional form of RSA encrypted with des3", .formatWrappedOpenSSL, .itemTypePrivateKey),
        ("a certificate", .formatX509Cert, .itemTypeCertificate),
        ("a certificate in PEM", .formatX509Cert, .itemTypeCertificate),
        ("three certificates in PEM, with text between them", .formatPEMSequence, .itemTypeAggregate),
        ("a bag of PKCS #7 in PEM", .formatPKCS7, .itemTypeAggregate),
        ("PKCS #12 as Java writes it", .formatPKCS12, .itemTypeAggregate),
        ("a sequence of certificates of Netscape's", .formatNetscapeCertSequence, .itemTypeAggregate),
    ])
    func `format and type are found out`(
        _ about: String, _ format: SecExternalFormat, _ type: SecExternalItemType
    ) throws {
        let found = try Imported(about)
        #expect(found.status == errSecSuccess)
        #expect(found.format == format)
        #expect(found.type == type)
        #expect(found.items?.isEmpty == false)
        // The detected format and type are also valid as the expected ones.
        let file = try TransferFile(about)
        let again = Imported(file.data, passphrase: file.passphrase, format: format, type: type)
        #expect(again.status == errSecSuccess)
    }

    @Test func `unexpected contents are refused, and the variables keep their values`() throws {
        let data = try TransferFile("a certificate").data
        let other = Imported(data, format: .formatPKCS12)
        #expect(other.status == errSecUnknownFormat)
        #expect(other.format == .formatPKCS12)
        #expect(other.items == nil)
        #expect(Imported(data, type: .itemTypePrivateKey).status == errSecUnknownFormat)
        #expect(Imported(data, format: .formatPEMSequence).status == errSecUnknownFormat)
        #expect(Imported(data, format: .formatRawKey).status == errSecUnimplemented)
        #expect(Imported(data, type: .itemTypeSessionKey).status == errSecUnimplemented)
    }

    @Test func `statuses say why`() throws {
        let cases: [(String, String?, OSStatus)] = [
            ("text", nil, errSecUnknownFormat), ("nothing", nil, errSecUnknownFormat),
            ("a value of DER that is no key", nil, errSecUnknownFormat),
            ("an encrypted key and no passphrase", nil, errSecPassphraseRequired),
            ("PKCS #12 and no passphrase", nil, errSecPassphraseRequired),
            ("PKCS #12 as OpenSSL 3 writes it", "wrong", errSecPkcs12VerifyFailure),
            ("PKCS #8 encrypted with scrypt", "wrong", errSecPkcs12VerifyFailure),
            ("a key of SEC 1 with another's public half", nil, errSecDecode),
            ("PKCS #8 encrypted with two thousand million repetitions", "p", errSecDecode),
            ("a key on secp256k1", nil, errSecUnsupportedFormat),
            ("an encrypted key of OpenSSH", "p", errSecUnsupportedFormat),
        ]
        for (about, passphrase, status) in cases {
            let file = try TransferFile(about)
            #expect(Imported(file.data, passphrase: passphrase).status == status, "\(about)")
        }
        let locked = try TransferFile("an encrypted key and no passphrase").data
        #expect(Imported(locked, flags: .securePassphrase).status == errSecInteractionNotAllowed)
        #expect(Imported(locked, passphrase: 7).status == errSecParam)
    }

    @Test func `of PKCS #12, what belongs together is an identity`() throws {
        let everything = try Imported("PKCS #12 as OpenSSL 3 writes it")
        #expect(
            everything.items?.map { CFGetTypeID($0) }
                == [SecIdentityGetTypeID(), SecCertificateGetTypeID(), SecCertificateGetTypeID()])
        let strangers = try Imported("PKCS #12 that says that a key and another's certificate belong together")
        #expect(strangers.items?.map { CFGetTypeID($0) } == [SecKeyGetTypeID(), SecCertificateGetTypeID()])
    }

    @Test func `of a text, keys and certificates stay apart`() throws {
        let text = try ["PKCS #8 of P-256", "a certificate"].flatMap { about in try TransferFile(about).data as Data }
        #expect(Imported(Data(text) as CFData).status == errSecUnknownFormat, "two values are no text")
        let key = exported(try #require(try Imported("PKCS #8 of P-256").key), pem: true).data
        let pem = try #require(key) + (try TransferFile("a certificate in PEM").data as Data)
        let found = Imported(pem as CFData)
        #expect(found.items?.map { CFGetTypeID($0) } == [SecKeyGetTypeID(), SecCertificateGetTypeID()])
    }

    @Test func `more than one private key is refused where one is wanted`() throws {
        let file = try TransferFile("PKCS #12 with two identities")
        #expect(Imported(file.data, passphrase: file.passphrase).status == errSecSuccess)
        let refused = Imported(file.data, passphrase: file.passphrase, flags: .importOnlyOne)
        #expect(refused.status == errSecMultiplePrivKeys)
        let one = try TransferFile("PKCS #12 as OpenSSL 3 writes it")
        #expect(Imported(one.data, passphrase: one.passphrase, flags: .importOnlyOne).status == errSecSuccess)
    }

    @Test func `nothing but a look needs no variables`() throws {
        let data = try TransferFile("a certificate").data
        #expect(SecItemImport(data, "a.cer", nil, nil, [], nil, nil, nil) == errSecSuccess)
        #expect(SecItemImport(Data([1, 2]) as CFData, nil, nil, nil, [], nil, nil, nil) == errSecUnknownFormat)
    }

    @Test func `parameters of another version are refused`() throws {
        var parameters = SecItemImportExportKeyParameters()
        parameters.version = 1
        let data = try TransferFile("a certificate").data
        #expect(SecItemImport(data, nil, nil, nil, [], &parameters, nil, nil) == errSecParam)
        var written: CFData?
        let certificate = try vectorCertificate("P-384")
        #expect(SecItemExport(certificate, .formatUnknown, [], &parameters, &written) == errSecParam)
    }

    private func key(usage: [CFString]? = nil, attributes: [CFString]? = nil) throws -> SecKey {
        let data = try TransferFile("PKCS #8 of P-256").data
        return try #require(Imported(data, usage: usage, attributes: attributes).key)
    }

    @Test func `without attributes a key may do everything and be exported`() throws {
        let key = try key()
        let message = Data("hello".utf8) as CFData
        #expect(SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message, nil) != nil)
        #expect(exported(key).status == errSecSuccess)
    }

    @Test func `a key does what its usage says`() throws {
        let message = Data("hello".utf8) as CFData
        for (usage, works) in [([kSecAttrCanSign, kSecAttrCanDerive], true), ([kSecAttrCanDerive], false)] {
            var error: Unmanaged<CFError>?
            let signature = SecKeyCreateSignature(
                try key(usage: usage), .ecdsaSignatureMessageX962SHA256, message, &error)
            #expect((signature != nil) == works)
            #expect(error?.takeRetainedValue().code == (works ? nil : Int(errSecKeyUsageIncorrect)))
        }
    }

    @Test func `C146: a key that is not extractable leaves in no form, a sensitive one only encrypted`() throws {
        let hidden = try key(attributes: [kSecAttrIsSensitive])
        let sensitive = try key(attributes: [kSecAttrIsSensitive, kSecAttrIsExtractable])
        for format in [SecExternalFormat.formatWrappedPKCS8, .formatPKCS12] {
            #expect(exported(hidden, format, passphrase: "p").status == errSecDataNotAvailable)
            #expect(exported(sensitive, format, passphrase: "p").status == errSecSuccess)
        }
        for format in [SecExternalFormat.formatOpenSSL, .formatSSHv2, .formatPEMSequence, .formatUnknown] {
            #expect(exported(hidden, format).status == errSecDataNotAvailable)
            #expect(exported(sensitive, format).status == errSecKeyIsSensitive)
        }
        #expect(exported(try key(attributes: [kSecAttrIsExtractable])).status == errSecSuccess)
        var error: Unmanaged<CFError>?
        #expect(SecKeyCopyExternalRepresentation(hidden, &error) == nil)
        #expect(error?.takeRetainedValue().code == Int(errSecDataNotAvailable))
    }

    @Test func `usage and attributes are of their constants`() throws {
        let data = try TransferFile("PKCS #8 of P-256").data
        #expect(Imported(data, usage: [kSecAttrLabel]).status == errSecParam)
        #expect(Imported(data, usage: [kSecAttrIsSensitive]).status == errSecParam)
        #expect(Imported(data, attributes: [kSecAttrCanSign]).status == errSecParam)
        #expect(Imported(data, attributes: [kSecAttrIsPermanent]).status == errSecParam)
    }
}
