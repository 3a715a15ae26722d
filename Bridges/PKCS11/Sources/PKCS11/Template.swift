// SPDX-License-Identifier: Apache-2.0

public import CCryptoki
internal import SecretMemory

/// The attributes that a program passes: those of a new object, or those that a search compares.
public struct Template: Sendable {
    public struct Entry: Hashable, Sendable {
        public let type: CK_ATTRIBUTE_TYPE
        public let value: [UInt8]

        public init(_ type: CK_ATTRIBUTE_TYPE, _ value: [UInt8]) {
            self.type = type
            self.value = value
        }
    }

    /// More attributes than any class of objects has.
    public static let maximumCount = 256
    /// As many bytes as an item of the keychain can have.
    public static let maximumBytes = 16 << 20

    private(set) var entries: [Entry]

    /// - Throws: `CKR_TEMPLATE_INCONSISTENT` for an attribute that occurs twice.
    public init(_ entries: [Entry]) throws(CryptokiError) {
        guard Set(entries.map(\.type)).count == entries.count else { throw CryptokiError(CKR_TEMPLATE_INCONSISTENT) }
        self.entries = entries
    }

    /// Overwrites the values, which can be those of a private key.
    public mutating func wipeValues() {
        let all = entries
        entries = []
        for entry in all {
            var value = entry.value
            wipe(&value)
        }
    }

    func bytes(_ type: CK_ATTRIBUTE_TYPE) -> [UInt8]? { entries.first { $0.type == type }?.value }

    /// Returns a truth value.
    ///
    /// - Throws: `CKR_ATTRIBUTE_VALUE_INVALID` unless the value is one byte, 0 or 1.
    func truth(_ type: CK_ATTRIBUTE_TYPE) throws(CryptokiError) -> Bool? {
        guard let value = bytes(type) else { return nil }
        guard value.count == 1, value[0] <= 1 else { throw CryptokiError(CKR_ATTRIBUTE_VALUE_INVALID) }
        return value[0] == 1
    }

    /// Returns a number.
    ///
    /// - Throws: `CKR_ATTRIBUTE_VALUE_INVALID` unless the value has the size of a `CK_ULONG`.
    func number(_ type: CK_ATTRIBUTE_TYPE) throws(CryptokiError) -> CK_ULONG? {
        guard let value = bytes(type) else { return nil }
        guard let number = CK_ULONG(cryptoki: value) else { throw CryptokiError(CKR_ATTRIBUTE_VALUE_INVALID) }
        return number
    }

    /// Returns a text, if it is UTF-8.
    func text(_ type: CK_ATTRIBUTE_TYPE) throws(CryptokiError) -> String? {
        guard let value = bytes(type) else { return nil }
        guard let text = String(validating: value, as: UTF8.self) else {
            throw CryptokiError(CKR_ATTRIBUTE_VALUE_INVALID)
        }
        return text
    }

    /// Returns a value that must be there.
    func required(_ type: CK_ATTRIBUTE_TYPE) throws(CryptokiError) -> [UInt8] {
        guard let value = bytes(type) else { throw CryptokiError(CKR_TEMPLATE_INCOMPLETE) }
        return value
    }
}

extension CK_ULONG {
    /// Reads the bytes of a number in the byte order of the machine: all that Swift supports on Linux are little-endian.
    init?(cryptoki bytes: [UInt8]) {
        guard bytes.count == Self.bitWidth / 8 else { return nil }
        self = bytes.reversed().reduce(0) { $0 << 8 | Self($1) }
    }

    /// The bytes of the number in the byte order of the machine.
    var cryptokiBytes: [UInt8] {
        (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> (8 * Self($0))) }
    }
}
