// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainStore

/// How long the next entry has to wait after wrong ones.
enum AttemptDelay {
    /// In nanoseconds. The clock of the day may be set, so it counts only until this process has seen a wrong entry itself;
    /// and where it was set back, the delay begins anew instead of lasting until it has caught up.
    ///
    /// - Parameters:
    ///   - notBefore: until when entries are refused, by the clock that nobody sets; nil: as the attempts say.
    ///   - now: by that clock, in nanoseconds.
    ///   - date: the time of day.
    static func remaining(
        after attempts: Attempts, notBefore: UInt64?, now: @autoclosure () -> UInt64, date: @autoclosure () -> Timestamp
    ) -> UInt64 {
        let delay = AttemptSchedule.delay(afterFailures: attempts.failed).nanoseconds
        guard delay > 0 else { return 0 }
        if let notBefore {
            let now = now()
            return notBefore > now ? notBefore - now : 0
        }
        let passed = date().secondsSinceReferenceDate - attempts.last.secondsSinceReferenceDate
        guard passed > 0 else { return delay }
        let rest = Double(delay) - passed * 1_000_000_000
        return rest > 0 ? UInt64(rest) : 0
    }

    /// For people: rounded up.
    static func wholeSeconds(_ nanoseconds: UInt64) -> UInt32 {
        UInt32(clamping: (nanoseconds + 999_999_999) / 1_000_000_000)
    }
}
