// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainPlatform
import KeychainSealing
import KeychainWire
import Synchronization
import TestSupport
import Testing

@testable import KeychainServer

/// A log of its own in a directory of its own, that a test can change behind the service's back.
private final class LogFolder: Sendable {
    let folder: String
    private let limits: AuditLog.Limits
    let now = Mutex<UInt64>(0)
    let reports = Mutex<[String]>([])
    private let key: AuditChainKey

    init(_ key: AuditChainKey? = nil, fileBytes: Int = 1 << 20, fileCount: Int = 3) throws {
        limits = AuditLog.Limits(fileBytes: fileBytes, fileCount: fileCount)
        folder = try makeScratchFolder("audit")
        self.key = try key ?? Self.newKey()
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    static func newKey() throws -> AuditChainKey {
        let storage = PlainKeyStorage()
        return try AuditChainKey(deviceKey: try DeviceKey.generate(in: storage), in: storage)
    }

    var path: String { folder + "/audit.log" }
    func path(_ number: Int) -> String { number == 0 ? path : "\(path).\(number)" }
    var seal: String { path + ".seal" }

    func open(wake: @escaping @Sendable () -> Void = {}) throws -> AuditLog {
        try AuditLog(
            path: path, key: key, limits: limits, wallClock: { Timestamp(secondsSinceReferenceDate: 800_000_000) },
            clock: MonotonicClock { [self] in now.withLock { $0 } },
            report: { [self] text in reports.withLock { $0.append(text) } }, wake: wake)
    }

    /// A log of so many lines whose service ended.
    func filled(_ count: Int) throws {
        let log = try open()
        for number in 0..<count { log.append(event(number)) }
        log.close()
    }

    func lines(_ number: Int = 0) throws -> [String] {
        try String(contentsOfFile: path(number), encoding: .utf8).split(separator: "\n").map(String.init)
    }

    func write(_ lines: [String], _ number: Int = 0) throws {
        try lines.map { $0 + "\n" }.joined().write(toFile: path(number), atomically: false, encoding: .utf8)
    }

    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
    func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }
}

/// A line as the service makes it.
private func event(_ number: Int, item: UInt128 = 0, program: String = "/p") -> [UInt8] {
    let digits = ItemIdentifier(value: item).hexadecimal
    return Array(
        """
        {"time":"2026-05-09T06:13:20.000Z","action":"read-data","outcome":"granted","references":["\(digits)"],\
        "pid":\(number),"program":"\(program)"
        """.utf8)
}

private func sequence(_ line: String?) -> UInt64? { line.flatMap { AuditRecord($0.utf8) }?.sequence }

extension AuditVerification {
    fileprivate var kinds: [Problem.Kind] { problems.map(\.kind) }
}

@Suite("the audit log's chain")
struct AuditLogTests {
    private let folder: LogFolder

    init() throws { folder = try LogFolder() }

    // MARK: Valid logs

    @Test func `lines are numbered from 1, after a line that begins the log`() throws {
        let log = try folder.open()
        log.append(event(7))
        let records = try folder.lines().compactMap { AuditRecord($0.utf8) }
        #expect(records.map(\.sequence) == [1, 2])
        #expect(records[0].action == "audit-log" && records[0].text("event") == "begin")
        #expect(records[1].number("pid") == 7)
        let result = try log.verify()
        #expect(result.isUntouched && result.gapCount == 0)
        #expect((result.first, result.last, result.lineCount, result.fileCount) == (1, 2, 2, 1))
    }

    @Test func `a log goes on where the service before ended`() throws {
        try folder.filled(3)
        let log = try folder.open()
        log.append(event(9))
        #expect(try log.verify().isUntouched)
        #expect(try folder.lines().compactMap { AuditRecord($0.utf8)?.sequence } == [1, 2, 3, 4, 5])
    }

