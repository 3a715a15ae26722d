// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing

@testable import KeychainServer

/// The callbacks of the service for pending work.
struct CallbackTests {
    @Test func `a function is called as often as wanted, each time with the same stack`() {
        let count = Mutex(0)
        let callback = Callback<Int>()
        callback(1)
        callback.set { number in count.withLock { $0 += number } }
        // A function in a Mutex of its own ends the process here: it is wrapped once more at each call.
        for _ in 0..<200_000 { callback(1) }
        #expect(count.withLock(\.self) == 200_000)
    }
}
