// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainPolicy
import Testing

/// The content of an administrator's policy, and its effect on settings and callers.
struct MachinePolicyTests {
    private func policy(_ texts: String...) throws -> MachinePolicy {
        var policy = MachinePolicy.none
        for text in texts { try policy.add(text) }
        return policy
    }

    @Test func `rules are lines with the names and values of the command line`() throws {
        let policy = try policy(
            """
            # For all offices.
              idle-lock = 15m

            require-enforced-callers=on\r
            passcode-time\t=\t1s
            minimum-tier = installed
            backups = off
            require-authorization = on
            development = off
            trusted-team = CRTKWQ4OHDTDKNPHKXQBSM6VYA
            trusted-team = AAAAAAAAAAAAAAAAAAAAAAAAAA
            """)
        #expect(policy.trustedTeams == ["CRTKWQ4OHDTDKNPHKXQBSM6VYA", "AAAAAAAAAAAAAAAAAAAAAAAAAA"])
        #expect(policy.settings[.idleLockSeconds] == 900)
        #expect(policy.settings[.requiresEnforcedCallers] == 1)
        #expect(policy.settings[.passcodeMilliseconds] == 1000)
        #expect(policy.settings[.locksOnSleep] == nil)
        #expect(policy.minimumTier == .installed)
        #expect(!policy.allowsBackups)
        #expect(policy.requiresAuthorization)
        #expect(!MachinePolicy.none.requiresAuthorization)
        #expect(!policy.allowsDevelopment && MachinePolicy.none.allowsDevelopment)
    }

    @Test(arguments: [
        ("idle-lock 15m", "NAME = VALUE"), ("idle-lock = soon", "idle-lock must be"),
        ("idle-lock = 40000000s", "idle-lock must be"),
        ("strict = on", "the rule is unknown"),
        ("minimum-tier = unidentified", "interpreter, unsigned, installed, signed, enforced"),
        ("backups = perhaps", "on or off"), ("require-authorization = yes", "on or off"),
        ("development = yes", "on or off"),
        ("trusted-team = Example", "26 letters"),
        ("trusted-team = crtkwq4ohdtdknphkxqbsm6vya", "26 letters"), ("= on", "the rule is unknown"),
        ("lock-on-sleep = ", "lock-on-sleep must be off to on"),
    ])
    func `a line that is no rule is an error with its number, and no rule of its file counts`(
        line: String, reason: String
    ) {
        var policy = MachinePolicy.none
        do throws(MachinePolicy.SyntaxError) {
            try policy.add("lock-on-sleep = on\n\n\(line)\nbackups = off")
            Issue.record("no error")
        } catch {
            #expect(error.line == 3 && error.reason.contains(reason))
        }
        #expect(policy == .none)
    }

    @Test func `of two rules about the same the stricter one counts, in whatever order they come`() throws {
        let texts = [
            "idle-lock = never\nunlock-by-finger = on\nminimum-tier = signed\naudit-log-files = 5\nrequire-authorization = on",
            "idle-lock = 10m\nunlock-by-finger = off\nminimum-tier = unsigned\nbackups = on\naudit-log-files = 9\ndevelopment = on",
            "idle-lock = 1h\nbackups = off\nrequire-authorization = off\ndevelopment = off",
        ]
        for policy in try [policy(texts[0], texts[1], texts[2]), policy(texts[2], texts[1], texts[0])] {
            #expect(policy.settings[.idleLockSeconds] == 600)
            #expect(policy.settings[.unlocksByFinger] == 0)
            #expect(policy.settings[.auditLogFiles] == 9)
            #expect(!policy.allowsDevelopment)
            #expect(policy.minimumTier == .signed && !policy.allowsBackups && policy.requiresAuthorization)
        }
    }

    @Test func `a looser mode for bridges, no strict mode and no private items open items, and nothing else does`() {
        let opening: [(Setting, UInt64, UInt64)] = [
            (.bridges, 0, 1), (.bridges, 0, 2), (.bridges, 1, 2), (.requiresEnforcedCallers, 1, 0),
            (.makesItemsPrivate, 1, 0),
        ]
        for (setting, current, value) in opening {
            #expect(setting.opensItems(value, from: current) && !setting.opensItems(current, from: value))
            #expect(!setting.opensItems(value, from: value))
        }
        for setting in Setting.allCases where !opening.contains(where: { $0.0 == setting }) {
            let (low, high) = (setting.range.lowerBound, setting.range.upperBound)
            #expect(!setting.opensItems(low, from: high) && !setting.opensItems(high, from: low), "\(setting)")
        }
    }

    @Test(
        arguments: [
            (Setting.idleLockSeconds, 900, [(0, 900), (901, 900), (900, 900), (60, 60)]),
            (.locksOnSleep, 1, [(0, 1), (1, 1)]), (.requiresEnforcedCallers, 1, [(0, 1), (1, 1)]),
            (.requiresEnforcedCallers, 0, [(0, 0), (1, 1)]), (.unlocksByFinger, 0, [(0, 0), (1, 0)]),
            (.bridges, 1, [(0, 0), (1, 1), (2, 1)]), (.bridges, 2, [(0, 0), (2, 2)]),
            (.passcodeMilliseconds, 500, [(300, 500), (500, 500), (1000, 1000)]),
            (.snapshotCount, 3, [(0, 3), (7, 7)]),
        ] as [(Setting, UInt64, [(UInt64, UInt64)])])
    func `a setting beyond its bound has the bound, and cannot be set there`(
        setting: Setting, bound: UInt64, cases: [(UInt64, UInt64)]
    ) {
        var limits = SettingLimits.none
        limits.add(bound, for: setting)
        for (value, effective) in cases {
            #expect(limits.applied(to: value, of: setting) == effective)
            #expect(limits.admits(value, for: setting) == (value == effective))
        }
        #expect(SettingLimits.none.admits(0, for: setting))
    }

    @Test func `a caller below the lowest tier uses no items, keychain files included`() throws {
        let rules = AccessRules([:], try policy("minimum-tier = signed"))
        func caller(_ tier: CallerTier) -> Caller {
            rules.applied(
                to: Caller(
                    userID: 1000, processID: 7, tier: tier, identity: .installed(path: "/bin/p"), accessGroups: ["a"],
                    displayPath: "/bin/p"))
        }
        let refusal = Refusal(.missingEntitlement, .machinePolicy)
        for operation in [KeychainPolicy.Operation.add, .probe, .readData, .delete] {
            #expect(throws: refusal) {
                try AccessPolicy.scope(of: caller(.installed), for: operation, accessGroup: nil)
            }
        }
        #expect(throws: refusal) { try FileKeychainPolicy.scope(of: caller(.installed)) }
        #expect(try AccessPolicy.scope(of: caller(.signed), for: .add, accessGroup: nil) == .groups(["a"]))
        _ = try FileKeychainPolicy.scope(of: caller(.enforced))
    }

    @Test func `where backups are off none can be made, and a backup can be restored`() throws {
        let policy = try policy("backups = off")
        func rule(_ operation: KeychainPolicy.Operation) -> GrantRule? {
            AccessPolicy.judgeBackup(.administration, operation, lockState: .unlocked, policy: policy).rule
        }
        #expect(rule(.backUp) == nil && rule(.restore) == .administration)
    }
}
