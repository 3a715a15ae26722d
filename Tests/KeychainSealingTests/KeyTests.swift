// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import KeychainModel
import KeychainSealing
import Testing

@Suite struct `Device keys` {
    @Test func `a device key survives its file form`() throws {
        let key = try Fixtures.deviceKey()
        let file = try key.encoded()
        #expect(file.count == 72)
        let again = try DeviceKey(decoding: file, in: PlainKeyStorage())
        #expect(try again.encoded() == file)
    }

    @Test func `two new device keys differ`() throws {
        let keys = try (0..<2).map { _ in try DeviceKey.generate(in: PlainKeyStorage()).encoded() }
        #expect(keys[0] != keys[1])
    }

    @Test func `any changed bit and any other length of a device key file is refused`() throws {
        let file = try Fixtures.deviceKey().encoded()
        for bit in 0..<(file.count * 8) {
            var changed = file
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: bit / 8 == 7 ? SealingError.unsupportedVersion : .damaged) {
                try DeviceKey(decoding: changed, in: PlainKeyStorage())
            }
        }
        for length in 0..<file.count {
            #expect(throws: SealingError.damaged) {
                try DeviceKey(decoding: file.prefix(length), in: PlainKeyStorage())
            }
        }
        #expect(throws: SealingError.damaged) { try DeviceKey(decoding: file + [0], in: PlainKeyStorage()) }
    }

    @Test func `a device key does not show itself`() throws {
        let key = try Fixtures.deviceKey()
        var text = ""
        dump(key, to: &text)
        #expect("\(key) \(String(reflecting: key))" == "DeviceKey(redacted) DeviceKey(redacted)")
        #expect(!text.contains("bytes"))
    }

    @Test func `storage that has no memory fails the key`() {
        struct Empty: SecretKeyStorage {
            func store(_ bytes: UnsafeRawBufferPointer) throws(SealingError) -> any StoredKey { throw .noKeyStorage }
        }
        #expect(throws: SealingError.noKeyStorage) { try DeviceKey.generate(in: Empty()) }
    }
}

@Suite struct Keybags {
    @Test func `a keybag survives its encoding`() throws {
        let keybag = try Fixtures.keybag()
        #expect(keybag.encoded.count == 638)
        let again = try Keybag(decoding: keybag.encoded)
        #expect(again.encoded == keybag.encoded)
        #expect(again.identifier == keybag.identifier)
    }

    @Test func `without a passcode every class but the passcode's is available`() throws {
        let keybag = try Fixtures.unlocked()
        for accessibility in Accessibility.allCases {
            #expect(keybag.isAvailable(accessibility) == (accessibility != .whenPasscodeSetThisDeviceOnly))
        }
        var binding = Fixtures.binding(keybag)
        binding.accessibility = .whenPasscodeSetThisDeviceOnly
        #expect(throws: SealingError.keyNotAvailable(.whenPasscodeSetThisDeviceOnly)) {
            try keybag.seal(Fixtures.fullAttributes(), bytes: [1], to: binding)
        }
    }

    @Test func `another device key opens nothing`() throws {
        #expect(throws: SealingError.wrongDeviceKey) {
            try Fixtures.keybag().keyRing(with: Fixtures.deviceKey("another"), in: PlainKeyStorage())
        }
    }

    @Test func `any changed byte of a keybag is noticed`() throws {
        let (bytes, deviceKey) = (try Fixtures.keybag().encoded, try Fixtures.deviceKey())
        for place in bytes.indices {
            for mask in [0x01, 0x80] as [UInt8] {
                var changed = bytes
                changed[place] ^= mask
                #expect(throws: SealingError.self, "byte \(place)") {
                    try Keybag(decoding: changed).keyRing(with: deviceKey, in: PlainKeyStorage())
                }
            }
        }
    }

    @Test func `class keys of two classes or of two keybags cannot be exchanged`() throws {
        let (deviceKey, first) = (try Fixtures.deviceKey(), try Fixtures.keybag().encoded)
        let second = try Fixtures.keybag("other").encoded
        // From Documentation/Formats/keybag.md: class entries begin at byte 112, 81 bytes each.
        let (ak, ck) = (113..<193, 194..<274)
        var exchanged = first
        exchanged.replaceSubrange(ak, with: first[ck])
        exchanged.replaceSubrange(ck, with: first[ak])
        var borrowed = first
        borrowed.replaceSubrange(ak, with: second[ak])
        for changed in [exchanged, borrowed] {
            #expect(throws: SealingError.damaged) {
                try Keybag(decoding: changed).keyRing(with: deviceKey, in: PlainKeyStorage())
            }
        }
    }

    @Test func `a later version is told from damage`() throws {
        var bytes = try Fixtures.keybag().encoded
        bytes[7] = 2
        #expect(throws: SealingError.unsupportedVersion) { try Keybag(decoding: bytes) }
        #expect(throws: SealingError.damaged) { try Keybag(decoding: Fixtures.keybag().encoded + [0]) }
        for length in 0..<bytes.count {
            #expect(throws: SealingError.self) { try Keybag(decoding: bytes.prefix(length)) }
        }
    }
}

@Suite struct `Index digests` {
    @Test func `text and data with the same bytes have the same digest, numbers do not`() throws {
        let keybag = try Fixtures.unlocked()
        func digest(_ value: AttributeValue, _ key: AttributeKey = .account) -> IndexDigest {
            keybag.digest(of: value, for: key, in: .genericPassword)
        }
        #expect(digest(.string("jenny")) == digest(.data(Array("jenny".utf8))))
        #expect(digest(.string("1")) != digest(.number(1)))
        #expect(digest(.data([0, 0, 0, 0, 0, 0, 0, 1])) != digest(.number(1)))
        let one = Timestamp(secondsSinceReferenceDate: 1)
        #expect(digest(.date(one)) != digest(.number(Int64(bitPattern: (1.0).bitPattern))))
        #expect(digest(.string("jenny")) != digest(.string("jenny"), .service))
        #expect(digest(.string("jenny")) != keybag.digest(of: .string("jenny"), for: .account, in: .internetPassword))
        #expect(
            digest(.date(Timestamp(secondsSinceReferenceDate: -0.0)))
                == digest(.date(Timestamp(secondsSinceReferenceDate: 0))))
        #expect(digest(.string("jenny")).bytes.count == 16)
    }

    @Test func `another keybag has other digests`() throws {
        let other = try Fixtures.keybag("other").keyRing(with: Fixtures.deviceKey(), in: PlainKeyStorage())
        let value = AttributeValue.string("jenny")
        let digest = try Fixtures.unlocked().digest(of: value, for: .account, in: .genericPassword)
        #expect(digest != other.digest(of: value, for: .account, in: .genericPassword))
    }
}
