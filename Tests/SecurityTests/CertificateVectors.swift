// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Returns a certificate of TestVectors/certificates-v1.json by its description.
func vectorBytes(_ about: String) throws -> Data {
    struct Vector: Decodable {
        let about: String
        let certificate: String
    }
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let content = try Data(contentsOf: root.appending(path: "TestVectors/certificates-v1.json"))
    let vectors = try JSONDecoder().decode([Vector].self, from: content)
    let digits = try #require(vectors.first { $0.about == about }).certificate.compactMap(\.hexDigitValue)
    return Data(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
}

func vectorCertificate(_ about: String) throws -> SecCertificate {
    try #require(SecCertificateCreateWithData(nil, try vectorBytes(about) as CFData))
}
