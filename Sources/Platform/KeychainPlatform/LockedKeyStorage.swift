// SPDX-License-Identifier: Apache-2.0

public import KeychainSealing
internal import SecretMemory

/// Long-lived keys in locked memory: memfd_secret pages if the kernel supports them. New keys come from the kernel's
/// generator.
public struct LockedKeyStorage: SecretKeyStorage {
    public init() {}

    /// The kernel's generator, in one call.
    public var random: RandomBytes {
        // SAFETY: filled within its bounds, before the call returns.
        unsafe RandomBytes { memory in unsafe KernelRandomness.fill(memory) }
    }

    public func store(_ bytes: UnsafeRawBufferPointer) throws(SealingError) -> any StoredKey {
        // SAFETY: the bytes are copied before the call returns.
        unsafe LockedKey(bytes: SecretBytes(copying: bytes))
    }

    private final class LockedKey: StoredKey {
        private let bytes: SecretBytes

        init(bytes: SecretBytes) {
            self.bytes = bytes
        }

        func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
            // SAFETY: borrowed for the duration of the closure, as the protocol requires.
            unsafe bytes.withUnsafeBytes(body)
        }
    }
}
