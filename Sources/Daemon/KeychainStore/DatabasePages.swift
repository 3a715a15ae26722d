// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SQLiteStatements

/// The pages of a damaged database, and the rows in them, found by their form alone: pages may be in the wrong place,
/// and trees, cell lists and headers may be wrong.
///
/// Source: "Database File Format" of SQLite's documentation.
struct DatabasePages {
    /// The page size of databases that this version creates.
    static let usualPageSize = 2048
    /// Longer than any row: a secret of 16 MiB and its attributes.
    private static let longestRow = 64 << 20

    /// The page size from the header; nil if it is invalid.
    let namedPageSize: Int?

    private let database: PageFile?
    private let log: WriteAheadLog?
    /// By page: the log frames that contain it, the newest first.
    private let frames: [Int: [WriteAheadLog.Frame]]
    private let pageSizes: [Int]
    private let readsOlderVersions: Bool

    /// Reads a database file.
    ///
    /// - Parameters:
    ///   - path: the path of the database. The log beside it is read as far as SQLite would read it.
    ///   - damagedLog: the bytes of a log that SQLite does not read to its end. All of it is read, including older
    ///     versions of rows.
    init(_ path: String, damagedLog: Data? = nil) {
        database = PageFile(path: path)
        let named = Self.namedPageSize(database)
        namedPageSize = named
        let bytes = damagedLog ?? PageFile(path: path + "-wal")?.contents().map { Data($0) }
        let log = bytes.map { WriteAheadLog($0, pageSize: named) }
        self.log = log
        readsOlderVersions = damagedLog != nil
        let used = damagedLog == nil ? Array(log?.readable ?? []) : log?.frames ?? []
        var frames = Dictionary(grouping: used.reversed(), by: \.page)
        if damagedLog == nil { frames = frames.mapValues { Array($0.prefix(1)) } }
        self.frames = frames
        // The header is a page like others, and may be damaged.
        var sizes: [Int] = []
        for size in [named, log?.pageSize, Self.usualPageSize, 4096].compactMap(\.self) where !sizes.contains(size) {
            sizes.append(size)
        }
        pageSizes = sizes
    }

    static func isPageSize(_ size: Int) -> Bool { (512...65536).contains(size) && size & (size - 1) == 0 }

    private static func namedPageSize(_ database: PageFile?) -> Int? {
        guard let header = database?.bytes(at: 0, count: 100), header.count == 100 else { return nil }
        let size = Int(header[16]) << 8 | Int(header[17])
        let meant = size == 1 ? 65536 : size
        return isPageSize(meant) ? meant : nil
    }

    /// Returns a page of the database file itself; nil if it lies beyond the end of the file. Missing bytes at the end
    /// of a truncated file are zero.
    func page(_ number: Int, size: Int) -> [UInt8]? {
        guard number > 0, let database else { return nil }
        let page = database.bytes(at: (number - 1) * size, count: size)
        guard !page.isEmpty else { return nil }
        return page + [UInt8](repeating: 0, count: size - page.count)
    }

    // MARK: Rows

    /// Returns everything that may be a row with this many columns, of which the first is the row's number: by number,
    /// the newest version first.
    ///
    /// - Parameter numbers: the wanted numbers; nil for all.
    func rows(columns: Int, numbered numbers: Set<Int64>? = nil) -> [Int64: [[SQLiteValue]]] {
        var best: [Int64: [[SQLiteValue]]] = [:]
        for size in pageSizes {
            let rows = rows(columns: columns, numbers, size)
            if rows.count > best.count { best = rows }
        }
        return best
    }

    private func rows(columns: Int, _ numbers: Set<Int64>?, _ size: Int) -> [Int64: [[SQLiteValue]]] {
        var found: [Int64: [[SQLiteValue]]] = [:]
        func look(at page: [UInt8]) {
            for (number, values) in cells(page, columns, numbers) where found[number]?.contains(values) != true {
                found[number, default: []].append(values)
            }
        }
        let usesLog = size == log?.pageSize
        if usesLog, let log {
            for frame in frames.values.joined().sorted(by: { $0.start > $1.start }) { look(at: log.content(frame)) }
        }
        for number in 1...max(((database?.size ?? 0) + size - 1) / size, 1) {
            // The log replaces this page.
            if usesLog, !readsOlderVersions, frames[number] != nil { continue }
            if let page = page(number, size: size) { look(at: page) }
        }
        return found
    }

