// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Blocks the signals that would end or stop the process while the terminal's echo is off, and delivers them
/// afterwards.
enum SignalGuard {
    private static let guarded = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]

    /// The last signal that arrived. A handler may only do such a store; it runs in the one thread of the program, and
    /// only inside pselect.
    nonisolated(unsafe) private static var received: Int32 = 0

    /// Runs a closure that receives signals only while it waits with the given mask.
    ///
    /// - Returns: nil if a signal that did not end the process interrupted the closure.
    static func reading<R, E: Error>(
        _ body: (_ mask: sigset_t) throws(E) -> R?
    ) throws(E) -> R? {
        let result: R?
        do {
            var blocked = sigset_t()
            var original = sigset_t()
            // This function owns all structures, and they live for the calls; the handler writes one integer.
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

    /// Installs the handler and returns the previous action. An ignored signal stays ignored.
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
