// SPDX-License-Identifier: Apache-2.0

import KeychainCertificates
import Testing

struct DistinguishedNameTests {
    /// The example of Apple's engineers for the value of `kSecAttrIssuer`.
    private let mouseCA = [UInt8](hexadecimal: "3110300e 06035504 030c074d 6f757365 4341310b 30090603 55040613 024742")

    @Test func `the issuer of a certificate is kept without the sequence around it`() throws {
        let certificate = try Certificate(CertificateVector.about("the issuer of a forum's example").bytes)
        #expect(certificate.issuer.normalizedContent == mouseCA)
        #expect(CertificateAttributes(certificate).issuer == mouseCA)
        #expect(
            certificate.issuer.normalizedSequence
                == [UInt8](hexadecimal: "301f3110 300e0603 5504030c 074d6f75 73654341 310b3009 06035504 06130247 42"))
    }

    @Test func `a query finds an issuer by the content and by the whole name`() {
        #expect(DistinguishedName.queryValue(mouseCA) == mouseCA)
        #expect(DistinguishedName.queryValue(der(0x30, mouseCA)) == mouseCA)
        #expect(
            DistinguishedName.queryValue(nameDER((oidOfCommonName, 0x0C, "MouseCA"), (oidOfCountry, 0x13, " gb ")))
                == mouseCA)
    }

    @Test func `a query for bytes that are no name is left as it is`() {
        for bytes in [[], [0x30], [0x30, 0x05, 0x00], Array("MouseCA".utf8), der(0x30, mouseCA) + [0]] as [[UInt8]] {
            #expect(DistinguishedName.queryValue(bytes) == bytes)
        }
    }

    @Test func `an empty name has an empty content`() throws {
        #expect(try DistinguishedName([0x30, 0x00]).normalizedContent.isEmpty)
        #expect(DistinguishedName.queryValue([0x30, 0x00]).isEmpty)
    }

    @Test(arguments: [
        ("gb", "GB"), ("  Two   Words\t", "TWO WORDS"), ("\t", ""), ("", ""), ("a\t b", "A B"),
        ("already FINE", "ALREADY FINE"),
        ("a\nb", "A\nB"),
    ])
    func `printable strings are compared without case and without blanks more than one`(given: String, normal: String)
        throws
    {
        let name = try DistinguishedName(nameDER((oidOfCommonName, 0x13, given)))
        #expect(name.normalizedSequence == nameDER((oidOfCommonName, 0x13, normal)))
        #expect(name.encoded == nameDER((oidOfCommonName, 0x13, given)))
    }

    @Test(arguments: [0x0C, 0x12, 0x14, 0x16, 0x1A] as [UInt8])
    func `other strings are compared as they are`(tag: UInt8) throws {
        let name = try DistinguishedName(nameDER((oidOfCommonName, tag, "  a  B ")))
        #expect(name.normalizedSequence == name.encoded)
    }

    @Test func `normalising again changes nothing`() throws {
        for vector in CertificateVector.all {
            let name = try Certificate(vector.bytes).subject
            #expect(try DistinguishedName(name.normalizedSequence).normalizedContent == name.normalizedContent)
        }
    }

    @Test func `lengths become shorter on every level`() throws {
        let name = try DistinguishedName(
            nameDER((oidOfCommonName, 0x13, "a" + String(repeating: " ", count: 300) + "b")))
        #expect(name.normalizedSequence == nameDER((oidOfCommonName, 0x13, "A B")))
    }

    @Test func `attributes of one set share its number`() throws {
        let pair = { (text: String) in der(0x30, oidOfCommonName, der(0x0C, Array(text.utf8))) }
        let name = try DistinguishedName(der(0x30, der(0x31, pair("a"), pair("b")), der(0x31, pair("c"))))
        #expect(name.attributes.map(\.text) == ["a", "b", "c"])
        #expect(name.attributes.map(\.relativeName) == [0, 0, 1])
    }

    @Test(
        arguments: [
            (0x0C, [0xFF, 0x41], "FF 41"), (0x16, [0x80], "80"), (0x1E, [0x00, 0x41, 0x42], "00 41 42"),
            (0x1E, [0xD8, 0x00], "D8 00"),
            (0x1C, [0x00, 0x11, 0x00, 0x00], "00 11 00 00"), (0x04, [0x01], "01"), (0x02, [0x7F], "7F"),
            (0x0C, [0x41, 0x00], "A"),
            (0x14, [0xE9], "é"), (0x0C, [], ""),
        ] as [(UInt8, [UInt8], String)])
    func `a value that is not text is shown as bytes`(tag: UInt8, content: [UInt8], text: String) throws {
        let name = try DistinguishedName(der(0x30, der(0x31, der(0x30, oidOfCommonName, der(tag, content)))))
        #expect(name.attributes.map(\.text) == [text])
    }

    @Test(
        arguments: [
            [], [0x31, 0x00], der(0x30, der(0x30)), der(0x30, der(0x31, der(0x31))),
            der(0x30, der(0x31, der(0x30, oidOfCommonName))),
            der(0x30, der(0x31, der(0x30, der(0x0C), der(0x0C)))),
            der(0x30, der(0x31, der(0x30, oidOfCommonName, der(0x0C), der(0x0C)))),
            nameDER((oidOfCommonName, 0x0C, "a")) + [0],
        ] as [[UInt8]])
    func `bytes that are not a name are refused`(bytes: [UInt8]) {
        #expect(throws: CertificateError.self) { try DistinguishedName(bytes) }
    }
}
