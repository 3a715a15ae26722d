// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import KeychainModel
@testable import KeychainSealing
import Testing

@Suite struct `A keybag with a passcode` {
    let deviceKey: DeviceKey
    let keybag: Keybag
    let key: KeybagKey
    let passcode = ProtectorSecret(.passcode, Array("1234".utf8))

    init() throws {
        deviceKey = try Fixtures.deviceKey()
        (keybag, key) = try Fixtures.protectedKeybag()
    }

    private func ring(_ keybag: Keybag) throws -> KeyRing { try keybag.keyRing(with: deviceKey, in: PlainKeyStorage()) }

    private func unlock(_ ring: KeyRing, _ keybag: Keybag, _ secret: ProtectorSecret<[UInt8]>) throws {
        let key = try keybag.keybagKey(for: secret, with: deviceKey)
        #expect(
            ring.unlock(with: try keybag.classKeys(with: key, deviceKey, in: PlainKeyStorage()), since: ring.epoch))
    }

    private func available(_ ring: KeyRing) -> [String] {
        Accessibility.allCases.filter { ring.isAvailable($0) }.map(\.code)
    }

    @Test func `has before the first unlock only the keys that need the device alone`() throws {
        let ring = try ring(keybag)
        #expect(ring.lockState == .beforeFirstUnlock)
        #expect(available(ring) == ["dk", "dku"])
    }

    @Test func `has all keys when unlocked, and three fewer when locked again`() throws {
        let ring = try ring(keybag)
        try unlock(ring, keybag, passcode)
        #expect(ring.lockState == .unlocked)
        #expect(available(ring) == ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"])
        #expect(ring.lock())
        #expect(ring.lockState == .locked)
        #expect(available(ring) == ["ck", "dk", "cku", "dku"])
        #expect(!ring.lock())
        try unlock(ring, keybag, passcode)
        #expect(available(ring).count == 7)
    }

    @Test func `stays before the first unlock when it is locked then`() throws {
        let ring = try ring(keybag)
        #expect(!ring.lock())
        #expect(ring.lockState == .beforeFirstUnlock)
    }

    @Test func `is not unlocked by what began before a lock`() throws {
        let ring = try ring(keybag)
        let (epoch, keys) = (ring.epoch, try keybag.classKeys(with: key, deviceKey, in: PlainKeyStorage()))
        ring.lock()
        #expect(!ring.unlock(with: keys, since: epoch))
        #expect(available(ring) == ["dk", "dku"])
    }

    @Test func `without a passcode nothing can be locked`() throws {
        let ring = try Fixtures.unlocked()
        #expect(!ring.lock())
        #expect(ring.lockState == .noPasscode)
        #expect(available(ring).count == 6)
    }

    @Test func `a locked class neither opens nor seals`() throws {
        let ring = try ring(keybag)
        try unlock(ring, keybag, passcode)
        let binding = Fixtures.binding(ring)
        let sealed = try ring.seal(Fixtures.fullAttributes(), bytes: [1, 2], to: binding)
        ring.lock()
        #expect(throws: SealingError.keyNotAvailable(.whenUnlocked)) {
            try ring.openAttributes(sealed.attributes, of: binding)
        }
        #expect(throws: SealingError.keyNotAvailable(.whenUnlocked)) {
            try ring.openData(sealed.data, wrappedKey: sealed.wrappedKey, of: binding)
        }
        #expect(throws: SealingError.keyNotAvailable(.whenUnlocked)) {
            try ring.seal(Fixtures.fullAttributes(), bytes: [], to: binding)
        }
        try unlock(ring, keybag, passcode)
        #expect(try ring.openData(sealed.data, wrappedKey: sealed.wrappedKey, of: binding) == Data([1, 2]))
    }

    @Test(arguments: [[], Array("1235".utf8), Array("1234 ".utf8), Array(repeating: 49, count: 5000)] as [[UInt8]])
    func `is not opened by another passcode`(_ wrong: [UInt8]) {
        #expect(throws: SealingError.wrongSecret) {
            try keybag.keybagKey(for: ProtectorSecret(.passcode, wrong), with: deviceKey)
        }
    }

    @Test func `is not opened by the passcode and another device key`() throws {
        let other = try Fixtures.deviceKey("another")
        #expect(throws: SealingError.wrongSecret) { try keybag.keybagKey(for: passcode, with: other) }
        #expect(throws: SealingError.wrongDeviceKey) { try keybag.keyRing(with: other, in: PlainKeyStorage()) }
    }

    @Test func `any changed byte is noticed when it is opened or unlocked`() throws {
        let bytes = keybag.encoded
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 0x01
            #expect(throws: SealingError.self, "byte \(place)") {
                let keybag = try Keybag(decoding: changed)
                _ = try keybag.keyRing(with: deviceKey, in: PlainKeyStorage())
                let key = try keybag.keybagKey(for: passcode, with: deviceKey)
                _ = try keybag.classKeys(with: key, deviceKey, in: PlainKeyStorage())
            }
        }
    }

    @Test func `items of all classes survive setting, changing and removing the passcode, but those that need one`()
        throws
    {
        let before = try Fixtures.unlocked()
        let unprotected = try Fixtures.keybag()
        var sealed: [Accessibility: SealedItem] = [:]
        for accessibility in Accessibility.allCases where before.isAvailable(accessibility) {
            sealed[accessibility] = try before.seal(
                Fixtures.fullAttributes(), bytes: [7], to: Self.binding(before, accessibility))
        }
        let (protected, _) = try unprotected.withPasscode(
            Array("1".utf8), cost: Fixtures.cost, at: Fixtures.date, deviceKey: deviceKey)
        var ring = try ring(protected)
        try unlock(ring, protected, ProtectorSecret(.passcode, Array("1".utf8)))
        sealed[.whenPasscodeSetThisDeviceOnly] = try ring.seal(
            Fixtures.fullAttributes(), bytes: [7], to: Self.binding(ring, .whenPasscodeSetThisDeviceOnly))

        let oldKey = try protected.keybagKey(for: ProtectorSecret(.passcode, Array("1".utf8)), with: deviceKey)
        let (changed, _) = try protected.adding(
            ProtectorSecret(.passcode, Array("2".utf8)), label: "", cost: Fixtures.cost, at: Fixtures.date, oldKey,
            deviceKey: deviceKey)
        ring = try self.ring(changed)
        #expect(throws: SealingError.wrongSecret) {
            try changed.keybagKey(for: ProtectorSecret(.passcode, Array("1".utf8)), with: deviceKey)
        }
        try unlock(ring, changed, ProtectorSecret(.passcode, Array("2".utf8)))
        for (accessibility, item) in sealed {
            let binding = Self.binding(ring, accessibility)
            #expect(try ring.openData(item.data, wrappedKey: item.wrappedKey, of: binding) == Data([7]))
        }

        let (removed, _) = try changed.withoutPasscode(oldKey, at: Fixtures.date, deviceKey: deviceKey)
        #expect(!removed.isProtected)
        ring = try self.ring(removed)
        #expect(ring.lockState == .noPasscode)
        for (accessibility, item) in sealed where accessibility != .whenPasscodeSetThisDeviceOnly {
            let binding = Self.binding(ring, accessibility)
            #expect(try ring.openData(item.data, wrappedKey: item.wrappedKey, of: binding) == Data([7]))
        }
        // A new passcode does not bring the class back, but makes a new one.
        let (again, _) = try removed.withPasscode(
            Array("1".utf8), cost: Fixtures.cost, at: Fixtures.date, deviceKey: deviceKey)
        ring = try self.ring(again)
        try unlock(ring, again, ProtectorSecret(.passcode, Array("1".utf8)))
        let lost = try #require(sealed[.whenPasscodeSetThisDeviceOnly])
        #expect(throws: SealingError.damaged) {
            let binding = Self.binding(ring, .whenPasscodeSetThisDeviceOnly)
            return try ring.openData(lost.data, wrappedKey: lost.wrappedKey, of: binding)
        }
    }

    private static func binding(_ ring: KeyRing, _ accessibility: Accessibility) -> ItemBinding {
        var binding = Fixtures.binding(ring)
        binding.accessibility = accessibility
        return binding
    }

    @Test func `can have each other protector, and each opens it`() throws {
        var keybag = keybag
        let secrets = [
            ProtectorSecret(.recoveryKey, [UInt8](repeating: 1, count: 16)),
            ProtectorSecret(.loginPassword, Array("login".utf8)),
            ProtectorSecret(.credential, [UInt8](repeating: 2, count: 32)),
            ProtectorSecret(.credential, [UInt8](repeating: 3, count: 32)),
        ]
        for secret in secrets {
            #expect(
                throws: secret.kind == .credential && secret.bytes[0] == 3 ? SealingError.wrongSecret : .noSuchProtector
            ) {
                try keybag.keybagKey(for: secret, with: deviceKey)
            }
            keybag = try keybag.adding(
                secret, label: "l", cost: Fixtures.cost, at: Fixtures.date, key, deviceKey: deviceKey
            ).keybag
        }
        keybag = try Keybag(decoding: keybag.encoded)
        #expect(
            keybag.protectorDescriptions.map(\.kind)
                == [.passcode, .recoveryKey, .loginPassword, .credential, .credential])
        for secret in secrets + [passcode] { try unlock(try ring(keybag), keybag, secret) }

        let credential = try #require(keybag.protectorDescriptions.first { $0.kind == .credential })
        let fewer = try #require(keybag.removing(credential.number))
        #expect(throws: SealingError.wrongSecret) { try fewer.keybagKey(for: secrets[2], with: deviceKey) }
        try unlock(try ring(fewer), fewer, secrets[3])
    }

    @Test func `keeps one recovery key and at most eight credentials`() throws {
        var keybag = keybag
        for byte in 1...2 as ClosedRange<UInt8> {
            keybag = try keybag.adding(
                ProtectorSecret(.recoveryKey, [UInt8](repeating: byte, count: 16)), label: "", cost: Fixtures.cost,
                at: Fixtures.date, key, deviceKey: deviceKey
            ).keybag
        }
        #expect(keybag.protectorDescriptions.map(\.kind) == [.passcode, .recoveryKey])
        for byte in 1...9 as ClosedRange<UInt8> {
            let secret = ProtectorSecret(.credential, [UInt8](repeating: byte, count: 32))
            if byte == 9 {
                #expect(throws: SealingError.tooManyProtectors) {
                    try keybag.adding(
                        secret, label: "", cost: Fixtures.cost, at: Fixtures.date, key, deviceKey: deviceKey)
                }
            } else {
                keybag = try keybag.adding(
                    secret, label: "", cost: Fixtures.cost, at: Fixtures.date, key, deviceKey: deviceKey
                ).keybag
            }
        }
        #expect(try Keybag(decoding: keybag.encoded).protectorDescriptions.count == 10)
    }

    @Test func `does not lose its passcode as one protector among others`() {
        #expect(keybag.removing(keybag.protectorDescriptions[0].number) == nil)
        #expect(keybag.removing(99) == nil)
    }
}

