// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
public import KeychainHelperWire
internal import KeychainPlatform
internal import SecretMemory

/// A token's side of its conversation with the service: requests on standard input, answers on standard output.
public struct TokenConversation {
    public init() {}

    /// Protects the process. A token calls it first in main, before the process has keys.
    public static func harden() {
        ProcessHardening.protectHelper()
    }

    /// Restricts the process. A token calls it after it has opened all files that it needs. Restrictions that the
    /// kernel does not support are left out; the service's own filter is active already, because child processes
    /// inherit it.
    public static func confine() {
        ProcessHardening.confineHelper()
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
            guard (try? DescriptorStream.standardOutput.write(bytes)) != nil, goesOn else { return }
        }
    }

    private func readFrame() -> [UInt8]? {
        DescriptorStream.standardInput.message(
            atMost: TokenLimits.frameBytes, isSecret: true, size: HelperFrameHeader.minimumFrameSize)
    }
}
