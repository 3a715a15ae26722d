// SPDX-License-Identifier: Apache-2.0

internal import Crypto

/// Names a set of enrolled fingers (Documentation/Formats/database.md, "Table enrolment"). Not secret.
public struct EnrolmentDigest: Sendable {
    /// SHA-256, 32 bytes.
    public let bytes: [UInt8]

    /// - Parameters:
    ///   - reader: what the reader is called.
    ///   - scan: how a finger is shown to it, as in the helper protocol.
    ///   - fingers: what the fingers are called, in ascending order.
    public init(reader: String, scan: UInt8, fingers: [String]) {
        var content = Array("chatelaine fingers v1".utf8)
        func append(_ text: String) {
            // Lengths keep two lists of names from being one text.
            content += (0..<4).map { UInt8(truncatingIfNeeded: text.utf8.count >> (24 - 8 * $0)) } + text.utf8
        }
        append(reader)
        content.append(scan)
        for finger in fingers { append(finger) }
        bytes = Array(SHA256.hash(data: content))
    }
}
