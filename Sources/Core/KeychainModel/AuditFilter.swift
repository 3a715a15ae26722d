// SPDX-License-Identifier: Apache-2.0

/// A filter for lines of the audit log. A line matches if it meets all conditions that are set.
public struct AuditFilter: Hashable, Sendable {
    /// The earliest time, included.
    public var since: Timestamp?
    /// The latest time, excluded.
    public var until: Timestamp?
    /// A part of the caller's path or identifier.
    public var program: String?
    public var action: String?
    public var outcome: String?
    /// An item that the line names.
    public var item: ItemIdentifier?
    public var userID: UInt32?

    public init() {}

    /// The longest text of a condition: more bytes than a path can have.
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

    /// Returns whether the line may name the item of the filter. This check does not parse the line, and excludes most
    /// lines.
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

/// A position between two lines of the audit log. It stays valid when the log continues in another file, as long as its
/// own file is kept.
public struct AuditCursor: Hashable, Sendable {
    /// The name of the file, used by the service only.
    public let file: UInt64
    /// The number of bytes from the start of the file.
    public let offset: UInt64

    public init(file: UInt64, offset: UInt64) { (self.file, self.offset) = (file, offset) }
}

/// Some lines of the audit log, and where to continue.
public struct AuditPage: Hashable, Sendable {
    /// The lines that the filter accepts, in the requested order, without newlines: UTF-8.
    public var lines: [[UInt8]] = []
    /// The number of lines found that are not lines of a log.
    public var damagedCount: UInt32 = 0
    public var next: AuditCursor
    /// Whether no more lines follow in this direction for now.
    public var isEnd = false

    public init(next: AuditCursor) { self.next = next }

    /// The total size of the lines in one reply, in bytes; one line may exceed it.
    public static let byteLimit = 128 * 1024
    public static let lineLimit = 4096
}

/// The result of verifying all lines of the audit log.
public struct AuditVerification: Hashable, Sendable {
    public struct Problem: Hashable, Sendable {
        /// The raw value is the number on the wire.
        public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
            /// The line differs from the line that the service wrote there.
            case changedLine = 1
            /// The lines from `first` to `last` are missing.
            case missingLines = 2
            /// The line's number occurred before: the line was inserted, repeated, or exchanged with another.
            case misplacedLine = 3
            /// The line has no number and no link: the service did not write it.
            case foreignLine = 4
            /// When the service started, it found no usable checkpoint, so lines before this one may have been removed.
            case missingCheckpoint = 5
            /// When the service started, the log ended with other lines than the service had written.
            case otherEnding = 6
        }

        public let kind: Kind
        /// The numbers of the first and the last affected line; 0 if unknown.
        public let first: UInt64
        public let last: UInt64
        /// The name of the file and the number of the line in it, counted from 1; empty and 0 for a missing line.
        public let file: String
        public let lineInFile: UInt64

        public init(_ kind: Kind, _ first: UInt64, _ last: UInt64, file: String, lineInFile: UInt64) {
            (self.kind, self.first, self.last) = (kind, first, last)
            (self.file, self.lineInFile) = (file, lineInFile)
        }
    }

    /// A gap that the service recorded about itself. It is no sign of tampering.
    public struct Gap: Hashable, Sendable {
        public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
            /// The last line is incomplete: the service or the machine stopped while it was written.
            case unfinishedLine = 1
            /// Lines could not be written, because the disk was full.
            case unwrittenLines = 2
        }

        public let kind: Kind
        /// The number of the line that records the gap.
        public let sequence: UInt64
        /// The number of missing lines.
        public let lineCount: UInt64

        public init(_ kind: Kind, sequence: UInt64, lineCount: UInt64) {
            (self.kind, self.sequence, self.lineCount) = (kind, sequence, lineCount)
        }
    }

    /// The number of lines checked.
    public var lineCount: UInt64 = 0
    public var fileCount: UInt32 = 0
    /// The numbers of the first line that is kept and of the last one; 0 if there are none.
    public var first: UInt64 = 0
    public var last: UInt64 = 0
    /// The number of problems; the first of them are in ``problems``.
    public var problemCount: UInt64 = 0
    public private(set) var problems: [Problem] = []
    public var gapCount: UInt64 = 0
    public private(set) var gaps: [Gap] = []

    public init() {}

    /// The largest number of problems and gaps that are listed.
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
