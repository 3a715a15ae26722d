// SPDX-License-Identifier: Apache-2.0

internal import DBus
internal import Synchronization

/// A mailbox from other threads to the thread that waits for the bus.
final class Mailbox: Sendable {
    enum Letter: Sendable {
        case lockFinished(LockResult)
        /// The answer to a request for an inhibitor, with the request's number.
        case inhibitor(Result<Descriptor, BusError>, request: Int)
    }

    let wakeup: Wakeup
    private let letters = Mutex<[Letter]>([])

    init() throws(SystemError) {
        wakeup = try Wakeup()
    }

    func post(_ letter: Letter) {
        letters.withLock { $0.append(letter) }
        wakeup.wake()
    }

    /// Returns all posted letters.
    func take() -> [Letter] {
        // The order matters: a letter that is posted after this call wakes the thread again.
        wakeup.clear()
        return letters.withLock { list in
            defer { list = [] }
            return list
        }
    }
}
