// SPDX-License-Identifier: Apache-2.0

/// The reason why a key could not be made or used. The text is a readable sentence and contains nothing of the key or
/// the data.
public struct KeyError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// Bytes of another form than required, or a value out of range.
        case invalid
        /// A size that is not supported for this family of keys.
        case sizeNotAllowed
        /// An algorithm that the key does not support.
        case unsupportedAlgorithm
        /// A signature that does not belong to the data and the key.
        case verificationFailed
        /// An unexpected failure of the cryptographic library.
        case failed
    }

    public let kind: Kind
    public let reason: String

    public init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    public var description: String { reason }
}
