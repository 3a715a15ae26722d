// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A thread that waits in system calls, outside the pools that run tasks.
public enum SystemThread {
    /// Enough for the deepest call of a session (SQLite's sorter), and little enough for hundreds of threads.
    private static let stackBytes = 512 * 1024

    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a detached thread. False when the system has none to give.
    public static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        guard unsafe pthread_attr_init(&attributes) == 0 else { return false }
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        unsafe pthread_attr_setstacksize(&attributes, stackBytes)
        // The new thread takes the reference over; when there is no new thread, it is taken back here.
        let context = unsafe Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread, &attributes,
            { context in
                unsafe Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
                // Here, because a body may end in the middle of its work: when a client is gone, for example.
                ProgramMemory.wipeStackAndRegisters()
                return nil
            }, context.toOpaque())
        guard result == 0 else {
            unsafe context.release()
            return false
        }
        return true
    }

    /// Lets all other threads go before the calling one from now on: for what nobody waits for. The kernel has priorities for each
    /// thread; where it refuses, nothing is lost but time.
    public static func giveWay() {
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
    }
}