    @Test func `files are readable by their owner alone, even if they were not`() throws {
        try folder.filled(1)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.path)
        let log = try folder.open()
        log.append(event(1))
        for path in [folder.path, folder.seal] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(path)")
        }
    }

    @Test func `lines that the last checkpoint does not know are no trouble after a kill`() throws {
        try folder.filled(2)
        let log = try folder.open()
        for number in 0..<5 { log.append(event(number)) }
        // No close.
        let next = try folder.open()
        #expect(try next.verify().isUntouched)
        #expect(try next.verify().last == 8)
    }

    // MARK: Invalid logs

    @Test(arguments: [
        ("\"pid\":3", "\"pid\":4", 5 as UInt64), ("granted", "refused", 2), ("\"seq\":4", "\"seq\":9", 4),
        ("06:13", "06:14", 3),
    ])
    func `a changed line is found, and which it is`(old: String, new: String, number: UInt64) throws {
        try folder.filled(6)
        var lines = try folder.lines()
        let index = Int(number) - 1
        #expect(lines[index].contains(old))
        lines[index] = lines[index].replacingOccurrences(of: old, with: new)
        try folder.write(lines)
        let result = try folder.open().verify()
        #expect(!result.isUntouched)
        #expect(result.problems.first?.lineInFile == number)
        #expect(result.problems.first?.file == "audit.log")
        if !new.contains("seq") {
            #expect(result.problems == [.init(.changedLine, number, number, file: "audit.log", lineInFile: number)])
        }
    }

    @Test func `a line whose link was changed is found alone`() throws {
        try folder.filled(6)
        var lines = try folder.lines()
        let digit = lines[3].dropLast(2).last
        lines[3] = lines[3].dropLast(3) + (digit == "0" ? "1" : "0") + "\"}"
        try folder.write(lines)
        #expect(
            try folder.open().verify().problems == [.init(.changedLine, 4, 4, file: "audit.log", lineInFile: 4)])
    }

    @Test func `lines that were taken out are found`() throws {
        try folder.filled(6)
        var lines = try folder.lines()
        lines.removeSubrange(2...3)
        try folder.write(lines)
        #expect(
            try folder.open().verify().problems == [.init(.missingLines, 3, 4, file: "audit.log", lineInFile: 3)])
    }

    @Test func `lines that were put in are found`() throws {
        try folder.filled(6)
        var lines = try folder.lines()
        lines.insert(lines[2], at: 4)
        lines.insert("{\"time\":\"2026-05-09T06:13:20.000Z\",\"action\":\"delete\"}", at: 6)
        try folder.write(lines)
        let result = try folder.open().verify()
        #expect(result.kinds == [.misplacedLine, .foreignLine])
        #expect(result.problems.map(\.lineInFile) == [5, 7])
    }

    @Test func `lines that were exchanged are found`() throws {
        try folder.filled(6)
        var lines = try folder.lines()
        lines.swapAt(2, 3)
        try folder.write(lines)
        #expect(try !folder.open().verify().isUntouched)
    }

    @Test func `a line of another store is found`() throws {
        let other = try LogFolder()
        try other.filled(6)
        try folder.filled(6)
        var lines = try folder.lines()
        lines[4] = try other.lines()[4]
        try folder.write(lines)
        let result = try folder.open().verify()
        #expect(result.problems.first == .init(.changedLine, 5, 5, file: "audit.log", lineInFile: 5))
    }

    @Test func `the log of another store is found`() throws {
        let other = try LogFolder()
        try other.filled(9)
        try folder.filled(6)
        try folder.write(try other.lines())
        #expect(try folder.open().verify().kinds.contains(.otherEnding))
    }

    @Test func `a tail that was cut off is found, and stays found`() throws {
        try folder.filled(6)
        try folder.write(try folder.lines().dropLast(3))
        let log = try folder.open()
        log.append(event(10))
        let missing = AuditVerification.Problem(.missingLines, 5, 7, file: "audit.log", lineInFile: 5)
        #expect(try log.verify().problems == [missing])
        log.close()
        let next = try folder.open()
        next.append(event(11))
        #expect(try next.verify().problems == [missing])
    }

    @Test func `a tail that is cut off while the service runs is found`() throws {
        let log = try folder.open()
        for number in 0..<5 { log.append(event(number)) }
        try folder.write(try folder.lines().dropLast(2))
        #expect(try log.verify().problems == [.init(.missingLines, 5, 6, file: "", lineInFile: 0)])
    }

    @Test func `a log that was removed is found`() throws {
        try folder.filled(6)
        try folder.remove(folder.path)
        let log = try folder.open()
        log.append(event(10))
        let result = try log.verify()
        #expect(result.problems == [.init(.missingLines, 1, 7, file: "audit.log", lineInFile: 1)])
        #expect(result.last == 10)
    }

    @Test(arguments: [true, false])
    func `a checkpoint that was removed or changed is found, and stays found`(isRemoved: Bool) throws {
        try folder.filled(6)
        if isRemoved {
            try folder.remove(folder.seal)
        } else {
            var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.seal))
            bytes[15] ^= 1
            try bytes.write(to: URL(fileURLWithPath: folder.seal))
        }
        let log = try folder.open()
        #expect(try log.verify().kinds == [.missingCheckpoint])
        log.close()
        #expect(try folder.open().verify().kinds == [.missingCheckpoint])
    }

    @Test func `the log and its checkpoint together cannot be those of another store`() throws {
        let other = try LogFolder()
        try other.filled(6)
        try folder.filled(3)
        try folder.remove(folder.path)
        try folder.remove(folder.seal)
        try FileManager.default.copyItem(atPath: other.path, toPath: folder.path)
        try FileManager.default.copyItem(atPath: other.seal, toPath: folder.seal)
        #expect(try !folder.open().verify().isUntouched)
    }

    @Test func `so many problems are told one by one, and all are counted`() throws {
        try folder.filled(300)
        let lines = try folder.lines()
        try folder.write(lines.map { $0.replacingOccurrences(of: "granted", with: "refused") })
        let result = try folder.open().verify()
        #expect(result.problemCount == 300)
        #expect(result.problems.count == AuditVerification.listLimit)
    }

    // MARK: Kills and full disks

    @Test(arguments: [1, 20, 150])
    func `a line that was written in part is removed and told, and is no sign of tampering`(count: Int) throws {
        try folder.filled(3)
        let lines = try folder.lines()
        let handle = try #require(FileHandle(forWritingAtPath: folder.path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(lines[2].utf8.prefix(count)))
        let log = try folder.open()
        log.append(event(9))
        let result = try log.verify()
        #expect(result.isUntouched, "\(result)")
        #expect(result.gaps == [.init(.unfinishedLine, sequence: 5, lineCount: 1)])
        #expect(try folder.lines().count == 6)
    }

    @Test func `a first line that was written in part begins the log anew`() throws {
        // As of a kill before the first checkpoint that knows a line.
        let empty = AuditCheckpoint(sequence: 0, link: .beginning, starts: [1])
        let key = try LogFolder.newKey()
        let other = try LogFolder(key)
        try Data(key.seal(empty)).write(to: URL(fileURLWithPath: other.seal))
        try "{\"time\":".write(toFile: other.path, atomically: false, encoding: .utf8)
        let log = try other.open()
        log.append(event(1))
        let result = try log.verify()
        #expect(result.isUntouched && result.first == 1 && result.last == 3, "\(result)")
    }

    @Test func `a log of an earlier form is set aside`() throws {
        let old = ["{\"time\":\"2026-05-09T06:13:20.000Z\",\"action\":\"add\"}"]
        try folder.write(old)
        try folder.write(old + old, 1)
        let log = try folder.open()
        log.append(event(1))
        #expect(try log.verify().isUntouched)
        #expect(try String(contentsOfFile: folder.path + ".before", encoding: .utf8) == old[0] + "\n")
        #expect(folder.exists(folder.path(1) + ".before") && !folder.exists(folder.path(1)))
    }

    @Test func `a link or a directory in the log's place is refused`() throws {
        try FileManager.default.createSymbolicLink(atPath: folder.path, withDestinationPath: "/tmp/elsewhere")
        #expect(throws: (any Error).self) { try folder.open() }
        try folder.remove(folder.path)
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: false)
        #expect(throws: (any Error).self) { try folder.open() }
    }
}

