// SPDX-License-Identifier: Apache-2.0

internal import DBus
internal import DBusMessages
internal import Fingerprint
@preconcurrency @unsafe internal import Glibc
internal import KeychainHelperWire
internal import KeychainPlatform

/// Reads one question from standard input, writes its answer to standard output, and ends.
@main struct FingerprintProgram {
    private static let usage = """
        usage: chatelaine-fingerprint <question >answer

        Has fprintd look at fingers, for the keychain service, which runs it itself; there is nothing to say to it by hand.
        See chatelaine-fingerprint(8).

        """

    static func main() {
        switch CommandLine.arguments.dropFirst() {
        case []: break
        case ["--help"], ["-h"]:
            write(usage, to: STDOUT_FILENO)
            return
        default: fail(usage, status: EX_USAGE)
        }
        harden()
        guard let question = readFrame() else { fail("error: no question on standard input\n", status: EX_DATAERR) }
        // Accounts are in files.
        let user = (try? FingerprintRequest(question))?.user
        let name = user.flatMap(accountName)
        confine()
        guard let signals = try? TerminationSignals() else { fail("error: no descriptors left\n", status: EX_OSERR) }
        do throws(SystemFailure) {
            let end = try Wakeup()
            guard whenNotWanted(signals, { end.wake() }) else { fail("error: no thread left\n", status: EX_OSERR) }
            let conversation = FingerprintConversation(on: systemBus()) { $0 == user ? name : nil }
            guard let answer = conversation.answer(question, until: end) else { exit(EX_TEMPFAIL) }
            guard write(answer, to: STDOUT_FILENO) else { fail("error: the answer was not taken\n", status: EX_IOERR) }
        } catch {
            fail("error: \(error)\n", status: EX_OSERR)
        }
    }

    /// What it speaks with is not its own: it leaves no core dump, nobody of its user looks into it, and it ends a little after any
    /// question has to be answered.
    private static func harden() {
        _ = ProcessHardening.resetCrashSignals()
        _ = ProcessHardening.disableCoreDumps()
        _ = ProcessHardening.closeInheritedDescriptors()
        _ = ProcessHardening.ignoreBrokenPipes()
        alarm(60)
    }

    /// Before it reads what others say on the bus. Its user may read keychains, that of the service of the system all of them: it opens
    /// no file from here on, and starts nothing. What the kernel does not have it does not have.
    private static func confine() {
        _ = ProcessHardening.forbidNewPrivileges()
        _ = ProcessHardening.forbidFiles()
        _ = ProcessHardening.forbidSystemCalls()
    }

    /// Nobody listens where the variable names nothing that is understood: then there is no reader, and never a yes.
    private static func systemBus() -> [ServerAddress] {
        // Copied at once; there is one thread that looks at the environment.
        guard let value = unsafe getenv("DBUS_SYSTEM_BUS_ADDRESS") else { return ServerAddress.systemBus }
        return (try? ServerAddress.list(unsafe String(cString: value))) ?? []
    }

    /// What a user is called; nil where the system knows none of that number, or cannot say.
    private static func accountName(of user: UInt32) -> String? {
        // Copied at once; there is one thread that looks at accounts.
        guard let account = unsafe getpwuid(user), let name = unsafe account.pointee.pw_name else { return nil }
        return unsafe String(validatingCString: name)
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
    private static func readFrame() -> [UInt8]? {
        // No question is longer.
        let limit = HelperFrameHeader.size + 16
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
