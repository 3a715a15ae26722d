// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// What was found out about an executable.
public struct ProgramEvidence: Hashable, Sendable {
    public enum Signature: Hashable, Sendable {
        /// None that counts, and why.
        case none(CallerFinding)
        /// Right, over the file as it is, with entitlements of the team's own.
        case valid(team: String, identifier: String, entitledGroups: [String], entitlements: [Entitlement])
    }

    /// Free of symbolic links.
    public var path: String
    /// It is the command that was installed with the service.
    public var isCommand: Bool
    /// Only root can have put it at the path.
    public var isRootsAlone: Bool
    public var signature: Signature

    public init(path: String, isCommand: Bool, isRootsAlone: Bool, signature: Signature) {
        self.path = path
        self.isCommand = isCommand
        self.isRootsAlone = isRootsAlone
        self.signature = signature
    }
}

/// What was found out about a process that could shield it from other programs of its user.
public struct ShieldEvidence: Hashable, Sendable {
    public var userID: UInt32
    /// The executable is set-group-id, and the process had that group when it connected.
    public var hasGroupOfFile: Bool
    /// The executable has file capabilities.
    public var hasFileCapability: Bool
    /// The kernel ran the program in secure-execution mode (AT_SECURE): it ignored what the user could have set.
    public var isSecureExecution: Bool
    /// Its control group, such as `/system.slice/mail.service`; nil where it cannot be told.
    public var controlGroup: String?

    public init(
        userID: UInt32, hasGroupOfFile: Bool, hasFileCapability: Bool, isSecureExecution: Bool, controlGroup: String?
    ) {
        self.userID = userID
        self.hasGroupOfFile = hasGroupOfFile
        self.hasFileCapability = hasFileCapability
        self.isSecureExecution = isSecureExecution
        self.controlGroup = controlGroup
    }
}

/// From evidence to identity, tier and access groups (ARCHITECTURE.md, "Who is asking").
public enum ProgramRules {
    public struct Verdict: Hashable, Sendable {
        public var identity: ProgramIdentity
        public var tier: CallerTier
        public var enforcement: Enforcement?
        public var accessGroups: [String]
        public var hasEntitledGroups: Bool
        public var entitlements: [Entitlement]
        public var findings: [CallerFinding]
    }

    /// Judges a program.
    ///
    /// - Parameters:
    ///   - shield: nil in a service under its user's own number, where nothing shields anybody.
    ///   - digest: the SHA-256 of the file; asked for only where it names the program.
    public static func judge(
        _ program: ProgramEvidence, shield: ShieldEvidence?, digest: () throws(CallerFinding) -> [UInt8]
    ) -> Verdict {
        var verdict = Verdict(
            identity: .unidentified, tier: .unidentified, enforcement: nil, accessGroups: [], hasEntitledGroups: false,
            entitlements: [], findings: [])
        if program.isCommand {
            // It keeps one group over updates. Whoever can put another file in its place can put one in the place of the
            // service beside it as well, so the group is as safe as the service.
            verdict.identity = .command
            verdict.tier = program.isRootsAlone ? .installed : .unsigned
        } else if case .valid(let team, let identifier, let groups, let entitlements) = program.signature {
            verdict.identity = .signed(team: team, identifier: identifier)
            verdict.tier = .signed
            verdict.entitlements = entitlements
            verdict.accessGroups = groups
            verdict.hasEntitledGroups = !groups.isEmpty
        } else if program.isRootsAlone {
            verdict.identity = .installed(path: program.path)
            verdict.tier = .installed
        } else {
            do throws(CallerFinding) {
                verdict.identity = .unsigned(digest: try digest())
                verdict.tier = .unsigned
            } catch {
                verdict.findings = [error]
                return verdict
            }
        }
        if verdict.accessGroups.isEmpty { verdict.accessGroups = verdict.identity.implicitGroup.map { [$0] } ?? [] }
        if verdict.identity != .command, case .none(let finding) = program.signature {
            verdict.findings.append(finding)
        }
        if !program.isRootsAlone { verdict.findings.append(.writableByOthers) }

        // A team that signs an interpreter says that it answers for what that runs.
        let runsScripts = verdict.tier < .signed && verdict.identity != .command && Interpreters.include(program.path)
        if runsScripts {
            verdict.tier = .interpreter
            verdict.findings.append(.interpreter)
        }
        guard let shield else {
            verdict.findings.append(.userService)
            return verdict
        }
        // The file as well must be out of the user's reach, or another one could be in its place tomorrow.
        guard program.isRootsAlone, let enforcement = enforcement(shield) else {
            verdict.findings.append(.notShielded)
            return verdict
        }
        // A unit is one service whatever it is written in; otherwise a script is not its interpreter.
        if case .systemUnit = enforcement {} else if runsScripts { return verdict }
        verdict.enforcement = enforcement
        verdict.tier = .enforced
        verdict.findings = verdict.findings.filter { $0 == .interpreter }
        return verdict
    }

