// SPDX-License-Identifier: Apache-2.0

internal import CKeychainPlatform
internal import Glibc
public import KeychainEndpoint

/// What a process that holds keys gives up, in the order of the functions here. The program logs each outcome.
public enum ProcessHardening {
    public enum Outcome: Hashable, Sendable {
        case applied
        /// This kernel has no such thing (or was built without it).
        case notSupported(SystemCallError)
        /// The kernel has it and did not let us.
        case refused(SystemCallError)
    }

    /// Gives crashes back to the kernel. First thing in main: Swift's backtracer prints the memory behind each register.
    public static func resetCrashSignals() -> Outcome {
        outcome("signal") {
            [SIGSEGV, SIGILL, SIGABRT, SIGFPE, SIGBUS, SIGTRAP, SIGSYS].map(ckp_default_signal).min() ?? 0
        }
    }

    /// A client that goes away must not end the service.
    public static func ignoreBrokenPipes() -> Outcome {
        outcome("signal") { ckp_ignore_signal(SIGPIPE) }
    }

    /// For a service that a program started: descriptors of that program that were not meant for it. Not after socket
    /// activation, whose descriptor is number 3.
    ///
    /// - Parameter first: the lowest descriptor that is closed.
    public static func closeInheritedDescriptors(from first: Int32 = 3) -> Outcome {
        outcome("close_range") { ckp_close_from(first) }
    }

    /// No core file, and no attaching or reading of memory by processes of the same user.
    public static func disableCoreDumps() -> Outcome {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        // The kernel reads the structure. A lower limit than allowed is never refused.
        let limited = outcome("setrlimit") { unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) }
        guard limited == .applied else { return limited }
        return outcome("prctl") { ckp_set_dumpable(0) }
    }

    /// For a service of many users: as many descriptors as the service manager allows, instead of as many as are usual.
    public static func raiseDescriptorLimit() -> Outcome {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        // The kernel writes the structure, then reads it. The soft limit may always become the hard one.
        let read = outcome("getrlimit") { unsafe getrlimit(kind, &limit) }
        guard read == .applied else { return read }
        limit.rlim_cur = limit.rlim_max
        return outcome("setrlimit") { unsafe setrlimit(kind, &limit) }
    }

    /// How many descriptors the process may have at once.
    public static var descriptorLimit: Int {
        var limit = rlimit()
        // The kernel writes the structure. Cannot fail: the kind exists everywhere.
        _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }

    public static func forbidNewPrivileges() -> Outcome {
        outcome("prctl") { ckp_set_no_new_privileges() }
    }

    /// A seccomp filter for all threads: calls that are not in the list of sandbox.c fail, with EPERM, or with ENOSYS where they are
    /// newer than the list. Other processes' memory, kernel interfaces, mounts and namespaces are not in it, nor sockets but Unix
    /// ones, nor starting programs.
    ///
    /// `allowingPrograms` leaves execve alone, for a service that starts prompters itself; they inherit the filter.
    /// Call ``forbidNewPrivileges()`` before.
    public static func forbidSystemCalls(allowingPrograms: Bool = false) -> Outcome {
        outcome("seccomp") { ckp_seccomp_restrict(allowingPrograms) }
    }

    /// Landlock: this thread, and those it starts, write only below `directories`, and start no program.
    ///
    /// **Not for a process that inspects callers.** A domain may look only at processes of the same domain or of one
    /// inside it, and that covers /proc. Tried on Linux 6.18 with a ruleset that handles nothing but EXECUTE, as root
    /// with all capabilities and as uid 1500 looking at a process of its own: stat, readlink and open of /proc/PID/exe
    /// and stat of ns/user fail with EACCES, for uid 1500 open of auxv as well; all of them work without the domain,
    /// and for processes inside it. `CAP_SYS_PTRACE` does not help, no rule can make an exception, and later domains
    /// can only be narrower. Restricting the other threads only would confine little, since code that runs in one
    /// thread writes the stacks of all.
    ///
    /// So the service does without it, keeps the seccomp filter, and leaves the file system to its unit (a system
    /// unit's ProtectSystem= and ReadWritePaths= work through a mount namespace, which does not stand in the way; those
    /// of a user unit bring a user namespace, and that does). Helpers that look at nobody should call this.
    public static func confineWrites(to directories: [String]) -> Outcome {
        let paths = unsafe directories.map { unsafe strdup($0) }
        defer { unsafe paths.forEach { unsafe free($0) } }
        // The strings live across the call, and the shim reads as many as it is told.
        let pointers = unsafe paths.map { unsafe UnsafePointer($0) }
        return outcome("landlock") { unsafe ckp_landlock_confine_writes(pointers, pointers.count) }
    }

    /// Landlock: this thread, and those it starts, open no file any more. For a helper that has all it needs.
    public static func forbidFiles() -> Outcome { outcome("landlock") { ckp_landlock_forbid_files() } }

    /// Whether other processes of the user may attach to this one, and a crash would be dumped.
    public static var isDumpable: Bool { ckp_get_dumpable() != 0 }

    private static func outcome(_ call: String, _ body: () -> Int32) -> Outcome {
        guard body() != 0 else { return .applied }
        let error = SystemCallError.last(call)
        switch error.code {
        case ENOSYS, EOPNOTSUPP, EINVAL: return .notSupported(error)
        default: return .refused(error)
        }
    }
}
