// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

struct CertificateValuesTests {
    private func values(_ about: String, _ keys: [CFString]? = nil) throws -> [String: [String: Any]] {
        let certificate = try vectorCertificate(about)
        let values = SecCertificateCopyValues(certificate, keys.map { $0 as CFArray }, nil)
        return try #require(values as? [String: [String: Any]])
    }

    private let person = "a person's certificate for RSA with most extensions"

    private func parts(_ property: [String: Any]?) -> [[String: Any]] {
        property?[kSecPropertyKeyValue as String] as? [[String: Any]] ?? []
    }

    private func texts(_ property: [String: Any]?) -> [String] {
        parts(property).map {
            "\($0[kSecPropertyKeyLabel as String] ?? "-")=\($0[kSecPropertyKeyValue as String] ?? "-")"
        }
    }

    @Test func `programs find a name's attribute by its object identifier`() throws {
        // The usual way to an issuer's organization in programs for Apple's systems.
        let values = try values(person, [kSecOIDX509V1SubjectName])
        #expect(values.count == 1)
        let subject = values[kSecOIDX509V1SubjectName as String]
        #expect(subject?[kSecPropertyKeyType as String] as? String == kSecPropertyTypeSection as String)
        let organization = parts(subject).first {
            $0[kSecPropertyKeyLabel as String] as? String == kSecOIDOrganizationName as String
        }
        #expect(organization?[kSecPropertyKeyValue as String] as? String == "Mice Ltd")
        #expect(
            texts(subject) == [
                "2.5.4.6=GB", "2.5.4.10=Mice Ltd", "2.5.4.3=Ann Mouse", "1.2.840.113549.1.9.1=ann@example.com",
            ])
    }

    @Test func `attributes of one set are a section without a label`() throws {
        let values = try values(
            "a multi-valued name and a serial number of 20 bytes, by OpenSSL", [kSecOIDX509V1SubjectName])
        let sets = parts(values[kSecOIDX509V1SubjectName as String])
        #expect(sets.count == 2)
        #expect(sets.allSatisfy { $0[kSecPropertyKeyLabel as String] == nil })
        #expect(texts(sets.first) == ["2.5.4.10=Mice", "2.5.4.11=Cellar"])
    }

    @Test func `dates are seconds since 2001`() throws {
        let values = try values("valid from 1949 until 2050")
        let value = { (key: CFString) in
            (values[key as String]?[kSecPropertyKeyValue as String] as? NSNumber)?.doubleValue
        }
        #expect(value(kSecOIDX509V1ValidityNotBefore) == -631_152_001 - Date.timeIntervalBetween1970AndReferenceDate)
        #expect(value(kSecOIDX509V1ValidityNotAfter) == 2_524_608_000 - Date.timeIntervalBetween1970AndReferenceDate)
    }

    @Test func `key usage is a number, whose highest bit says critical`() throws {
        let person = try values(person)[kSecOIDKeyUsage as String]
        #expect(
            (person?[kSecPropertyKeyValue as String] as? NSNumber)?.int32Value == Int32.min | 1 << 0 | 1 << 4 | 1 << 8)
        let other = try values("the issuer of a forum's example")[kSecOIDKeyUsage as String]
        #expect((other?[kSecPropertyKeyValue as String] as? NSNumber)?.int32Value == 0)
    }

    @Test func `lists are arrays`() throws {
        let values = try values(person)
        let list = { (key: String) in values[key]?[kSecPropertyKeyValue as String] as? [String] }
        #expect(list(kSecOIDCommonName as String) == ["Ann Mouse"])
        #expect(list(kSecOIDEmailAddress as String) == ["mouse@example.org", "ann@example.com"])
        #expect(list("DNSNAMES") == ["*.example.org"])
        #expect(list("IPADDRESSES") == ["192.0.2.1", "2001:0DB8:0000:0000:0000:0000:0000:0001"])
        let purposes = values[kSecOIDExtendedKeyUsage as String]?[kSecPropertyKeyValue as String] as? [Data]
        #expect(purposes == [Data([0x2B, 6, 1, 5, 5, 7, 3, 2]), Data([0x2B, 6, 1, 5, 5, 7, 3, 4])])
    }

    @Test func `extensions are sections`() throws {
        let values = try values(person)
        #expect(texts(values[kSecOIDBasicConstraints as String]) == ["Critical=Yes", "Certificate Authority=No"])
        #expect(
            texts(values[kSecOIDSubjectAltName as String]).prefix(3) == [
                "Critical=No", "Email Address=mouse@example.org", "DNS Name=*.example.org",
            ])
        let authority = try self.values("an authority, on P-256, with a limit of the path")
        #expect(
            texts(authority[kSecOIDBasicConstraints as String])
                == ["Critical=Yes", "Certificate Authority=Yes", "Path Length Constraint=3"])
        let unknown = try self.values("an unknown critical extension")["1.2.3.4.5"]
        #expect(parts(unknown).last?[kSecPropertyKeyValue as String] as? Data == Data([5, 0]))
    }

    @Test func `version, serial number and algorithms are text`() throws {
        let values = try values(person)
        #expect(values[kSecOIDX509V1Version as String]?[kSecPropertyKeyValue as String] as? String == "3")
        #expect(
            values[kSecOIDX509V1SerialNumber as String]?[kSecPropertyKeyValue as String] as? String
                == "\(0x1122_3344_5566_7788)")
        #expect(texts(values[kSecOIDX509V1SignatureAlgorithm as String]) == ["Algorithm=1.2.840.10045.4.3.2"])
        #expect(
            texts(values[kSecOIDX509V1SubjectPublicKeyAlgorithm as String]) == [
                "Algorithm=1.2.840.113549.1.1.1", "Parameters=none",
            ])
        let long = try self.values("a multi-valued name and a serial number of 20 bytes, by OpenSSL")[
            kSecOIDX509V1SerialNumber as String]
        #expect((long?[kSecPropertyKeyValue as String] as? String)?.hasPrefix("7F FF FF") == true)
    }

    @Test func `unique identifiers and expiry are shown where there are any`() throws {
        let values = try values("version 2 with unique identifiers")
        #expect(
            values[kSecOIDX509V1CertificateIssuerUniqueId as String]?[kSecPropertyKeyValue as String] as? Data
                == Data([0, 1, 2]))
        #expect(
            values[kSecOIDX509V1CertificateSubjectUniqueId as String]?[kSecPropertyKeyValue as String] as? Data
                == Data([0, 3, 4]))
        #expect(try self.values("valid from the year 1 until a leap day")["Expired"] != nil)
        let forever = try self.values("valid until 9999")[kSecOIDInvalidityDate as String]
        #expect(forever?[kSecPropertyKeyType as String] as? String == kSecPropertyTypeDate as String)
    }

    @Test func `only the fields that are asked for come`() throws {
        #expect(try values(person, []).isEmpty)
        #expect(try values(person, ["no such field" as CFString]).isEmpty)
        #expect(
            Set(try values(person, [kSecOIDKeyUsage, kSecOIDX509V1Version]).keys) == [
                kSecOIDKeyUsage as String, kSecOIDX509V1Version as String,
            ])
    }

    @Test func `a key that is no string is an error`() throws {
        let certificate = try vectorCertificate(person)
        var error: Unmanaged<CFError>?
        #expect(SecCertificateCopyValues(certificate, [1] as CFArray, &error) == nil)
        #expect(error?.takeRetainedValue().code == Int(errSecParam))
    }
}
