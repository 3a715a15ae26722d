// SPDX-License-Identifier: Apache-2.0

public import SecretMemory

/// A secret, such as a password, in memory that is locked, not dumped, and wiped when the last copy goes.
///
/// It has no `==` and prints as redacted. Text or bytes that you make of it are ordinary values that are not wiped.
public struct SecretData: Sendable {
    private let memory: SecretBytes

    /// The UTF-8 bytes of a text.
    public init(utf8 text: String) {
        memory = SecretBytes(copying: text.utf8)
    }

    /// A copy of these bytes.
    public init(copying bytes: some Collection<UInt8>) {
        memory = SecretBytes(copying: bytes)
    }

    public init(_ memory: SecretBytes) {
        self.memory = memory
    }

    /// In bytes.
    public var count: Int { memory.count }

    /// Lends the bytes for the time of the closure. The pointer must not leave it.
    public func withUnsafeBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        // SAFETY: the memory outlives the closure, which is documented not to keep the pointer.
        try unsafe memory.withUnsafeBytes(body)
    }

    /// The secret as text; nil if it is not UTF-8. The text is not wiped.
    public var utf8String: String? {
        // SAFETY: the bytes are only read through, within the closure.
        unsafe memory.withUnsafeBytes { bytes in unsafe String(validating: bytes, as: UTF8.self) }
    }
}

extension SecretData: CustomStringConvertible, CustomReflectable {
    public var description: String { "SecretData(\(count) bytes, redacted)" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
