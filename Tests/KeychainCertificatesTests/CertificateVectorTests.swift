// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCertificates
import KeychainKeys
import Testing

struct CertificateVectorTests {
    @Test(arguments: CertificateVector.all)
    func `a certificate says what Python and OpenSSL read in it`(_ vector: CertificateVector) throws {
        let certificate = try Certificate(vector.bytes)
        let facts = vector.facts
        #expect(certificate.encoded == vector.bytes)
        #expect(certificate.version == facts.version)
        #expect(certificate.serialNumber.hexadecimal == facts.serialNumber)
        #expect(certificate.issuer.encoded.hexadecimal == facts.issuer)
        #expect(certificate.subject.encoded.hexadecimal == facts.subject)
        #expect(certificate.issuer.normalizedContent.hexadecimal == facts.normalizedIssuer)
        #expect(certificate.subject.normalizedContent.hexadecimal == facts.normalizedSubject)
        #expect(certificate.notBefore.timeIntervalSince1970 == facts.notBefore)
        #expect(certificate.notAfter.timeIntervalSince1970 == facts.notAfter)
        #expect(certificate.publicKeyInfo.encoded.hexadecimal == facts.publicKeyInfo)
        #expect(certificate.publicKeyInfo.hash.bytes.hexadecimal == facts.publicKeyHash)
        #expect(certificate.sha256Fingerprint.hexadecimal == facts.sha256)
        #expect(certificate.extensions.map { "\($0.type)" } == facts.extensions)
        let known = certificate.known
        #expect(known.subjectKeyIdentifier?.hexadecimal == facts.subjectKeyIdentifier)
        #expect(known.authorityKeyIdentifier?.keyIdentifier?.hexadecimal == facts.authorityKeyIdentifier)
        #expect(known.basicConstraints?.isAuthority == facts.isAuthority)
        #expect(known.basicConstraints?.pathLength == facts.pathLength)
        #expect(known.keyUsage?.rawValue == facts.keyUsage.map { $0.reduce(0) { $0 | 1 << UInt16($1) } })
        #expect(known.extendedKeyUsage?.map { "\($0)" } == facts.extendedKeyUsage)
        #expect(certificate.emailAddresses == facts.emailAddresses)
        #expect(certificate.dnsNames == facts.dnsNames)
        #expect(certificate.uris == facts.uris)
        #expect(certificate.ipAddresses == facts.ipAddresses)
        #expect(certificate.commonName == facts.commonName)
        #expect(certificate.subjectSummary == facts.subjectSummary)
    }

    @Test(arguments: CertificateVector.all)
    func `the attributes of an item follow from its certificate`(_ vector: CertificateVector) throws {
        let attributes = CertificateAttributes(try Certificate(vector.bytes))
        let facts = vector.facts
        #expect(attributes.certificateType == facts.version)
        #expect(attributes.certificateEncoding == 3)
        #expect(attributes.issuer.hexadecimal == facts.normalizedIssuer)
        #expect(attributes.subject.hexadecimal == facts.normalizedSubject)
        #expect(attributes.serialNumber.hexadecimal == facts.serialNumber)
        #expect(attributes.subjectKeyID?.hexadecimal == facts.subjectKeyIdentifier)
        #expect(attributes.publicKeyHash.bytes.hexadecimal == facts.publicKeyHash)
        #expect(attributes.alias == facts.emailAddresses.first)
        #expect(attributes.label == facts.subjectSummary)
    }

    @Test(arguments: CertificateVector.all)
    func `a certificate's key has the hash that ties it to the certificate`(_ vector: CertificateVector) throws {
        let certificate = try Certificate(vector.bytes)
        if vector.about.contains("not known here") {
            #expect { try certificate.publicKey() } throws: { ($0 as? KeyError)?.kind == .unsupportedAlgorithm }
        } else {
            #expect(try certificate.publicKey().hash == certificate.publicKeyInfo.hash)
        }
    }

    @Test func `there are vectors of every kind`() {
        #expect(CertificateVector.all.count >= 35)
        #expect(Set(CertificateVector.all.map(\.facts.version)) == [1, 2, 3])
    }

    @Test func `certificates are equal when their bytes are`() throws {
        let bytes = CertificateVector.all[0].bytes
        #expect(try Certificate(bytes) == Certificate(bytes))
        #expect(
            try Set([Certificate(bytes), Certificate(bytes), Certificate(CertificateVector.all[1].bytes)]).count == 2)
    }
}
