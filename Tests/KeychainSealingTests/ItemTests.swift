// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import KeychainModel
@testable import KeychainSealing
import Synchronization
import Testing

@Suite struct `Sealed items` {
    let keybag: KeyRing
    let attributes: ItemAttributes
    let binding: ItemBinding
    let sealed: SealedItem

    init() throws {
        keybag = try Fixtures.unlocked()
        attributes = try Fixtures.fullAttributes()
        binding = Fixtures.binding(keybag)
        sealed = try keybag.seal(attributes, bytes: Array("correct horse".utf8), to: binding)
    }

    private func openData(_ sealed: SealedItem, _ binding: ItemBinding) throws -> Data? {
        try keybag.openData(sealed.data, wrappedKey: sealed.wrappedKey, of: binding)
    }

    @Test func `what was sealed is opened`() throws {
        #expect(try keybag.openAttributes(sealed.attributes, of: binding) == attributes)
        #expect(try openData(sealed, binding) == Data("correct horse".utf8))
    }

    @Test func `an empty secret is not the same as none`() throws {
        let empty = try keybag.seal(attributes, bytes: [], to: binding)
        let absent = try keybag.seal(attributes, bytes: nil, to: binding)
        #expect(try openData(empty, binding) == Data())
        #expect(try openData(absent, binding) == nil)
        var exchanged = empty
        exchanged.data[1] = absent.data[1]
        #expect(throws: SealingError.damaged) { try openData(exchanged, binding) }
    }

    @Test func `every class seals and opens`() throws {
        for accessibility in Accessibility.allCases where keybag.isAvailable(accessibility) {
            var binding = binding
            binding.accessibility = accessibility
            let sealed = try keybag.seal(attributes, bytes: [7], to: binding)
            #expect(try openData(sealed, binding) == Data([7]))
            #expect(try keybag.openAttributes(sealed.attributes, of: binding) == attributes)
        }
    }

    @Test func `sealing twice shows nothing equal`() throws {
        let again = try keybag.seal(attributes, bytes: Array("correct horse".utf8), to: binding)
        #expect(again.attributes != sealed.attributes)
        #expect(again.data != sealed.data)
        #expect(again.wrappedKey != sealed.wrappedKey)
    }

    @Test func `item key and nonces of one sealing are what the storage's generator gave, in one call`() throws {
        final class Counting: SecretKeyStorage {
            let calls = Mutex<[Int]>([])
            var random: RandomBytes { RandomBytes { [self] in fill($0) } }

            func fill(_ memory: UnsafeMutableRawBufferPointer) {
                calls.withLock { $0.append(memory.count) }
                for index in memory.indices { memory[index] = UInt8(index) }
            }

            func store(_ bytes: UnsafeRawBufferPointer) throws(SealingError) -> any StoredKey {
                try PlainKeyStorage().store(bytes)
            }
        }
        let storage = Counting()
        let keybag = try Fixtures.keybag().keyRing(with: Fixtures.deviceKey(), in: storage)
        let sealed = try keybag.seal(attributes, bytes: [1], to: binding)
        #expect(storage.calls.withLock { $0 } == [56])
        let itemKey = try keybag.keys(for: .whenUnlocked).classKey.copy().unwrap(sealed.wrappedKey)
        #expect(itemKey == SymmetricKey(data: Data(0..<32)))
        #expect(sealed.attributes[2..<14] == Data(32..<44))
        #expect(sealed.data[2..<14] == Data(44..<56))
    }

    @Test func `any changed bit of any part is noticed`() throws {
        for bit in 0..<(sealed.attributes.count * 8) {
            var changed = sealed
            changed.attributes[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: bit < 8 ? SealingError.unsupportedVersion : .damaged) {
                try keybag.openAttributes(changed.attributes, of: binding)
            }
        }
        for bit in 0..<(sealed.data.count * 8) {
            var changed = sealed
            changed.data[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: bit < 8 ? SealingError.unsupportedVersion : .damaged) { try openData(changed, binding) }
        }
        for bit in 0..<(sealed.wrappedKey.count * 8) {
            var changed = sealed
            changed.wrappedKey[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: SealingError.damaged) { try openData(changed, binding) }
        }
    }

