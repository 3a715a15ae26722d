// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainPolicy
internal import KeychainStore
internal import SecretMemory
internal import Synchronization

/// Counts wrong PINs of a device key, and delays the next PIN by the schedule of passcodes. The count is in a file
/// beside the key (Documentation/Formats/device-key.md), because without the key no database can be opened for it.
final class PINGate: Sendable {
    private let path: String
    private let wallClock: @Sendable () -> Timestamp
    private let clock: MonotonicClock
    private let log: @Sendable (String) -> Void
    /// Held while a PIN is checked: each is counted before.
    private let turn = Mutex(())
    /// The time until which PINs are refused, by the monotonic clock. Nil before the first check of the delay in the
    /// file.
    private let notBefore = Mutex<UInt64?>(nil)

    init(
        _ path: String, wallClock: @escaping @Sendable () -> Timestamp, clock: MonotonicClock,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.path = path
        self.wallClock = wallClock
        self.clock = clock
        self.log = log
    }

    /// The state of the last entries. Does not wait.
    var report: TokenReport.PIN {
        let attempts = recorded()
        return TokenReport.PIN(
            failedAttempts: attempts.failed, retryAfterSeconds: AttemptDelay.wholeSeconds(remainingDelay(attempts)))
    }

    /// Tries a PIN: counts it first, then verifies it.
    ///
    /// - Parameter body: throws `wrongPIN` for a wrong PIN. Any other error means that no PIN was tried.
    /// - Throws: the errors of `body`; `errSecAuthFailed` with `tooManyAttempts`; `errSecIO` if the count cannot be
    ///   written.
    func trying<R: Sendable>(_ body: () throws(Refusal) -> R) throws(Refusal) -> R {
        let result: Result<R, Refusal> = turn.withLock { _ in
            do throws(Refusal) { return .success(try tryOnce(body)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private func tryOnce<R>(_ body: () throws(Refusal) -> R) throws(Refusal) -> R {
        let before = recorded()
        guard remainingDelay(before) == 0 else { throw Refusal(.authenticationFailed, .tooManyAttempts) }
        let failed = before.failed < .max ? before.failed + 1 : .max
        try record(Attempts(failed: failed, last: wallClock()))
        let result: R
        do throws(Refusal) {
            result = try body()
        } catch {
            if error.reason == .wrongPIN {
                notBefore.withLock {
                    $0 = clock.nanoseconds() + AttemptSchedule.delay(afterFailures: failed).nanoseconds
                }
                if failed >= 5 { log("\(failed) wrong entries of the device key's PIN in a row") }
            } else {
                try record(before)
            }
            throw error
        }
        notBefore.withLock { $0 = nil }
        try record(Attempts())
        return result
    }

    private func remainingDelay(_ attempts: Attempts) -> UInt64 {
        notBefore.withLock { notBefore in
            AttemptDelay.remaining(
                after: attempts, notBefore: &notBefore, now: clock.nanoseconds(), date: wallClock())
        }
    }

    // MARK: The file

    private static let magic: [UInt8] = Array("CHTLTRY".utf8) + [1]
    private static let size = 20 + SHA256.byteCount

    /// Returns the recorded attempts. The file exists only while there are wrong entries. A damaged file counts as the
    /// number of attempts after which the next wrong one causes a delay: so damage does not lock out the owner, and
    /// causing damage does not allow faster guessing.
    private func recorded() -> Attempts {
        let content: [UInt8]
        do throws(DurableFile.Error) {
            content = Array(try DurableFile.read(path, limit: Self.size).bytes)
        } catch {
            if case .missing = error { return Attempts() }
            content = []
        }
        let fields = Array(content.prefix(20))
        guard content.count == Self.size, fields.starts(with: Self.magic),
            SHA256.hash(data: fields).elementsEqual(content.suffix(SHA256.byteCount))
        else { return Attempts(failed: 5) }
        let failed = fields[8..<12].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let date = fields[12..<20].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Attempts(failed: failed, last: Timestamp(secondsSinceReferenceDate: Double(bitPattern: date)))
    }

    private func record(_ attempts: Attempts) throws(Refusal) {
        do throws(DurableFile.Error) {
            guard attempts.failed > 0 else { return try DurableFile.remove(path) }
            var content = Self.magic
            for shift in stride(from: 24, through: 0, by: -8) {
                content.append(UInt8(truncatingIfNeeded: attempts.failed >> UInt32(shift)))
            }
            let date = attempts.last.secondsSinceReferenceDate.bitPattern
            for shift in stride(from: 56, through: 0, by: -8) {
                content.append(UInt8(truncatingIfNeeded: date >> UInt64(shift)))
            }
            content += SHA256.hash(data: content)
            try DurableFile.replace(path, contents: SecretBytes(copying: content))
        } catch {
            throw error.refusal
        }
    }
}
