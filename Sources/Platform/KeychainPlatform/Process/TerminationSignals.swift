// SPDX-License-Identifier: Apache-2.0

internal import CKeychainPlatform
internal import Glibc
public import KeychainEndpoint

/// SIGTERM and SIGINT as a descriptor to poll, instead of a handler that interrupts the program at any point.
public final class TerminationSignals: Sendable {
    private let signals: OwnedDescriptor

    /// Blocks the signals in the calling thread and those started later. Call before threads exist; otherwise another
    /// thread gets the signal and the process ends.
    public init() throws(SystemCallError) {
        var set = sigset_t()
        // This function owns the set, which lives for the calls.
        unsafe sigemptyset(&set)
        for number in [SIGTERM, SIGINT] { unsafe sigaddset(&set, number) }
        let failure = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        guard failure == 0 else { throw SystemCallError(call: "pthread_sigmask", code: failure) }
        signals = try OwnedDescriptor(unsafe ckp_signalfd(&set), from: "signalfd")
    }

    /// Readable when a signal has arrived.
    public var descriptor: Int32 { signals.number }

    /// Calls the body once on another thread, when a signal has arrived or one of the other descriptors is readable. It
    /// uses a thread because a queue of libdispatch would open files.
    ///
    /// Throws EAGAIN if the system cannot create a thread.
    public func whenOneArrives(
        or others: [Int32] = [], _ body: @escaping @Sendable () -> Void
    ) throws(SystemCallError) {
        let isStarted = SystemThread.start { [self] in
            while true {
                let ready = try? Readiness.wait(for: others + [descriptor])
                if ready?.isEmpty == false { return body() }
            }
        }
        guard isStarted else { throw SystemCallError(call: "pthread_create", code: EAGAIN) }
    }

    /// Returns the signal that has arrived, or nil; does not wait.
    public func next() -> Int32? {
        // struct signalfd_siginfo, which begins with the number of the signal (signalfd(2)).
        var information = [32 of UInt32](repeating: 0)
        let size = MemoryLayout.size(ofValue: information)
        // The kernel writes at most the size.
        guard unsafe read(signals.number, &information, size) == size else { return nil }
        return Int32(bitPattern: information[0])
    }
}
