// SPDX-License-Identifier: Apache-2.0

public import KeychainEndpoint
public import KeychainModel
public import KeychainPlatform
public import KeychainSealing
internal import KeychainWire
internal import Synchronization

/// The audit log of a keychain: files of lines, each linked to the previous one, so that changed, removed, inserted or
/// exchanged lines are detected unless the change was made with the device key (Documentation/Formats/audit-log.md).
public final class AuditLog: Sendable {
    /// The size at which the log continues in another file, and the number of files to keep.
    public struct Limits: Hashable, Sendable {
        public var fileBytes: Int
        /// At least 2: the current file, and older ones.
        public var fileCount: Int

        public init(fileBytes: Int, fileCount: Int) {
            (self.fileBytes, self.fileCount) = (fileBytes, fileCount)
        }

        public init(_ settings: [Setting: UInt64]) {
            func value(_ setting: Setting) -> Int { Int(clamping: settings[setting] ?? setting.defaultValue) }
            self.init(fileBytes: value(.auditLogKibibytes) << 10, fileCount: value(.auditLogFiles))
        }
    }

    struct Follower {
        let deliver: @Sendable (_ frame: [UInt8]) -> Bool
        let drop: @Sendable () -> Void
    }

    struct State {
        var limits: Limits
        /// The current file and its length.
        var file: LogFile
        var byteCount: Int
        /// The number of the last line.
        var sequence: UInt64
        var link: AuditLink
        /// The number of the first line of each kept file, oldest first.
        var starts: [UInt64]
        /// The log's records about itself that must precede the next line, and could not be written yet.
        var pending: [AuditLogLine]
        /// The number of lines that could not be written since the last written line.
        var unwritten: UInt64 = 0
        /// Whether the checkpoint is older than the last line, and the time to renew it.
        var isUnsealed = false
        var sealDue: UInt64 = 0
        /// The number of rotations, at which the log continued in another file.
        var rotations: UInt64 = 0
        /// The time before which a failed rotation is not tried again.
        var rotationDue: UInt64 = 0
        var followers: [UInt64: Follower] = [:]
        var nextFollower: UInt64 = 0

        /// Whether the log contains nothing but its beginning.
        var isNew: Bool {
            guard sequence == 0, pending.count == 1, case .header = pending[0] else { return false }
            return true
        }

        /// More bytes than the number, the link and the end of a line take.
        static let linkByteCount = 128

        /// Whether the file has room for this many bytes of a line or of lines.
        func hasRoom(for count: Int) -> Bool { byteCount + count + Self.linkByteCount <= limits.fileBytes }
    }

    let path: String
    let key: AuditChainKey
    let state: Mutex<State>
    private let wallClock: @Sendable () -> Timestamp
    private let clock: MonotonicClock
    private let report: @Sendable (String) -> Void
    private let wake: @Sendable () -> Void
    let lineQueue = AuditLineQueue()

    /// The interval between checkpoints. It bounds the part of a log that can be removed unnoticed after a kill, and
    /// the rate of disk flushes. The thread that accepts connections does the flush, not a thread that answers
    /// requests.
    static let sealInterval: Duration = .seconds(10)
    private static let rotationPause: Duration = .seconds(60)

    /// Opens the log, or begins one, and checks whether it ends as its checkpoint states.
    ///
    /// An incomplete last line is removed. The files of a log in an earlier format are renamed (`.before`).
    ///
    /// - Parameters:
    ///   - path: the path of the current file; the others are beside it.
    ///   - wallClock: the time of day, for the lines that the log writes about itself.
    ///   - report: receives later errors, which cannot be thrown.
    ///   - wake: called when a line is newer than the checkpoint, so that ``housekeeping()`` is called in time.
    /// - Throws: if a file cannot be opened or read. A full disk is not an error here: the log reports unwritten lines
    ///   later.
    public init(
        path: String, key: AuditChainKey, limits: Limits, wallClock: @escaping @Sendable () -> Timestamp,
        clock: MonotonicClock, report: @escaping @Sendable (String) -> Void,
        wake: @escaping @Sendable () -> Void = {}
    ) throws(SystemCallError) {
        self.path = path
        self.key = key
        self.wallClock = wallClock
        self.clock = clock
        self.report = report
        self.wake = wake
        state = Mutex(try AuditLogOpening(path: path, key: key).state(limits))
        // A new log must have a checkpoint before it has lines, or the log would seem to have been removed.
        let failure: SystemCallError? = state.withLock { state in
            do throws(SystemCallError) {
                if state.isNew { try seal(state) }
                try write([], &state)
                return nil
            } catch {
                return error
            }
        }
        if let failure { report("cannot write the audit log: \(failure)") }
    }

