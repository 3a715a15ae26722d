// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainPlatform

/// A part of a file of lines: whole lines, and their positions in the file.
struct LogBlock {
    let bytes: [UInt8]
    /// The offset of the first byte, from the file's beginning.
    let offset: Int
    /// The lines within `bytes`, without newlines, in the order of the file.
    let lines: [Range<Int>]

    var end: Int { offset + bytes.count }

    /// The number of bytes to read at a time. Large enough that reading takes less time than processing, and small
    /// enough to hold.
    private static let size = 256 * 1024
    /// A longer line is not a line of a log, and is split.
    private static let lineLimit = 1024 * 1024

    /// Reads the lines that begin at `offset`, in a file with this many bytes. The last line of the file need not have
    /// a newline.
    static func following(
        _ offset: Int, in file: LogFile, byteCount: Int
    ) throws(SystemCallError) -> LogBlock {
        var size = size
        while true {
            let isLast = offset + size >= byteCount
            var bytes = try file.read(at: offset, count: max(0, min(size, byteCount - offset)))
            guard !isLast, size <= lineLimit else { return LogBlock(bytes, offset) }
            if let newline = bytes.lastIndex(of: newline) {
                bytes.removeSubrange((newline + 1)...)
                return LogBlock(bytes, offset)
            }
            size *= 2
        }
    }

    /// Reads the lines that end at `offset`, which is after a newline or at the file's end.
    static func preceding(_ offset: Int, in file: LogFile) throws(SystemCallError) -> LogBlock {
        var size = size
        while true {
            let start = max(0, offset - size)
            let bytes = try file.read(at: start, count: offset - start)
            guard start > 0, size <= lineLimit else { return LogBlock(bytes, start) }
            // After the first newline, a complete line begins, unless the newline is the last byte.
            if let newline = bytes.dropLast().firstIndex(of: newline) {
                return LogBlock(Array(bytes[(newline + 1)...]), start + newline + 1)
            }
            size *= 2
        }
    }

    private static let newline = UInt8(ascii: "\n")

    private init(_ bytes: [UInt8], _ offset: Int) {
        self.bytes = bytes
        self.offset = offset
        var lines: [Range<Int>] = []
        var start = 0
        let span = bytes.span
        for index in span.indices where span[index] == Self.newline {
            lines.append(start..<index)
            start = index + 1
        }
        if start < bytes.count { lines.append(start..<bytes.count) }
        self.lines = lines
    }
}
