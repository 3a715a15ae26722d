// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// Writes one frame.
typealias HelperWriter = ByteWriter

extension HelperWriter {
    /// Begins a frame.
    ///
    /// - Parameter capacity: the size of the whole frame, if growing must leave no copies of its beginning behind.
    init(_ kind: HelperFrameKind, capacity: Int = 0) {
        self.init(reserving: capacity)
        raw([HelperFrameHeader.version, kind.rawValue] + [UInt8](repeating: 0, count: HelperFrameHeader.size - 2))
    }

    /// Returns the finished frame.
    consuming func frame() -> [UInt8] {
        replace(at: 4, with: UInt32(bytes.count - HelperFrameHeader.size))
        return bytes
    }
}