    // MARK: Writing

    /// Appends a line and passes it to the followers. Returns when the line is in the file, or is counted because it
    /// cannot be written; the log records the count as soon as possible. Lines of concurrent calls share one write.
    ///
    /// - Parameter line: a JSON object without its closing brace, without newlines.
    func append(_ line: [UInt8]) { lineQueue.append(line) { append($0) } }

    private func append(_ lines: [[UInt8]]) {
        var failures: [SystemCallError] = []
        let isFirstUnsealed = state.withLock { state in
            let wasSealed = !state.isUnsealed
            // One by one where the file has no room for all, and after an error, which may concern only some lines.
            for line in writeTogether(lines, &state) ? [] : lines {
                do throws(SystemCallError) {
                    if !state.hasRoom(for: line.count) { rotate(&state) }
                    try write([line], &state)
                } catch {
                    failures.append(error)
                    state.unwritten += 1
                }
            }
            state.isUnsealed = true
            if wasSealed { state.sealDue = clock.nanoseconds() + Self.sealInterval.nanoseconds }
            return wasSealed
        }
        for failure in failures { report("cannot write the audit log: \(failure)") }
        if isFirstUnsealed { wake() }
    }

    /// Writes several lines in one piece.
    ///
    /// - Returns: false if no line was written.
    private func writeTogether(_ lines: [[UInt8]], _ state: inout State) -> Bool {
        // The log's own records take room as well; they come with the next single line.
        guard lines.count > 1, state.pending.isEmpty, state.unwritten == 0,
            state.hasRoom(for: lines.reduce(0) { $0 + $1.count + State.linkByteCount })
        else { return false }
        do throws(SystemCallError) {
            try write(lines, &state)
            return true
        } catch {
            return false
        }
    }

    /// Writes the log's pending records about itself and then the lines, in one piece.
    private func write(_ lines: [[UInt8]], _ state: inout State) throws(SystemCallError) {
        var own = state.pending
        if state.unwritten > 0 { own.append(.unwrittenLines(state.unwritten)) }
        var last = (sequence: state.sequence, link: state.link)
        var bytes: [UInt8] = []
        for line in own { bytes += Self.finished(line.text(at: wallClock(), after: last.link), &last, key) }
        for line in lines {
            let finished = Self.finished(line, &last, key)
            if bytes.isEmpty { bytes = finished } else { bytes += finished }
        }
        guard !bytes.isEmpty else { return }
        if !own.isEmpty { state.isUnsealed = true }
        try state.file.append(bytes)
        state.byteCount += bytes.count
        (state.sequence, state.link) = last
        state.pending = []
        state.unwritten = 0
        guard !state.followers.isEmpty else { return }
        for line in bytes.split(separator: UInt8(ascii: "\n")) { deliver(Array(line), &state) }
    }

    /// Returns the line with its number, its link and a newline.
    private static func finished(
        _ line: consuming [UInt8], _ last: inout (sequence: UInt64, link: AuditLink), _ key: AuditChainKey
    ) -> [UInt8] {
        last.sequence += 1
        var writer = LineWriter(line)
        writer.raw(",\"seq\":")
        writer.number(Int64(clamping: last.sequence))
        last.link = key.link(after: last.link, writer.bytes)
        writer.raw(",\"chain\":\"")
        writer.hexadecimal(last.link.value)
        writer.raw("\"}\n")
        return writer.finish()
    }

