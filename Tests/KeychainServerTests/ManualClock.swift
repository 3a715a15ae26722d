// SPDX-License-Identifier: Apache-2.0

import KeychainPlatform
import Synchronization

/// A clock that the test advances.
final class ManualClock: Sendable {
    private let now: Mutex<UInt64>

    init(_ nanoseconds: UInt64) { now = Mutex(nanoseconds) }

    var clock: MonotonicClock { MonotonicClock { [self] in now.withLock { $0 } } }

    func advance(_ nanoseconds: UInt64) { now.withLock { $0 += nanoseconds } }
}