@Suite("the files of the audit log")
struct AuditLogRotationTests {
    private let folder: LogFolder

    init() throws {
        folder = try LogFolder(fileBytes: 2000)
    }

    @Test func `the chain continues from file to file, and dropped files are not tampering`() throws {
        let log = try folder.open()
        for number in 0..<100 { log.append(event(number)) }
        #expect(folder.exists(folder.path(1)) && folder.exists(folder.path(2)) && !folder.exists(folder.path(3)))
        let result = try log.verify()
        #expect(result.isUntouched, "\(result)")
        #expect(result.fileCount == 3 && result.first > 1 && result.last > 100)
        log.close()
        let next = try folder.open()
        for number in 0..<100 { next.append(event(number)) }
        #expect(try next.verify().isUntouched)
        for number in 0..<3 {
            let size = try FileManager.default.attributesOfItem(atPath: folder.path(number))[.size] as? Int ?? 0
            #expect(size > 0 && size <= 2000)
        }
    }

    @Test(arguments: [0, 1, 2])
    func `a file that was removed is found`(number: Int) throws {
        try folder.filled(60)
        try folder.remove(folder.path(number))
        let log = try folder.open()
        log.append(event(1))
        let result = try log.verify()
        #expect(result.kinds.contains(.missingLines), "\(result)")
    }

