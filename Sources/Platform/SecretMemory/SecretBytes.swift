// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A secret of fixed size in memory that is locked, left out of core dumps, and wiped when the last reference goes.
///
/// It has no `==` (comparing secrets byte by byte leaks where they differ) and no `Hashable`, and every description of
/// it is redacted. Bytes copied out of it are out of its care: lend them with ``withSpan(_:)`` or ``bytes`` for as short as
/// possible, and wipe what had to be copied with ``wipe(_:)``.
public final class SecretBytes: Sendable {
    // Written only during initialisation and in deinit, where nobody else holds a reference; in between the memory is
    // only read. That, and keeping addresses as integers, makes the class Sendable without an exception.
    private let allocation: SecretArena.Allocation
    private let arena: SecretArena

    /// In bytes.
    public let count: Int

    /// Memory of `count` zero bytes, handed to `initialize` to be filled. When `initialize` throws, it is wiped.
    ///
    /// Traps when `count` is negative, and when the system has no memory at all, as any Swift allocation does.
    public init<Failure: Error>(
        count: Int, in arena: SecretArena = .shared,
        initializingWith initialize: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        precondition(count >= 0, "a secret cannot have a negative size")
        self.count = count
        self.arena = arena
        let allocation = arena.allocate(byteCount: count)
        self.allocation = allocation
        // The block is ours alone, holds at least `count` bytes, and nobody else knows this object yet.
        unsafe try initialize(allocation.buffer(count: count))
    }

    /// A copy of `bytes`. The original stays as it is; see ``init(moving:in:)``.
    public convenience init(copying bytes: some Collection<UInt8>, in arena: SecretArena = .shared) {
        // copyBytes writes at most buffer.count bytes, and the buffer has exactly bytes.count.
        unsafe self.init(count: bytes.count, in: arena) { buffer in
            unsafe buffer.copyBytes(from: bytes)
        }
    }

    /// A copy of lent bytes. The original stays as it is.
    public convenience init(copying bytes: Span<UInt8>, in arena: SecretArena = .shared) {
        // copyMemory writes as many bytes as the buffer has: exactly bytes.count.
        unsafe self.init(count: bytes.count, in: arena) { buffer in
            unsafe bytes.withUnsafeBytes { unsafe buffer.copyMemory(from: $0) }
        }
    }

    /// A copy of `bytes`, which are wiped and emptied.
    public convenience init(moving bytes: inout [UInt8], in arena: SecretArena = .shared) {
        self.init(copying: bytes, in: arena)
        wipe(&bytes)
    }

    deinit {
        arena.release(allocation)
    }

    /// Lends the bytes for the duration of `body`, out of which the compiler lets no reference to them.
    public func withSpan<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // `self` keeps the block alive across the call, and nobody writes to it meanwhile.
        defer { withExtendedLifetime(self) {} }
        return try unsafe body(Span(_unsafeBytes: UnsafeRawBufferPointer(allocation.buffer(count: count))))
    }

    /// Lends the bytes for the duration of `body`; the pointer must not be kept. For calls that take pointers; others
    /// have ``withSpan(_:)`` and ``bytes``.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // `self` keeps the block alive across the call.
        defer { withExtendedLifetime(self) {} }
        return unsafe try body(UnsafeRawBufferPointer(allocation.buffer(count: count)))
    }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "SecretBytes(\(count) bytes, redacted)" }
    public var debugDescription: String { description }
    /// Without children: `dump` and debuggers walk mirrors.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Overwrites `bytes` so that the compiler cannot leave it out, and empties the array.
///
/// Only this array's storage is reached: when another variable shares it, that one keeps its bytes.
public func wipe(_ bytes: inout [UInt8]) {
    // The pointer stays inside the closure, and the size is the buffer's own.
    unsafe bytes.withUnsafeMutableBytes { buffer in unsafe wipe(buffer) }
    bytes = []
}

/// Overwrites the buffer with zeros so that the compiler cannot leave it out.
public func wipe(_ buffer: UnsafeMutableRawBufferPointer) {
    guard let address = buffer.baseAddress else { return }
    // The caller vouches for the buffer.
    unsafe explicit_bzero(address, buffer.count)
}
