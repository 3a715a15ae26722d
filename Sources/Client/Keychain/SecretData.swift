// SPDX-License-Identifier: Apache-2.0

public import SecretMemory

/// A secret, such as a password, in memory that is locked, not dumped, and wiped when the last copy goes.
///
/// It has no `==` and prints as redacted. Text or bytes that you make of it are ordinary values that are not wiped.
public struct SecretData: Sendable {
    let memory: SecretBytes

    /// The UTF-8 bytes of a text.
    public init(utf8 text: String) {
        memory = SecretBytes(copying: text.utf8)
    }

    /// A copy of these bytes.
    public init(copying bytes: some Collection<UInt8>) {
        memory = SecretBytes(copying: bytes)
    }

    /// A copy of these bytes, which are wiped and emptied. Other variables that share the array's memory keep theirs.
    public init(moving bytes: inout [UInt8]) {
        memory = SecretBytes(moving: &bytes)
    }

    public init(_ memory: SecretBytes) {
        self.memory = memory
    }

    /// In bytes.
    public var count: Int { memory.count }

    /// Lends the bytes for the time of the closure, out of which the compiler lets no reference to them.
    public func withSpan<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try memory.withSpan(body)
    }

    /// The secret as text; nil if it is not UTF-8. The text is not wiped.
    public var utf8String: String? { String(validating: bytes, as: UTF8.self) }

    /// For the functions of the client, which take any collection.
    var bytes: SecretBytes.BytesView { memory.bytes }
}

extension SecretData: CustomStringConvertible, CustomReflectable {
    public var description: String { "SecretData(\(count) bytes, redacted)" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
