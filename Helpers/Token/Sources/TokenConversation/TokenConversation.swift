// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainHelperWire
internal import KeychainPlatform
internal import SecretMemory

/// A token's side of its conversation with the service: requests on standard input, answers on standard output.
public struct TokenConversation {
    public init() {}

    /// Protects the process. A token calls it first in main, before the process has keys.
    public static func harden() {
        _ = ProcessHardening.resetCrashSignals()
        _ = ProcessHardening.disableCoreDumps()
        _ = ProcessHardening.closeInheritedDescriptors()
        _ = ProcessHardening.ignoreBrokenPipes()
    }

    /// Restricts the process. A token calls it after it has opened all files that it needs. Restrictions that the
    /// kernel does not support are left out; the service's own filter is active already, because child processes
    /// inherit it.
    public static func confine() {
        _ = ProcessHardening.forbidNewPrivileges()
        _ = ProcessHardening.forbidFiles()
        _ = ProcessHardening.forbidSystemCalls()
    }

    /// Answers requests until the service ends the conversation or violates the protocol.
    ///
    /// - Parameter answer: returns the answer, and whether to continue after it.
    public func run(_ answer: (TokenRequest) -> (answer: TokenAnswer, goesOn: Bool)) {
        while var frame = readFrame() {
            let request = try? TokenRequest(frame)
            wipe(&frame)
            guard let request else { return }
            let (answer, goesOn) = answer(request)
            var bytes = answer.frame
            defer { wipe(&bytes) }
            guard write(bytes), goesOn else { return }
        }
    }

    /// Reads one frame; nil if the input ends too early or is not a frame.
    private func readFrame() -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(TokenLimits.frameBytes)
        while true {
            guard let size = try? HelperFrameHeader.frameSize(bytes) ?? HelperFrameHeader.size,
                size <= TokenLimits.frameBytes
            else { return nil }
            if bytes.count == size { return bytes }
            var count = 0
            // read writes no more than the capacity, and the array takes ownership of the written bytes.
            var part = unsafe [UInt8](unsafeUninitializedCapacity: size - bytes.count) { buffer, length in
                repeat {
                    count = unsafe read(STDIN_FILENO, buffer.baseAddress, buffer.count)
                } while count < 0 && errno == EINTR
                length = max(0, count)
            }
            guard count > 0 else { return nil }
            bytes += part
            wipe(&part)
        }
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            // The bytes stay valid during the call.
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
