// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

/// Records the log messages while it is the current recorder.
final class Recorder: Sendable {
    @TaskLocal static var current: Recorder?
    private let state = Mutex<[String]>([])

    var lines: [String] { state.withLock { $0 } }
    func add(_ line: String) { state.withLock { $0.append(line) } }

    /// A process has one logging system.
    static let install: Void = LoggingSystem.bootstrap { _ in Handler() }

    private struct Handler: LogHandler {
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level {
            get { Recorder.current == nil ? .critical : .debug }
            set {}
        }
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
        func log(event: LogEvent) { Recorder.current?.add("\(event.message)") }
    }
}
