// SPDX-License-Identifier: Apache-2.0

/// Which lines of the audit log are wanted: those that fulfil all conditions that are set.
public struct AuditFilter: Hashable, Sendable {
    /// Not before this moment.
    public var since: Timestamp?
    /// Before this moment.
    public var until: Timestamp?
    /// A part of the path or of the identifier of the program that asked.
    public var program: String?
    public var action: String?
    public var outcome: String?
    /// An item that the line names.
    public var item: ItemIdentifier?
    public var userID: UInt32?

    public init() {}

    /// What each text may have: more than a path can.
    public static let textBytes = 4096

    public func accepts(_ record: AuditRecord) -> Bool {
        if since != nil || until != nil {
            guard let time = record.time?.secondsSinceReferenceDate else { return false }
            if let since, time < since.secondsSinceReferenceDate { return false }
            if let until, time >= until.secondsSinceReferenceDate { return false }
        }
        if let program {
            let names = [record.program, record.text("identifier")].compactMap { $0 }
            guard names.contains(where: { $0.contains(program) }) else { return false }
        }
        if let action, record.action != action { return false }
        if let outcome, record.outcome != outcome { return false }
        if let item, !record.items.contains(item) { return false }
        if let userID, record.number("uid") != Int64(userID) { return false }
        return true
    }

    /// Whether the line can be one of an item that is wanted, which is seen without reading it: most lines are not.
    public func mayAccept(_ line: Span<UInt8>) -> Bool {
        guard let item else { return true }
        let digits = Array(item.hexadecimal.utf8)
        guard line.count >= digits.count else { return false }
        for start in 0...(line.count - digits.count) where line[start] == digits[0] {
            var length = 1
            while length < digits.count, line[start + length] == digits[length] { length += 1 }
            if length == digits.count { return true }
        }
        return false
    }
}

/// A place between two lines of the audit log. It stays good when the log is continued in another file, as long as the file
/// that it is in is kept.
public struct AuditCursor: Hashable, Sendable {
    /// What names the file, for the service alone.
    public let file: UInt64
    /// Bytes from the file's beginning.
    public let offset: UInt64

    public init(file: UInt64, offset: UInt64) { (self.file, self.offset) = (file, offset) }
}

/// Some lines of the audit log, and where to go on.
public struct AuditPage: Hashable, Sendable {
    /// Lines that the filter accepts, in the order asked for, without newlines: UTF-8.
    public var lines: [[UInt8]] = []
    /// How many lines were met that are no lines of a log.
    public var damagedCount: UInt32 = 0
    public var next: AuditCursor
    /// There is nothing more in this direction, for now.
    public var isEnd = false

    public init(next: AuditCursor) { self.next = next }

    /// Lines of an answer together, in bytes; one line more may come on top.
    public static let byteLimit = 128 * 1024
    public static let lineLimit = 4096
}

/// What a look at all lines of the audit log found.
public struct AuditVerification: Hashable, Sendable {
    public struct Problem: Hashable, Sendable {
        /// The raw value is the number on the wire.
        public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
            /// The line is not what the service wrote there.
            case changedLine = 1
            /// The lines from `first` to `last` are not there.
            case missingLines = 2
            /// The line's number has been there already: it was put in, repeated, or exchanged with another.
            case misplacedLine = 3
            /// The line has no number and no link: the service did not write it.
            case foreignLine = 4
            /// When the service started there was no usable checkpoint, so that lines before this one may have been cut off.
            case missingCheckpoint = 5
            /// When the service started the log ended in other lines than those that it had written.
            case otherEnding = 6
        }

        public let kind: Kind
        /// The numbers of the first and the last line concerned; 0 where there is none.
        public let first: UInt64
        public let last: UInt64
        /// The name of the file and the line in it, counted from 1; empty and 0 where the line is nowhere.
        public let file: String
        public let lineInFile: UInt64

        public init(_ kind: Kind, _ first: UInt64, _ last: UInt64, file: String, lineInFile: UInt64) {
            (self.kind, self.first, self.last) = (kind, first, last)
            (self.file, self.lineInFile) = (file, lineInFile)
        }
    }

    /// What the service wrote about itself and is no sign of anybody's doing.
    public struct Gap: Hashable, Sendable {
        public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
            /// The last line was written in part only: the service or the machine ended at that moment.
            case unfinishedLine = 1
            /// Lines could not be written; the disk was full.
            case unwrittenLines = 2
        }

        public let kind: Kind
        /// The line that says so.
        public let sequence: UInt64
        /// How many lines are not there.
        public let lineCount: UInt64

        public init(_ kind: Kind, sequence: UInt64, lineCount: UInt64) {
            (self.kind, self.sequence, self.lineCount) = (kind, sequence, lineCount)
        }
    }

    /// How many lines were looked at.
    public var lineCount: UInt64 = 0
    public var fileCount: UInt32 = 0
    /// The numbers of the first line that is kept and of the last one; 0 where there is none.
    public var first: UInt64 = 0
    public var last: UInt64 = 0
    /// How many problems there are; the first of them are in ``problems``.
    public var problemCount: UInt64 = 0
    public private(set) var problems: [Problem] = []
    public var gapCount: UInt64 = 0
    public private(set) var gaps: [Gap] = []

    public init() {}

    /// So many problems and gaps are told one by one.
    public static let listLimit = 64

    public var isUntouched: Bool { problemCount == 0 }

    public mutating func note(_ problem: Problem) {
        problemCount += 1
        if problems.count < Self.listLimit { problems.append(problem) }
    }

    public mutating func note(_ gap: Gap) {
        gapCount += 1
        if gaps.count < Self.listLimit { gaps.append(gap) }
    }
}
