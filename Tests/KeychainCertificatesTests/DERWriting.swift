// SPDX-License-Identifier: Apache-2.0

/// A value in DER; its length in the shortest form.
func der(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
    let content = Array(parts.joined())
    guard content.count > 0x7F else { return [tag, UInt8(content.count)] + content }
    return content.count > 0xFF
        ? [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
        : [tag, 0x81, UInt8(content.count)] + content
}

let oidOfCommonName: [UInt8] = [0x06, 0x03, 0x55, 0x04, 0x03]
let oidOfCountry: [UInt8] = [0x06, 0x03, 0x55, 0x04, 0x06]

/// A name of one attribute in each set.
func nameDER(_ attributes: (type: [UInt8], tag: UInt8, value: String)...) -> [UInt8] {
    der(0x30, Array(attributes.map { der(0x31, der(0x30, $0.type, der($0.tag, Array($0.value.utf8)))) }.joined()))
}

/// A certificate with an invalid signature, in which each part can be replaced.
struct CertificateDER {
    var version: [UInt8] = der(0xA0, der(0x02, [2]))
    var serialNumber: [UInt8] = der(0x02, [1])
    var algorithm: [UInt8] = der(0x30, [0x06, 0x03, 0x2B, 0x65, 0x70])
    var issuer = nameDER((oidOfCommonName, 0x0C, "Issuer"))
    var notBefore: [UInt8] = der(0x17, Array("200101000000Z".utf8))
    var notAfter: [UInt8] = der(0x17, Array("300101000000Z".utf8))
    var subject = nameDER((oidOfCommonName, 0x0C, "Subject"))
    var publicKey: [UInt8] = der(
        0x30, der(0x30, [0x06, 0x03, 0x2B, 0x65, 0x70]), der(0x03, [0], [UInt8](repeating: 7, count: 32)))
    var others: [UInt8] = []
    var extensions: [[UInt8]] = []
    var signature: [UInt8] = der(0x03, [0], [UInt8](repeating: 9, count: 64))

    var encoded: [UInt8] {
        let extensions = self.extensions.isEmpty ? [] : der(0xA3, der(0x30, Array(self.extensions.joined())))
        let signed = der(
            0x30, version, serialNumber, algorithm, issuer, der(0x30, notBefore, notAfter), subject, publicKey, others,
            extensions)
        return der(0x30, signed, algorithm, signature)
    }
}

/// An extension below 2.5.29.
func extensionDER(_ number: UInt8, critical: Bool? = nil, _ value: [UInt8]) -> [UInt8] {
    der(0x30, [0x06, 0x03, 0x55, 0x1D, number], critical.map { der(0x01, [$0 ? 0xFF : 0]) } ?? [], der(0x04, value))
}
