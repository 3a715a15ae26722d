// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import KeychainModel
import Testing

@testable import KeychainSealing

/// Documentation/Formats/sealed-item.md, "Version 2": an item's constraints are part of its key.
struct ConstrainedItemTests {
    private let ring: KeyRing
    private let attributes: ItemAttributes

    init() throws {
        ring = try Fixtures.unlocked()
        attributes = try Fixtures.fullAttributes()
    }

    private func binding(_ flags: AccessControl.Flags) throws -> ItemBinding {
        var binding = Fixtures.binding(ring)
        let access: ItemAccess = try #require(ItemAccess(flags))
        binding.access = access
        return binding
    }

    private func seal(
        _ binding: ItemBinding, _ material: ItemKeyMaterial = .none
    ) throws -> (sealed: SealedItem, column: ItemKeyColumn) {
        let sealed = try Array("secret".utf8).withUnsafeBytes {
            try ring.seal(attributes, data: $0, to: binding, material: material)
        }
        return (sealed, ItemKeyColumn(sealed.wrappedKey))
    }

    private func open(
        _ item: (sealed: SealedItem, column: ItemKeyColumn), _ binding: ItemBinding,
        _ material: ItemKeyMaterial = .none
    ) throws -> Data? {
        try ring.openData(item.sealed.data, wrappedKey: item.column.wrappedKey, of: binding, material: material)
    }

    private func password(_ text: String) throws -> ItemKeyMaterial {
        let stored = try Array(text.utf8).withUnsafeBytes { try PlainKeyStorage().store($0) }
        return ItemKeyMaterial(password: stored)
    }

    private func enrolment(_ digest: UInt8 = 1) throws -> EnrolmentSecret {
        let key = try EnrolmentKey(
            deviceKey: Fixtures.deviceKey(), keybagIdentifier: [UInt8](repeating: 1, count: 16), in: PlainKeyStorage())
        return try key.newSecret(for: [UInt8](repeating: digest, count: 32)).secret
    }

    @Test(arguments: [
        AccessControl.Flags.userPresence, .devicePasscode, .biometryAny, [.biometryAny, .or, .devicePasscode],
        .companion,
        [.privateKeyUsage, .userPresence],
    ])
    func `the data of a constrained item is read from before the wrapped key`(flags: AccessControl.Flags) throws {
        let binding = try binding(flags)
        let item = try seal(binding)
        #expect(item.column.access?.flags == flags)
        #expect(item.column.wrappedKey.count == 40)
        #expect(try open(item, binding) == Data("secret".utf8))
        #expect(try ring.openAttributes(item.sealed.attributes, of: binding) == attributes)
        // It says 2 where an unconstrained one says 1.
        #expect([item.sealed.wrappedKey[0], item.sealed.attributes[0], item.sealed.data[0]] == [2, 2, 2])
    }

    @Test func `an item whose constraints were taken away or exchanged does not open`() throws {
        let item = try seal(try binding(.userPresence))
        for other in [
            Fixtures.binding(ring), try binding(.biometryAny), try binding([.userPresence, .privateKeyUsage]),
        ] {
            let error: SealingError = other.access == nil ? .unsupportedVersion : .damaged
            #expect(throws: error) { try open(item, other) }
            #expect(throws: error) { try ring.openAttributes(item.sealed.attributes, of: other) }
        }
        // Nor does an item that was given constraints.
        let plain = try seal(Fixtures.binding(ring))
        #expect(plain.column == ItemKeyColumn(plain.sealed.wrappedKey))
        #expect(plain.column.access == nil)
        #expect(throws: SealingError.unsupportedVersion) { try open(plain, try binding(.userPresence)) }
    }

