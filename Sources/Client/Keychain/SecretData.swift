// SPDX-License-Identifier: Apache-2.0

package import SecretMemory

/// A secret, such as a password, in memory that is locked, excluded from core dumps, and wiped when the last copy is
/// released.
///
/// It is created from text, bytes (`Data` or `[UInt8]`), a `SymmetricKey` or a `Codable` value, and converted to them.
///
/// It has no `==`, and its description is redacted. Text, bytes and values that are created from it are ordinary values
/// that are not wiped.
public struct SecretData: Sendable {
    let memory: SecretBytes

    /// Creates a secret from the UTF-8 bytes of a text.
    public init(utf8 text: String) {
        memory = SecretBytes(copying: text.utf8)
    }

    /// Creates a secret from a copy of these bytes, such as a `Data` or a `[UInt8]`.
    public init(copying bytes: some Collection<UInt8>) {
        memory = SecretBytes(copying: bytes)
    }

    /// Creates a secret from a copy of these bytes, then wipes and empties the array. Other variables that share the
    /// array's memory keep their bytes.
    public init(moving bytes: inout [UInt8]) {
        memory = SecretBytes(moving: &bytes)
    }

    /// Shares memory that holds a secret already.
    package init(_ memory: SecretBytes) {
        self.memory = memory
    }

    /// The size in bytes.
    public var count: Int { memory.count }

    /// Passes the bytes to a closure. The compiler ensures that no reference to them escapes from it.
    public func withSpan<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try memory.withSpan(body)
    }

    /// The secret as text; nil if it is not UTF-8. The text is not wiped.
    public var utf8String: String? { String(validating: bytes, as: UTF8.self) }

    /// For the client's functions, which take any collection.
    var bytes: SecretBytes.BytesView { memory.bytes }
}

extension SecretData: CustomStringConvertible, CustomReflectable {
    public var description: String { "SecretData(\(count) bytes, redacted)" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