@Suite struct `The cost of a passcode` {
    @Test func `illegal and endless parameters are refused`() {
        #expect(ScryptCost(logN: 0, blockSize: 8, parallelism: 1) == nil)
        #expect(ScryptCost(logN: 18, blockSize: 1, parallelism: 1) == nil)
        #expect(ScryptCost(logN: 17, blockSize: 8, parallelism: 16) != nil)
        #expect(ScryptCost(logN: 17, blockSize: 9, parallelism: 1) == nil)
        #expect(ScryptCost(logN: 15, blockSize: 32, parallelism: 1) != nil)
        #expect(ScryptCost(logN: 15, blockSize: 33, parallelism: 1) == nil)
        #expect(ScryptCost(logN: 17, blockSize: 8, parallelism: 0) == nil)
        #expect(ScryptCost(logN: 17, blockSize: 0, parallelism: 1) == nil)
        #expect(ScryptCost(logN: 17, blockSize: 8, parallelism: 17) == nil)
        #expect(ScryptCost(logN: 1, blockSize: .max, parallelism: .max) == nil)
    }

    @Test func `grows with the time that it may take, first in memory, then in passes`() {
        let base = ScryptCost.minimum
        #expect(base.scaled(to: .milliseconds(300), measured: .milliseconds(300)) == base)
        #expect(base.scaled(to: .milliseconds(320), measured: .milliseconds(80)).logN == 17)
        let slow = base.scaled(to: .milliseconds(960), measured: .milliseconds(80))
        #expect((slow.logN, slow.parallelism) == (17, 3))
    }

    @Test func `never falls below the minimum, and believes no clock that stands still`() {
        let base = ScryptCost.minimum
        #expect(base.scaled(to: .milliseconds(50), measured: .seconds(5)) == base)
        #expect(base.scaled(to: .seconds(1), measured: .zero) == base)
    }

    @Test func `the vectors of RFC 7914 hold for the library`() throws {
        // Section 12, the second: N 1024, r 8, p 16, "password", "NaCl"; the first 32 bytes.
        let cost = try #require(ScryptCost(logN: 10, blockSize: 8, parallelism: 16))
        let key = try cost.stretch(Data("password".utf8), salt: Array("NaCl".utf8), in: StretchingTurn())
        #expect(
            key.copyBytes().hex == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162")
    }
}
