// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The keychain service that this process uses.
///
/// On Linux it is started for the run, in a scratch directory, unless CONFORMANCE_SERVICE is "given": then the XDG
/// variables select it. On other systems it is the system's own.
final class Service: Sendable {
    /// Started at the first use, which has to be before the first call of Security: that is where the variables are read.
    static let shared = Service()

    /// Whether the service may be stopped and its files be changed.
    static var isOurs: Bool {
        #if os(Linux)
            ProcessInfo.processInfo.environment["CONFORMANCE_SERVICE"] != "given"
        #else
            false
        #endif
    }

    #if os(Linux)
        private let directory: String
        private let programs: String
        private let keeper: Keeper?

        private init() {
            // In memory where there is a place for that: what survives a loss of power is tested elsewhere. Otherwise in /tmp,
            // whatever TMPDIR says: the path of a socket has at most 107 bytes.
            let place = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
            directory = "\(place)/chatelaine.conformance.\(ProcessInfo.processInfo.processIdentifier)"
            programs = Self.folderOfPrograms()
            guard Self.isOurs else {
                keeper = nil
                return
            }
            for name in ["home", "runtime", "data", "config"] {
                // Fails below, with the path, when it cannot be made.
                try? FileManager.default.createDirectory(
                    atPath: "\(directory)/\(name)", withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            }
            setenv("HOME", directory + "/home", 1)
            setenv("XDG_RUNTIME_DIR", directory + "/runtime", 1)
            setenv("XDG_DATA_HOME", directory + "/data", 1)
            setenv("XDG_CONFIG_HOME", directory + "/config", 1)
            // Nothing may start another one in its place when it is gone.
            setenv("PATH", "/usr/bin:/bin", 1)
            // Where the helper programs are.
            setenv("CHATELAINE_HELPERS", programs, 1)
            keeper = Keeper(program: programs + "/chatelained", directory: directory)
            keeper!.start()
        }

        private static func folderOfPrograms() -> String {
            if let folder = ProcessInfo.processInfo.environment["CHATELAINE_PROGRAMS"] { return folder }
            // Conformance/Tests/ConformanceTests/Support/Service.swift, so the repository is five levels up.
            let root = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
            let folders = ["release", "debug"].map { root.path + "/.build/" + $0 }
            return folders.first { FileManager.default.isExecutableFile(atPath: $0 + "/chatelained") } ?? folders[0]
        }

        /// Whether the service is still the process that was started, so that it has not crashed.
        var isUnharmed: Bool { keeper?.isRunning ?? true }

        /// Stops the service, lets `body` at its database, and starts it again.
        func whileStopped(_ body: (_ database: String) throws -> Void) throws {
            let keeper = try #require(keeper, "somebody else's service is not stopped")
            let status = keeper.stop()
            #expect(status == 0, "the service ended with \(status)")
            defer { keeper.start() }
            try body(directory + "/data/chatelaine/keychain.db")
        }

        /// Runs the command line, which is another program for the service, with items of its own.
        ///
        /// - Returns: what it wrote to standard output, or nil when it failed.
        func chatelaine(_ words: [String], input: String = "") throws -> String? {
            try run(programs + "/chatelaine", words, input: Data(input.utf8)).map {
                String(decoding: $0, as: UTF8.self)
            }
        }

        /// Runs a program to its end.
        ///
        /// - Returns: what it wrote to standard output, or nil when it failed.
        func run(_ program: String, _ words: [String], input: Data = Data()) throws -> Data? {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = words
            let (standardInput, standardOutput) = (Pipe(), Pipe())
            process.standardInput = standardInput
            process.standardOutput = standardOutput
            try process.runAlone()
            try standardInput.fileHandleForWriting.write(contentsOf: input)
            try standardInput.fileHandleForWriting.close()
            let output = try standardOutput.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return process.terminationStatus == 0 ? output : nil
        }
    #else
        private init() {}
        var isUnharmed: Bool { true }
        func whileStopped(_ body: (_ database: String) throws -> Void) throws { throw CancellationError() }
        func chatelaine(_ words: [String], input: String = "") throws -> String? { nil }
        func run(_ program: String, _ words: [String], input: Data = Data()) throws -> Data? { nil }
    #endif
}

#if os(Linux)
    /// Runs the service behind a shell that ends it when its own standard input closes. That happens whichever way this process
    /// ends, so that no service and no scratch directory stays behind.
    ///
    /// `@unchecked Sendable`: tests run one at a time, and only they start and stop it.
    private final class Keeper: @unchecked Sendable {
        private let program: String
        private let directory: String
        private var shell: Process?
        private var leash: Pipe?

        init(program: String, directory: String) {
            self.program = program
            self.directory = directory
        }

        /// The service runs in the background of the shell, which takes down what it says, and says itself when clients can
        /// connect or no longer. When the test process is gone, its directory goes too.
        private static let script = """
            rm -f "$2/output"
            mkfifo -m 600 "$2/output"
            "$1" </dev/null >"$2/output" 2>&1 &
            service=$!
            {
                while IFS= read -r line; do
                    printf '%s\\n' "$line" >>"$2/chatelained.log"
                    case $line in *serving*) echo ready ;; esac
                done
                echo ended
            } <"$2/output" &
            read -r how
            kill -TERM $service 2>/dev/null
            wait $service
            status=$?
            [ "$how" = stop ] || rm -rf -- "$2"
            exit $status
            """

        func start() {
            let (process, pipe, answers) = (Process(), Pipe(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", Self.script, "sh", program, directory]
            process.standardInput = pipe
            process.standardOutput = answers
            do { try process.runAlone() } catch { preconditionFailure("cannot run a shell: \(error)") }
            (shell, leash) = (process, pipe)
            // Comes with the word, or with the end of the service.
            let answer = String(decoding: answers.fileHandleForReading.availableData, as: UTF8.self)
            precondition(answer.hasPrefix("ready"), "the service does not start; its log is in \(directory)")
        }

        /// Ends the service.
        ///
        /// - Returns: its exit status; 128 and the number of the signal that ended it.
        func stop() -> Int32 {
            guard let shell, let leash else { return -1 }
            try? leash.fileHandleForWriting.write(contentsOf: Data("stop\n".utf8))
            try? leash.fileHandleForWriting.close()
            shell.waitUntilExit()
            (self.shell, self.leash) = (nil, nil)
            return shell.terminationStatus
        }

        /// Whether the process that holds the store is the process that the shell started, and still runs.
        var isRunning: Bool {
            guard let shell, let number else { return false }
            // "PID (name) state parent …"; a process that has ended and was not waited for is in state Z.
            guard let line = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8) else { return false }
            let fields = line.split(separator: ")").last?.split(separator: " ") ?? []
            return fields.count > 1 && fields[0] != "Z" && fields[1] == "\(shell.processIdentifier)"
        }

        /// The number of the service's process, from its lock.
        private var number: Int? {
            let text = try? String(contentsOfFile: directory + "/data/chatelaine/store.lock", encoding: .utf8)
            return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        }

    }

    extension Process {
        /// Runs the program without blocked signals. The threads of tests block all of them, a child inherits that, and a shell
        /// would never hear of its own child's end.
        fileprivate func runAlone() throws {
            var none = sigset_t()
            var before = sigset_t()
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, &before)
            defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
            try run()
        }
    }
#endif