    @Test func `a kill while files are renamed leaves a log that is right`() throws {
        // A checkpoint that knows of the next file, and all states of the names between.
        for step in 0..<4 {
            let folder = try LogFolder(fileBytes: 2000)
            let log = try folder.open()
            var count = 0
            func fill(until condition: () throws -> Bool) rethrows {
                while try !condition() {
                    log.append(event(count))
                    count += 1
                }
            }
            try fill { try folder.exists(folder.path(2)) && folder.lines().count > 3 }
            let files = try (0...2).map { try folder.lines($0) }
            let lastOfThese = try #require(sequence(files[0].last))
            // The next file's first line comes with the checkpoint that was written before the renaming.
            try fill { try sequence(folder.lines().first) ?? 0 > lastOfThese }
            let before = try folder.lines(1)
            let middle = try folder.lines(2)
            try folder.write(files[2], 2)
            try folder.write(files[1], 1)
            try folder.write(before, 0)
            if step >= 1 { try folder.write(middle, 2) }
            if step >= 1 { try folder.remove(folder.path(1)) }
            if step >= 2 { try FileManager.default.moveItem(atPath: folder.path, toPath: folder.path(1)) }
            if step >= 3 { try folder.write([]) }
            let next = try folder.open()
            next.append(event(9999))
            let result = try next.verify()
            #expect(result.isUntouched, "step \(step): \(result)")
        }
    }

    @Test func `fewer files are kept from the next rotation on`() throws {
        let log = try folder.open()
        for number in 0..<100 { log.append(event(number)) }
        log.apply(.init(fileBytes: 2000, fileCount: 2))
        for number in 0..<20 { log.append(event(number)) }
        #expect(!folder.exists(folder.path(2)))
        let result = try log.verify()
        #expect(result.isUntouched && result.fileCount == 2, "\(result)")
    }

    @Test func `where no other file can be made the log goes on in the one it has`() throws {
        let log = try folder.open()
        try FileManager.default.createDirectory(
            atPath: folder.path(2) + "/not-empty", withIntermediateDirectories: true)
        for number in 0..<40 { log.append(event(number)) }
        #expect(folder.reports.withLock { $0.count } == 1)
        let kept = try folder.lines(1).count + folder.lines().count
        #expect(kept == 42)
        #expect(try log.verify().isUntouched)
        try folder.remove(folder.path(2))
        folder.now.withLock { $0 += 61_000_000_000 }
        log.append(event(41))
        #expect(try folder.lines(2).count + folder.lines(1).count == kept)
        #expect(try folder.lines().count == 2)
        #expect(try log.verify().isUntouched)
    }

    @Test func `the checkpoint is renewed some time after a line, and not for each`() throws {
        let reminders = Mutex(0)
        let log = try folder.open(wake: { reminders.withLock { $0 += 1 } })
        func seal() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: folder.seal)) }
        let beginning = try seal()
        // The line that begins the log.
        #expect(log.housekeeping() == nil)
        let first = try seal()
        #expect(first != beginning)
        log.append(event(1))
        log.append(event(2))
        #expect(reminders.withLock { $0 } == 1)
        #expect(log.housekeeping() == AuditLog.sealInterval)
        #expect(try seal() == first)
        folder.now.withLock { $0 += AuditLog.sealInterval.nanoseconds }
        #expect(log.housekeeping() == nil)
        #expect(try seal() != first)
    }
}

@Suite("reading the audit log")
struct AuditLogReadingTests {
    private let folder: LogFolder
    private let log: AuditLog

    init() throws {
        folder = try LogFolder(fileBytes: 200_000, fileCount: 5)
        log = try folder.open()
    }

