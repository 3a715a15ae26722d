// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainSealing

/// The check of an audit log when the service starts.
struct AuditLogOpening {
    let path: String
    let key: AuditChainKey

    static func checkpointPath(_ path: String) -> String { path + ".seal" }

    private enum Checkpoint {
        case none
        case unusable
        case sealed(AuditCheckpoint)
    }

    private struct Ending {
        let sequence: UInt64
        let link: AuditLink
    }

    /// Returns the state of the log.
    ///
    /// - Throws: if a file cannot be opened or read.
    func state(_ limits: AuditLog.Limits) throws(SystemCallError) -> AuditLog.State {
        let checkpoint = try checkpoint()
        if case .none = checkpoint { try setEarlierFormAside() }
        let file = try LogFile.open(path)
        var pending: [AuditLogLine] = []
        if try removeUnfinishedLine(file) { pending.append(.gap(.unfinishedLine)) }

        let ending = try ending()
        var last = ending ?? Ending(sequence: 0, link: .beginning)
        var starts: [UInt64]
        switch checkpoint {
        case .none, .unusable:
            if case .unusable = checkpoint {
                pending.append(.gap(.missingCheckpoint))
            } else if ending != nil {
                pending.append(.gap(.missingCheckpoint))
            }
            starts = try presentStarts()
        case .sealed(let sealed):
            starts = sealed.starts
            if last.sequence < sealed.sequence {
                pending.append(.gap(.cut(first: last.sequence + 1, last: sealed.sequence)))
                // Numbers of missing lines are not reused.
                last = Ending(sequence: sealed.sequence, link: sealed.link)
            } else if sealed.sequence > 0, try link(of: sealed.sequence) != sealed.link {
                pending.append(.gap(.otherEnding))
            }
        }
        let byteCount = try file.byteCount()
        if byteCount == 0 {
            if starts.last != last.sequence + 1 { starts.append(last.sequence + 1) }
            pending.insert(.header, at: 0)
        } else if starts.count > 1, starts.last == last.sequence + 1 {
            // The service ended just before it would have continued in another file.
            starts.removeLast()
        }
        var state = AuditLog.State(
            limits: limits, file: file, byteCount: byteCount, sequence: last.sequence, link: last.link, starts: starts,
            pending: pending)
        if case .sealed(let sealed) = checkpoint { state.isUnsealed = sealed.sequence != last.sequence }
        return state
    }

    private func checkpoint() throws(SystemCallError) -> Checkpoint {
        guard let file = try LogFile.openExisting(Self.checkpointPath(path)) else { return .none }
        let size = try file.byteCount()
        guard size <= 1 << 20 else { return .unusable }
        let bytes = try file.read(at: 0, count: size)
        do throws(SealingError) {
            return .sealed(try key.open(bytes))
        } catch {
            return .unusable
        }
    }

    /// Renames a log of the earlier format, whose first line has no link.
    private func setEarlierFormAside() throws(SystemCallError) {
        guard let file = try LogFile.openExisting(path), case let size = try file.byteCount(), size > 0 else { return }
        let block = try LogBlock.following(0, in: file, byteCount: size)
        if let first = block.lines.first, AuditLineEnding(block.bytes.span.extracting(first)) != nil { return }
        _ = try LogFile.rename(path, to: path + ".before")
        for number in 1..<AuditLog.fileLimit {
            guard try LogFile.rename("\(path).\(number)", to: "\(path).\(number).before") else { return }
        }
    }

    /// Removes an incomplete last line.
    ///
    /// - Returns: whether there was an incomplete line.
    private func removeUnfinishedLine(_ file: LogFile) throws(SystemCallError) -> Bool {
        let size = try file.byteCount()
        guard size > 0 else { return false }
        let block = try LogBlock.preceding(size, in: file)
        guard block.bytes.last != UInt8(ascii: "\n") else { return false }
        // The last line begins after the last newline.
        try file.truncate(to: block.offset + (block.lines.last?.lowerBound ?? 0))
        return true
    }

    /// Returns the ending of the last valid line.
    private func ending() throws(SystemCallError) -> Ending? {
        var ending: Ending?
        try searchBackwards { found in
            ending = Ending(sequence: found.sequence, link: found.link)
            return true
        }
        return ending
    }

    /// Returns the link of the line with this number; nil if the line does not exist.
    private func link(of sequence: UInt64) throws(SystemCallError) -> AuditLink? {
        var link: AuditLink?
        try searchBackwards { found in
            if found.sequence == sequence { link = found.link }
            return found.sequence <= sequence
        }
        return link
    }

    /// Searches the lines of all files.
    ///
    /// - Parameter body: receives the ending of each line, newest first, and returns whether to stop.
    private func searchBackwards(_ body: (AuditLineEnding) -> Bool) throws(SystemCallError) {
        for number in 0..<AuditLog.fileLimit {
            guard let file = try LogFile.openExisting(number == 0 ? path : "\(path).\(number)") else { continue }
            var end = try file.byteCount()
            while end > 0 {
                let block = try LogBlock.preceding(end, in: file)
                for line in block.lines.reversed() {
                    if let ending = AuditLineEnding(block.bytes.span.extracting(line)), body(ending) { return }
                }
                end = block.offset
            }
        }
    }

    /// Returns the first line numbers that the files themselves state.
    private func presentStarts() throws(SystemCallError) -> [UInt64] {
        var starts: [UInt64] = []
        for number in (0..<AuditLog.fileLimit).reversed() {
            guard let file = try LogFile.openExisting(number == 0 ? path : "\(path).\(number)"),
                let start = try LogFile.firstSequence(in: file)
            else { continue }
            starts.append(start)
        }
        return starts
    }
}

extension LogFile {
    /// Returns the number of the file's first line; nil if that is not a line of a log.
    static func firstSequence(in file: LogFile) throws(SystemCallError) -> UInt64? {
        // The first line is a record of the log about itself, which is short.
        let bytes = try file.read(at: 0, count: 1024)
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        return AuditLineEnding(bytes.span.extracting(0..<end))?.sequence
    }
}
