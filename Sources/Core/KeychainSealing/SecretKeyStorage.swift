// SPDX-License-Identifier: Apache-2.0

import Crypto
import FoundationEssentials

/// Where keys lie that live as long as the service, and where new ones come from: locked memory and the kernel in the
/// daemon, plain memory and Swift's generator in tests.
public protocol SecretKeyStorage: Sendable {
    /// What item keys and nonces are made of.
    var random: RandomBytes { get }

    /// Keeps a copy of the bytes of one key.
    ///
    /// - Throws: `.noKeyStorage` when there is no memory of the right kind.
    func store(_ bytes: UnsafeRawBufferPointer) throws(SealingError) -> any StoredKey
}

extension SecretKeyStorage {
    public var random: RandomBytes { .system }
}

extension SecretKeyStorage {
    /// Keeps a copy of some bytes, such as a password.
    ///
    /// - Throws: `.noKeyStorage`.
    public func store(copying bytes: some Collection<UInt8>) throws(SealingError) -> any StoredKey {
        var copy = Data(bytes)
        defer { copy.wipe() }
        // Copied from inside the closure; the error goes around Foundation's untyped closure as a value.
        return try unsafe copy.withUnsafeBytes { bytes in
            Result { () throws(SealingError) in unsafe try store(bytes) }
        }.get()
    }
}

/// Random bytes fit for keys, filled into memory of the caller's.
@safe public struct RandomBytes: Sendable {
    // SAFETY: lent memory for the time of the call, by whoever holds it.
    let fill: @Sendable (UnsafeMutableRawBufferPointer) -> Void

    /// - Parameter fill: fills all of the memory that it is lent.
    public init(fill: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void) {
        unsafe self.fill = fill
    }

    /// Swift's `SystemRandomNumberGenerator`, which is the kernel's (getrandom on Linux), asked for eight bytes at a time.
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
    /// Lends the bytes for the time of the closure, which must not let the pointer out. Called once before it returns.
    ///
    /// Not generic: every opening goes through it two times, and a generic one cannot be specialised behind the protocol.
    func withBytes(_ body: (UnsafeRawBufferPointer) -> Void)
}

extension StoredKey {
    /// A copy in the form that the ciphers take, for one use; swift-crypto wipes its bytes with the last reference.
    func copy() -> SymmetricKey {
        var key: SymmetricKey?
        // The pointer is used only to copy from, inside the closure.
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

/// Keys in ordinary memory, wiped when released but neither locked nor kept out of core dumps: for tests and tools.
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
        // Lent on as it was lent.
        unsafe key.withUnsafeBytes { unsafe body($0) }
    }
}
