// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainPolicy
import Testing

@Suite struct `What goes into a backup` {
    private func item(_ entries: [(AttributeKey, AttributeValue)]) throws -> ItemAttributes {
        try ItemAttributes(
            stored: .genericPassword,
            ([(.accessGroup, .string("app"))] + entries).map { ItemAttributes.Entry($0.0, $0.1) })
    }

    @Test(arguments: [
        ("ak", BackupRules.Inclusion.portable), ("ck", .portable), ("dk", .portable), ("aku", .deviceBound),
        ("cku", .deviceBound), ("dku", .deviceBound), ("akpu", .leftOut(.passcodeClass)),
    ])
    func `follows from the accessibility`(_ code: String, _ place: BackupRules.Inclusion) throws {
        #expect(BackupRules.inclusion(of: try item([(.accessible, .string(code))])) == place)
    }

    @Test func `names items of enforced programs only with a proof of the owner`() throws {
        let hidden = try ItemAttributes(
            stored: .genericPassword,
            [.init(.accessGroup, .string("enforced:app")), .init(.account, .string("ann"))])
        let shown = try item([(.account, .string("ann"))])
        #expect(BackupRules.names(of: hidden, ownerIsProven: false) == nil)
        #expect(BackupRules.names(of: hidden, ownerIsProven: true)?.account == "ann")
        #expect(BackupRules.names(of: shown, ownerIsProven: false)?.account == "ann")
    }

    @Test func `leaves out what a token or a person guards`() throws {
        let guarded = AccessControl(protection: .whenUnlocked, flags: .userPresence)!
        let plain = AccessControl(protection: .whenUnlocked, flags: [])!
        #expect(BackupRules.inclusion(of: try item([(.tokenID, .string("com.apple.setoken"))])) == .leftOut(.token))
        #expect(BackupRules.inclusion(of: try item([(.tokenID, .string(""))])) == .portable)
        #expect(
            BackupRules.inclusion(of: try item([(.accessControl, .accessControl(guarded))])) == .leftOut(.accessControl)
        )
        #expect(BackupRules.inclusion(of: try item([(.accessControl, .accessControl(plain))])) == .portable)
    }

    @Test func `is bound to the device as a whole where neither a passcode nor an approval proves the owner`() {
        #expect(BackupRules.form(.noPasscode, isApproved: false) == .deviceBound)
        #expect(BackupRules.form(.noPasscode, isApproved: true) == .portable)
        for isApproved in [false, true] {
            #expect(BackupRules.form(.unlocked, isApproved: isApproved) == .portable)
        }
    }

    @Test func `comes back only in the form and with the rules of a stored item`() throws {
        let plain = try item([])
        let bound = try item([(.accessible, .string("aku"))])
        #expect(BackupRules.refusal(of: plain, as: .portable, .portable, .unlocked, isApproved: false) == nil)
        #expect(BackupRules.refusal(of: bound, as: .deviceBound, .portable, .unlocked, isApproved: false) == nil)
        #expect(BackupRules.refusal(of: bound, as: .portable, .portable, .unlocked, isApproved: false) == .invalid)
        #expect(BackupRules.refusal(of: plain, as: .deviceBound, .portable, .unlocked, isApproved: false) == .invalid)
        var groupless = plain
        groupless[.accessGroup] = nil
        var tombstone = plain
        tombstone[.tombstone] = .number(1)
        for item in [groupless, tombstone] {
            #expect(BackupRules.refusal(of: item, as: .portable, .portable, .unlocked, isApproved: false) == .invalid)
        }
        var synchronizable = bound
        synchronizable[.synchronizable] = .number(1)
        #expect(
            BackupRules.refusal(of: synchronizable, as: .deviceBound, .portable, .unlocked, isApproved: false) == nil)
    }

    @Test func `comes back without a passcode only if this device's key made the file, or the owner approved it`()
        throws
    {
        let (plain, bound) = (try item([]), try item([(.accessible, .string("aku"))]))
        #expect(
            BackupRules.refusal(of: plain, as: .portable, .portable, .noPasscode, isApproved: false) == .needsPasscode)
        #expect(BackupRules.refusal(of: plain, as: .portable, .portable, .noPasscode, isApproved: true) == nil)
        #expect(BackupRules.refusal(of: bound, as: .portable, .portable, .noPasscode, isApproved: true) == .invalid)
        #expect(BackupRules.refusal(of: plain, as: .portable, .deviceBound, .noPasscode, isApproved: false) == nil)
        #expect(BackupRules.refusal(of: bound, as: .deviceBound, .portable, .noPasscode, isApproved: false) == nil)
    }
}
