// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

struct CertificateTests {
    private let person = "a person's certificate for RSA with most extensions"
    private let authority = "an authority, on P-256, with a limit of the path"

    @Test func `a certificate is made of DER and gives it back`() throws {
        let data = try vectorBytes(person)
        let certificate = try #require(SecCertificateCreateWithData(nil, data as CFData))
        #expect(SecCertificateCopyData(certificate) as Data == data)
        #expect(CFGetTypeID(certificate) == SecCertificateGetTypeID())
        #expect(SecCertificateGetTypeID() != SecKeyGetTypeID())
    }

    @Test func `certificates are equal by their bytes, as keys of a dictionary too`() throws {
        let one = try vectorCertificate(person)
        let same = try vectorCertificate(person)
        #expect(one == same)
        #expect(one !== same)
        #expect([one: 1][same] == 1)
        #expect(one != (try vectorCertificate(authority)))
    }

    @Test func `bytes that are not a certificate give nil`() throws {
        let data = try vectorBytes(person)
        let pem = "-----BEGIN CERTIFICATE-----\n\(data.base64EncodedString())\n-----END CERTIFICATE-----\n"
        for bad in [Data(), Data([0x30]), data.dropLast(), data + [0], Data(pem.utf8)] {
            #expect(SecCertificateCreateWithData(nil, bad as CFData) == nil)
        }
    }

    @Test func `an object comes back from a dictionary as itself`() throws {
        let certificate = try vectorCertificate(person)
        let dictionary = [kSecValueRef as String: certificate] as NSDictionary
        #expect(dictionary[kSecValueRef] as? SecCertificate === certificate)
        #expect(([certificate] as CFArray)[0] as? SecCertificate === certificate)
    }

    @Test func `names are the subject's`() throws {
        let certificate = try vectorCertificate(person)
        #expect(SecCertificateCopySubjectSummary(certificate) as String? == "Ann Mouse")
        #expect(SecCertificateCopyShortDescription(nil, certificate, nil) as String? == "Ann Mouse")
        #expect(SecCertificateCopyLongDescription(nil, certificate, nil) as String? == "Ann Mouse")
        var name: CFString?
        #expect(SecCertificateCopyCommonName(certificate, &name) == errSecSuccess)
        #expect(name as String? == "Ann Mouse")
        var addresses: CFArray?
        #expect(SecCertificateCopyEmailAddresses(certificate, &addresses) == errSecSuccess)
        #expect(addresses as? [String] == ["mouse@example.org", "ann@example.com"])
    }

    @Test func `without a common name there is a status and nothing is written`() throws {
        let certificate = try vectorCertificate("no subject, and an e-mail address as the only name")
        var name: CFString? = "before"
        #expect(SecCertificateCopyCommonName(certificate, &name) == -26276)
        #expect(name == "before")
        #expect(SecCertificateCopySubjectSummary(certificate) == "only@example.org")
    }

    @Test func `without e-mail addresses there is an empty array`() throws {
        var addresses: CFArray?
        #expect(SecCertificateCopyEmailAddresses(try vectorCertificate(authority), &addresses) == errSecSuccess)
        #expect(addresses?.count == 0)
    }

    @Test func `a certificate without names has no summary, and an error says so`() throws {
        // The name of the subject, 18 bytes, becomes an empty one; then the lengths around it are put right.
        let name = Data([0x30, 0x10, 0x31, 0x0E, 0x30, 0x0C, 0x06, 0x03, 0x55, 0x04, 0x03, 0x0C, 0x05] + "Plain".utf8)
        var bytes = [UInt8](
            try vectorBytes("the issuer of a forum's example").replacing(name, with: Data([0x30, 0x00])))
        try #require(bytes[0...1] == [0x30, 0x82] && bytes[4...5] == [0x30, 0x81])
        let length = bytes.count - 4
        (bytes[2], bytes[3], bytes[6]) = (UInt8(length >> 8), UInt8(length & 0xFF), bytes[6] - 16)
        let certificate = try #require(SecCertificateCreateWithData(nil, Data(bytes) as CFData))
        #expect(SecCertificateCopySubjectSummary(certificate) == nil)
        var error: Unmanaged<CFError>?
        #expect(SecCertificateCopyShortDescription(nil, certificate, &error) == nil)
        let reason = try #require(error?.takeRetainedValue())
        #expect(reason.domain == NSOSStatusErrorDomain)
        #expect(reason.code == Int(errSecInvalidCertificateRef))
    }

    @Test func `the serial number is the integer's bytes, under all its names`() throws {
        let certificate = try vectorCertificate("a negative serial number")
        let expected = Data([0x80, 0x01]) as CFData
        #expect(SecCertificateCopySerialNumberData(certificate, nil) == expected)
        #expect(SecCertificateCopySerialNumber(certificate, nil) == expected)
        #expect(SecCertificateCopySerialNumber(certificate) == expected)
    }

    @Test func `normalised names are whole sequences`() throws {
        let certificate = try vectorCertificate("the issuer of a forum's example")
        let expected = Data(
            [0x30, 0x1F, 0x31, 0x10, 0x30, 0x0E, 0x06, 0x03, 0x55, 0x04, 0x03, 0x0C, 0x07] + "MouseCA".utf8
                + [0x31, 0x0B, 0x30, 0x09, 0x06, 0x03, 0x55, 0x04, 0x06, 0x13, 0x02] + "GB".utf8)
        #expect(SecCertificateCopyNormalizedIssuerSequence(certificate) as Data? == expected)
        #expect(SecCertificateCopyNormalizedIssuerContent(certificate, nil) as Data? == expected)
        let shouting = try vectorCertificate("blanks and letters that are normalised")
        #expect(
            SecCertificateCopyNormalizedSubjectSequence(shouting) as Data?
                == SecCertificateCopyNormalizedIssuerSequence(shouting) as Data?)
        #expect(
            SecCertificateCopyNormalizedSubjectContent(shouting, nil)
                == SecCertificateCopyNormalizedSubjectSequence(shouting))
    }

    @Test func `dates are those of the certificate`() throws {
        let certificate = try vectorCertificate("valid from 1949 until 2050")
        #expect(SecCertificateCopyNotValidBeforeDate(certificate) as Date? == Date(timeIntervalSince1970: -631_152_001))
        #expect(SecCertificateCopyNotValidAfterDate(certificate) as Date? == Date(timeIntervalSince1970: 2_524_608_000))
    }

    @Test func `the key is the certificate's, where its kind is known`() throws {
        for about in [person, authority, "P-384", "P-521", "Ed25519", "RSA with 1024 bits"] {
            let certificate = try vectorCertificate(about)
            let key = try #require(SecCertificateCopyKey(certificate))
            #expect(CFGetTypeID(key) == SecKeyGetTypeID())
            #expect(SecCertificateCopyPublicKey(certificate) == key)
            var same: SecKey?
            #expect(SecCertificateCopyPublicKey(certificate, &same) == errSecSuccess)
            #expect(same == key)
        }
        for about in ["Ed448, which is not known here", "secp256k1, which is not known here"] {
            let certificate = try vectorCertificate(about)
            #expect(SecCertificateCopyKey(certificate) == nil)
            var key: SecKey?
            #expect(SecCertificateCopyPublicKey(certificate, &key) == errSecUnsupportedKeyFormat)
            #expect(key == nil)
        }
    }
}
