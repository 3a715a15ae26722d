// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import FoundationEssentials
internal import SSHAgentProtocol

/// The lock of the agent (`ssh-add -x`). It is a promise of the agent alone: the keys stay in its memory.
struct AgentLock {
    /// The salted digest of the passphrase. A slow derivation would protect nothing: a process that can read this
    /// memory can read the keys beside it.
    private struct Passphrase {
        let salt: SymmetricKey
        let code: Data
    }

    private var passphrase: Passphrase?
    /// The attempts since the last success.
    private var failureCount: UInt64 = 0
    /// The earliest time of the next attempt, in tenths of a second of the agent's clock.
    private var nextAttempt: UInt64 = 0

    /// Attempts after which the wait does not grow further.
    private static let longestWait: UInt64 = 100

    var isLocked: Bool { passphrase != nil }

    /// Locks the agent.
    ///
    /// - Throws: if it is locked, and for an empty passphrase.
    mutating func lock(_ text: [UInt8], salt: [UInt8]) throws(AgentError) {
        guard !isLocked else { throw AgentError("the agent is locked already") }
        guard !text.isEmpty else { throw AgentError("the passphrase of the lock is empty") }
        let salt = SymmetricKey(data: salt)
        passphrase = Passphrase(
            salt: salt, code: Data(HMAC<SHA256>.authenticationCode(for: text, using: salt)))
    }

    /// Unlocks the agent. After each wrong passphrase the next attempt must wait for a tenth of a second longer, for at
    /// most ten seconds; an earlier one is refused without a comparison.
    ///
    /// - Parameter time: tenths of a second of the agent's clock.
    mutating func unlock(_ text: [UInt8], at time: UInt64) throws(AgentError) {
        guard let passphrase else { throw AgentError("the agent is not locked") }
        guard time >= nextAttempt else {
            throw AgentError("the last wrong passphrase was a moment ago; try again later")
        }
        guard HMAC<SHA256>.isValidAuthenticationCode(passphrase.code, authenticating: text, using: passphrase.salt)
        else {
            failureCount = min(failureCount + 1, Self.longestWait)
            nextAttempt = time + failureCount
            throw AgentError("the passphrase of the lock is wrong")
        }
        self = AgentLock()
    }
}
