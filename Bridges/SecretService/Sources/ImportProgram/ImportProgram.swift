// SPDX-License-Identifier: Apache-2.0

internal import CWipingAllocator
internal import DBus
@preconcurrency @unsafe internal import Glibc
internal import KeychainEndpoint
internal import KeychainHelperWire
internal import KeychainPlatform
internal import SecretMemory
internal import SecretServiceClient
internal import Synchronization

/// The main program: a session of requests about another provider of the Secret Service.
@main struct ImportProgram {
    private static let usage = """
        usage: chatelaine-secrets-import <requests >replies

        Reads the secrets of another provider of org.freedesktop.secrets for `chatelaine setup desktop`,
        which starts this program; do not run it by hand. See chatelaine-secrets-import(8).

        """
    /// The longest payload of a request: the addresses of a bus.
    private static let requestBytes = 16 + ProviderLimits.addressBytes

    static func main() {
        switch CommandLine.arguments.dropFirst() {
        case []: break
        case ["--help"], ["-h"]:
            try? DescriptorStream.standardOutput.write(usage.utf8)
            return
        default: fail(usage, status: EX_USAGE)
        }
        // The link to this function makes the program overwrite freed memory.
        _ = cwa_is_wiping()
        ProcessHardening.protectHelper()
        // It opens no files and starts no programs.
        ProcessHardening.confineHelper()
        do throws(SystemError) {
            try run(end: try Wakeup(), arrival: try Wakeup())
        } catch {
            fail("error: \(error)\n", status: EX_OSERR)
        }
    }

    /// Answers requests until standard input ends. Another thread reads it, so that its end also ends a wait for the
    /// provider or for the user.
    private static func run(end: Wakeup, arrival: Wakeup) throws(SystemError) {
        let mailbox = Mailbox()
        let isStarted = SystemThread.start {
            while let frame = DescriptorStream.standardInput.message(
                atMost: HelperFrameHeader.size + requestBytes, size: HelperFrameHeader.minimumFrameSize)
            {
                mailbox.frames.withLock { $0.append(frame) }
                arrival.wake()
            }
            end.wake()
        }
        guard isStarted else { fail("error: no thread left\n", status: EX_OSERR) }
        let conversation = ProviderConversation(until: end, randomBytes: RandomSource.live.bytes)
        while true {
            switch arrival.wait(until: .now + .seconds(3600), interruption: end) {
            case .interrupted: return
            case .timedOut: continue
            case .woken: arrival.clear()
            }
            while let frame = mailbox.frames.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                var reply = conversation.answer(frame)
                let isWritten = (try? DescriptorStream.standardOutput.write(reply)) != nil
                wipe(&reply)
                guard isWritten else { return }
            }
        }
    }

    /// The requests that have arrived.
    private final class Mailbox: Sendable {
        let frames = Mutex<[[UInt8]]>([])
    }

    private static func fail(_ text: String, status: Int32) -> Never {
        try? DescriptorStream.standardError.write(text.utf8)
        exit(status)
    }
}