    private func cells(_ page: [UInt8], _ columns: Int, _ numbers: Set<Int64>?) -> [(Int64, [SQLiteValue])] {
        var found: [(Int64, [SQLiteValue])] = []
        for at in page.indices.dropLast(4) {
            guard let (length, first) = page.varint(at: at), length > columns, length <= Self.longestRow,
                let (number, second) = page.varint(at: at + first), number > 0,
                numbers?.contains(number) != false,
                let kinds = page.kinds(at: at + first + second, columns, length: Int(length)),
                let payload = payload(page, at + first + second, Int(length))
            else { continue }
            found.append((number, payload.values(of: kinds, numbered: number)))
        }
        return found
    }

    /// Returns a row's bytes, which may continue in other pages.
    private func payload(_ page: [UInt8], _ start: Int, _ length: Int) -> [UInt8]? {
        let local: Int
        if length <= page.count - 35 {
            local = length
        } else {
            let least = (page.count - 12) * 32 / 255 - 23
            let some = least + (length - least) % (page.count - 4)
            local = some <= page.count - 35 ? some : least
        }
        guard start + local + (local < length ? 4 : 0) <= page.count else { return nil }
        var bytes = Array(page[start..<start + local])
        var next = local < length ? Int(page.bigEndian(at: start + local)) : 0
        // Each page consumes some of the remaining length, so a cycle of pages ends as well.
        while bytes.count < length {
            guard let following = newest(next, size: page.count) else { return nil }
            next = Int(following.bigEndian(at: 0))
            bytes += following[4...].prefix(length - bytes.count)
        }
        return bytes
    }

    private func newest(_ number: Int, size: Int) -> [UInt8]? {
        if let log, size == log.pageSize, let frame = frames[number]?.first(where: \.isSound) {
            return log.content(frame)
        }
        return page(number, size: size)
    }
}

// MARK: The form of a row

private struct Kind {
    let number: Int64

    var size: Int {
        switch number {
        case 0...4: Int(number)
        case 5: 6
        case 6, 7: 8
        case 8, 9: 0
        default: Int((number - 12) / 2)
        }
    }
}

extension [UInt8] {
    /// Decodes a number of one to nine bytes, and returns it with its length.
    fileprivate func varint(at place: Int) -> (Int64, Int)? {
        var value: UInt64 = 0
        for count in 0..<9 {
            guard place + count < self.count else { return nil }
            let byte = self[place + count]
            if count == 8 { return (Int64(bitPattern: value << 8 | UInt64(byte)), 9) }
            value = value << 7 | UInt64(byte & 0x7f)
            if byte < 0x80 { return (Int64(bitPattern: value), count + 1) }
        }
        return nil
    }

    /// Returns the column kinds from a row's header, if the bytes are a row header: the first column is the number,
    /// which is stored elsewhere, and all sizes add up to the size of the row.
    fileprivate func kinds(at place: Int, _ columns: Int, length: Int) -> [Kind]? {
        guard let (size, first) = varint(at: place), size > columns, size <= length, place + Int(size) <= count,
            first < size, self[place + first] == 0
        else { return nil }
        var kinds: [Kind] = []
        var at = place + first
        var total = Int(size)
        while at < place + Int(size) {
            guard kinds.count < columns, let (number, length) = varint(at: at), number >= 0, number != 10, number != 11,
                number < 1 << 32
            else { return nil }
            kinds.append(Kind(number: number))
            total += kinds[kinds.count - 1].size
            at += length
        }
        return at == place + Int(size) && kinds.count == columns && total == length ? kinds : nil
    }

    fileprivate func values(of kinds: [Kind], numbered number: Int64) -> [SQLiteValue] {
        // The header was validated before.
        var at = count - kinds.reduce(0) { $0 + $1.size }
        var values = kinds.map { kind in
            defer { at += kind.size }
            return value(kind, self[at..<at + kind.size])
        }
        values[0] = .integer(number)
        return values
    }

    private func value(_ kind: Kind, _ bytes: ArraySlice<UInt8>) -> SQLiteValue {
        switch kind.number {
        case 0: return .null
        case 8, 9: return .integer(kind.number - 8)
        case 1...7:
            var bits: UInt64 = bytes.first.map { $0 >= 0x80 && kind.number != 7 ? .max : 0 } ?? 0
            for byte in bytes { bits = bits << 8 | UInt64(byte) }
            return kind.number == 7 ? .real(Double(bitPattern: bits)) : .integer(Int64(bitPattern: bits))
        case let number where number.isMultiple(of: 2): return .bytes(Data(bytes))
        default: return .text(String(decoding: bytes, as: UTF8.self))
        }
    }
}