    /// Continues in another file. If that fails, the log continues in this one, because a long file is better than lost
    /// lines.
    private func rotate(_ state: inout State) {
        // Pending records come first, because only the old checkpoint may still prove them.
        guard state.byteCount > 0, state.pending.isEmpty, clock.nanoseconds() >= state.rotationDue else { return }
        do throws(SystemCallError) {
            var next = state
            next.starts.append(state.sequence + 1)
            if next.starts.count > state.limits.fileCount {
                next.starts.removeFirst(next.starts.count - state.limits.fileCount)
            }
            // The checkpoint first: it may cover fewer lines than exist, but never more.
            try state.file.synchronize()
            try seal(next)
            try synchronizeFolder()
            // Up to the first free name, or the last name, whose file is removed.
            var free = 1
            while free < state.limits.fileCount - 1, try LogFile.exists("\(path).\(free)") { free += 1 }
            for number in stride(from: free - 1, through: 1, by: -1) {
                _ = try LogFile.rename("\(path).\(number)", to: "\(path).\(number + 1)")
            }
            _ = try LogFile.rename(path, to: "\(path).1")
            next.file = try LogFile.open(path)
            next.byteCount = try next.file.byteCount()
            next.rotations += 1
            next.pending.insert(.header, at: 0)
            state = next
            // Files that an earlier, larger limit allowed.
            for number in state.limits.fileCount..<max(state.limits.fileCount, Self.fileLimit) {
                try LogFile.remove("\(path).\(number)")
            }
        } catch {
            state.rotationDue = clock.nanoseconds() + Self.rotationPause.nanoseconds
            report("cannot rotate the audit log: \(error)")
        }
    }

    /// The maximum number of files.
    static let fileLimit = Int(Setting.auditLogFiles.range.upperBound)

    /// The possible paths of the current file and of the older ones.
    var paths: [String] { [path] + (1..<Self.fileLimit).map { "\(path).\($0)" } }

    /// The number of followers.
    var followerCount: Int { state.withLock(\.followers.count) }

    /// Applies other limits, starting with the next line.
    func apply(_ limits: Limits) { state.withLock { $0.limits = limits } }

    // MARK: The checkpoint

    /// Renews the checkpoint when it is due.
    ///
    /// - Returns: the time until this has to be called again; nil if there is nothing to renew.
    func housekeeping() -> Duration? {
        let now = clock.nanoseconds()
        let rest: Duration? = state.withLock { state in
            guard state.isUnsealed else { return nil }
            return now < state.sealDue ? .nanoseconds(Int64(clamping: state.sealDue - now)) : .zero
        }
        guard rest == .zero else { return rest }
        // The lack of space was reported with each line.
        _ = writePending()
        seal()
        return state.withLock { state in
            guard state.isUnsealed else { return nil }
            state.sealDue = now + Self.sealInterval.nanoseconds
            return Self.sealInterval
        }
    }

    /// Writes the pending records and the last checkpoint. Later lines are written, but no checkpoint covers them.
    public func close() {
        if let failure = writePending() { report("cannot write the audit log: \(failure)") }
        seal()
    }

    /// Whether lines could not be written, and the log has not recorded that yet.
    var hasUnwrittenLines: Bool { state.withLock { $0.unwritten > 0 } }

    /// Writes the log's pending records about itself.
    private func writePending() -> SystemCallError? {
        state.withLock { state in
            do throws(SystemCallError) {
                try write([], &state)
                return nil
            } catch {
                return error
            }
        }
    }

