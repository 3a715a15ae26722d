// SPDX-License-Identifier: Apache-2.0

@preconcurrency @unsafe internal import Glibc
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
            write(usage, to: STDOUT_FILENO)
            return
        default: fail(usage, status: EX_USAGE)
        }
        confine()
        guard let request = readFrame() else { fail("error: no request on standard input\n", status: EX_DATAERR) }
        let answer = await TrustService().answer(request)
        guard write(answer, to: STDOUT_FILENO) else { fail("error: cannot write the answer\n", status: EX_IOERR) }
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

    /// Reads one frame; nil if the input ends too early or is not a frame.
    private static func readFrame() -> [UInt8]? {
        var bytes: [UInt8] = []
        while true {
            guard let size = try? HelperFrameHeader.frameSize(bytes) ?? HelperFrameHeader.size else { return nil }
            if bytes.count == size { return bytes }
            var count = 0
            // read writes no more than the capacity, and the array takes ownership of the written bytes.
            let part = unsafe [UInt8](unsafeUninitializedCapacity: min(size - bytes.count, 1 << 16)) { buffer, length in
                repeat {
                    count = unsafe read(STDIN_FILENO, buffer.baseAddress, buffer.count)
                } while count < 0 && errno == EINTR
                length = max(0, count)
            }
            guard count > 0 else { return nil }
            bytes += part
        }
    }

    @discardableResult
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            // The bytes stay valid during the call.
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
