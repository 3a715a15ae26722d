// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainSealing
import SQLiteStatements
import Testing

@testable import KeychainStore

/// The protectors of the keychain, on the disk.
@Suite struct `Protectors of a store` {
    private let directory: Directory
    private let passcode = Array("correct horse".utf8)
    private let cost = ScryptCost(logN: 4, blockSize: 8, parallelism: 1)!

    init() throws { directory = try Directory() }

    private func open() throws(StoreError) -> Fixture { try Fixture(at: .file(directory.database)) }

    private func unlock(_ fixture: Fixture, _ passcode: [UInt8]) throws {
        let epoch = fixture.store.epoch
        let key = try fixture.store.keybagKey(for: ProtectorSecret(.passcode, passcode))
        #expect(try fixture.store.unlock(with: key, since: epoch))
    }

    private func keybag() throws -> Data {
        try #require(try Database(path: directory.database).storedKeybag())
    }

    @Test func `a store with a passcode opens locked, and unlocks to what was in it`() throws {
        var fixture = try open()
        try fixture.add([.service: .string("mail")])
        try fixture.store.setFirstPasscode(passcode, cost: cost)
        #expect(fixture.store.lockState == .unlocked)
        #expect(try fixture.read(Fixture.query()).count == 1)
        try fixture.store.close()

        fixture = try open()
        #expect(fixture.store.lockState == .beforeFirstUnlock)
        #expect(throws: StoreError.keyNotAvailable(.whenUnlocked)) { try fixture.read(Fixture.query()) }
        #expect(throws: StoreError.refused(Refusal(.authenticationFailed, .wrongSecret))) {
            try unlock(fixture, Array("battery staple".utf8))
        }
        try unlock(fixture, passcode)
        #expect(try fixture.read(Fixture.query()).map(\.secret) == ["secret"])
        #expect(fixture.store.lock())
        #expect(throws: StoreError.keyNotAvailable(.whenUnlocked)) { try fixture.read(Fixture.query()) }
        try fixture.store.close()
    }

    @Test func `nothing of the keybag before is left in the file and its log`() throws {
        let fixture = try open()
        try fixture.add([.service: .string("mail")])
        // The wrap under the device key alone (Documentation/Formats/keybag.md).
        let unprotected = try keybag()[71..<111]
        try fixture.store.setFirstPasscode(passcode, cost: cost)
        for suffix in ["", "-wal"] {
            #expect(try directory.bytes(suffix).range(of: unprotected) == nil, "\(suffix)")
        }
        // The passcode's entry: 14 bytes, 41 of scrypt, and the wrap.
        let old = try keybag()[112..<152]
        let key = try fixture.store.keybagKey(for: ProtectorSecret(.passcode, passcode))
        _ = try fixture.store.addProtector(
            ProtectorSecret(.passcode, Array("another".utf8)), label: "", cost: cost, with: key)
        for suffix in ["", "-wal"] {
            #expect(try directory.bytes(suffix).range(of: old) == nil, "\(suffix)")
        }
        try fixture.store.close()
    }

    @Test func `removing the passcode deletes the rows of the class that needs one, and no other`() throws {
        var fixture = try open()
        try fixture.store.setFirstPasscode(passcode, cost: cost)
        for (number, accessibility) in Accessibility.allCases.enumerated() {
            for itemClass in [ItemClass.genericPassword, .internetPassword] {
                try fixture.add(
                    [.account: .string("\(number)"), .accessible: .string(accessibility.code)], itemClass)
            }
        }
        let key = try fixture.store.keybagKey(for: ProtectorSecret(.passcode, passcode))
        try fixture.store.removePasscode(with: key)
        #expect(fixture.store.lockState == .noPasscode)
        #expect(!fixture.store.isProtected)
        for itemClass in [ItemClass.genericPassword, .internetPassword] {
            #expect(try fixture.read(Fixture.query([:], itemClass)).count == 6)
        }
        try fixture.store.close()
        fixture = try open()
        #expect(fixture.store.lockState == .noPasscode)
        #expect(try fixture.read(Fixture.query()).count == 6)
        #expect(try fixture.store.statistics().items[.internetPassword] == 6)
        try fixture.store.close()
    }

    @Test func `attempts and settings are on the disk, and nonsense in their place has defaults`() throws {
        var fixture = try open()
        let attempts = Attempts(failed: 7, last: Timestamp(secondsSinceReferenceDate: 800_000_001))
        try fixture.store.record([.protector(.passcode): attempts])
        try fixture.store.change([.snapshotDays: 9, .idleLockSeconds: 900])
        try fixture.store.close()
        try directory.edit("INSERT INTO settings (name, value) VALUES ('unknown', 1), ('lock-on-sleep', 2)")
        try directory.edit("UPDATE settings SET value = -1 WHERE name = 'idle-lock-seconds'")
        fixture = try open()
        #expect(try fixture.store.attempts(of: .protector(.passcode)) == attempts)
        #expect(try fixture.store.attempts(of: .protector(.loginPassword)) == Attempts())
        let settings = try fixture.store.settings()
        #expect(settings[.snapshotDays] == 9)
        #expect(settings[.idleLockSeconds] == 0 && settings[.locksOnSleep] == 1)
        #expect(Set(settings.keys) == Set(Setting.allCases))
        try fixture.store.close()
    }

    @Test func `any change of the passcode's entry keeps the passcode from opening it, and changes nothing`() throws {
        var fixture = try open()
        try fixture.store.setFirstPasscode(passcode, cost: cost)
        try fixture.store.close()
        let whole = try keybag()
        for place in [58, 62, 70, 72, 77, 81, 112, 151] {
            var changed = whole
            changed[place] ^= 1
            try directory.edit("UPDATE keybag SET bytes = ?", [.bytes(changed)])
            do {
                fixture = try open()
                #expect(throws: StoreError.self, "byte \(place)") { try unlock(fixture, passcode) }
                try fixture.store.close()
            } catch {
                #expect(error == .damaged(.keybag), "byte \(place)")
            }
            #expect(try keybag() == changed)
        }
        try directory.edit("UPDATE keybag SET bytes = ?", [.bytes(whole)])
        fixture = try open()
        try unlock(fixture, passcode)
        try fixture.store.close()
    }
}