    @Test func `parts open only beside what they were sealed to`() throws {
        let other = keybag.digest(of: .string("TEAM.other"), for: .accessGroup, in: .genericPassword)
        var changes: [(String, ItemBinding)] = []
        func change(_ name: String, _ body: (inout ItemBinding) -> Void) {
            var changed = binding
            body(&changed)
            changes.append((name, changed))
        }
        change("row") { $0.item = ItemIdentifier(bytes: Array(repeating: 9, count: 16))! }
        change("version") { $0.rowVersion = 2 }
        change("group") { $0.accessGroup = other }
        change("class") { $0.itemClass = .internetPassword }
        change("accessibility") { $0.accessibility = .afterFirstUnlock }
        change("synchronizable") { $0.isSynchronizable = true }
        change("account") { $0.uniqueness[0] = other }
        change("service to absent") { $0.uniqueness[1] = nil }
        change("view hint") { $0.uniqueness[2] = other }
        change("fewer") { $0.uniqueness.removeLast() }
        for (name, changed) in changes {
            #expect(throws: SealingError.damaged, "\(name)") {
                try keybag.openAttributes(sealed.attributes, of: changed)
            }
            #expect(throws: SealingError.damaged, "\(name)") { try openData(sealed, changed) }
        }
    }

    @Test func `parts of two items or two versions cannot be exchanged`() throws {
        var next = binding
        next.rowVersion = 2
        let newer = try keybag.seal(attributes, bytes: [1], to: next)
        for (data, key) in [
            (newer.data, sealed.wrappedKey), (sealed.data, newer.wrappedKey), (newer.data, newer.wrappedKey),
        ] {
            #expect(throws: SealingError.damaged) { try keybag.openData(data, wrappedKey: key, of: binding) }
        }
        #expect(throws: SealingError.damaged) { try keybag.openAttributes(sealed.data, of: binding) }
        #expect(throws: SealingError.damaged) {
            try keybag.openData(sealed.attributes, wrappedKey: sealed.wrappedKey, of: binding)
        }
    }

    @Test func `random bytes crash no decoder`() throws {
        var random = SeededBytes("fuzz")
        let deviceKey = try Fixtures.deviceKey()
        for _ in 0..<3000 {
            var bytes = random.next(random.number(below: 700))
            switch random.number(below: 4) {
            case 0: bytes.replaceSubrange(0..<min(8, bytes.count), with: Array("CHTLKBG".utf8) + [1])
            case 1: bytes.replaceSubrange(0..<min(8, bytes.count), with: Array("CHTLDEV".utf8) + [1])
            case 2: bytes.replaceSubrange(0..<min(2, bytes.count), with: [1, UInt8(random.number(below: 4))])
            default: break
            }
            let data = Data(bytes)
            #expect(throws: SealingError.self) {
                try Keybag(decoding: bytes).keyRing(with: deviceKey, in: PlainKeyStorage())
            }
            #expect(throws: SealingError.self) { try DeviceKey(decoding: bytes, in: PlainKeyStorage()) }
            #expect(throws: SealingError.self) { try keybag.openAttributes(data, of: binding) }
            #expect(throws: SealingError.self) { try keybag.openData(data, wrappedKey: data, of: binding) }
            #expect(throws: SealingError.self) {
                try keybag.openData(data, wrappedKey: sealed.wrappedKey, of: binding)
            }
        }
    }
}

@Suite struct `Attribute encoding` {
    @Test func `attributes survive their encoding`() throws {
        for attributes in [ItemAttributes(empty: .genericPassword), try Fixtures.fullAttributes()] {
            let bytes = AttributeEncoding.encode(attributes)
            #expect(try AttributeEncoding.decode(bytes, .genericPassword) == attributes)
        }
    }

    @Test func `one value has one encoding`() throws {
        var random = SeededBytes("canonical")
        let good = Array(AttributeEncoding.encode(try Fixtures.fullAttributes()))
        var accepted = 0
        for _ in 0..<20_000 {
            var bytes = good
            for _ in 0...random.number(below: 3) {
                bytes[random.number(below: bytes.count)] = random.next(1)[0]
            }
            if random.number(below: 4) == 0 { bytes.removeLast(random.number(below: bytes.count)) }
            guard let decoded = try? AttributeEncoding.decode(bytes, .genericPassword) else { continue }
            accepted += 1
            #expect(Array(AttributeEncoding.encode(decoded)) == bytes)
        }
        // Changed letters make other attributes, so some are accepted; otherwise this test would show nothing.
        #expect(accepted > 100)
    }

    @Test(arguments: [
        ("twice", "61636374 01 00000001 61 61636374 01 00000001 62"),
        ("out of order", "73766365 01 00000001 61 61636374 01 00000001 62"),
        ("unknown type", "61636374 06 00000001 61"),
        ("no such attribute", "61636373 01 00000001 61"),
        ("longer than the rest", "61636374 01 00000002 61"),
        ("length of 4 GiB", "61636374 01 FFFFFFFF 61"),
        ("not UTF-8", "61636374 01 00000001 FF"),
        ("short number", "63727472 03 00000004 00000001"),
        ("long number", "63727472 03 00000009 000000000000000001"),
        ("type that the schema does not take", "63646174 01 00000001 61"),
        ("flag that is not stored", "73796E63 03 00000008 0000000000000002"),
        ("infinite date", "63646174 04 00000008 7FF0000000000000"),
        ("impossible access control", "61636363 05 00000005 01 0000C000"),
        ("cut off", "61636374 01 0000"),
    ])
    func `is refused`(_ name: String, _ hex: String) {
        let digits = Array(hex.filter { $0 != " " })
        let bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...($0 + 1)]), radix: 16)! }
        #expect(throws: SealingError.damaged) { try AttributeEncoding.decode(bytes, .genericPassword) }
    }
}
