// SPDX-License-Identifier: Apache-2.0

/// Why bytes are no certificate, no name or no PEM. The reason is a sentence for people; it names fields and lines, and
/// holds nothing of what was read.
public struct CertificateError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// More bytes than a certificate may have.
        case tooLong
        /// Bytes that are not in DER, or not only one value.
        case notDER
        /// DER that is not what X.509 says must be in this place.
        case malformed
        /// An extension that is there twice (RFC 5280, 4.2 forbids it).
        case duplicateExtension
        /// Text that is no PEM.
        case notPEM
    }

    public let kind: Kind
    public let reason: String

    public init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    public var description: String { reason }
}
