// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes
internal import KeychainEndpoint
internal import SSHAgent
internal import SSHAgentProtocol

/// OpenSSH's program ssh-sk-helper, which talks to security keys: one process for each signature.
enum SecurityKeyHelper {
    /// The version of the helper's messages, in OpenSSH 8.6 and later.
    private static let version: UInt8 = 5
    /// Request for a signature.
    private static let signing: UInt32 = 1
    private static let failure: UInt32 = 0
    /// OpenSSH's number for a missing or wrong PIN.
    private static let wrongPIN: UInt32 = 43
    /// The user must touch the security key meanwhile.
    private static let timeout = Duration.seconds(120)
    private static let replyBytes = 256 << 10

    private static let helper = HelperProgram(
        name: "ssh-sk-helper",
        candidates: [
            "/usr/lib/openssh/ssh-sk-helper", "/usr/libexec/ssh-sk-helper", "/usr/libexec/openssh/ssh-sk-helper",
            "/usr/lib/ssh/ssh-sk-helper",
        ])

    /// Signs, and asks for the PIN if the security key requires one.
    static func sign(_ work: SecurityKeyWork, _ turns: PromptTurns) throws(AgentError) -> [UInt8] {
        if let signature = try signature(work, pin: []) { return signature }
        let pin: [UInt8]?
        do throws(AgentError) {
            pin = try turns.take(by: work.client) { () throws(AgentError) in
                try AskPass.secret("Enter the PIN of the security key for the key ‘\(work.key.printableComment)’: ")
            }
        } catch {
            throw AgentError("the security key requires a PIN: \(error)")
        }
        guard let pin else { throw AgentError("the security key requires a PIN, and the user did not enter it") }
        guard let signature = try signature(work, pin: pin) else { throw AgentError("the PIN is wrong") }
        return signature
    }

    /// Returns the signature; nil if the security key requires another PIN.
    private static func signature(_ work: SecurityKeyWork, pin: [UInt8]) throws(AgentError) -> [UInt8]? {
        let reply: [UInt8]
        do throws(HelperError) {
            reply = try helper.answer(to: request(work, pin), timeout: timeout) { bytes in
                guard bytes.count >= 4 else { return nil }
                let size = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
                guard size <= replyBytes else { throw ByteError.tooLarge }
                return 4 + size
            }
        } catch {
            throw AgentError("the helper for security keys does not answer: \(error)")
        }
        let answer: Result<[UInt8], HelperFailure>
        do throws(ByteError) {
            answer = try read(reply)
        } catch {
            throw AgentError("the answer of the helper for security keys is of another version")
        }
        switch answer {
        case .success(let signature): return signature
        case .failure(let error) where error.code == wrongPIN: return nil
        case .failure(let error):
            throw AgentError("the security key did not sign, with error \(error.code) of OpenSSH")
        }
    }

    private struct HelperFailure: Error {
        let code: UInt32
    }

    private static func read(_ reply: [UInt8]) throws(ByteError) -> Result<[UInt8], HelperFailure> {
        var reader = ByteReader<ByteError>(reply, from: 4, to: reply.count)
        guard try reader.u8() == version else { throw .malformed }
        switch try reader.u32() {
        case signing:
            let signature = try reader.bytes(atMost: replyBytes)
            try reader.finish()
            return .success(signature)
        case failure: return .failure(HelperFailure(code: try reader.u32()))
        default: throw .malformed
        }
    }

    private static func request(_ work: SecurityKeyWork, _ pin: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(reserving: 512 + work.data.count)
        writer.u32(0)
        writer.u8(version)
        writer.u32(signing)
        // Whether it logs to standard error, and how much.
        writer.u8(0)
        writer.u32(0)
        writer.block(work.handle.serializedKey)
        writer.block(work.provider ?? "internal")
        writer.block(work.data)
        // The algorithm of the key.
        writer.block("")
        // Compatibility with older servers.
        writer.u32(0)
        writer.block(pin)
        writer.replace(at: 0, with: UInt32(writer.bytes.count - 4))
        return writer.bytes
    }
}
