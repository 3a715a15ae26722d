// SPDX-License-Identifier: Apache-2.0

public import Crypto
public import FoundationEssentials
internal import KeychainKeys

// Values that are stored as secrets, and secrets as values. A value outside of a SecretData is ordinary memory.

extension SecretData {
    /// Creates a secret from a copy of a symmetric key. `SymmetricKey(secret)` returns the key.
    public init(copying key: SymmetricKey) {
        self.init(wiping: Data(lentBy: key))
    }

    /// Creates a secret from a value, as JSON with sorted keys. ``decoded(as:)`` returns the value.
    ///
    /// ```swift
    /// struct Session: Codable { var access: String, refresh: String }
    /// let session = Session(access: "a1b2", refresh: "c3d4")
    /// try await keychain.store(token, secret: SecretData(encoding: session))
    /// ```
    ///
    /// The JSON is wiped. The value itself and the encoder's working memory are not.
    ///
    /// - Throws: for a value that JSON cannot represent, such as a number that is not finite.
    public init<Value: Encodable>(encoding value: Value) throws(SecretCodingError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do {
            self.init(wiping: try encoder.encode(value))
        } catch {
            throw SecretCodingError(.encoding, Value.self)
        }
    }

    /// Returns the value that ``init(encoding:)`` stored. The value is not wiped.
    ///
    /// - Throws: for a secret that is not the JSON of such a value.
    public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws(SecretCodingError) -> Value {
        do {
            return try lend { try JSONDecoder().decode(type, from: $0) }
        } catch {
            throw SecretCodingError(.decoding, type)
        }
    }

    /// Copies these bytes, and overwrites the original.
    init(wiping given: consuming Data) {
        var data = consume given
        self.init(copying: data)
        data.resetBytes(in: data.startIndex..<data.endIndex)
    }

    /// Passes the bytes to the closure as a value that is overwritten afterwards.
    func lend<Result>(_ body: (Data) throws -> Result) rethrows -> Result {
        var data = Data(bytes)
        defer { data.resetBytes(in: data.startIndex..<data.endIndex) }
        return try body(data)
    }
}

extension Data {
    /// Creates a copy of the secret, which is not wiped.
    public init(_ secret: SecretData) {
        self.init(secret.bytes)
    }
}

extension Array where Element == UInt8 {
    /// Creates a copy of the secret, which is not wiped.
    public init(_ secret: SecretData) {
        self.init(secret.bytes)
    }
}

extension SymmetricKey {
    /// Creates a key from a secret of any size. The key wipes its own memory.
    public init(_ secret: SecretData) {
        self = secret.lend { SymmetricKey(data: $0) }
    }
}

/// The reason why a value could not be stored as a secret, or a secret not be read as a value.
///
/// It does not contain the error of the encoder or decoder, because that can contain parts of the secret.
public struct SecretCodingError: Error, Hashable, Sendable {
    /// The operation that failed.
    public enum Operation: Hashable, Sendable, CaseIterable {
        case encoding
        case decoding
    }

    public let operation: Operation
    /// The name of the value's type.
    public let typeName: String

    init(_ operation: Operation, _ type: Any.Type) {
        self.operation = operation
        typeName = String(describing: type)
    }
}

extension SecretCodingError: CustomStringConvertible, LocalizedError {
    public var description: String {
        switch operation {
        case .encoding: "cannot store a \(typeName) as a secret: JSON cannot represent the value"
        case .decoding: "cannot read a secret as a \(typeName): the secret is not the JSON of such a value"
        }
    }

    /// The description as a sentence.
    public var errorDescription: String? { description.asSentence }
}
