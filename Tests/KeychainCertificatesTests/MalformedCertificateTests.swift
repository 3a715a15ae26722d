// SPDX-License-Identifier: Apache-2.0

import KeychainCertificates
import Testing

/// Bytes from an attacker end in an error: never in a trap, and not in more memory than the documented limit.
struct MalformedCertificateTests {
    private func refusal(_ bytes: [UInt8]) -> CertificateError.Kind? {
        do throws(CertificateError) {
            _ = try Certificate(bytes)
            return nil
        } catch {
            return error.kind
        }
    }

    @Test func `the certificate that the others are made of is read`() throws {
        let certificate = try Certificate(CertificateDER().encoded)
        #expect(certificate.version == 3)
        #expect(certificate.subjectSummary == "Subject")
        #expect(certificate.signature == [UInt8](repeating: 9, count: 64))
    }

    @Test(arguments: CertificateVector.all.filter { $0.bytes.count < 512 })
    func `no beginning of a certificate is one`(_ vector: CertificateVector) {
        let bytes = vector.bytes
        for count in bytes.indices { #expect(refusal(Array(bytes[..<count])) == .notDER) }
    }

    @Test func `bytes behind a certificate are refused`() {
        let bytes = CertificateDER().encoded
        for tail in [[0], [0x0A], [0x05, 0x00], bytes] as [[UInt8]] { #expect(refusal(bytes + tail) == .notDER) }
    }

    @Test(arguments: [
        "a person's certificate for RSA with most extensions", "every type of string",
        "version 2 with unique identifiers",
    ])
    func `each changed byte ends in a certificate or an error`(about: String) {
        var bytes = CertificateVector.about(about).bytes
        for place in bytes.indices {
            let was = bytes[place]
            for value in [was ^ 0x01, was ^ 0x20, 0xFF] {
                bytes[place] = value
                guard let certificate = try? Certificate(bytes) else { continue }
                #expect(certificate.encoded == bytes)
                // Lazily computed values must not trap either.
                _ = (
                    certificate.subjectSummary, certificate.emailAddresses, certificate.dnsNames,
                    certificate.ipAddresses
                )
                _ = certificate.extensions.map { "\($0.type)" }
            }
            bytes[place] = was
        }
    }

    @Test(arguments: [0x30, 0x31, 0xA0, 0xBF] as [UInt8])
    func `values inside values without end are refused`(tag: UInt8) {
        var bytes: [UInt8] = [0x05, 0x00]
        for _ in 0..<200 { bytes = der(tag, bytes) }
        #expect(refusal(bytes) == .notDER)
        #expect(refusal([UInt8](repeating: 0x30, count: 100_000)) == .notDER)
    }

    @Test(
        arguments: [
            [0x30, 0x80], [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x30, 0x88, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x30, 0x88, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x30, 0xFF] + [UInt8](repeating: 0xFF, count: 127),
            [0x30, 0x81, 0x01, 0x00], [0x30, 0x82, 0x00, 0x01, 0x00],
            [0x1F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0x00],
        ] as [[UInt8]])
    func `lengths that are not there, or not in the shortest form, are refused`(bytes: [UInt8]) {
        #expect(refusal(bytes) == .notDER)
        #expect(refusal(bytes + [UInt8](repeating: 0, count: 300)) == .notDER)
    }

    @Test func `more than 256 KiB is refused before it is read`() {
        #expect(refusal([UInt8](repeating: 0x30, count: Certificate.maximumByteCount + 1)) == .tooLong)
        #expect(throws: CertificateError.self) {
            try DistinguishedName([UInt8](repeating: 0, count: Certificate.maximumByteCount + 1))
        }
    }

    @Test func `as many small values as there can be are read in one go`() {
        // 131,000 values of two bytes each, in place of a certificate's three.
        let content = Array(repeatElement([0x05, 0x00] as [UInt8], count: 131_000).joined())
        let length = content.count
        let bytes = [0x30, 0x83, UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)] + content
        #expect(refusal(bytes) == .malformed)
    }

    @Test func `versions are 1, 2 and 3`() throws {
        var parts = CertificateDER()
        parts.version = []
        #expect(try Certificate(parts.encoded).version == 1)
        for content in [[0], [3], [], [0, 1], [0x80]] as [[UInt8]] {
            parts.version = der(0xA0, der(0x02, content))
            #expect(refusal(parts.encoded) == .malformed)
        }
    }

    @Test func `a serial number has 1 to 37 bytes`() throws {
        var parts = CertificateDER()
        for (count, isRead) in [(0, false), (1, true), (20, true), (37, true), (38, false)] {
            parts.serialNumber = der(0x02, [UInt8](repeating: 0x7F, count: count))
            #expect((refusal(parts.encoded) == nil) == isRead)
        }
    }

