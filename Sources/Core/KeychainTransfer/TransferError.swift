// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainKeys

/// Why a file of keys and certificates could not be read or written. The reason is a sentence for people; it names
/// fields and algorithms, and holds nothing of keys and passphrases.
public struct TransferError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// Bytes in none of the formats that are known here.
        case unknownFormat
        /// Bytes that begin as a format that is known and are not in it.
        case malformed
        /// What is encrypted needs a passphrase, and none was given.
        case passphraseRequired
        /// The passphrase is another one, or the bytes were changed: the two cannot be told apart.
        case wrongPassphrase
        /// An algorithm, a curve, a size or a version that is not here.
        case unsupported
        /// More work to derive a key than this module does for one file.
        case tooExpensive
        /// More bytes than a file may have.
        case tooLong
    }

    public let kind: Kind
    /// A sentence without a full stop.
    public let reason: String
    /// What somebody could do about it, as a command or a sentence without a full stop.
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
        TransferError(.malformed, "\(what): not what the format has in this place")
    }
}
