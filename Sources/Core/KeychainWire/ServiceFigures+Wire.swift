// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
public import KeychainModel

extension ServiceFigures {
    /// The limit of a list: more than the file keychains that can be open at once, and more than the refusals that are
    /// remembered.
    private static let listEntries = 64

    /// Reads the reply to `readFigures`.
    ///
    /// - Throws: `.malformed` for lists that are out of order, have duplicates or contradict the totals.
    public init(_ frame: Frame) throws(WireError) {
        var reader = try frame.answer()
        self.init(
            version: try reader.text(atMost: WireLimits.pathBytes), lockState: try reader.value(LockState.self),
            since: Timestamp(secondsSinceReferenceDate: Double(bitPattern: try reader.u64())),
            uptimeSeconds: try reader.u64(), items: [:], unreadable: try reader.u64())
        for (itemClass, count) in try reader.ordered(Self.items, { $0.0.rawValue < $1.0.rawValue }) {
            items[itemClass] = count
        }
        sizes = try reader.ordered(FileSize.init, { $0.kind.rawValue < $1.kind.rawValue })
        keychainFiles = try reader.ordered(KeychainFile.init, KeychainFile.isOrdered)
        queues = try reader.ordered(Queue.init, { $0.kind.rawValue < $1.kind.rawValue })
        caches = try reader.ordered(Cache.init, { $0.kind.rawValue < $1.kind.rawValue })
        requests = try reader.ordered(Requests.init, { $0.kind.rawValue < $1.kind.rawValue })
        let count = Int(try reader.u16())
        guard count <= Self.listEntries else { throw .tooLarge }
        for _ in 0..<count { refusals.append(try Refused(&reader)) }
        try reader.finish()
    }

    public var frame: [UInt8] {
        var writer = WireWriter.answer(reserving: 4096)
        writer.cut(version)
        writer.u8(lockState.rawValue)
        writer.u64(since.secondsSinceReferenceDate.bitPattern)
        writer.u64(uptimeSeconds)
        writer.u64(unreadable)
        writer.list(items.sorted { $0.key.rawValue < $1.key.rawValue }) {
            $0.u8($1.key.rawValue)
            $0.u64($1.value)
        }
        writer.list(sizes) {
            $0.u8($1.kind.rawValue)
            $0.u32($1.files)
            $0.u64($1.bytes)
        }
        writer.list(keychainFiles.prefix(Self.listEntries)) {
            $0.cut($1.path)
            $0.u64($1.bytes)
            $0.u64($1.logBytes)
            $0.u8($1.isDamaged ? 1 : 0)
        }
        writer.list(queues) {
            $0.u8($1.kind.rawValue)
            $0.u64($1.now)
            $0.optional($1.most) { $0.u64($1) }
            $0.u64($1.bound)
        }
        writer.list(caches) { writer, cache in
            writer.u8(cache.kind.rawValue)
            for number in [cache.hits, cache.misses, cache.size, cache.bound] { writer.u64(number) }
        }
        writer.list(requests) { writer, requests in
            writer.u8(requests.kind.rawValue)
            for number in [
                requests.served, requests.notFound, requests.refused, requests.abandoned, requests.nanoseconds,
                requests.slowestNanoseconds,
            ] {
                writer.u64(number)
            }
            for number in requests.histogram { writer.u64(number) }
        }
        writer.list(refusals.prefix(Self.listEntries)) {
            $0.u32(UInt32(bitPattern: $1.refusal.status.rawValue))
            $0.u8($1.refusal.reason.rawValue)
            $0.u64($1.count)
            $0.u64($1.last.secondsSinceReferenceDate.bitPattern)
        }
        return writer.frame()
    }

    private static func items(_ reader: inout WireReader) throws(WireError) -> (ItemClass, UInt64) {
        (try reader.value(ItemClass.self), try reader.u64())
    }
}

extension WireWriter {
    fileprivate mutating func list<Entries: Collection>(
        _ entries: Entries, _ write: (inout WireWriter, Entries.Element) -> Void
    ) {
        u16(UInt16(entries.count))
        for entry in entries { write(&self, entry) }
    }
}

extension WireReader {
    /// Reads a list whose entries ascend, so that it has only one encoding.
    fileprivate mutating func ordered<Entry>(
        _ read: (inout WireReader) throws(WireError) -> Entry, _ isOrdered: (Entry, Entry) -> Bool
    ) throws(WireError) -> [Entry] {
        let count = Int(try u16())
        guard count <= 64 else { throw .tooLarge }
        var entries: [Entry] = []
        for _ in 0..<count {
            let entry = try read(&self)
            if let last = entries.last, !isOrdered(last, entry) { throw .malformed }
            entries.append(entry)
        }
        return entries
    }
}

extension ServiceFigures.FileSize {
    fileprivate init(_ reader: inout WireReader) throws(WireError) {
        let kind = try reader.value(Kind.self)
        let files = try reader.u32()
        self.init(kind, files: files, bytes: try reader.u64())
    }
}

extension ServiceFigures.KeychainFile {
    /// Compares paths as bytes, because texts of the same characters can be different paths.
    fileprivate static func isOrdered(_ first: Self, _ second: Self) -> Bool {
        first.path.utf8.lexicographicallyPrecedes(second.path.utf8)
    }

    fileprivate init(_ reader: inout WireReader) throws(WireError) {
        let path = try reader.text(atMost: WireLimits.pathBytes)
        let (bytes, logBytes) = (try reader.u64(), try reader.u64())
        self.init(path: path, bytes: bytes, logBytes: logBytes, isDamaged: try reader.flag())
    }
}

extension ServiceFigures.Queue {
    fileprivate init(_ reader: inout WireReader) throws(WireError) {
        let kind = try reader.value(Kind.self)
        let now = try reader.u64()
        let most = try reader.optional { reader throws(WireError) in try reader.u64() }
        self.init(kind, now: now, most: most, bound: try reader.u64())
    }
}

extension ServiceFigures.Cache {
    fileprivate init(_ reader: inout WireReader) throws(WireError) {
        let kind = try reader.value(Kind.self)
        let (hits, misses) = (try reader.u64(), try reader.u64())
        let size = try reader.u64()
        self.init(kind, hits: hits, misses: misses, size: size, bound: try reader.u64())
    }
}

extension ServiceFigures.Requests {
    fileprivate init(_ reader: inout WireReader) throws(WireError) {
        let kind = try reader.value(RequestKind.self)
        let (served, notFound) = (try reader.u64(), try reader.u64())
        let (refused, abandoned) = (try reader.u64(), try reader.u64())
        let (sum, slowest) = (try reader.u64(), try reader.u64())
        var histogram: [UInt64] = []
        for _ in 0...Self.bounds.count { histogram.append(try reader.u64()) }
        self.init(
            kind, served: served, notFound: notFound, refused: refused, abandoned: abandoned, nanoseconds: sum,
            slowestNanoseconds: slowest, histogram: histogram)
        // The sum of the histogram must equal the count.
        guard histogram.reduce(0, &+) == count else { throw .malformed }
    }
}

extension ServiceFigures.Refused {
    fileprivate init(_ reader: inout WireReader) throws(WireError) {
        let status = StatusCode(rawValue: Int32(bitPattern: try reader.u32()))
        let reason = try reader.value(Refusal.Reason.self)
        let count = try reader.u64()
        let last = Timestamp(secondsSinceReferenceDate: Double(bitPattern: try reader.u64()))
        self.init(Refusal(status, reason), count: count, last: last)
    }
}
