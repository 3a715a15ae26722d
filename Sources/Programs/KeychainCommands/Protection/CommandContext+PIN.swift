// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

/// The PIN of the device key.
struct PINOptions: ParsableArguments {
    @Option(
        name: .customLong("pin-fd"),
        help: ArgumentHelp("Read the PIN of the device key from this file descriptor.", valueName: "n"))
    private(set) var descriptor: Int32?
}

extension CommandContext {
    /// Opens the device key of a keychain that waits for its PIN; does nothing for other keychains.
    ///
    /// - Parameter given: the PIN; nil: the user is prompted.
    /// - Returns: the state of the keychain afterwards.
    func openDeviceKey(_ given: SecretBytes?, _ source: SecretSource) throws(CommandFailure) -> LockState {
        let state = try administer { client throws(ClientError) in try client.lockState() }
        guard state == .awaitingPIN else { return state }
        let pin: SecretBytes
        if let given { pin = given } else { pin = try source.text(.pin, descriptor: nil) }
        return try enteringPIN { client throws(ClientError) in
            try client.openDeviceKey(pin: pin)
            return try client.lockState()
        }
    }

    /// Sends a request with a PIN.
    ///
    /// - Throws: a failure; after a wrong PIN it states what happens with the next one.
    func enteringPIN<R>(_ body: (KeychainClient) throws(ClientError) -> R) throws(CommandFailure) -> R {
        do throws(ClientError) {
            return try body(client)
        } catch {
            throw failureOfPIN(error)
        }
    }

    private func failureOfPIN(_ error: ClientError) -> CommandFailure {
        guard case .refused(let refusal) = error,
            [.wrongPIN, .tooManyAttempts, .tokenLockedOut].contains(refusal.reason),
            let report = try? client.tokens(), let pin = report.pin,
            // Otherwise it is the delay of the passcode.
            refusal.reason != .tooManyAttempts || pin.retryAfterSeconds > 0
        else { return CommandFailure(error, message: statusMessage) }
        return CommandFailure(
            refusal.reason.explanation ?? statusMessage(refusal.status.rawValue), hint: Self.outlook(report),
            exitCode: .refused)
    }

    /// Returns what happens with the next PIN.
    private static func outlook(_ report: TokenReport) -> String? {
        let kind: TokenReport.Token.Kind = report.deviceKey == .tpm ? .tpm : .software
        var lockout: TokenReport.Lockout?
        if case .available(let facts) = report.tokens.first(where: { $0.kind == kind })?.state {
            lockout = facts.lockout
        }
        if let lockout, lockout.failures >= lockout.limit {
            return "the TPM accepts the next PIN in \(spanText(seconds: UInt64(lockout.interval)))"
        }
        if let wait = report.pin?.retryAfterSeconds, wait > 0 {
            return "the next PIN is accepted in \(spanText(seconds: UInt64(wait)))"
        }
        let failed = report.pin?.failedAttempts ?? 0
        let own = entriesWithoutDelay + 1 - min(failed, entriesWithoutDelay)
        let left = min(own, lockout.map { $0.limit - $0.failures } ?? own)
        return left == 1
            ? "after one more wrong PIN you must wait before the next attempt"
            : "after \(left) more wrong PINs you must wait before the next attempt"
    }
}

extension TokenReport.PIN {
    /// The attempts in the form used for passcodes.
    var attempts: ProtectorReport {
        ProtectorReport(protectors: [], failedAttempts: failedAttempts, retryAfterSeconds: retryAfterSeconds)
    }
}