    @Test(arguments: [
        "", "Z", "2001010000", "200101000000", "20010100000Z", "201301000000Z", "200001000000Z", "200132000000Z",
        "210229000000Z",
        "200101240000Z", "200101006000Z", "200101000061Z", "200101000000+0060", "200101000000+2400", "200101000000+01",
        "200101000000ZZ",
        "200101000000.5Z", "2001010000\u{660}0Z", "-00101000000Z", " 200101000000Z",
    ])
    func `a value that is not a time in UTC is refused`(text: String) {
        var parts = CertificateDER()
        parts.notBefore = der(0x17, Array(text.utf8))
        #expect(refusal(parts.encoded) == .malformed)
    }

    @Test(arguments: [
        "20200101000000", "2020010100Z", "20210229000000Z", "19000229000000Z", "20200101000000.Z", "20200101000000.5",
        "00000000000000Z",
        "200101000000Z", "99991231235959", "20200101000000+0100Z",
    ])
    func `a value that is not a generalised time is refused`(text: String) {
        var parts = CertificateDER()
        parts.notAfter = der(0x18, Array(text.utf8))
        #expect(refusal(parts.encoded) == .malformed)
    }

    @Test func `an extension that occurs twice is refused`() {
        var parts = CertificateDER()
        parts.extensions = [
            extensionDER(19, der(0x30)), extensionDER(15, der(0x03, [0, 0x80])), extensionDER(19, der(0x30)),
        ]
        #expect(refusal(parts.encoded) == .duplicateExtension)
        parts.extensions.removeLast()
        #expect(refusal(parts.encoded) == nil)
    }

    @Test(
        arguments: [
            (14, []), (14, [0x04, 0x05]), (14, der(0x30)), (15, der(0x03)), (15, der(0x03, [8, 0])),
            (15, der(0x03, [0])),
            (15, der(0x03, [0, 0, 0, 0])), (17, der(0x04)), (17, der(0x30, der(0x89))), (17, der(0x30, der(0xA1))),
            (17, der(0x30, der(0x84))),
            (19, der(0x30, der(0x01, [1]))), (19, der(0x30, der(0x02, [0x80]))),
            (19, der(0x30, der(0x01, [0xFF]), der(0x02, [1]), der(0x05))),
            (19, der(0x30, der(0x02, [1, 2, 3, 4, 5, 6]))), (35, der(0x30, der(0x83))), (37, der(0x30, der(0x05))),
            (37, der(0x30, der(0x06))),
        ] as [(UInt8, [UInt8])])
    func `a malformed extension is absent, or makes the certificate malformed when it is critical`(
        number: UInt8, value: [UInt8]
    ) throws {
        var parts = CertificateDER()
        parts.extensions = [extensionDER(number, critical: true, value)]
        let kind = refusal(parts.encoded)
        #expect(kind == .malformed || kind == .notDER)
        parts.extensions = [extensionDER(number, value)]
        let known = try Certificate(parts.encoded).known
        #expect(known.subjectKeyIdentifier == nil)
        #expect(known.authorityKeyIdentifier == nil)
        #expect(known.basicConstraints == nil)
        #expect(known.keyUsage == nil)
        #expect(known.extendedKeyUsage == nil)
        #expect(known.subjectAlternativeNames == nil)
    }

    @Test func `an alternative name that is no text hides those of its kind, as at Apple`() throws {
        var parts = CertificateDER()
        let broken = der(0x81, [0xFF])
        parts.extensions = [
            extensionDER(
                17, der(0x30, der(0x81, Array("a@b".utf8)), broken, der(0x82, Array("b.example".utf8)), der(0x87, [1])))
        ]
        let certificate = try Certificate(parts.encoded)
        #expect(certificate.emailAddresses.isEmpty)
        #expect(certificate.ipAddresses.isEmpty)
        #expect(certificate.dnsNames == ["b.example"])
    }

    @Test func `fields in other places, too few and too many are refused`() {
        let whole = CertificateDER()
        var parts = whole
        parts.others = der(0x05)
        #expect(refusal(parts.encoded) == .malformed)
        parts = whole
        parts.others = der(0xA3, der(0x30))
        #expect(refusal(parts.encoded) == .malformed)
        parts = whole
        parts.subject = []
        #expect(refusal(parts.encoded) == .malformed)
        parts = whole
        parts.notAfter = []
        #expect(refusal(parts.encoded) == .malformed)
        parts = whole
        parts.publicKey = der(0x30, der(0x30, [0x06, 0x03, 0x2B, 0x65, 0x70]), der(0x03, [1, 2]))
        #expect(refusal(parts.encoded) == .malformed)
        parts = whole
        parts.signature = der(0x03)
        #expect(refusal(parts.encoded) == .malformed)
        parts = whole
        parts.algorithm = der(0x30)
        #expect(refusal(parts.encoded) == .malformed)
    }

    @Test func `an error names the field and nothing of its content`() {
        var parts = CertificateDER()
        parts.issuer = der(0x30, der(0x31, der(0x30, oidOfCommonName)))
        #expect { try Certificate(parts.encoded) } throws: {
            "\($0)" == "the issuer: the value does not conform to X.509"
        }
    }
}
