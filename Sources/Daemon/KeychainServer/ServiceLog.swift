// SPDX-License-Identifier: Apache-2.0

public import KeychainEndpoint
internal import KeychainModel
internal import KeychainPlatform
public import Logging

extension Logger {
    /// Returns a log on standard error; systemd's journal adds the time.
    public static func standardError() -> Logger {
        Logger(label: "chatelained") { _ in LineLogHandler { StandardError.write($0) } }
    }

    /// Returns a log in the instance's data directory, for a service in the background.
    public static func file(in directories: InstanceDirectories) throws(StartError) -> Logger {
        do throws(DirectoryError) {
            try directories.prepare()
        } catch {
            throw StartError("\(error)", hint: nil)
        }
        let path = directories.data + "/chatelained.log"
        do throws(SystemCallError) {
            let file = try AppendOnlyFile(path: path, maximumByteCount: 1 << 20)
            let clock = WallClock.live
            return Logger(label: "chatelained") { _ in
                LineLogHandler { line in
                    let time = Timestamp(secondsSinceReferenceDate: clock.now()).iso8601
                    // An error of the log itself cannot be logged.
                    try? file.append(time + " " + line)
                }
            }
        } catch {
            throw StartError("\(path): \(error)", hint: "check the permissions of \(directories.data)")
        }
    }
}

/// Writes each message as one line.
private struct LineLogHandler: LogHandler {
    let write: @Sendable (String) -> Void
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    init(_ write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        // Names of files that users chose are part of some messages.
        write("\(event.level): \("\(event.message)".printable)")
    }
}
