// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainStore

/// The delay of the next entry after failed ones.
enum AttemptDelay {
    /// Returns the remaining delay in nanoseconds. The wall clock can be set, so it counts only at the first check of
    /// this process; from then on the delay is measured by the monotonic clock. If the wall clock was set back since
    /// the last failed entry, the delay starts again at that check instead of lasting until the wall clock has caught
    /// up.
    ///
    /// - Parameters:
    ///   - notBefore: the time until which entries are refused, by the monotonic clock. Nil before the first check,
    ///     which sets it.
    ///   - now: the time of that clock, in nanoseconds.
    ///   - date: the time of the wall clock.
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

    /// Returns the delay in whole seconds for display: rounded up.
    static func wholeSeconds(_ nanoseconds: UInt64) -> UInt32 {
        UInt32(clamping: (nanoseconds + 999_999_999) / 1_000_000_000)
    }
}
