// SPDX-License-Identifier: Apache-2.0

/// Bytes that are collected piece by piece; what growing leaves behind is wiped, and so is the rest in the end.
///
/// Held in ordinary memory, for the time of reading them: neither locked nor kept out of core dumps.
public final class SecretAccumulator {
    public private(set) var bytes: [UInt8] = []

    public init() {}

    public func append(_ piece: some Collection<UInt8>) {
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
    public func secret(droppingLast count: Int = 0) -> SecretBytes {
        SecretBytes(copying: bytes.dropLast(count))
    }

    deinit { wipe(&bytes) }
}
