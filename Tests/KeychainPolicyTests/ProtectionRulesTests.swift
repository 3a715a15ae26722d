// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainPolicy
import Testing

/// Semantics 4.6 and 5.3.
struct ProtectionRulesTests {
    private func attributes(_ entries: [(AttributeKey, AttributeValue)]) throws -> ItemAttributes {
        try ItemAttributes(.genericPassword, for: .add, entries.map { .init($0.0, $0.1) })
    }

    private func control(_ protection: Accessibility, _ flags: AccessControl.Flags = []) throws -> AttributeValue {
        .accessControl(try #require(AccessControl(protection: protection, flags: flags)))
    }

    @Test(arguments: Accessibility.allCases)
    func `an access control object without flags sets the accessibility`(protection: Accessibility) throws {
        for isNew in [true, false] {
            let given = try attributes([(.accessControl, try control(protection))])
            let applied = try ProtectionRules.apply(to: given, isNew: isNew)
            #expect(applied.accessibility == protection)
            #expect(applied[.accessControl] == given[.accessControl])
        }
    }

    @Test func `accessibility beside an access control object must say the same`() throws {
        let same = try attributes([(.accessControl, try control(.always)), (.accessible, .string("dk"))])
        #expect(try ProtectionRules.apply(to: same, isNew: true) == same)
        let other = try attributes([(.accessControl, try control(.always)), (.accessible, .string("ak"))])
        #expect(throws: Refusal(.parameter, .none)) { try ProtectionRules.apply(to: other, isNew: true) }
    }

    @Test(arguments: [AccessControl.Flags.userPresence, .biometryAny, .devicePasscode, .applicationPassword])
    func `constraints that cannot be kept yet are refused, not dropped`(flags: AccessControl.Flags) throws {
        let given = try attributes([(.accessControl, try control(.whenUnlocked, flags))])
        for isNew in [true, false] {
            #expect(throws: Refusal(.unimplemented, .notSupportedYet)) {
                try ProtectionRules.apply(to: given, isNew: isNew)
            }
        }
    }

    @Test(arguments: Accessibility.allCases)
    func `what stays on the device does not synchronize`(accessibility: Accessibility) throws {
        let given = try attributes([(.accessible, .string(accessibility.code)), (.synchronizable, .number(1))])
        if accessibility.isThisDeviceOnly {
            #expect(throws: Refusal(.parameter, .none)) { try ProtectionRules.apply(to: given, isNew: true) }
            #expect(throws: Refusal(.parameter, .none)) { try ProtectionRules.checkSynchronizing(given) }
        } else {
            #expect(try ProtectionRules.apply(to: given, isNew: true) == given)
            #expect(throws: Never.self) { try ProtectionRules.checkSynchronizing(given) }
        }
    }

    @Test func `an access control object and synchronizing contradict each other`() throws {
        for flags in [AccessControl.Flags(), .userPresence] {
            let given = try attributes([
                (.accessControl, try control(.whenUnlocked, flags)), (.synchronizable, .number(1)),
            ])
            for isNew in [true, false] {
                #expect(throws: Refusal(.parameter, .none)) { try ProtectionRules.apply(to: given, isNew: isNew) }
            }
        }
    }

    @Test func `attributes without protection are left as they are`() throws {
        let given = try attributes([(.account, .string("a"))])
        #expect(try ProtectionRules.apply(to: given, isNew: true) == given)
        #expect(try ProtectionRules.apply(to: given, isNew: false) == given)
    }
}
