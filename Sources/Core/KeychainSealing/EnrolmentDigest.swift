// SPDX-License-Identifier: Apache-2.0

internal import Crypto

/// The digest of a set of enrolled fingers (Documentation/Formats/database.md, "Table enrolment"). Not secret.
public struct EnrolmentDigest: Sendable {
    /// SHA-256, 32 bytes.
    public let bytes: [UInt8]

    /// Computes the digest.
    ///
    /// - Parameters:
    ///   - reader: the name of the reader.
    ///   - scan: the way in which the reader scans a finger, as in the helper protocol.
    ///   - fingers: the names of the fingers, in ascending order.
    public init(reader: String, scan: UInt8, fingers: [String]) {
        var content = Array("chatelaine fingers v1".utf8)
        func append(_ text: String) {
            // The lengths prevent two lists of names from having the same bytes.
            content += (0..<4).map { UInt8(truncatingIfNeeded: text.utf8.count >> (24 - 8 * $0)) } + text.utf8
        }
        append(reader)
        content.append(scan)
        for finger in fingers { append(finger) }
        bytes = Array(SHA256.hash(data: content))
    }
}
