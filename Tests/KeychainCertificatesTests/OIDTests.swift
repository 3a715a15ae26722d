// SPDX-License-Identifier: Apache-2.0

import KeychainCertificates
import Testing

struct OIDTests {
    @Test(
        arguments: [
            ([0x55, 0x04, 0x03], "2.5.4.3"),
            ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x01], "1.2.840.113549.1.9.1"),
            ([0x00], "0.0"), ([0x27], "0.39"), ([0x28], "1.0"), ([0x4F], "1.39"), ([0x50], "2.0"),
            ([0x81, 0x34], "2.100"),
            ([0x88, 0x37], "2.999"), ([0x81, 0x00], "2.48"),
            (
                [
                    0x69, 0x83, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                    0xFF, 0xFF, 0xFF, 0x7F,
                ],
                "2.25.340282366920938463463374607431768211455"
            ),
        ] as [([UInt8], String)])
    func `an object identifier is written with dots`(bytes: [UInt8], text: String) throws {
        let oid = try #require(OID(content: bytes))
        #expect("\(oid)" == text)
        #expect(oid.bytes == bytes)
    }

    @Test(
        arguments: [
            [], [0x80], [0x80, 0x01], [0x55, 0x80, 0x01], [0x55, 0x81], [UInt8](repeating: 1, count: 129),
        ] as [[UInt8]])
    func `a longer encoding than necessary is refused`(bytes: [UInt8]) {
        #expect(OID(content: bytes) == nil)
    }

    @Test func `the known ones are those of the standards`() {
        #expect(
            "\(OID.commonName) \(OID.emailAddress) \(OID.subjectAlternativeName)"
                == "2.5.4.3 1.2.840.113549.1.9.1 2.5.29.17")
    }
}