    @Test func `an item with a password of its own opens with that one alone`() throws {
        let binding = try binding([.applicationPassword])
        #expect(throws: SealingError.passwordNeeded) { try seal(binding) }
        let item = try seal(binding, try password("open sesame"))
        #expect(try open(item, binding, try password("open sesame")) == Data("secret".utf8))
        #expect(throws: SealingError.passwordNeeded) { try open(item, binding) }
        for wrong in ["", "open sesamf", "open sesame "] {
            #expect(throws: SealingError.wrongPassword) { try open(item, binding, try password(wrong)) }
            #expect(throws: SealingError.wrongPassword) {
                try ring.check(item.column.wrappedKey, of: binding, material: try password(wrong))
            }
        }
        // Its attributes tell which item it is; they take none.
        #expect(try ring.openAttributes(item.sealed.attributes, of: binding) == attributes)
    }

    @Test func `the same password gives other keys for another item, version and keychain`() throws {
        let binding = try binding(.applicationPassword)
        let item = try seal(binding, try password("p"))
        var later = binding
        later.rowVersion += 1
        #expect(throws: SealingError.wrongPassword) { try open(item, later, try password("p")) }
        let other = try Fixtures.keybag("other").keyRing(with: Fixtures.deviceKey(), in: PlainKeyStorage())
        #expect(other.passwordSalt != ring.passwordSalt)
    }

    @Test func `an item for the current set of fingers is lost with another enrolment`() throws {
        let binding = try binding(.biometryCurrentSet)
        let secret = try enrolment()
        #expect(throws: SealingError.enrolmentNeeded) { try seal(binding) }
        let item = try seal(binding, ItemKeyMaterial(enrolment: secret))
        #expect(try open(item, binding, ItemKeyMaterial(enrolment: secret)) == Data("secret".utf8))
        #expect(throws: SealingError.enrolmentNeeded) { try open(item, binding) }
        // The same fingers, seen as new ones, are others.
        let again = ItemKeyMaterial(enrolment: try enrolment())
        #expect(throws: SealingError.enrolmentChanged) { try open(item, binding, again) }
    }

    @Test func `any change of a byte before the wrapped key, and any length, is refused`() throws {
        let binding = try binding([.userPresence, .applicationPassword])
        let (sealed, column) = try seal(binding, try password("p"))
        let head = sealed.wrappedKey.count - 40
        #expect(column.access == binding.access)
        for index in 0..<head {
            for bit in 0..<8 {
                var changed = sealed.wrappedKey
                changed[index] ^= 1 << bit
                let read = ItemKeyColumn(changed)
                #expect(read.access != binding.access)
                var other = binding
                other.access = read.access
                #expect(throws: SealingError.self) {
                    try ring.openAttributes(sealed.attributes, of: other)
                }
            }
        }
        for count in 0..<sealed.wrappedKey.count {
            #expect(ItemKeyColumn(Data(sealed.wrappedKey.prefix(count))).access == nil)
        }
        #expect(ItemKeyColumn(sealed.wrappedKey + [0]).access == nil)
    }

    @Test func `a row cannot ask for more work than is bearable`() throws {
        // N = 2^20, r = 8, p = 16: some minutes.
        let column = Data([2, 0x80, 0, 0, 0, 20, 0, 0, 0, 8, 0, 0, 0, 16]) + Data(count: 40)
        #expect(ItemKeyColumn(column).access == nil)
    }

    @Test func `a known enrolment opens with its keychain's key alone`() throws {
        let identifier = [UInt8](repeating: 1, count: 16)
        let key = try EnrolmentKey(
            deviceKey: Fixtures.deviceKey(), keybagIdentifier: identifier, in: PlainKeyStorage())
        let digest = [UInt8](0..<32)
        let (_, sealed) = try key.newSecret(for: digest)
        #expect(try key.open(sealed).digest == digest)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(throws: index == 0 ? SealingError.unsupportedVersion : .damaged) { try key.open(changed) }
        }
        #expect(throws: SealingError.damaged) { try key.open(Data()) }
        #expect(throws: SealingError.damaged) { try key.open(sealed.dropLast()) }
        for other in [
            try EnrolmentKey(deviceKey: Fixtures.deviceKey("x"), keybagIdentifier: identifier, in: PlainKeyStorage()),
            try EnrolmentKey(
                deviceKey: Fixtures.deviceKey(), keybagIdentifier: [UInt8](repeating: 2, count: 16),
                in: PlainKeyStorage()),
        ] {
            #expect(throws: SealingError.damaged) { try other.open(sealed) }
        }
    }

    @Test func `a proof counts for the process that got it, from the service that gave it`() throws {
        let key = try ProofKey(in: PlainKeyStorage())
        let holder = ProofKey.Holder(user: 1, process: 2, start: 4, program: "p")
        let proof = key.proof(of: [.passcode], time: 3, epoch: 4, for: holder)
        let contents = try #require(key.contents(of: proof, for: holder))
        #expect(contents.factors == [.passcode] && contents.time == 3 && contents.epoch == 4)
        for other in [
            ProofKey.Holder(user: 2, process: 2, start: 4, program: "p"),
            .init(user: 1, process: 3, start: 4, program: "p"),
            .init(user: 1, process: 2, start: 5, program: "p"), .init(user: 1, process: 2, start: 4, program: "q"),
        ] {
            #expect(key.contents(of: proof, for: other) == nil)
        }
        #expect(try ProofKey(in: PlainKeyStorage()).contents(of: proof, for: holder) == nil)
        for index in proof.indices {
            var changed = proof
            changed[index] ^= 1
            #expect(key.contents(of: changed, for: holder) == nil)
        }
        for count in proof.indices { #expect(key.contents(of: Array(proof.prefix(count)), for: holder) == nil) }
        #expect(key.contents(of: proof + [0], for: holder) == nil)
    }
}
