// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
public import KeychainModel

/// A request of the administration tool for the audit log.
public enum LogRequest: Hashable, Sendable {
    /// Returns lines that a filter accepts.
    ///
    /// - `from`: the end of the previous reply; nil for the log's beginning or end, whichever comes first in the order.
    /// - `limit`: the most lines to send; the service may send fewer, or none, before it reaches the end.
    case read(AuditFilter, Order, from: AuditCursor?, limit: UInt32)
    /// Verifies that all lines are those that the service wrote.
    case verify
    /// Sends a frame for each new line from now on.
    case follow

    public enum Order: UInt8, CaseIterable, Hashable, Sendable {
        case oldestFirst = 1
        case newestFirst = 2
    }

    /// The byte after the nonce. Never changes.
    private enum Action: UInt8 {
        case read = 1
        case verify = 2
        case follow = 3
    }

    init(_ reader: inout WireReader) throws(WireError) {
        switch try reader.value(Action.self) {
        case .read:
            let filter = try reader.auditFilter()
            let order = try reader.value(Order.self)
            let cursor = try reader.optional { reader throws(WireError) in try reader.auditCursor() }
            self = .read(filter, order, from: cursor, limit: try reader.u32())
        case .verify: self = .verify
        case .follow: self = .follow
        }
    }

    func write(to writer: inout WireWriter) {
        switch self {
        case .read(let filter, let order, let cursor, let limit):
            writer.u8(Action.read.rawValue)
            writer.auditFilter(filter)
            writer.u8(order.rawValue)
            writer.optional(cursor) { $0.auditCursor($1) }
            writer.u32(limit)
        case .verify: writer.u8(Action.verify.rawValue)
        case .follow: writer.u8(Action.follow.rawValue)
        }
    }

    /// An upper bound of the size that ``write(to:)`` writes.
    var size: Int {
        guard case .read(let filter, _, _, _) = self else { return 8 }
        return [filter.program, filter.action, filter.outcome].reduce(128) { $0 + 8 + ($1?.utf8.count ?? 0) }
    }
}

extension WireReader {
    fileprivate mutating func auditCursor() throws(WireError) -> AuditCursor {
        let file = try u64()
        return AuditCursor(file: file, offset: try u64())
    }

    fileprivate mutating func auditFilter() throws(WireError) -> AuditFilter {
        func moment(_ reader: inout WireReader) throws(WireError) -> Timestamp {
            Timestamp(secondsSinceReferenceDate: Double(bitPattern: try reader.u64()))
        }
        func text(_ reader: inout WireReader) throws(WireError) -> String {
            try reader.text(atMost: AuditFilter.textBytes)
        }
        var filter = AuditFilter()
        filter.since = try optional(moment)
        filter.until = try optional(moment)
        filter.program = try optional(text)
        filter.action = try optional(text)
        filter.outcome = try optional(text)
        filter.item = try optional { reader throws(WireError) in
            guard let item = ItemIdentifier(bytes: try reader.take(16)) else { throw .malformed }
            return item
        }
        filter.userID = try optional { reader throws(WireError) in try reader.u32() }
        return filter
    }
}

extension WireWriter {
    fileprivate mutating func auditCursor(_ cursor: AuditCursor) {
        u64(cursor.file)
        u64(cursor.offset)
    }

    fileprivate mutating func auditFilter(_ filter: AuditFilter) {
        optional(filter.since) { $0.u64($1.secondsSinceReferenceDate.bitPattern) }
        optional(filter.until) { $0.u64($1.secondsSinceReferenceDate.bitPattern) }
        optional(filter.program) { $0.block($1) }
        optional(filter.action) { $0.block($1) }
        optional(filter.outcome) { $0.block($1) }
        optional(filter.item) { $0.raw($1.bytes) }
        optional(filter.userID) { $0.u32($1) }
    }
}

// MARK: - Answers

