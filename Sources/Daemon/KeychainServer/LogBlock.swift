// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainPlatform

/// A piece of a file of lines: whole lines, and where in the file they are.
struct LogBlock {
    let bytes: [UInt8]
    /// Of the first byte, from the file's beginning.
    let offset: Int
    /// Within `bytes`, without newlines, in the order in which they are in the file.
    let lines: [Range<Int>]

    var end: Int { offset + bytes.count }

    /// Read at a time. Enough that reading takes less time than looking, and little enough to hold.
    private static let size = 256 * 1024
    /// Whatever is longer is no line of a log, and is taken apart.
    private static let lineLimit = 1024 * 1024

    /// The lines that begin at `offset`, in a file that has so many bytes. The last line of the file need not have a newline.
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

    /// The lines that end at `offset`, which is behind a newline or the file's end.
    static func preceding(_ offset: Int, in file: LogFile) throws(SystemCallError) -> LogBlock {
        var size = size
        while true {
            let start = max(0, offset - size)
            let bytes = try file.read(at: start, count: offset - start)
            guard start > 0, size <= lineLimit else { return LogBlock(bytes, start) }
            // Behind the first newline a line begins that is here whole, if it is not the end of them all.
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
