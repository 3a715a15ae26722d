// SPDX-License-Identifier: Apache-2.0

/// The reason why bytes are not a certificate, a name or PEM. The text is a readable sentence; it names fields and
/// lines, and contains nothing of the bytes.
public struct CertificateError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// Longer than a certificate may be.
        case tooLong
        /// The bytes are not DER, or are more than one value.
        case notDER
        /// The DER value does not have the form that X.509 requires.
        case malformed
        /// An extension occurs twice (RFC 5280, 4.2 forbids it).
        case duplicateExtension
        /// The text is not PEM.
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
