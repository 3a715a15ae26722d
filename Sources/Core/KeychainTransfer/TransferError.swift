// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainKeys

/// The reason why a file of keys and certificates could not be read or written. The text is a readable sentence; it
/// names fields and algorithms, and contains nothing of keys and passphrases.
public struct TransferError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// The bytes have none of the supported formats.
        case unknownFormat
        /// The bytes begin like a supported format but are invalid.
        case malformed
        /// The data is encrypted, and no passphrase was given.
        case passphraseRequired
        /// The passphrase is wrong, or the bytes were changed: the two cannot be distinguished.
        case wrongPassphrase
        /// An unsupported algorithm, curve, size or version.
        case unsupported
        /// The key derivation exceeds the limit of work for one file.
        case tooExpensive
        /// The file exceeds the limit of bytes.
        case tooLong
    }

    public let kind: Kind
    /// A sentence without a full stop.
    public let reason: String
    /// The next step for the user, as a command or a sentence without a full stop.
    public let hint: String?

    public init(_ kind: Kind, _ reason: String, hint: String? = nil) {
        self.kind = kind
        self.reason = reason
        self.hint = hint
    }

    public var description: String { hint.map { "\(reason); \($0)" } ?? reason }

    init(_ error: KeyError) {
        switch error.kind {
        case .invalid, .verificationFailed, .failed: self.init(.malformed, error.reason)
        case .sizeNotAllowed, .unsupportedAlgorithm: self.init(.unsupported, error.reason)
        }
    }

    init(_ error: CertificateError) {
        switch error.kind {
        case .tooLong: self.init(.tooLong, error.reason)
        case .notDER, .malformed, .duplicateExtension, .notPEM: self.init(.malformed, error.reason)
        }
    }

    static func unexpected(_ what: String) -> TransferError {
        TransferError(.malformed, "\(what): the value does not conform to the format")
    }
}
