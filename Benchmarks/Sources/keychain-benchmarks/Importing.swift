// SPDX-License-Identifier: Apache-2.0

import Foundation
import Measuring
import Security

/// Reads files of keys and certificates, without storing their contents.
enum Importing {
    static let certificateCount = 150

    /// Reads a bundle of certificates, such as the bundle of public authorities that systems install.
    static func bundle(_ format: SecExternalFormat) throws -> MeasuredOperation {
        let (certificate, _) = try Identities.pair()
        let certificates = Array(repeating: certificate, count: certificateCount) as CFArray
        var written: CFData?
        let status = SecItemExport(certificates, format, [], nil, &written)
        guard status == errSecSuccess, let data = written else {
            throw BenchmarkFailure("writing a bundle: status \(status)")
        }
        let name = format == .formatPKCS7 ? "PKCS #7" : "PEM"
        return MeasuredOperation("SecItemImport of \(certificateCount) certificates, \(name)") { _ in
            var found: CFArray?
            let start = Timing.now()
            let status = SecItemImport(data, nil, nil, nil, [], nil, nil, &found)
            let time = Timing.now() - start
            guard status == errSecSuccess, found?.count == certificateCount else {
                throw BenchmarkFailure("reading a bundle: status \(status)")
            }
            return time
        }
    }
}