    /// What shields a process, if anything does.
    static func enforcement(_ shield: ShieldEvidence) -> Enforcement? {
        // A group alone is not enough: a member of the group can have it with any program.
        if shield.isSecureExecution, shield.hasGroupOfFile { return .setgid }
        if shield.isSecureExecution, shield.hasFileCapability { return .fileCapability }
        guard isService(shield.userID) else { return nil }
        if let unit = shield.controlGroup.flatMap(systemUnit) { return .systemUnit(unit) }
        // Root is everybody's and nobody's.
        return shield.userID == 0 ? nil : .ownUser
    }

    /// Users who are no persons: below the first ordinary number (login.defs(5): UID_MIN is 1000 on all common systems),
    /// and those that the service manager makes up for a unit (systemd's UIDS-GIDS.md: 61184 to 65519).
    private static func isService(_ userID: UInt32) -> Bool { userID < 1000 || (61184...65519).contains(userID) }

    /// The unit of a control group below the system's slice, which no ordinary user can put a process in.
    static func systemUnit(_ controlGroup: String) -> String? {
        let parts = controlGroup.split(separator: "/")
        guard parts.first == "system.slice" else { return nil }
        return parts.first { $0.hasSuffix(".service") }.map(String.init)
    }
}

/// Programs that run other people's programs.
///
/// Known by name, which is enough: a copy under another name is a program of its own, with a group of its own and no
/// right to anybody else's items.
public enum Interpreters {
    /// Whether the program at a path is one. Versions are looked past: `python3.11` is `python`.
    public static func include(_ path: String) -> Bool {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        if names.contains(name) { return true }
        // The dynamic loader runs any program that it is given: ld-linux-x86-64.so.2, ld-musl-x86_64.so.1.
        if name.hasPrefix("ld-") || name.hasPrefix("ld.so") { return true }
        if name.hasPrefix("qemu-") { return true }
        let stem = name.prefix { !($0.isASCII && ($0.isNumber || $0 == ".")) }
        return names.contains(stem.last == "-" ? String(stem.dropLast()) : String(stem))
    }

    private static let names: Set<String> = [
        // Shells.
        "ash", "bash", "busybox", "csh", "dash", "elvish", "fish", "ion", "ksh", "mksh", "nu", "oksh", "osh", "pdksh",
        "pwsh", "rbash", "rc", "sash", "sh", "tcsh", "toybox", "xonsh", "yash", "zsh",
        // Languages.
        "awk", "beam", "beam.smp", "bun", "clisp", "cling", "cscript", "deno", "dotnet", "electron", "elixir", "emacs",
        "emacs-gtk", "emacs-nox", "erl", "escript", "expect", "gawk", "ghc", "ghci", "gjs", "gjs-console", "gnuplot",
        "groovy", "guile", "hhvm", "iex", "irb", "java", "jimsh", "jruby", "js", "julia", "lisp", "lua", "luajit",
        "mawk",
        "micropython", "mono", "mono-sgen", "nawk", "node", "nodejs", "nvim", "ocaml", "ocamlrun", "octave",
        "octave-cli",
        "original-awk", "perl", "php", "php-cgi", "php-cli", "php-fpm", "pike", "pypy", "python", "python-dbg", "qjs",
        "qml",
        "qmlscene", "R", "racket", "raku", "rhino", "Rscript", "ruby", "sbcl", "scala", "scheme", "scsh",
        "swift-frontend",
        "swipl", "tclsh", "ts-node", "vim", "vim.basic", "vim.gtk", "vim.nox", "vim.tiny", "wasmer", "wasmtime", "wine",
        "wine-preloader", "wish", "zx",
        // Debuggers that run scripts of their own.
        "gdb", "lldb",
    ]
}
