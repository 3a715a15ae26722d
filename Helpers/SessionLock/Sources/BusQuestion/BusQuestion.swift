// SPDX-License-Identifier: Apache-2.0

public import DBus
public import DBusMessages
@preconcurrency @unsafe internal import Glibc
internal import KeychainEndpoint
internal import KeychainHelperWire
internal import KeychainPlatform

/// A helper program that queries a service on the system bus: it reads one request from standard input, writes its
/// answer to standard output, and ends.
public struct BusQuestion: Sendable {
    /// The output of `--help`.
    public let usage: String
    /// The longest payload of a request, in bytes.
    public let questionBytes: Int
    /// The lifetime of the process, a little longer than the longest request. The kernel ends the process after it.
    public let seconds: UInt32

    public init(usage: String, questionBytes: Int, seconds: UInt32) {
        self.usage = usage
        self.questionBytes = questionBytes
        self.seconds = seconds
    }

    /// Answers the request within its own time limit; nil after an interruption.
    public typealias Answer = (_ bus: [ServerAddress], _ end: Wakeup) -> [UInt8]?

    /// Runs the program.
    ///
    /// - Parameter prepare: reads the files that a request needs, before the process gives up its access to files.
    public func run(prepare: (_ question: [UInt8]) -> Answer) {
        switch CommandLine.arguments.dropFirst() {
        case []: break
        case ["--help"], ["-h"]:
            try? DescriptorStream.standardOutput.write(usage.utf8)
            return
        default: Self.fail(usage, status: EX_USAGE)
        }
        harden()
        guard let question = readFrame() else {
            Self.fail("error: no request on standard input\n", status: EX_DATAERR)
        }
        let answering = prepare(question)
        Self.confine()
        do {
            let end = try Wakeup()
            // The answer is not wanted any more when standard input ends, or when data follows the request.
            try TerminationSignals().whenOneArrives(or: [STDIN_FILENO]) { end.wake() }
            guard let answer = answering(Self.systemBus(), end) else { exit(EX_TEMPFAIL) }
            guard (try? DescriptorStream.standardOutput.write(answer)) != nil else {
                Self.fail("error: cannot write the answer\n", status: EX_IOERR)
            }
        } catch {
            Self.fail("error: \(error)\n", status: EX_OSERR)
        }
    }

    /// Protects the process: it writes no core dump, other processes of its user cannot read its memory, and it ends a
    /// little after the time limit of a request.
    private func harden() {
        ProcessHardening.protectHelper()
        alarm(seconds)
    }

    /// Restricts the process before it reads messages from the bus. The user of the process may be able to read
    /// keychains, and the user of the system service all of them. After this call the process opens no files and starts
    /// no programs. Restrictions that the kernel does not support are left out.
    private static func confine() {
        ProcessHardening.confineHelper()
    }

    /// Returns no address if the variable has no usable address. Then no service is queried and the answer is never a
    /// permission.
    private static func systemBus() -> [ServerAddress] {
        // The text is copied at once. Only this thread reads the environment.
        guard let value = unsafe getenv("DBUS_SYSTEM_BUS_ADDRESS") else { return ServerAddress.systemBus }
        return (try? ServerAddress.list(unsafe String(cString: value))) ?? []
    }

    private func readFrame() -> [UInt8]? {
        DescriptorStream.standardInput.message(
            atMost: HelperFrameHeader.size + questionBytes, size: HelperFrameHeader.minimumFrameSize)
    }

    private static func fail(_ text: String, status: Int32) -> Never {
        try? DescriptorStream.standardError.write(text.utf8)
        exit(status)
    }
}
