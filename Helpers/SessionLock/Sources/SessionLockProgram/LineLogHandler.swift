// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Logging

/// A log handler that writes each message as one line to standard error; systemd's journal adds the time.
struct LineLogHandler: LogHandler {
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var line = Array("\(event.level): \(event.message)\n".utf8)[...]
        while !line.isEmpty {
            // The slice stays valid during the call, and its length is passed.
            let count = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
            // A failure to write the log cannot be reported.
            guard count > 0 || errno == EINTR else { return }
            line = line.dropFirst(max(0, count))
        }
    }
}
