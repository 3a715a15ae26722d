// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainSealing
internal import KeychainWire
internal import Synchronization

/// A file of the log, as it was at one moment.
private struct LogFileView {
    let name: String
    let file: LogFile
    let byteCount: Int
    /// The file's identity in a cursor: the number of its first line. A file without lines is identified by its inode,
    /// above all numbers of lines.
    let identity: UInt64
}

extension AuditLog {
    /// Returns lines of the log. Reads a bounded part of it, so a search in a long log takes many requests.
    ///
    /// - Throws: if a file cannot be read.
    func page(
        _ filter: AuditFilter, _ order: LogRequest.Order, from cursor: AuditCursor?, limit: UInt32
    ) throws(SystemCallError) -> AuditPage {
        let (files, _) = try view()
        switch order {
        case .oldestFirst: return try oldestFirst(files, filter, from: cursor, limit: limit)
        case .newestFirst: return try newestFirst(files, filter, from: cursor, limit: limit)
        }
    }

    /// The number of bytes that one request reads.
    private static let scannedByteLimit = 2 << 20

    private func oldestFirst(
        _ files: [LogFileView], _ filter: AuditFilter, from cursor: AuditCursor?, limit: UInt32
    ) throws(SystemCallError) -> AuditPage {
        // A file that no longer exists was removed by rotation; the kept files follow it.
        var place = cursor.flatMap { cursor in files.firstIndex { $0.identity == cursor.file } }
        var offset = place == nil ? 0 : Int(clamping: cursor?.offset ?? 0)
        var page = LogPageBuilder(filter, limit)
        while place ?? 0 < files.count {
            let view = files[place ?? 0]
            while offset < view.byteCount {
                guard page.scanned < Self.scannedByteLimit else {
                    return page.finish(at: AuditCursor(file: view.identity, offset: UInt64(offset)), isEnd: false)
                }
                let block = try LogBlock.following(offset, in: view.file, byteCount: view.byteCount)
                // The file was truncated by another process at this moment.
                guard !block.bytes.isEmpty else { break }
                for line in block.lines {
                    guard page.hasRoom else {
                        let place = UInt64(block.offset + line.lowerBound)
                        return page.finish(at: AuditCursor(file: view.identity, offset: place), isEnd: false)
                    }
                    page.look(block.bytes, line)
                }
                offset = block.end
            }
            guard (place ?? 0) + 1 < files.count else {
                return page.finish(at: AuditCursor(file: view.identity, offset: UInt64(offset)), isEnd: true)
            }
            place = (place ?? 0) + 1
            offset = 0
        }
        return page.finish(at: AuditCursor(file: 0, offset: 0), isEnd: true)
    }

    /// Returns lines, the newest first. All lines are read, because the clock may have been set, so a line that is too
    /// old says nothing about the lines before it.
    private func newestFirst(
        _ files: [LogFileView], _ filter: AuditFilter, from cursor: AuditCursor?, limit: UInt32
    ) throws(SystemCallError) -> AuditPage {
        var page = LogPageBuilder(filter, limit)
        var rest = files[...]
        var end: Int?
        if let cursor {
            // A file that no longer exists was removed by rotation, and so were all files before it.
            guard let place = files.firstIndex(where: { $0.identity == cursor.file }) else {
                return page.finish(at: cursor, isEnd: true)
            }
            rest = files[...place]
            end = min(Int(clamping: cursor.offset), files[place].byteCount)
        }
        while let view = rest.popLast() {
            var offset = end ?? view.byteCount
            end = nil
            while offset > 0 {
                guard page.scanned < Self.scannedByteLimit else {
                    return page.finish(at: AuditCursor(file: view.identity, offset: UInt64(offset)), isEnd: false)
                }
                let block = try LogBlock.preceding(offset, in: view.file)
                for line in block.lines.reversed() {
                    guard page.hasRoom else {
                        // After this line and its newline.
                        let place = UInt64(min(block.offset + line.upperBound + 1, block.end))
                        return page.finish(at: AuditCursor(file: view.identity, offset: place), isEnd: false)
                    }
                    page.look(block.bytes, line)
                }
                offset = block.offset
            }
        }
        return page.finish(at: AuditCursor(file: files.first?.identity ?? 0, offset: 0), isEnd: true)
    }

    /// Returns the current files, oldest first, and the log's state at that moment: nothing is written while they are
    /// opened.
    private func view() throws(SystemCallError) -> ([LogFileView], State) {
        let outcome: Result<([(String, LogFile, Int)], State), SystemCallError> = state.withLock { state in
            do throws(SystemCallError) {
                var files: [(String, LogFile, Int)] = []
                for number in (0..<Self.fileLimit).reversed() {
                    let name = number == 0 ? path : "\(path).\(number)"
                    guard let file = try LogFile.openExisting(name) else { continue }
                    files.append((name, file, try file.byteCount()))
                }
                return .success((files, state))
            } catch {
                return .failure(error)
            }
        }
        let (files, state) = try outcome.get()
        var views: [LogFileView] = []
        for (path, file, byteCount) in files {
            let first = try LogFile.firstSequence(in: file)
            let inode = try file.inode()
            let identity = first ?? (1 << 63 | inode)
            let name = path.split(separator: "/").last.map(String.init) ?? path
            views.append(LogFileView(name: name, file: file, byteCount: byteCount, identity: identity))
        }
        return (views, state)
    }
}

/// An answer under construction.
private struct LogPageBuilder {
    private let filter: AuditFilter
    private let limit: Int
    private var page = AuditPage(next: AuditCursor(file: 0, offset: 0))
    private var byteCount = 0
    /// The number of bytes that were read.
    private(set) var scanned = 0

