// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainStore

/// How long the next entry has to wait after wrong ones.
enum AttemptDelay {
    /// In nanoseconds. The time of day can be set, so it counts only at the first look of this process: from then on the delay ends by the
    /// clock that no process sets. Where the time of day was set back since the last wrong entry, the delay begins anew at that look
    /// instead of lasting until the time of day has caught up.
    ///
    /// - Parameters:
    ///   - notBefore: until when entries are refused, by the clock that no process sets. Nil before the first look, which sets it.
    ///   - now: by that clock, in nanoseconds.
    ///   - date: the time of day.
    static func remaining(
        after attempts: Attempts, notBefore: inout UInt64?, now: @autoclosure () -> UInt64,
        date: @autoclosure () -> Timestamp
    ) -> UInt64 {
        let delay = AttemptSchedule.delay(afterFailures: attempts.failed).nanoseconds
        guard delay > 0 else { return 0 }
        let now = now()
        if let notBefore { return notBefore > now ? notBefore - now : 0 }
        let passed = date().secondsSinceReferenceDate - attempts.last.secondsSinceReferenceDate
        let rest = passed > 0 ? max(0, Double(delay) - passed * 1_000_000_000) : Double(delay)
        let remaining = UInt64(rest)
        notBefore = now + remaining
        return remaining
    }

    /// For people: rounded up.
    static func wholeSeconds(_ nanoseconds: UInt64) -> UInt32 {
        UInt32(clamping: (nanoseconds + 999_999_999) / 1_000_000_000)
    }
}
