// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A secret of fixed size in memory that is locked, excluded from core dumps, and wiped when the last reference is
/// released.
///
/// It has no `==` (comparing secrets byte by byte leaks where they differ) and no `Hashable`, and every description of
/// it is redacted. Copied bytes are no longer protected: access them with ``withSpan(_:)`` or ``bytes`` for as short as
/// possible, and wipe necessary copies with ``wipe(_:)``.
public final class SecretBytes: Sendable {
    // Written only during initialisation and in deinit, where no other reference exists; in between the memory is only
    // read. For this reason, and because addresses are stored as integers, the class is Sendable without an exception.
    private let allocation: SecretArena.Allocation
    private let arena: SecretArena

    /// In bytes.
    public let count: Int

    /// Creates a secret of `count` zero bytes, which `initialize` fills. If `initialize` throws, the memory is wiped.
    ///
    /// Traps if `count` is negative, and if the system has no memory at all, as any Swift allocation does.
    public init<Failure: Error>(
        count: Int, in arena: SecretArena = .shared,
        initializingWith initialize: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        precondition(count >= 0, "a secret cannot have a negative size")
        self.count = count
        self.arena = arena
        let allocation = arena.allocate(byteCount: count)
        self.allocation = allocation
        // Only this object uses the block, which holds at least `count` bytes, and no other code has a reference to
        // this object yet.
        unsafe try initialize(allocation.buffer(count: count))
    }

    /// Creates a copy of `bytes`. The original does not change; see ``init(moving:in:)``.
    public convenience init(copying bytes: some Collection<UInt8>, in arena: SecretArena = .shared) {
        // copyBytes writes at most buffer.count bytes, and the buffer has exactly bytes.count.
        unsafe self.init(count: bytes.count, in: arena) { buffer in
            unsafe buffer.copyBytes(from: bytes)
        }
    }

    /// Creates a copy of borrowed bytes. The original does not change.
    public convenience init(copying bytes: Span<UInt8>, in arena: SecretArena = .shared) {
        // copyMemory writes as many bytes as the buffer has: exactly bytes.count.
        unsafe self.init(count: bytes.count, in: arena) { buffer in
            unsafe bytes.withUnsafeBytes { unsafe buffer.copyMemory(from: $0) }
        }
    }

    /// Creates a copy of `bytes`, which are wiped and emptied.
    public convenience init(moving bytes: inout [UInt8], in arena: SecretArena = .shared) {
        self.init(copying: bytes, in: arena)
        wipe(&bytes)
    }

    deinit {
        arena.release(allocation)
    }

    /// Passes the bytes to `body`; the compiler prevents references to them from leaving it.
    public func withSpan<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // `self` keeps the block alive across the call, and no code writes to it meanwhile.
        defer { withExtendedLifetime(self) {} }
        return try unsafe body(Span(_unsafeBytes: UnsafeRawBufferPointer(allocation.buffer(count: count))))
    }

    /// Passes the bytes to `body`, which must not keep the pointer. For calls that take pointers; others have
    /// ``withSpan(_:)`` and ``bytes``.
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
    /// Without children, because `dump` and debuggers read mirrors.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Overwrites `bytes` so that the compiler cannot omit it, and empties the array.
///
/// Only this array's storage is reached: if another variable shares it, that variable keeps its bytes.
public func wipe(_ bytes: inout [UInt8]) {
    // The pointer stays inside the closure, and the size is the buffer's own.
    unsafe bytes.withUnsafeMutableBytes { buffer in unsafe wipe(buffer) }
    bytes = []
}

/// Overwrites the buffer with zeros so that the compiler cannot omit it.
public func wipe(_ buffer: UnsafeMutableRawBufferPointer) {
    guard let address = buffer.baseAddress else { return }
    // The caller guarantees that the buffer is valid.
    unsafe explicit_bzero(address, buffer.count)
}
