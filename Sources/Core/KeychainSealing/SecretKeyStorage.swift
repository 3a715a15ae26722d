// SPDX-License-Identifier: Apache-2.0

import Crypto

/// Where keys lie that live as long as the service: locked memory in the daemon, plain memory in tests.
public protocol SecretKeyStorage: Sendable {
    /// Keeps a copy of the bytes of one key.
    ///
    /// - Throws: `.noKeyStorage` when there is no memory of the right kind.
    func store(_ bytes: UnsafeRawBufferPointer) throws(SealingError) -> any StoredKey
}

/// One key in a ``SecretKeyStorage``; its memory is wiped with the last reference.
public protocol StoredKey: AnyObject, Sendable {
    /// Lends the bytes for the time of the closure, which must not let the pointer out.
    func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result
}

extension StoredKey {
    /// Lends the key in the form that the ciphers take. Its copy of the bytes is wiped when the closure is done.
    func withKey<Result>(_ body: (SymmetricKey) throws(SealingError) -> Result) throws(SealingError) -> Result {
        // The pointer is used only to copy from, inside the closure.
        unsafe try withBytes { bytes throws(SealingError) in unsafe try body(SymmetricKey(data: bytes)) }
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

    func withBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        // The typed error goes around swift-crypto's untyped closure as a value.
        let result = unsafe key.withUnsafeBytes { bytes in
            Result { () throws(Failure) in unsafe try body(bytes) }
        }
        return try result.get()
    }
}
