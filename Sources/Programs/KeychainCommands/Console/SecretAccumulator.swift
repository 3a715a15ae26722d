// SPDX-License-Identifier: Apache-2.0

internal import SecretMemory

/// Bytes that are collected piece by piece; what growing leaves behind is wiped, and so is the rest in the end.
final class SecretAccumulator {
    private(set) var bytes: [UInt8] = []

    func append(_ piece: some Collection<UInt8>) {
        if bytes.count + piece.count > bytes.capacity {
            var larger: [UInt8] = []
            larger.reserveCapacity(max(2 * bytes.capacity, bytes.count + piece.count))
            larger += bytes
            wipe(&bytes)
            swap(&bytes, &larger)
        }
        bytes += piece
    }

    /// The bytes collected so far as a secret, without the last ones.
    func secret(droppingLast count: Int = 0) -> SecretBytes {
        SecretBytes(copying: bytes.dropLast(count))
    }

    deinit { wipe(&bytes) }
}

extension SecretBytes {
    /// Whether two entries of a password are the same. Only for what the same person has just typed twice.
    func isSameEntry(as other: SecretBytes) -> Bool {
        // Both buffers live for the comparison.
        unsafe withUnsafeBytes { left in unsafe other.withUnsafeBytes { right in unsafe left.elementsEqual(right) } }
    }
}