    /// Makes the lines durable and then writes the checkpoint; other threads can write lines during the flush.
    private func seal() {
        let snapshot = state.withLock { $0 }
        do throws(SystemCallError) {
            // The findings of the start must be in the log before the old checkpoint, which proves them, is replaced.
            guard snapshot.pending.isEmpty else { return }
            try snapshot.file.synchronize()
            try LogFile.write(newCheckpointPath, contents: sealed(snapshot))
            let outcome: Result<Void, SystemCallError> = state.withLock { state in
                // Meanwhile the log may have continued in another file, with a newer checkpoint.
                guard state.rotations == snapshot.rotations else { return .success(()) }
                do throws(SystemCallError) {
                    _ = try LogFile.rename(newCheckpointPath, to: AuditLogOpening.checkpointPath(path))
                    state.isUnsealed = state.sequence != snapshot.sequence || state.unwritten > 0
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
            try outcome.get()
        } catch {
            report("cannot seal the audit log: \(error)")
        }
    }

    /// Writes the checkpoint while the caller holds the state's lock, for changes that must not be overtaken.
    private func seal(_ state: State) throws(SystemCallError) {
        let path = AuditLogOpening.checkpointPath(path)
        let new = path + ".next"
        try LogFile.write(new, contents: sealed(state))
        _ = try LogFile.rename(new, to: path)
    }

    /// Makes the names of files durable.
    private func synchronizeFolder() throws(SystemCallError) {
        guard let slash = path.lastIndex(of: "/") else { return try DurableFile.synchronize(".") }
        try DurableFile.synchronize(slash == path.startIndex ? "/" : String(path[..<slash]))
    }

    private var newCheckpointPath: String { AuditLogOpening.checkpointPath(path) + ".new" }

    private func sealed(_ state: State) -> [UInt8] {
        key.seal(AuditCheckpoint(sequence: state.sequence, link: state.link, starts: state.starts))
    }

    /// Reports an error message.
    func note(_ text: String) { report(text) }

    // MARK: Following

    /// Passes each new line, in order, to `deliver`, until the returned closure is called.
    ///
    /// A slow follower does not block the log: if a follower cannot take a line, it is dropped.
    ///
    /// - Parameters:
    ///   - deliver: receives the frame of a line (`logLine`), and returns false if it cannot be passed on. Must not
    ///     wait.
    ///   - drop: ends the follower's connection.
    func follow(
        deliver: @escaping @Sendable (_ frame: [UInt8]) -> Bool, drop: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let number = state.withLock { state in
            state.nextFollower += 1
            state.followers[state.nextFollower] = Follower(deliver: deliver, drop: drop)
            return state.nextFollower
        }
        return { [self] in state.withLock { _ = $0.followers.removeValue(forKey: number) } }
    }

    private func deliver(_ line: [UInt8], _ state: inout State) {
        let frame = LogEvent.line(line).frame
        for (number, follower) in state.followers where !follower.deliver(frame) {
            state.followers.removeValue(forKey: number)
            follower.drop()
        }
    }
}

/// A line that the log writes about itself.
enum AuditLogLine: Sendable {
    /// The first line of a file.
    case header
    case gap(AuditLogGap)
    /// This number of lines could not be written.
    case unwrittenLines(UInt64)

    /// Returns the text, like the line of an event: a JSON object without its closing brace.
    func text(at time: Timestamp, after previous: AuditLink) -> [UInt8] {
        var line = LineWriter(reserving: 320)
        line.raw("{\"time\":\"")
        line.time(time)
        line.raw("\"")
        line.raw(Self.action)
        switch self {
        case .header:
            line.raw(previous == .beginning ? "begin" : "continue")
            line.raw("\"")
        case .gap(.unfinishedLine): line.raw("unfinished-line\"")
        case .unwrittenLines(let count):
            line.raw("unwritten-lines\",\"lines\":")
            line.number(Int64(clamping: count))
        case .gap(.cut(let first, let last)):
            line.raw("missing-lines\",\"first\":")
            line.number(Int64(clamping: first))
            line.raw(",\"last\":")
            line.number(Int64(clamping: last))
        case .gap(.missingCheckpoint): line.raw("missing-checkpoint\"")
        case .gap(.otherEnding): line.raw("other-ending\"")
        }
        line.raw(",\"previous\":\"")
        line.hexadecimal(previous.value)
        line.raw("\"")
        return line.finish()
    }

    /// The text after the time, which has a fixed length.
    static let action = ",\"action\":\"\(AuditRecord.logAction)\",\"event\":\""
}

/// A defect that was found when the service started.
enum AuditLogGap: Hashable, Sendable {
    /// The last line was incomplete, and was removed.
    case unfinishedLine
    /// These lines are missing at the end.
    case cut(first: UInt64, last: UInt64)
    /// No checkpoint by this device key exists.
    case missingCheckpoint
    /// The line that the checkpoint names differs.
    case otherEnding
}
