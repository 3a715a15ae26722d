// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A thread that waits in system calls, outside the pools that run tasks.
public enum SystemThread {
    /// Enough for the deepest call of a session (SQLite's sorter), and small enough for hundreds of threads.
    private static let stackBytes = 512 * 1024

    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a detached thread. Returns false if the system cannot create one.
    public static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        guard unsafe pthread_attr_init(&attributes) == 0 else { return false }
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        unsafe pthread_attr_setstacksize(&attributes, stackBytes)
        // The new thread takes over the reference; if no thread starts, the reference is released here.
        let context = unsafe Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread, &attributes,
            { context in
                unsafe Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
                // Wiped here, because a body may end early, for example when a client closes its connection.
                ProgramMemory.wipeStackAndRegisters()
                return nil
            }, context.toOpaque())
        guard result == 0 else {
            unsafe context.release()
            return false
        }
        return true
    }

    /// Lowers the priority of the calling thread below all others, for work that no request waits for. The kernel has
    /// priorities for each thread; if it refuses, the work only takes time from others.
    public static func giveWay() {
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
    }
}