    private func read(
        _ order: LogRequest.Order, _ filter: AuditFilter = AuditFilter(), limit: UInt32 = .max
    ) throws -> (pids: [Int64], pages: Int) {
        var pids: [Int64] = []
        var pages = 0
        var cursor: AuditCursor?
        while true {
            let page = try log.page(filter, order, from: cursor, limit: limit)
            #expect(page.lines.reduce(0) { $0 + $1.count } <= AuditPage.byteLimit + 4096)
            #expect(page.lines.count <= limit)
            pids += page.lines.compactMap { AuditRecord($0)?.number("pid") }
            pages += 1
            guard !page.isEnd else { return (pids, pages) }
            cursor = page.next
        }
    }

    @Test func `pages hold each line once, in both orders, over all files`() throws {
        for number in 0..<3000 { log.append(event(number)) }
        let forwards = try read(.oldestFirst)
        #expect(forwards.pids == Array(0..<3000) && forwards.pages > 3)
        let backwards = try read(.newestFirst)
        #expect(backwards.pids == Array((0..<3000).reversed()) && backwards.pages > 3)
        #expect(try read(.oldestFirst, limit: 7).pids == Array(0..<3000))
        #expect(try read(.newestFirst, limit: 7).pids == Array((0..<3000).reversed()))
    }

    @Test func `a page goes on where the last one ended, though the log went on in other files`() throws {
        for number in 0..<500 { log.append(event(number)) }
        var page = try log.page(AuditFilter(), .oldestFirst, from: nil, limit: 100)
        var pids = page.lines.compactMap { AuditRecord($0)?.number("pid") }
        for number in 500..<1500 { log.append(event(number)) }
        while !page.isEnd {
            page = try log.page(AuditFilter(), .oldestFirst, from: page.next, limit: 100)
            pids += page.lines.compactMap { AuditRecord($0)?.number("pid") }
        }
        #expect(pids == Array(0..<1500))
        log.append(event(1500))
        let rest = try log.page(AuditFilter(), .oldestFirst, from: page.next, limit: 100)
        #expect(rest.lines.compactMap { AuditRecord($0)?.number("pid") } == [1500])
    }

