// SPDX-License-Identifier: Apache-2.0

internal import CWipingAllocator
internal import CryptoOperations
@preconcurrency @unsafe internal import Glibc
internal import KeychainEndpoint
internal import KeychainHelperWire
internal import KeychainPlatform

/// The main program: reads one request from standard input, writes its answer to standard output, and ends.
@main struct CryptoProgram {
    private static let usage = """
        usage: chatelaine-crypto <request >answer

        Uses RSA keys and decrypts files of keys for programs that use Chatelaine. Those programs start it; do not run it by hand.
        See chatelaine-crypto(8).

        """

    static func main() {
        switch CommandLine.arguments.dropFirst() {
        case []: break
        case ["--help"], ["-h"]:
            try? DescriptorStream.standardOutput.write(usage.utf8)
            return
        default: fail(usage, status: EX_USAGE)
        }
        // The link to this function makes the program overwrite freed memory, that of libcrypto too.
        _ = cwa_is_wiping()
        ProcessHardening.protectHelper()
        let reply: CryptoReply
        do throws(LibCryptoError) {
            let service = try CryptoService()
            confine()
            guard let request = readFrame() else { fail("error: no request on standard input\n", status: EX_DATAERR) }
            reply = service.answer(request)
        } catch {
            reply = .refusal(HelperRefusal(reason: "chatelaine-crypto cannot use libcrypto: \(error.reason)"))
        }
        guard (try? DescriptorStream.standardOutput.write(reply.frame)) != nil else {
            fail("error: cannot write the answer\n", status: EX_IOERR)
        }
    }

    /// Restricts the process, because keys and files are untrusted input: after libcrypto is loaded, the process opens no
    /// file and starts no program, and its cost is limited. Restrictions that the kernel does not support are left out.
    private static func confine() {
        // In seconds. A lower limit that is already set stays.
        var current = rlimit()
        let time = __rlimit_resource_t(RLIMIT_CPU.rawValue)
        // Both calls get a structure of the right type.
        if unsafe getrlimit(time, &current) == 0 {
            current.rlim_max = min(current.rlim_max, 20)
            current.rlim_cur = min(current.rlim_cur, 20)
            _ = unsafe setrlimit(time, &current)
        }
        alarm(30)
        ProcessHardening.confineHelper()
    }

    private static func readFrame() -> [UInt8]? {
        DescriptorStream.standardInput.message(
            atMost: CryptoLimits.frameBytes, isSecret: true, size: HelperFrameHeader.minimumFrameSize)
    }

    private static func fail(_ text: String, status: Int32) -> Never {
        try? DescriptorStream.standardError.write(text.utf8)
        exit(status)
    }
}
