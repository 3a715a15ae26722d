// SPDX-License-Identifier: Apache-2.0

internal import CKeychainPlatform
internal import Glibc
public import KeychainEndpoint

/// The rights that a process with keys gives up, in the order of the functions here. The program logs each outcome.
public enum ProcessHardening {
    public enum Effect: Hashable, Sendable {
        case applied
        /// This kernel does not support it (or was built without it).
        case notSupported(SystemCallError)
        /// The kernel supports it and refused the call.
        case refused(SystemCallError)
    }

    /// Restores the kernel's handling of crash signals. Call first in main, because Swift's backtracer prints the
    /// memory behind each register.
    public static func resetCrashSignals() -> Effect {
        outcome("signal") {
            [SIGSEGV, SIGILL, SIGABRT, SIGFPE, SIGBUS, SIGTRAP, SIGSYS].map { setAction($0, SIG_DFL) }.min() ?? 0
        }
    }

    /// Ignores SIGPIPE, because a client that closes its connection must not end the service.
    public static func ignoreBrokenPipes() -> Effect {
        outcome("signal") { setAction(SIGPIPE, SIG_IGN) }
    }

    /// Closes inherited descriptors, for a service that another program started. Do not call it after socket
    /// activation, whose descriptor is number 3.
    ///
    /// - Parameter first: the lowest descriptor that is closed.
    public static func closeInheritedDescriptors(from first: Int32 = 3) -> Effect {
        outcome("close_range") { ckp_close_from(first) }
    }

    /// Disables core files, and prevents processes of the same user from attaching to this one and reading its memory.
    public static func disableCoreDumps() -> Effect {
        let limited = disableCoreFiles()
        guard limited == .applied else { return limited }
        return outcome("prctl") { ckp_set_dumpable(0) }
    }

    /// Disables core files alone, for a program that the keychain service must be able to inspect.
    public static func disableCoreFiles() -> Effect {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        // The kernel reads the structure. Lowering a limit never fails.
        return outcome("setrlimit") { unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) }
    }

    /// Raises the limit of descriptors to the maximum that the service manager allows, for a service of many users.
    public static func raiseDescriptorLimit() -> Effect {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        // The kernel writes the structure, then reads it. The soft limit may always be raised to the hard one.
        let read = outcome("getrlimit") { unsafe getrlimit(kind, &limit) }
        guard read == .applied else { return read }
        limit.rlim_cur = limit.rlim_max
        return outcome("setrlimit") { unsafe setrlimit(kind, &limit) }
    }

    /// The number of descriptors that the process may have at once.
    public static var descriptorLimit: Int {
        var limit = rlimit()
        // The kernel writes the structure. Cannot fail: the kind exists everywhere.
        _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }

    public static func forbidNewPrivileges() -> Effect {
        outcome("prctl") { ckp_set_no_new_privileges() }
    }

    /// Installs a seccomp filter for all threads: calls outside the list of sandbox.c fail, with EPERM, or with ENOSYS
    /// if they are newer than the list. The list excludes access to other processes' memory, kernel interfaces, mounts
    /// and namespaces, all sockets except Unix sockets, and starting programs.
    ///
    /// `allowingPrograms` permits execve, for a service that starts prompters itself; they inherit the filter. Call
    /// ``forbidNewPrivileges()`` before.
    public static func forbidSystemCalls(allowingPrograms: Bool = false) -> Effect {
        outcome("seccomp") { ckp_seccomp_restrict(allowingPrograms) }
    }

    /// Confines this thread, and those it starts, with Landlock: they can open no more files. For a helper that has
    /// opened all files it needs.
    ///
    /// **Not for a process that inspects callers.** A process in a Landlock domain may inspect only processes of the
    /// same domain or of one inside it, and that covers /proc. Tested on Linux 6.18 with a ruleset that handles nothing
    /// but EXECUTE, as root with all capabilities and as uid 1500 inspecting its own process: stat, readlink and open
    /// of /proc/PID/exe and stat of ns/user fail with EACCES, for uid 1500 also open of auxv; all of them work without
    /// the domain, and for processes inside it. `CAP_SYS_PTRACE` does not help, no rule can make an exception, and
    /// later domains can only be narrower. Restricting only the other threads would confine little, because code that
    /// runs in one thread can write the stacks of all.
    ///
    /// So the service does not use it. It keeps the seccomp filter, and leaves the file system to its unit: a system
    /// unit's ProtectSystem= and ReadWritePaths= work through a mount namespace, which does not prevent inspection;
    /// those of a user unit create a user namespace, which does.
    public static func forbidFiles() -> Effect { outcome("landlock") { ckp_landlock_forbid_files() } }

    /// Protects the memory of a helper program. Called first in main, before the program has a secret. Protections that
    /// the kernel does not support are left out.
    public static func protectHelper() {
        _ = resetCrashSignals()
        _ = disableCoreDumps()
        _ = closeInheritedDescriptors()
        _ = ignoreBrokenPipes()
    }

    /// Restricts a helper program that has opened all files it needs: it opens no more files and starts no programs.
    /// Restrictions that the kernel does not support are left out; the filter of the service that started the program
    /// is active already, because child processes inherit it.
    public static func confineHelper() {
        _ = forbidNewPrivileges()
        _ = forbidFiles()
        _ = forbidSystemCalls()
    }

    /// Whether other processes of the user may attach to this one, and a crash would write a core dump.
    public static var isDumpable: Bool { ckp_get_dumpable() != 0 }

    private static func setAction(_ number: Int32, _ handler: __sighandler_t?) -> Int32 {
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = handler
        // The kernel reads the structure.
        return unsafe sigaction(number, &action, nil)
    }

    private static func outcome(_ call: String, _ body: () -> Int32) -> Effect {
        guard body() != 0 else { return .applied }
        let error = SystemCallError.last(call)
        switch error.code {
        case ENOSYS, EOPNOTSUPP, EINVAL: return .notSupported(error)
        default: return .refused(error)
        }
    }
}