extension AuditPage {
    /// Reads the reply to `read`.
    public init(_ frame: Frame) throws(WireError) {
        var reader = try frame.answer()
        self.init(next: try reader.auditCursor())
        isEnd = try reader.flag()
        damagedCount = try reader.u32()
        let count = try reader.u32()
        guard count <= Self.lineLimit else { throw .tooLarge }
        for _ in 0..<count { lines.append(Array(try reader.block(atMost: WireLimits.payloadBytes))) }
        try reader.finish()
    }

    public var frame: [UInt8] {
        var writer = WireWriter.answer(reserving: lines.reduce(64) { $0 + 4 + $1.count })
        writer.auditCursor(next)
        writer.u8(isEnd ? 1 : 0)
        writer.u32(damagedCount)
        writer.u32(UInt32(lines.count))
        for line in lines { writer.block(line) }
        return writer.frame()
    }
}

extension AuditVerification {
    /// Reads the reply to `verify`.
    public init(_ frame: Frame) throws(WireError) {
        var reader = try frame.answer()
        self.init()
        lineCount = try reader.u64()
        fileCount = try reader.u32()
        (first, last) = (try reader.u64(), try reader.u64())
        let problemCount = try reader.u64()
        for _ in 0..<(try reader.listCount()) {
            let kind = try reader.value(Problem.Kind.self)
            let (first, last) = (try reader.u64(), try reader.u64())
            let file = try reader.text(atMost: AuditFilter.textBytes)
            note(Problem(kind, first, last, file: file, lineInFile: try reader.u64()))
        }
        let gapCount = try reader.u64()
        for _ in 0..<(try reader.listCount()) {
            let kind = try reader.value(Gap.Kind.self)
            let sequence = try reader.u64()
            note(Gap(kind, sequence: sequence, lineCount: try reader.u64()))
        }
        try reader.finish()
        // A list is shorter than its count only if it is full.
        guard problems.count == min(problemCount, UInt64(Self.listLimit)),
            gaps.count == min(gapCount, UInt64(Self.listLimit))
        else { throw .malformed }
        (self.problemCount, self.gapCount) = (problemCount, gapCount)
    }

    public var frame: [UInt8] {
        var writer = WireWriter.answer(reserving: 256 + 64 * (problems.count + gaps.count))
        writer.u64(lineCount)
        writer.u32(fileCount)
        writer.u64(first)
        writer.u64(last)
        writer.u64(problemCount)
        writer.u16(UInt16(problems.count))
        for problem in problems {
            writer.u8(problem.kind.rawValue)
            writer.u64(problem.first)
            writer.u64(problem.last)
            writer.block(problem.file)
            writer.u64(problem.lineInFile)
        }
        writer.u64(gapCount)
        writer.u16(UInt16(gaps.count))
        for gap in gaps {
            writer.u8(gap.kind.rawValue)
            writer.u64(gap.sequence)
            writer.u64(gap.lineCount)
        }
        return writer.frame()
    }
}

extension WireReader {
    fileprivate mutating func listCount() throws(WireError) -> Int {
        let count = Int(try u16())
        guard count <= AuditVerification.listLimit else { throw .tooLarge }
        return count
    }
}

/// An event on a connection that follows the audit log.
public enum LogEvent: Hashable, Sendable {
    /// A new line, without its newline.
    case line([UInt8])
    /// The service stops and sends no more lines.
    case end

    public init(_ frame: Frame) throws(WireError) {
        switch frame.kind {
        case .logLine:
            var reader = frame.reader
            self = .line(Array(try reader.block(atMost: WireLimits.payloadBytes)))
            try reader.finish()
        case .reply:
            try frame.answer().finish()
            self = .end
        default: throw .unexpected(frame.kind)
        }
    }

    public var frame: [UInt8] {
        switch self {
        case .line(let line):
            var writer = WireWriter(.logLine, reserving: line.count + 16)
            writer.block(line)
            return writer.frame()
        case .end: return WireWriter.answer(reserving: 0).frame()
        }
    }
}
