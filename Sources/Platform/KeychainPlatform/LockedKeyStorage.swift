// SPDX-License-Identifier: Apache-2.0

public import KeychainSealing
internal import SecretMemory

/// Long-lived keys in locked memory: memfd_secret pages where the kernel has them.
public struct LockedKeyStorage: SecretKeyStorage {
    public init() {}

    public func store(_ bytes: UnsafeRawBufferPointer) throws(SealingError) -> any StoredKey {
        // SAFETY: the bytes are copied before the call returns.
        unsafe LockedKey(bytes: SecretBytes(copying: bytes))
    }

    private final class LockedKey: StoredKey {
        private let bytes: SecretBytes

        init(bytes: SecretBytes) {
            self.bytes = bytes
        }

        func withBytes<Result, Failure: Error>(
            _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            // SAFETY: lent for the time of the closure, as the protocol asks of it.
            try unsafe bytes.withUnsafeBytes(body)
        }
    }
}