    @Test func `a line from a clock that was set back hides none of those before it`() throws {
        for day in [9, 1, 9] {
            log.append(Array(#"{"time":"2026-05-0\#(day)T06:13:20.000Z","action":"read-data","pid":\#(day)"#.utf8))
        }
        var filter = AuditFilter()
        filter.action = "read-data"
        filter.since = Timestamp(secondsSinceReferenceDate: 800_000_000 - 86_400)
        for order in [LogRequest.Order.oldestFirst, .newestFirst] {
            let page = try log.page(filter, order, from: nil, limit: 10)
            #expect(page.lines.compactMap { AuditRecord($0)?.number("pid") } == [9, 9])
        }
    }

    @Test func `a page whose file is gone goes on with the oldest, or ends`() throws {
        for number in 0..<100 { log.append(event(number)) }
        let page = try log.page(AuditFilter(), .oldestFirst, from: nil, limit: 10)
        let back = try log.page(AuditFilter(), .newestFirst, from: nil, limit: 10)
        log.apply(.init(fileBytes: 2000, fileCount: 2))
        for number in 100..<200 { log.append(event(number)) }
        let next = try log.page(AuditFilter(), .oldestFirst, from: page.next, limit: 1000)
        #expect(next.lines.compactMap { AuditRecord($0)?.number("pid") }.last == 199)
        #expect(next.isEnd)
        #expect(try log.page(AuditFilter(), .newestFirst, from: back.next, limit: 10).isEnd)
    }

    @Test func `the lines of an item are found, and a path with its digits in it is none`() throws {
        let digits = ItemIdentifier(value: 42).hexadecimal
        for number in 0..<400 {
            log.append(event(number, item: number % 100 == 5 ? 42 : 7, program: number == 9 ? "/\(digits)" : "/p"))
        }
        var filter = AuditFilter()
        filter.item = ItemIdentifier(value: 42)
        #expect(try read(.newestFirst, filter).pids == [305, 205, 105, 5])
    }

    @Test func `damaged lines are counted and not shown`() throws {
        for number in 0..<5 { log.append(event(number)) }
        var lines = try folder.lines()
        lines[2] = "\u{1B}[2J" + lines[2]
        lines.insert("nothing", at: 4)
        try folder.write(lines)
        let page = try log.page(AuditFilter(), .oldestFirst, from: nil, limit: 100)
        #expect(page.damagedCount == 2)
        #expect(page.lines.compactMap { AuditRecord($0)?.number("pid") } == [0, 2, 3, 4])
    }

    @Test func `a file of one endless line is taken apart and ends`() throws {
        log.close()
        try Data(repeating: UInt8(ascii: "x"), count: 5 << 20).write(to: URL(fileURLWithPath: folder.path))
        #expect(try log.verify().kinds.contains(.foreignLine))
        #expect(try read(.oldestFirst).pids.isEmpty)
        #expect(try read(.newestFirst).pids.isEmpty)
    }

    @Test func `who follows gets each new line once and in order, and none before`() throws {
        log.append(event(0))
        let lines = Mutex<[Int64?]>([])
        let stop = log.follow(
            deliver: { bytes in
                var reader = FrameReader()
                guard (try? reader.receive(bytes)) != nil, let frame = try? reader.frame(),
                    case .line(let line)? = try? LogEvent(frame)
                else { return false }
                lines.withLock { $0.append(AuditRecord(line)?.number("pid")) }
                return true
            }, drop: {})
        for number in 1...3 { log.append(event(number)) }
        stop()
        log.append(event(4))
        #expect(lines.withLock { $0 } == [1, 2, 3])
    }

    @Test func `who cannot take a line is dropped`() throws {
        let dropped = Mutex(0)
        _ = log.follow(deliver: { _ in false }, drop: { dropped.withLock { $0 += 1 } })
        log.append(event(1))
        log.append(event(2))
        #expect(dropped.withLock { $0 } == 1)
    }

    @Test func `many threads leave one chain`() throws {
        let group = DispatchGroup()
        for thread in 0..<4 {
            DispatchQueue.global().async(group: group) { [log] in
                for number in 0..<300 { log.append(event(thread * 1000 + number)) }
            }
        }
        for _ in 0..<20 { #expect(try log.verify().isUntouched) }
        group.wait()
        let result = try log.verify()
        #expect(result.isUntouched && result.last > 1200)
    }
}

@Suite("audit lines of concurrent requests")
struct AuditLineGroupTests {
    /// Appends line 0, and lines 1 to `count` from one thread each, in this order, before line 0 is completely written.
    ///
    /// - Parameters:
    ///   - prepare: called when line 0 is in the file, before the other lines are written.
    ///   - returned: called on the thread of each other line when its line is written.
    /// - Returns: the number of lines in the file when each line was passed to followers.
    private func appendGroup(
        of count: Int, in folder: LogFolder, _ log: AuditLog, prepare: @escaping @Sendable () -> Void = {},
        returned: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws -> [Int] {
        let lineCounts = Mutex<[Int]>([])
        let ends = DispatchGroup()
        let stop = log.follow(
            deliver: { _ in
                let isFirst = lineCounts.withLock { counts in
                    counts.append((try? folder.lines().count) ?? 0)
                    return counts.count == 1
                }
                guard isFirst else { return true }
                prepare()
                for number in 1...count {
                    ends.enter()
                    Thread.detachNewThread {
                        log.append(event(number))
                        returned(number)
                        ends.leave()
                    }
                    while log.lineQueue.waitingCount < number { sched_yield() }
                }
                return true
            }, drop: {})
        log.append(event(0))
        ends.wait()
        stop()
        return lineCounts.withLock { $0 }
    }

    private func numbers(_ lines: [String]) -> [Int64] { lines.compactMap { AuditRecord($0.utf8)?.number("pid") } }

    @Test func `are written together, in the order of their arrival, before the requests return`() throws {
        let folder = try LogFolder()
        let log = try folder.open()
        let missing = Mutex<[Int]>([])
        let lineCounts = try appendGroup(
            of: 5, in: folder, log,
            returned: { number in
                let lines = (try? folder.lines()) ?? []
                guard !numbers(lines).contains(Int64(number)) else { return }
                missing.withLock { $0.append(number) }
            })
        // The line that begins the log, line 0, and five lines at once.
        #expect(lineCounts == [2, 7, 7, 7, 7, 7])
        #expect(missing.withLock { $0 } == [])
        #expect(try numbers(folder.lines()) == Array(0...5))
        #expect(try log.verify().isUntouched)
    }

    @Test func `continue in another file where one has no room`() throws {
        let folder = try LogFolder(fileBytes: 2000, fileCount: 9)
        let log = try folder.open()
        _ = try appendGroup(of: 20, in: folder, log)
        #expect(folder.exists(folder.path(2)))
        var number = 0
        var found: [Int64] = []
        while folder.exists(folder.path(number)) {
            let lines = try folder.lines(number)
            #expect(lines.joined(separator: "\n").utf8.count < 2000)
            found = numbers(lines) + found
            number += 1
        }
        #expect(found == Array(0...20))
        #expect(try log.verify().isUntouched)
    }

    @Test func `are written as far as there is room, and the others are reported and counted`() throws {
        let folder = try LogFolder()
        let log = try folder.open()
        // No other test writes files of this size.
        let end = 1 << 36
        var unlimited = rlimit()
        #expect(getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &unlimited) == 0)
        let room = Mutex(0)
        signal(SIGXFSZ, SIG_IGN)
        let (maximum, path) = (unlimited.rlim_max, folder.path)
        let begun = Mutex<[String]>([])
        _ = try appendGroup(
            of: 3, in: folder, log,
            prepare: {
                // Room for one line, but not for two.
                let lines = (try? folder.lines()) ?? []
                let space = (lines.last?.utf8.count ?? 0) * 3 / 2
                truncate(path, end - space)
                var limited = rlimit(rlim_cur: rlim_t(end), rlim_max: maximum)
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limited)
                room.withLock { $0 = space }
                begun.withLock { $0 = lines }
            })
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &unlimited)
        #expect(folder.reports.withLock { $0.count } == 2)
        #expect(log.hasUnwrittenLines)
        log.append(event(4))
        let file = try #require(FileHandle(forReadingAtPath: path))
        try file.seek(toOffset: UInt64(end - room.withLock { $0 }))
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        let rest = text.split(separator: "\n").map(String.init)
        #expect(numbers(rest) == [1, 4])
        // Without the hole, the file is a complete log.
        try folder.write(begun.withLock { $0 } + rest)
        let result = try log.verify()
        #expect(result.isUntouched, "\(result)")
        #expect(result.gaps == [.init(.unwrittenLines, sequence: 4, lineCount: 2)])
    }

    @Test func `of many threads are each written once, in the order of each thread`() throws {
        let folder = try LogFolder(fileBytes: 50_000, fileCount: 20)
        let log = try folder.open()
        let ends = DispatchGroup()
        for thread in 0..<8 {
            ends.enter()
            Thread.detachNewThread {
                for number in 0..<200 { log.append(event(thread * 1000 + number)) }
                ends.leave()
            }
        }
        ends.wait()
        #expect(try log.verify().isUntouched)
        let found = try (0..<20).reversed().flatMap { file in
            folder.exists(folder.path(file)) ? try numbers(folder.lines(file)) : []
        }
        for thread in 0..<8 {
            #expect(found.filter { $0 / 1000 == thread } == (0..<200).map { Int64(thread * 1000 + $0) })
        }
        #expect(found.count == 1600)
    }

    @Test func `are written by another thread after so many groups`() {
        let queue = AuditLineQueue()
        let count = UInt8(3 * AuditLineQueue.groupLimit)
        let written = Mutex<[(line: UInt8, writer: UInt8)]>([])
        let ends = DispatchGroup()
        // While a line is written, the next one arrives from a thread of its own.
        @Sendable func append(_ number: UInt8) {
            queue.append([number]) { lines in
                for line in lines { written.withLock { $0.append((line[0], number)) } }
                guard let next = lines.last.map({ $0[0] + 1 }), next < count else { return }
                ends.enter()
                Thread.detachNewThread {
                    append(next)
                    ends.leave()
                }
                while queue.waitingCount == 0 { sched_yield() }
            }
        }
        append(0)
        ends.wait()
        #expect(written.withLock { $0.map(\.line) } == Array(0..<count))
        #expect(written.withLock { $0.count { $0.writer == 0 } } == 1 + AuditLineQueue.groupLimit)
    }
}
