// SPDX-License-Identifier: Apache-2.0

@preconcurrency @unsafe internal import Glibc
internal import KeychainEndpoint
internal import KeychainHelperWire
internal import TrustEvaluation

/// The main program: reads one request from standard input, writes its answer to standard output, and ends.
@main struct TrustProgram {
    private static let usage = """
        usage: chatelaine-trust <request >answer

        Evaluates the trust of certificates for programs that use Chatelaine. Those programs start it; do not run it by hand.
        See chatelaine-trust(8).

        """

    static func main() async {
        switch CommandLine.arguments.dropFirst() {
        case []: break
        case ["--help"], ["-h"]:
            try? DescriptorStream.standardOutput.write(usage.utf8)
            return
        default: fail(usage, status: EX_USAGE)
        }
        confine()
        guard let request = readFrame() else { fail("error: no request on standard input\n", status: EX_DATAERR) }
        let answer = await TrustService().answer(request)
        guard (try? DescriptorStream.standardOutput.write(answer)) != nil else {
            fail("error: cannot write the answer\n", status: EX_IOERR)
        }
    }

    /// Restricts the process, because the certificates are untrusted input: it limits their cost, and closes the
    /// descriptors of the calling program.
    private static func confine() {
        for descriptor in Int32(3)..<1024 { close(descriptor) }
        // In bytes and seconds. A lower limit that is already set stays.
        limit(__rlimit_resource_t(RLIMIT_CPU.rawValue), to: 20)
        limit(__rlimit_resource_t(RLIMIT_CORE.rawValue), to: 0)
        alarm(30)
    }

    private static func limit(_ resource: __rlimit_resource_t, to value: rlim_t) {
        var current = rlimit()
        // Both calls get a structure of the right type.
        guard unsafe getrlimit(resource, &current) == 0 else { return }
        current.rlim_max = min(current.rlim_max, value)
        current.rlim_cur = min(current.rlim_cur, value)
        _ = unsafe setrlimit(resource, &current)
    }

    private static func readFrame() -> [UInt8]? {
        DescriptorStream.standardInput.message(size: HelperFrameHeader.minimumFrameSize)
    }

    private static func fail(_ text: String, status: Int32) -> Never {
        try? DescriptorStream.standardError.write(text.utf8)
        exit(status)
    }
}
