// SPDX-License-Identifier: Apache-2.0

extension SecretBytes {
    /// The bytes in place, for functions that take any collection. Nothing is copied until such a function copies it.
    public var bytes: BytesView { BytesView(secret: self) }

    /// A secret's bytes as a collection; keeps the secret alive.
    public struct BytesView: RandomAccessCollection, Sendable {
        fileprivate let secret: SecretBytes

        public var startIndex: Int { 0 }
        public var endIndex: Int { secret.count }

        /// Traps outside the bounds, as any collection does.
        public subscript(position: Int) -> UInt8 { secret.withSpan { $0[position] } }

        /// Passes all bytes at once, which makes appending them to an array a single copy.
        public func withContiguousStorageIfAvailable<Result>(
            _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
        ) rethrows -> Result? {
            // This memory only ever holds bytes; the caller must not keep the pointer, as for any collection.
            unsafe try secret.withUnsafeBytes { bytes in unsafe try body(bytes.bindMemory(to: UInt8.self)) }
        }
    }
}

extension SecretBytes.BytesView: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { secret.description }
    public var debugDescription: String { description }
    /// Without children, because `dump` and debuggers read mirrors, and a collection's would hold each byte.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