    init(_ filter: AuditFilter, _ limit: UInt32) {
        self.filter = filter
        self.limit = min(Int(limit), AuditPage.lineLimit)
    }

    var hasRoom: Bool { page.lines.count < limit && byteCount < AuditPage.byteLimit }

    mutating func look(_ bytes: [UInt8], _ range: Range<Int>) {
        scanned += range.count + 1
        guard filter.mayAccept(bytes.span.extracting(range)) else { return }
        guard let record = AuditRecord(bytes[range]) else {
            page.damagedCount += 1
            return
        }
        guard filter.accepts(record) else { return }
        page.lines.append(Array(bytes[range]))
        byteCount += range.count
    }

    consuming func finish(at cursor: AuditCursor, isEnd: Bool) -> AuditPage {
        page.next = cursor
        page.isEnd = isEnd
        return page
    }
}

// MARK: Verifying

extension AuditLog {
    /// Verifies all lines of all files: whether the service wrote them.
    ///
    /// Requests continue meanwhile; lines that they add are not verified.
    ///
    /// - Throws: if a file cannot be read.
    func verify() throws(SystemCallError) -> AuditVerification {
        let (files, state) = try view()
        var check = LogCheck(key, firstExpected: state.starts.first ?? 1)
        for view in files {
            check.begin(view.name)
            var offset = 0
            while offset < view.byteCount {
                let block = try LogBlock.following(offset, in: view.file, byteCount: view.byteCount)
                guard !block.bytes.isEmpty else { break }
                for line in block.lines { check.look(block.bytes, line) }
                offset = block.end
            }
        }
        return check.finish(lastExpected: state.sequence, state.link)
    }
}

/// Follows the chain from its first line to its last.
private struct LogCheck {
    private let key: AuditChainKey
    private var result = AuditVerification()
    private let firstExpected: UInt64
    private var file = ""
    private var lineInFile: UInt64 = 0
    /// The last line's number, and its possible links: the stored link, and the computed link if that differs. Nil
    /// before the first line, and after missing lines.
    private var last: UInt64?
    private var links: [AuditLink]?

    init(_ key: AuditChainKey, firstExpected: UInt64) {
        self.key = key
        self.firstExpected = firstExpected
    }

    mutating func begin(_ name: String) {
        file = name
        lineInFile = 0
        result.fileCount += 1
    }

    mutating func look(_ bytes: [UInt8], _ range: Range<Int>) {
        lineInFile += 1
        result.lineCount += 1
        guard let ending = AuditLineEnding(bytes.span.extracting(range)) else { return note(.foreignLine, 0, 0) }
        let number = ending.sequence
        let own = Self.ownRecord(bytes, range)
        if result.first == 0 { result.first = number }
        let expected = last.map { $0 + 1 } ?? firstExpected
        if number > expected {
            // Older lines than expected are allowed: the service ended before it removed them.
            note(.missingLines, expected, number - 1)
            links = nil
        } else if let last, number <= last {
            return note(.misplacedLine, number, number)
        }
        let text = Array(bytes[range.lowerBound..<(range.lowerBound + ending.linkedByteCount)])
        let previous = own?.text("previous").flatMap { AuditLink(hexadecimal: $0.utf8) }
        let candidates: [AuditLink] =
            switch (previous, links) {
            // The link that a line states for its predecessor counts only if the predecessor is missing.
            case (let previous?, nil): [previous]
            case (_, let links?): links
            // The previous line is unknown.
            case (nil, nil): []
            }
        if let first = candidates.first {
            if candidates.contains(where: { key.link(after: $0, text) == ending.link }) {
                links = [ending.link]
                if let own { noteGap(own, number) }
            } else {
                note(.changedLine, number, number)
                links = [ending.link, key.link(after: first, text)]
            }
        } else {
            // Only the first line of a file may omit the link to its predecessor.
            if last == nil { note(.changedLine, number, number) }
            links = [ending.link]
        }
        last = number
        result.last = number
    }

    mutating func finish(lastExpected: UInt64, _ link: AuditLink) -> AuditVerification {
        let end = last ?? firstExpected - 1
        if end < lastExpected {
            (file, lineInFile) = ("", 0)
            note(.missingLines, end + 1, lastExpected)
        } else if let links, !links.contains(link) || end > lastExpected {
            note(.changedLine, end, end)
        }
        return result
    }

    private mutating func note(_ kind: AuditVerification.Problem.Kind, _ first: UInt64, _ last: UInt64) {
        result.note(AuditVerification.Problem(kind, first, last, file: file, lineInFile: lineInFile))
    }

    private mutating func noteGap(_ own: AuditRecord, _ number: UInt64) {
        switch own.text("event") {
        case "unfinished-line": result.note(.init(.unfinishedLine, sequence: number, lineCount: 1))
        case "unwritten-lines":
            result.note(.init(.unwrittenLines, sequence: number, lineCount: UInt64(clamping: own.number("lines") ?? 0)))
        case "missing-checkpoint": note(.missingCheckpoint, number, number)
        case "other-ending": note(.otherEnding, number, number)
        // The named lines are missing, which was already noted by their numbers.
        default: break
        }
    }

    /// Returns the line if it is a record of the log about itself, which is recognized without parsing.
    private static func ownRecord(_ bytes: [UInt8], _ range: Range<Int>) -> AuditRecord? {
        let start = range.lowerBound + "{\"time\":\"0000-00-00T00:00:00.000Z\"".utf8.count
        guard start < range.upperBound, bytes[start..<range.upperBound].starts(with: AuditLogLine.action.utf8) else {
            return nil
        }
        return AuditRecord(bytes[range])
    }
}
