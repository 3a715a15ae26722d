// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint
public import SecretMemory

/// What a program of one thread asks of the process it is.
public enum CurrentProcess {
    /// The environment variable's value; nil when it is not set.
    public static func environmentVariable(_ name: String) -> String? {
        // Copied at once; nothing changes the environment meanwhile in a program of one thread.
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// Sets an environment variable for the programs that this one starts, or takes it away.
    public static func setEnvironmentVariable(_ name: String, _ value: String?) {
        // Both calls copy or only read; the program has one thread.
        if let value { unsafe setenv(name, value, 1) } else { unsafe unsetenv(name) }
    }

    /// The user's folder as the system's list of users has it; nil for a user who is not in it.
    public static var accountHome: String? {
        // Copied at once; the program has one thread.
        guard let entry = unsafe getpwuid(geteuid()), let home = unsafe entry.pointee.pw_dir else { return nil }
        return unsafe String(cString: home)
    }

    /// For a helper program that sees secrets: leaves no core dump, gives crashes to the kernel, ends by itself, and closes all
    /// descriptors but the three standard ones.
    ///
    /// - Parameter seconds: after which it ends whatever happens.
    public static func confineHelper(toSeconds seconds: UInt32) {
        for descriptor in Int32(3)..<1024 { close(descriptor) }
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        // The structure is only read.
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        for number in [SIGSEGV, SIGILL, SIGABRT, SIGFPE, SIGBUS, SIGTRAP, SIGSYS] { signal(number, SIG_DFL) }
        signal(SIGPIPE, SIG_IGN)
        alarm(seconds)
    }

    /// The local time's distance from UTC in seconds at a moment, given in seconds since 1970; 0 where it is not known.
    public static func localSecondsFromUTC(at seconds: Int64) -> Int {
        var moment = time_t(seconds)
        var local = unsafe tm()
        // localtime_r fills the structure that it is given.
        guard unsafe localtime_r(&moment, &local) != nil else { return 0 }
        return unsafe local.tm_gmtoff
    }

    /// Whether the process has root's rights over files.
    public static var isRoot: Bool { geteuid() == 0 }

    /// Seconds since 1970-01-01 00:00 UTC by the system's clock.
    public static var secondsSince1970: Int64 { Int64(time(nil)) }

    /// Overwrites parts of the arguments as the kernel shows them to every other process of the machine.
    ///
    /// - Parameter lengths: for each argument, beginning with the program's name, how many bytes of it stay; nil for all.
    public static func eraseArguments(keeping lengths: [Int?]) {
        for (index, length) in lengths.enumerated() where index < Int(CommandLine.argc) {
            // argv[0..<argc] are strings in memory that the process may write (C11 5.1.2.2.1); strlen bounds the rest.
            guard let length, let argument = unsafe CommandLine.unsafeArgv[index] else { continue }
            let count = unsafe strlen(argument)
            if length < count { unsafe explicit_bzero(argument + length, count - length) }
        }
    }

    /// Becomes another program.
    ///
    /// - Parameters:
    ///   - arguments: beginning with the program's name.
    ///   - secrets: each at most 4096 bytes that the program can read from a descriptor; the option and its number are put behind the
    ///     arguments.
    ///
    /// Throws what the calls say; returns only by throwing.
    public static func become(
        _ program: String, arguments: [String], lending secrets: [(option: String, secret: SecretBytes)]
    ) throws(SystemCallError) -> Never {
        var arguments = arguments
        for (option, secret) in secrets {
            var ends: [Int32] = [-1, -1]
            // Filled by the call; two descriptors are what it writes.
            guard unsafe pipe(&ends) == 0 else { throw .last("pipe") }
            // So much fits into a pipe without a reader.
            guard secret.count <= 4096 else { throw SystemCallError(call: "write", code: EFBIG) }
            try DescriptorStream(descriptor: ends[1]).write(secret.bytes)
            close(ends[1])
            arguments += [option, "\(ends[0])"]
        }
        var pointers: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        // The strings live across the call, which does not return when it succeeds.
        unsafe execv(program, &pointers)
        throw .last("execv")
    }

    /// Ends the process.
    public static func exit(_ status: Int32) -> Never {
        Glibc.exit(status)
    }
}
