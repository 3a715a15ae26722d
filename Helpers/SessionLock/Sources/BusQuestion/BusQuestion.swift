// SPDX-License-Identifier: Apache-2.0

public import DBus
public import DBusMessages
@preconcurrency @unsafe internal import Glibc
internal import KeychainHelperWire
internal import KeychainPlatform

/// A helper program that asks a service on the system bus: it reads one question from standard input, writes its answer to standard
/// output, and ends.
public struct BusQuestion: Sendable {
    /// What `--help` prints.
    public let usage: String
    /// The longest payload of a question, in bytes.
    public let questionBytes: Int
    /// The kernel ends the program after this time: a little longer than any question may take.
    public let seconds: UInt32

    public init(usage: String, questionBytes: Int, seconds: UInt32) {
        self.usage = usage
        self.questionBytes = questionBytes
        self.seconds = seconds
    }

    /// Gives the answer to the question, within its own time; nil where it was interrupted.
    public typealias Answer = (_ bus: [ServerAddress], _ end: Wakeup) -> [UInt8]?

    /// Runs the program.
    ///
    /// - Parameter prepare: reads files for a question, before the program shuts itself off from all files.
    public func run(prepare: (_ question: [UInt8]) -> Answer) {
        switch CommandLine.arguments.dropFirst() {
        case []: break
        case ["--help"], ["-h"]:
            Self.write(usage, to: STDOUT_FILENO)
            return
        default: Self.fail(usage, status: EX_USAGE)
        }
        harden()
        guard let question = readFrame() else {
            Self.fail("error: no question on standard input\n", status: EX_DATAERR)
        }
        let answering = prepare(question)
        Self.confine()
        guard let signals = try? TerminationSignals() else {
            Self.fail("error: no descriptors left\n", status: EX_OSERR)
        }
        do throws(SystemFailure) {
            let end = try Wakeup()
            guard Self.whenNotWanted(signals, { end.wake() }) else {
                Self.fail("error: no thread left\n", status: EX_OSERR)
            }
            guard let answer = answering(Self.systemBus(), end) else { exit(EX_TEMPFAIL) }
            guard Self.write(answer, to: STDOUT_FILENO) else {
                Self.fail("error: the answer was not taken\n", status: EX_IOERR)
            }
        } catch {
            Self.fail("error: \(error)\n", status: EX_OSERR)
        }
    }

    /// What it speaks with is not its own: it leaves no core dump, no other process of its user looks into it, and it ends a little
    /// after any question has to be answered.
    private func harden() {
        _ = ProcessHardening.resetCrashSignals()
        _ = ProcessHardening.disableCoreDumps()
        _ = ProcessHardening.closeInheritedDescriptors()
        _ = ProcessHardening.ignoreBrokenPipes()
        alarm(seconds)
    }

    /// Before it reads what others say on the bus. Its user may read keychains, that of the system service all of them: it opens
    /// no file from here on, and starts nothing. What the kernel does not have it does not have.
    private static func confine() {
        _ = ProcessHardening.forbidNewPrivileges()
        _ = ProcessHardening.forbidFiles()
        _ = ProcessHardening.forbidSystemCalls()
    }

    /// No address where the variable names nothing that is understood: then no service is asked, and there is never a yes.
    private static func systemBus() -> [ServerAddress] {
        // Copied at once; there is one thread that looks at the environment.
        guard let value = unsafe getenv("DBUS_SYSTEM_BUS_ADDRESS") else { return ServerAddress.systemBus }
        return (try? ServerAddress.list(unsafe String(cString: value))) ?? []
    }

    /// The end of standard input, more behind the question, or a signal. No queue of libdispatch waits for them: those open files.
    ///
    /// - Returns: false where there is no thread to wait.
    private static func whenNotWanted(_ signals: TerminationSignals, _ body: @escaping @Sendable () -> Void) -> Bool {
        SystemThread.start {
            while true {
                let ready = try? Readiness.wait(for: [STDIN_FILENO, signals.descriptor])
                if ready?.isEmpty == false { return body() }
            }
        }
    }

    /// One frame; nil where the input ends before it does, or is none of ours.
    private func readFrame() -> [UInt8]? {
        let limit = HelperFrameHeader.size + questionBytes
        var bytes: [UInt8] = []
        while true {
            guard let size = try? HelperFrameHeader.frameSize(bytes) ?? HelperFrameHeader.size, size <= limit else {
                return nil
            }
            if bytes.count == size { return bytes }
            var piece = [UInt8](repeating: 0, count: size - bytes.count)
            var count = 0
            repeat {
                // The kernel writes at most the array's size into its storage.
                count = unsafe piece.withUnsafeMutableBytes { unsafe read(STDIN_FILENO, $0.baseAddress, $0.count) }
            } while count < 0 && errno == EINTR
            guard count > 0 else { return nil }
            bytes += piece[..<count]
        }
    }

    @discardableResult
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            // The bytes live across the call.
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func write(_ text: String, to descriptor: Int32) { write(Array(text.utf8), to: descriptor) }

    private static func fail(_ text: String, status: Int32) -> Never {
        write(text, to: STDERR_FILENO)
        exit(status)
    }
}
