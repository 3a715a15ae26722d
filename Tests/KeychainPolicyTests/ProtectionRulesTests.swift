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
    func `constraints are kept, with the protection of their object`(flags: AccessControl.Flags) throws {
        let given = try attributes([(.accessControl, try control(.whenUnlockedThisDeviceOnly, flags))])
        for isNew in [true, false] {
            let applied = try ProtectionRules.apply(to: given, isNew: isNew)
            #expect(applied.accessibility == .whenUnlockedThisDeviceOnly)
            #expect(applied[.accessControl] == given[.accessControl])
        }
    }

    @Test func `a constraint on the use of a key is for keys that stay in the service`() throws {
        let value = try control(.whenUnlocked, [.privateKeyUsage, .userPresence])
        let refusal = Refusal(.parameter, .unusableAccessControl)
        #expect(throws: refusal) {
            try ProtectionRules.apply(to: try attributes([(.accessControl, value)]), isNew: true)
        }
        func key(_ isExtractable: Int64) throws -> ItemAttributes {
            try ItemAttributes(
                .key, for: .add,
                [
                    .init(.accessControl, value), .init(.isExtractable, .number(isExtractable)),
                    .init(.keyClass, .number(1)),
                ])
        }
        #expect(throws: refusal) { try ProtectionRules.apply(to: try key(1), isNew: true) }
        #expect(throws: Never.self) { try ProtectionRules.apply(to: try key(0), isNew: true) }
    }

    @Test func `nothing is stored for what nobody could show`() throws {
        let enrolled = AuthenticationState(hasPasscode: true, biometry: .enrolled, enrolment: Array(0..<32))
        let lockedOut = AuthenticationState(hasPasscode: true, biometry: .lockedOut)
        let notEnrolled = AuthenticationState(hasPasscode: true, biometry: .notEnrolled)
        let noReader = AuthenticationState(hasPasscode: true)
        let noPasscode = AuthenticationState(hasPasscode: false, biometry: .enrolled, enrolment: Array(0..<32))
        let unavailable = Refusal(.authenticationFailed, .factorNotAvailable)
        let unset = Refusal(.authenticationFailed, .noPasscode)
        let cases: [(AccessControl.Flags, AuthenticationState, Refusal?)] = [
            ([], noPasscode, nil), (.applicationPassword, noPasscode, nil),
            (.userPresence, noReader, nil), (.userPresence, noPasscode, unset), (.userPresence, lockedOut, nil),
            (.devicePasscode, noReader, nil), (.devicePasscode, noPasscode, unset),
            (.biometryAny, enrolled, nil), (.biometryAny, notEnrolled, unavailable),
            (.biometryAny, noReader, unavailable),
            (.biometryCurrentSet, noPasscode, unset), (.biometryCurrentSet, lockedOut, unavailable),
            ([.biometryAny, .or, .devicePasscode], noReader, nil),
            ([.biometryAny, .and, .devicePasscode], noReader, unavailable),
            (.companion, enrolled, unavailable), ([.companion, .or, .devicePasscode], noReader, nil),
        ]
        for (flags, state, refusal) in cases {
            let item = try attributes([(.accessControl, try control(.whenUnlocked, flags))])
            let outcome = Result { () throws(Refusal) in try ProtectionRules.checkAvailability(item) { _ in state } }
            switch outcome {
            case .success: #expect(refusal == nil, "\(flags) in \(state)")
            case .failure(let error): #expect(error == refusal, "\(flags) in \(state)")
            }
        }
    }

    @Test(arguments: Accessibility.allCases)
    func `an item of each accessibility may be synchronizable, one with an access control may not`(
        accessibility: Accessibility
    ) throws {
        let given = try attributes([(.accessible, .string(accessibility.code)), (.synchronizable, .number(1))])
        #expect(try ProtectionRules.apply(to: given, isNew: true) == given)
        #expect(throws: Never.self) { try ProtectionRules.checkSynchronizing(given) }
        let constrained = try attributes([
            (.accessControl, try control(accessibility, [])), (.synchronizable, .number(1)),
        ])
        #expect(throws: Refusal(.parameter, .none)) { try ProtectionRules.apply(to: constrained, isNew: true) }
        #expect(throws: Refusal(.parameter, .none)) { try ProtectionRules.checkSynchronizing(constrained) }
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
