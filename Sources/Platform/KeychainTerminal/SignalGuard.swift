// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Holds back the signals that would end or stop the process while the terminal is silent, and delivers them afterwards.
enum SignalGuard {
    private static let guarded = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]

    /// The last signal that came. A handler may do nothing but such a store; it runs in the one thread of the program,
    /// and only inside pselect.
    nonisolated(unsafe) private static var received: Int32 = 0

    /// Runs a closure that looks for signals only while it waits with the mask that it is given.
    ///
    /// - Returns: nil when the closure was interrupted by a signal that did not end the process.
    static func reading<R, E: Error>(
        _ body: (_ mask: sigset_t) throws(E) -> R?
    ) throws(E) -> R? {
        let result: R?
        do {
            var blocked = sigset_t()
            var original = sigset_t()
            // All structures are ours and live for the calls; the handler touches one integer.
            unsafe sigemptyset(&blocked)
            for signal in guarded { unsafe sigaddset(&blocked, signal) }
            unsafe pthread_sigmask(SIG_BLOCK, &blocked, &original)
            defer { unsafe _ = pthread_sigmask(SIG_SETMASK, &original, nil) }
            unsafe received = 0
            let actions = guarded.map(install)
            defer {
                for (signal, action) in zip(guarded, actions) {
                    var action = action
                    unsafe sigaction(signal, &action, nil)
                }
            }
            result = try body(original)
        }
        if unsafe received != 0 { unsafe raise(received) }
        return result
    }

    /// Gives back the action that was in force. An ignored signal stays ignored.
    private static func install(_ signal: Int32) -> sigaction {
        var previous = sigaction()
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { number in unsafe SignalGuard.received = number }
        unsafe sigaction(signal, &action, &previous)
        if unsafe unsafeBitCast(previous.__sigaction_handler.sa_handler, to: Int.self) == 1 {  // SIG_IGN
            unsafe sigaction(signal, &previous, nil)
        }
        return previous
    }
}
