// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import KeychainModel
import KeychainSealing

/// Repeatable bytes that look random: SHA-256 in counter mode over a seed.
struct SeededBytes {
    private let seed: String
    private var counter = 0

    init(_ seed: String) { self.seed = seed }

    mutating func next(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            bytes += SHA256.hash(data: Data("\(seed) \(counter)".utf8))
            counter += 1
        }
        return Array(bytes.prefix(count))
    }

    mutating func number(below limit: Int) -> Int {
        next(4).reduce(0) { $0 << 8 | Int($1) } % limit
    }
}

enum Fixtures {
    static let date = Timestamp(secondsSinceReferenceDate: 800_000_000)
    /// Cheap enough for a test.
    static let cost = ScryptCost(logN: 4, blockSize: 8, parallelism: 1)!

    static func deviceKey(_ seed: String = "device") throws -> DeviceKey {
        var bytes = SeededBytes(seed)
        return try DeviceKey(key: SymmetricKey(data: bytes.next(32)), in: PlainKeyStorage())
    }

    static func keybag(_ seed: String = "keybag") throws -> Keybag {
        var bytes = SeededBytes(seed)
        return try Keybag(identifier: bytes.next(16), salt: bytes.next(32), deviceKey: deviceKey(), at: date) {
            SymmetricKey(data: bytes.next(32))
        }
    }

    static func unlocked() throws -> KeyRing {
        try keybag().keyRing(with: deviceKey(), in: PlainKeyStorage())
    }

    /// The keybag of the fixtures with the passcode "1234".
    static func protectedKeybag() throws -> (keybag: Keybag, key: KeybagKey) {
        try keybag().withPasscode(Array("1234".utf8), cost: cost, at: date, deviceKey: deviceKey())
    }

    static func attributes(_ entries: [(AttributeKey, AttributeValue)]) throws -> ItemAttributes {
        try ItemAttributes(stored: .genericPassword, entries.map { ItemAttributes.Entry($0, $1) })
    }

    /// One value of every type.
    static func fullAttributes() throws -> ItemAttributes {
        try attributes([
            (.account, .string("jenny")), (.service, .data([0, 255, 10])), (.accessGroup, .string("TEAM.app")),
            (.accessible, .string("ak")), (.synchronizable, .number(0)), (.creator, .number(-2)),
            (.creationDate, .date(Timestamp(secondsSinceReferenceDate: 800_000_000.25))),
            (.accessControl, .accessControl(AccessControl(protection: .whenUnlocked, flags: .userPresence)!)),
            (.label, .string("Wi-Fi – Küche")),
        ])
    }

    static func binding(_ keybag: KeyRing) -> ItemBinding {
        var bytes = SeededBytes("item")
        return ItemBinding(
            itemClass: .genericPassword, accessibility: .whenUnlocked, isSynchronizable: false,
            item: ItemIdentifier(bytes: bytes.next(16))!, rowVersion: 1,
            accessGroup: keybag.digest(of: .string("TEAM.app"), for: .accessGroup, in: .genericPassword),
            uniqueness: [
                keybag.digest(of: .string("jenny"), for: .account, in: .genericPassword),
                keybag.digest(of: .data([0, 255, 10]), for: .service, in: .genericPassword), nil, nil,
            ])
    }
}

extension KeyRing {
    func seal(_ attributes: ItemAttributes, bytes: [UInt8]?, to binding: ItemBinding) throws -> SealedItem {
        guard let bytes else { return try seal(attributes, data: nil, to: binding) }
        return try bytes.withUnsafeBytes { try seal(attributes, data: $0, to: binding) }
    }
}
