// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint
public import SecretMemory

/// Functions of a single-threaded program for its own process.
public enum CurrentProcess {
    /// Returns an environment variable's value; nil if it is not set.
    public static func environmentVariable(_ name: String) -> String? {
        // Copied immediately; a single-threaded program cannot change the environment meanwhile.
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// Sets or removes an environment variable for the programs that this one starts.
    public static func setEnvironmentVariable(_ name: String, _ value: String?) {
        // Both calls copy or only read; the program has one thread.
        if let value { unsafe setenv(name, value, 1) } else { unsafe unsetenv(name) }
    }

    /// The user's home folder in the user database; nil for a user without an entry.
    public static var accountHome: String? {
        // Copied immediately; the program has one thread.
        guard let entry = unsafe getpwuid(geteuid()), let home = unsafe entry.pointee.pw_dir else { return nil }
        return unsafe String(cString: home)
    }

    /// Restricts a helper program that handles secrets: no core dump, crash signals handled by the kernel, a time
    /// limit, and all descriptors closed except the three standard ones.
    ///
    /// - Parameter seconds: the time after which it always ends.
    public static func confineHelper(toSeconds seconds: UInt32) {
        for descriptor in Int32(3)..<1024 { close(descriptor) }
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        // The structure is only read.
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        for number in [SIGSEGV, SIGILL, SIGABRT, SIGFPE, SIGBUS, SIGTRAP, SIGSYS] { signal(number, SIG_DFL) }
        signal(SIGPIPE, SIG_IGN)
        alarm(seconds)
    }

    /// Keeps the signals that ask a process to end until ``pause(seconds:)``.
    public static func holdEndSignals() {
        var signals = endSignals
        // The structure is only read; the program has one thread.
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Waits. A held signal that asks the process to end also ends the wait, and has no other effect.
    public static func pause(seconds: UInt32) {
        var signals = endSignals
        let deadline = ContinuousClock.now + .seconds(Int64(seconds))
        while true {
            let (whole, attoseconds) = max(ContinuousClock.now.duration(to: deadline), .zero).components
            var left = timespec(tv_sec: Int(whole), tv_nsec: Int(attoseconds / 1_000_000_000))
            // The structures are only read. Other signals interrupt the call.
            if unsafe sigtimedwait(&signals, nil, &left) >= 0 || errno != EINTR { return }
        }
    }

    private static var endSignals: sigset_t {
        var signals = sigset_t()
        // The calls fill this function's own structure.
        unsafe sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP, SIGQUIT] { unsafe sigaddset(&signals, number) }
        return signals
    }

    /// Returns the local time's offset from UTC in seconds at a time, given in seconds since 1970; 0 if unknown.
    public static func localSecondsFromUTC(at seconds: Int64) -> Int {
        var moment = time_t(seconds)
        var local = unsafe tm()
        // localtime_r fills the given structure.
        guard unsafe localtime_r(&moment, &local) != nil else { return 0 }
        return unsafe local.tm_gmtoff
    }

    /// Whether the process has root's rights over files.
    public static var isRoot: Bool { geteuid() == 0 }

    /// Seconds since 1970-01-01 00:00 UTC by the system's clock.
    public static var secondsSince1970: Int64 { Int64(time(nil)) }

    /// Overwrites parts of the arguments, which the kernel shows to every other process of the machine.
    ///
    /// - Parameter lengths: for each argument, beginning with the program's name, the number of bytes to keep; nil for
    ///   all.
    public static func eraseArguments(keeping lengths: [Int?]) {
        for (index, length) in lengths.enumerated() where index < Int(CommandLine.argc) {
            // argv[0..<argc] are strings in memory that the process may write (C11 5.1.2.2.1); strlen bounds the rest.
            guard let length, let argument = unsafe CommandLine.unsafeArgv[index] else { continue }
            let count = unsafe strlen(argument)
            if length < count { unsafe explicit_bzero(argument + length, count - length) }
        }
    }

    /// Replaces this program with another one.
    ///
    /// - Parameters:
    ///   - arguments: beginning with the program's name.
    ///   - secrets: each at most 4096 bytes that the program can read from a descriptor; the option and its number are
    ///     appended to the arguments.
    ///
    /// Throws the errors of the calls; returns only by throwing.
    public static func become(
        _ program: String, arguments: [String], lending secrets: [(option: String, secret: SecretBytes)]
    ) throws(SystemCallError) -> Never {
        var arguments = arguments
        for (option, secret) in secrets {
            var ends: [Int32] = [-1, -1]
            // The call writes two descriptors.
            guard unsafe pipe(&ends) == 0 else { throw .last("pipe") }
            // A pipe holds that much without a reader.
            guard secret.count <= 4096 else { throw SystemCallError(call: "write", code: EFBIG) }
            try DescriptorStream(descriptor: ends[1]).write(secret.bytes)
            close(ends[1])
            arguments += [option, "\(ends[0])"]
        }
        var pointers: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        // The strings outlive the call, which does not return on success.
        unsafe execv(program, &pointers)
        throw .last("execv")
    }

    /// Ends the process.
    public static func exit(_ status: Int32) -> Never {
        Glibc.exit(status)
    }
}
