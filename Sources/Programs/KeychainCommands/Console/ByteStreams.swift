// SPDX-License-Identifier: Apache-2.0

internal import SecretMemory

/// The input of commands: standard input, or the input of a test.
protocol ByteSource {
    /// Fills the beginning of `buffer`; returns 0 at the end of the input.
    func read(into buffer: inout [UInt8]) throws(StreamError) -> Int
}

/// The output of commands: standard output and standard error, or the output that a test checks.
protocol ByteSink {
    func write(_ bytes: some Collection<UInt8>) throws(StreamError)
}

/// The system's reason why a stream failed.
struct StreamError: Error, Hashable, Sendable {
    let reason: String

    init(reason: String) {
        self.reason = reason
    }
}

extension ByteSink {
    func write(_ text: String) throws(StreamError) {
        try write(text.utf8)
    }

    /// Writes diagnostics; if standard error is closed, they are dropped.
    func writeIfPossible(_ text: String) {
        try? write(text.utf8)
    }
}

/// Buffered input that is wiped after it was read.
final class CommandInput {
    private let source: any ByteSource
    private var buffer: [UInt8] = []
    private var position = 0
    private var end = 0

    init(_ source: any ByteSource) {
        self.source = source
    }

    deinit { wipe(&buffer) }

    /// Reads up to the end of the input; nil if it is longer than `limit`.
    func readAll(limit: Int) throws(StreamError) -> SecretAccumulator? {
        let all = SecretAccumulator()
        while try fill() {
            guard all.bytes.count + end - position <= limit else { return nil }
            take(upTo: end, into: all)
        }
        return all
    }

    /// The result of reading a line.
    enum Line {
        /// The line without its newline.
        case text(SecretAccumulator)
        case tooLong
        case endOfInput
    }

    /// Reads the next line. A line that is too long is still read to its end, so that the next line is complete.
    func readLine(limit: Int) throws(StreamError) -> Line {
        let line = SecretAccumulator()
        var length = 0
        var isEmpty = true
        while try fill() {
            isEmpty = false
            let newline = buffer[position..<end].firstIndex(of: UInt8(ascii: "\n"))
            length += (newline ?? end) - position
            if length <= limit {
                take(upTo: newline ?? end, into: line)
            } else {
                position = newline ?? end
            }
            if newline != nil {
                position += 1
                break
            }
        }
        if isEmpty { return .endOfInput }
        return length <= limit ? .text(line) : .tooLong
    }

    private func take(upTo limit: Int, into destination: SecretAccumulator) {
        destination.append(buffer[position..<limit])
        for index in position..<limit { buffer[index] = 0 }
        position = limit
    }

    /// Returns whether bytes are available, after reading if there were none.
    private func fill() throws(StreamError) -> Bool {
        guard position == end else { return true }
        if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: 65_536) }
        position = 0
        end = try source.read(into: &buffer)
        return end > 0
    }
}
