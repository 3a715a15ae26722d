// SPDX-License-Identifier: Apache-2.0

/// Why a key could not be made or used. The reason is a sentence for people and holds nothing of the key or the data.
public struct KeyError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// Bytes that are not what was said they are, or a value outside what is possible.
        case invalid
        /// A size that the family of keys does not have here.
        case sizeNotAllowed
        /// An algorithm that the key cannot be used with.
        case unsupportedAlgorithm
        /// A signature that does not belong to the data and the key.
        case verificationFailed
        /// The cryptographic library failed where it should not have.
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
