// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The bytes of a write-ahead log, which may be damaged. SQLite stops reading such a log at the first invalid frame
/// without an error; the next change would overwrite acknowledged changes after that frame.
///
/// Source: "WAL-mode File Format" of SQLite's documentation.
struct WriteAheadLog {
    static let headerSize = 32
    static let frameHeaderSize = 24

    struct Frame {
        let page: Int
        /// Whether the frame ends a transaction.
        let isCommit: Bool
        /// The salt of the frame, which the last checkpoint set; older frames have another one.
        let salt: UInt64
        /// Whether the frame continues the frame before it according to its checksum, and is unchanged.
        let isSound: Bool
        /// The position of the page's content in the log.
        let start: Int
    }

    let pageSize: Int
    let frames: [Frame]
    /// The salt; nil if SQLite reads nothing of the log.
    private let salt: UInt64?
    private let bytes: Data

    /// Parses a log.
    ///
    /// - Parameter pageSize: the page size of the database; nil if it is unknown.
    init(_ bytes: Data, pageSize: Int?) {
        self.bytes = bytes
        let head = Array(bytes.prefix(Self.headerSize))
        let named = head.count == Self.headerSize ? Int(head.bigEndian(at: 8)) : 0
        let size = pageSize ?? (DatabasePages.isPageSize(named) ? named : DatabasePages.usualPageSize)
        self.pageSize = size
        guard head.count == Self.headerSize else {
            (frames, salt) = ([], nil)
            return
        }
        // The lowest bit of the first word gives the byte order of checksums; if that word is damaged, use the order in
        // which frames are valid.
        let inOrder = [head[3] & 1 == 1, head[3] & 1 == 0].map { Self.read(bytes, head, size, bigEndian: $0) }
        frames = inOrder[0].contains(where: \.isSound) ? inOrder[0] : inOrder[1]
        let isInOrder =
            (head.bigEndian(at: 0) | 1) == 0x377f_0683 && head.bigEndian(at: 4) == 3_007_000 && named == size
            && Checksum(0, 0).adding(head[..<24], bigEndian: head[3] & 1 == 1) == Checksum(head, at: 24)
        salt = isInOrder ? head.salt(at: 16) : nil
    }

    private static func read(_ bytes: Data, _ head: [UInt8], _ size: Int, bigEndian: Bool) -> [Frame] {
        var frames: [Frame] = []
        var before = Checksum(head, at: 24)
        var at = bytes.startIndex + headerSize
        while at + frameHeaderSize + size <= bytes.endIndex {
            let frame = Array(bytes[at..<at + frameHeaderSize + size])
            let own = Checksum(frame, at: 16)
            let sum = before.adding(frame[..<8], bigEndian: bigEndian)
                .adding(frame[frameHeaderSize...], bigEndian: bigEndian)
            let page = Int(frame.bigEndian(at: 0))
            frames.append(
                Frame(
                    page: page, isCommit: frame.bigEndian(at: 4) != 0, salt: frame.salt(at: 8),
                    isSound: sum == own && page > 0, start: at + frameHeaderSize))
            before = own
            at += frameHeaderSize + size
        }
        return frames
    }

    func content(_ frame: Frame) -> [UInt8] { Array(bytes[frame.start..<frame.start + pageSize]) }

    /// The frames that SQLite reads: up to the last complete transaction.
    var readable: ArraySlice<Frame> {
        guard let salt else { return [] }
        let sound = frames.prefix { $0.isSound && $0.salt == salt }
        return sound[..<((sound.lastIndex(where: \.isCommit) ?? -1) + 1)]
    }

    /// Returns whether the log has an acknowledged transaction that SQLite would not read.
    ///
    /// Each transaction is on the disk before the next one begins, so a power cut can damage only the last one. If the
    /// log's end is missing, or only its last transaction is damaged, this cannot be distinguished from a power cut.
    ///
    /// - Parameter database: the file beside the log.
    func losesChanges(of database: DatabasePages) -> Bool {
        if let salt {
            let rest = frames[readable.endIndex...].drop { $0.isSound && $0.salt == salt }
            guard let bad = rest.first else { return false }
            let later = rest.dropFirst().filter { $0.isCommit && $0.isSound && $0.salt == salt }
            return later.count + (bad.isCommit && bad.salt == salt ? 1 : 0) > 1
        }
        // A new header is on the disk before frames follow it. So either the frames are older and the database contains
        // them all, or the header was changed later.
        guard let salt = frames.first(where: \.isSound)?.salt,
            let last = frames.lastIndex(where: { $0.isCommit && $0.isSound && $0.salt == salt })
        else { return false }
        var latest: [Int: Frame] = [:]
        for frame in frames[...last] where frame.isSound && frame.salt == salt { latest[frame.page] = frame }
        return latest.values.contains { database.page($0.page, size: pageSize) != content($0) }
    }
}

/// The running sum over a log, in two halves.
private struct Checksum: Equatable {
    private var first: UInt32
    private var second: UInt32

    init(_ first: UInt32, _ second: UInt32) {
        self.first = first
        self.second = second
    }

    init(_ bytes: [UInt8], at place: Int) {
        self.init(bytes.bigEndian(at: place), bytes.bigEndian(at: place + 4))
    }

    /// Adds bytes to the sum.
    ///
    /// - Parameter bytes: a multiple of 8.
    func adding(_ bytes: ArraySlice<UInt8>, bigEndian: Bool) -> Self {
        var sum = self
        var at = bytes.startIndex
        while at < bytes.endIndex {
            var words = (bytes.word(at: at), bytes.word(at: at + 4))
            if bigEndian { words = (words.0.byteSwapped, words.1.byteSwapped) }
            sum.first = sum.first &+ words.0 &+ sum.second
            sum.second = sum.second &+ words.1 &+ sum.first
            at += 8
        }
        return sum
    }
}

extension ArraySlice<UInt8> {
    /// Returns the word in little-endian byte order.
    fileprivate func word(at place: Int) -> UInt32 {
        UInt32(self[place]) | UInt32(self[place + 1]) << 8 | UInt32(self[place + 2]) << 16 | UInt32(self[place + 3])
            << 24
    }
}

extension [UInt8] {
    func bigEndian(at place: Int) -> UInt32 {
        UInt32(self[place]) << 24 | UInt32(self[place + 1]) << 16 | UInt32(self[place + 2]) << 8
            | UInt32(self[place + 3])
    }

    fileprivate func salt(at place: Int) -> UInt64 {
        UInt64(bigEndian(at: place)) << 32 | UInt64(bigEndian(at: place + 4))
    }
}
