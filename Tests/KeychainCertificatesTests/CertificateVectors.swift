// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// TestVectors/certificates-v1.json: certificates, and what a reader in Python says about them, with which `cryptography` and
/// OpenSSL agree.
struct CertificateVector: Decodable, Sendable, CustomTestStringConvertible {
    let about: String
    let certificate: String
    let facts: Facts

    struct Facts: Decodable, Sendable {
        let version: Int
        let serialNumber, issuer, subject, normalizedIssuer, normalizedSubject: String
        let notBefore, notAfter: Double
        let publicKeyInfo, publicKeyHash, sha256: String
        let extensions: [String]
        let subjectKeyIdentifier, authorityKeyIdentifier: String?
        let isAuthority: Bool?
        let pathLength: Int?
        let keyUsage: [Int]?
        let extendedKeyUsage: [String]?
        let emailAddresses, dnsNames, uris, ipAddresses: [String]
        let commonName, subjectSummary: String?
    }

    var bytes: [UInt8] { Array(hexadecimal: certificate) }

    var testDescription: String { about }

    static let all: [CertificateVector] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        // A file of this repository: where it is missing or broken, no test can say anything.
        let content = try! Data(contentsOf: root.appending(path: "TestVectors/certificates-v1.json"))
        return try! JSONDecoder().decode([CertificateVector].self, from: content)
    }()

    static func about(_ text: String) -> CertificateVector { all.first { $0.about == text }! }
}

extension [UInt8] {
    init(hexadecimal text: String) {
        let digits = text.compactMap { $0.hexDigitValue.map(UInt8.init) }
        self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    var hexadecimal: String { map { String(format: "%02x", $0) }.joined() }
}
