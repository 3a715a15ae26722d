// SPDX-License-Identifier: Apache-2.0

import Crypto
import FoundationEssentials

/// The storage of keys that live as long as the service, and the source of new keys: locked memory and the kernel in
/// the daemon, ordinary memory and Swift's generator in tests.
public protocol SecretKeyStorage: Sendable {
    /// The source of item keys and nonces.
    var random: RandomBytes { get }

    /// Stores a copy of the bytes of one key.
    ///
    /// - Throws: `.noKeyStorage` if there is no memory of the right kind.
    func store(_ bytes: UnsafeRawBufferPointer) throws(SealingError) -> any StoredKey
}

extension SecretKeyStorage {
    public var random: RandomBytes { .system }
}

extension SecretKeyStorage {
    /// Stores a copy of some bytes, such as a password.
    ///
    /// - Throws: `.noKeyStorage`.
    public func store(copying bytes: some Collection<UInt8>) throws(SealingError) -> any StoredKey {
        var copy = Data(bytes)
        defer { copy.wipe() }
        // Copied inside the closure. The error passes Foundation's untyped closure as a value.
        return try unsafe copy.withUnsafeBytes { bytes in
            Result { () throws(SealingError) in unsafe try store(bytes) }
        }.get()
    }
}

/// Random bytes for keys, written into memory of the caller.
@safe public struct RandomBytes: Sendable {
    // SAFETY: the memory is borrowed from its owner for the duration of the call.
    let fill: @Sendable (UnsafeMutableRawBufferPointer) -> Void

    /// Creates a source.
    ///
    /// - Parameter fill: fills all of the given memory.
    public init(fill: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void) {
        unsafe self.fill = fill
    }

    /// Swift's `SystemRandomNumberGenerator`, which is the kernel's (getrandom on Linux), called for eight bytes at a
    /// time.
    public static let system = unsafe RandomBytes { memory in
        var generator = SystemRandomNumberGenerator()
        for start in stride(from: 0, to: memory.count, by: 8) {
            var word: UInt64 = generator.next()
            for index in start..<min(start + 8, memory.count) {
                unsafe memory[index] = UInt8(truncatingIfNeeded: word)
                word >>= 8
            }
        }
    }
}

/// One key in a ``SecretKeyStorage``; its memory is wiped with the last reference.
public protocol StoredKey: AnyObject, Sendable {
    /// Passes the bytes to the closure, which must not keep the pointer. The closure is called exactly once.
    ///
    /// Not generic: every opening calls it two times, and a generic function cannot be specialised behind the protocol.
    func withBytes(_ body: (UnsafeRawBufferPointer) -> Void)
}

extension StoredKey {
    /// Returns a copy in the form that the ciphers take, for one use; swift-crypto wipes its bytes with the last
    /// reference.
    func copy() -> SymmetricKey {
        var key: SymmetricKey?
        // The pointer is only copied from, inside the closure.
        unsafe withBytes { bytes in key = unsafe SymmetricKey(data: bytes) }
        guard let key else { preconditionFailure("a stored key lends its bytes") }
        return key
    }
}

extension SecretKeyStorage {
    func store(_ key: SymmetricKey) throws(SealingError) -> any StoredKey {
        // swift-crypto's closure has no typed error; the pointer does not leave it.
        unsafe try key.withUnsafeBytes { bytes in Result { () throws(SealingError) in unsafe try store(bytes) } }
            .get()
    }
}

/// Keys in ordinary memory, wiped when released but neither locked nor excluded from core dumps: for tests and tools.
public struct PlainKeyStorage: SecretKeyStorage {
    public init() {}

    public func store(_ bytes: UnsafeRawBufferPointer) throws(SealingError) -> any StoredKey {
        unsafe PlainStoredKey(SymmetricKey(data: bytes))
    }
}

private final class PlainStoredKey: StoredKey {
    private let key: SymmetricKey

    init(_ key: SymmetricKey) { self.key = key }

    func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        // The borrowed memory is passed on within its lifetime.
        unsafe key.withUnsafeBytes { unsafe body($0) }
    }
}
