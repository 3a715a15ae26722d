// SPDX-License-Identifier: Apache-2.0

/// Collects bytes piece by piece; old storage is wiped when it grows, and the rest at the end.
///
/// Held in ordinary memory while it is read: neither locked nor excluded from core dumps.
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

    /// Returns the collected bytes as a secret, without the last ones.
    public func secret(droppingLast count: Int = 0) -> SecretBytes {
        SecretBytes(copying: bytes.dropLast(count))
    }

    deinit { wipe(&bytes) }
}
