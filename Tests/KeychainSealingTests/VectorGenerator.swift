// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import KeychainModel
import KeychainSealing

/// Makes the vectors of version 1 from fixed seeds. Their files are frozen; this is kept so that everybody can see where
/// they come from.
struct VectorGenerator {
    private(set) var vectors: [String: Vector] = [:]
    private let deviceKeyBytes: [UInt8]
    private let deviceKey: DeviceKey
    private let keybag: Keybag
    private let unlocked: KeyRing
    private let keys: Vector.Keys

    init() throws {
        var seeded = SeededBytes("vectors v1 device key")
        deviceKeyBytes = seeded.next(32)
        deviceKey = try DeviceKey(key: SymmetricKey(data: deviceKeyBytes), in: PlainKeyStorage())
        var random = SeededBytes("vectors v1 keybag")
        var given: [[UInt8]] = []
        keybag = try Keybag(identifier: random.next(16), salt: random.next(32), deviceKey: deviceKey, at: Fixtures.date)
        {
            given.append(random.next(32))
            return SymmetricKey(data: given[given.count - 1])
        }
        unlocked = try keybag.keyRing(with: deviceKey, in: PlainKeyStorage())
        let names = ["ak", "ck", "dk", "aku", "cku", "dku"]
        let classes = names.enumerated().map { place, name in
            (
                name,
                Vector.ClassKeys(classKey: given[2 + 2 * place].hex, metadataKey: given[3 + 2 * place].hex)
            )
        }
        keys = Vector.Keys(
            indexKey: given[1].hex, keybagKey: given[0].hex, classes: Dictionary(uniqueKeysWithValues: classes))
        try addDeviceKeys()
        addKeybags()
        try addProtectedKeybags()
        addDigests()
        try addItems()
        try addGrants()
    }

    private mutating func addGrants() throws {
        let key = try GrantKey(deviceKey: deviceKey, keybagIdentifier: keybag.identifier, in: PlainKeyStorage())
        let item = ItemIdentifier(bytes: Array(0x10...0x1F))!
        func sealed(_ grant: RememberedGrant) throws -> Data {
            var random = SeededBytes("vectors v1 grant \(grant.number)")
            return try key.seal(grant, nonce: AES.GCM.Nonce(data: random.next(12)))
        }
        func vector(_ about: String, _ outcome: Vector.Outcome, _ bytes: Data, number: UInt64 = 3) -> Vector {
            var vector = Vector(about: about, format: .grant, outcome: outcome)
            vector.deviceKey = deviceKeyBytes.hex
            vector.keybag = Array(keybag.encoded).hex
            vector.grant = Vector.Grant(number: number, item: item.bytes.hex, bytes: bytes.hex)
            return vector
        }
        let cases: [(String, String, ProgramIdentity, CallerTier, GrantableOperation, ItemClass)] = [
            ("command", "The command may read the data.", .command, .installed, .readData, .genericPassword),
            (
                "signed", "A signed program may change the item.",
                .signed(team: "TEAM", identifier: "org.example.mail"), .signed, .update, .internetPassword
            ),
            (
                "installed", "An installed program, enforced, may delete the item.",
                .installed(path: "/usr/bin/schlüssel"), .enforced, .delete, .genericPassword
            ),
            (
                "unsigned", "An unsigned program: none that a keychain makes, but one that the format allows.",
                .unsigned(digest: Array(0..<32)), .unsigned, .readData, .genericPassword
            ),
        ]
        for (place, (name, about, identity, tier, operation, itemClass)) in cases.enumerated() {
            let grant = RememberedGrant(
                number: UInt64(place + 1), identity: identity, tier: tier, operation: operation, itemClass: itemClass,
                item: item, date: Timestamp(secondsSinceReferenceDate: 800_000_000.5))
            let bytes = try sealed(grant)
            var opening = vector(about, .opens, bytes, number: grant.number)
            opening.openedGrant = Vector.OpenedGrant(grant)
            vectors["grant-\(name)"] = opening
            guard name == "installed" else { continue }
            vectors["grant-other-number"] = vector("In the row of another number.", .damaged, bytes, number: 4)
            var moved = vector("Beside another item.", .damaged, bytes)
            moved.grant?.item = Array(item.bytes.reversed()).hex
            vectors["grant-other-item"] = moved
            vectors["grant-changed"] = vector(
                "One bit of the ciphertext.", .damaged, Data(Array(bytes).flipping(bit: 14 * 8)))
            vectors["grant-longer"] = vector("One byte is left over.", .damaged, bytes + [0])
            vectors["grant-version-2"] = vector("Of a later version.", .unsupportedVersion, [2] + bytes.dropFirst())
        }
    }

    private mutating func addDeviceKeys() throws {
        let file = Array(try deviceKey.encoded())
        func vector(_ about: String, _ outcome: Vector.Outcome, _ file: [UInt8]) -> Vector {
            var vector = Vector(about: about, format: .deviceKey, outcome: outcome)
            vector.deviceKeyFile = file.hex
            if outcome == .opens { vector.deviceKey = deviceKeyBytes.hex }
            return vector
        }
        vectors["device-key"] = vector("A device key file.", .opens, file)
        vectors["device-key-changed-key"] = vector(
            "One bit of the key is not what it was; the checksum tells.", .damaged, file.flipping(bit: 100))
        vectors["device-key-changed-checksum"] = vector(
            "One bit of the checksum is not what it was.", .damaged, file.flipping(bit: 575))
        vectors["device-key-short"] = vector("The last byte is missing.", .damaged, file.dropLast())
        vectors["device-key-longer"] = vector("One byte is left over.", .damaged, file + [0])
        var later = file
        later[7] = 2
        vectors["device-key-version-2"] = vector("Of a later version.", .unsupportedVersion, later)
    }

    private mutating func addKeybags() {
        let bytes = Array(keybag.encoded)
        func vector(_ about: String, _ outcome: Vector.Outcome, _ bytes: [UInt8]) -> Vector {
            var vector = Vector(about: about, format: .keybag, outcome: outcome)
            vector.deviceKey = deviceKeyBytes.hex
            vector.keybag = bytes.hex
            if outcome == .opens { vector.keys = keys }
            return vector
        }
        vectors["keybag"] = vector("A keybag without a passcode, and all keys in it.", .opens, bytes)
        var wrong = vector("Opened with a device key that it was not made with.", .wrongDeviceKey, bytes)
        wrong.deviceKey = deviceKeyBytes.flipping(bit: 0).hex
        vectors["keybag-wrong-device-key"] = wrong
        vectors["keybag-changed-protector"] = vector(
            "One bit of the wrapped keybag key is not what it was.", .damaged, bytes.flipping(bit: 71 * 8))
        vectors["keybag-changed-class-key"] = vector(
            "One bit of the wrapped class key of ck is not what it was.", .damaged, bytes.flipping(bit: 194 * 8))
        vectors["keybag-changed-metadata-key"] = vector(
            "One bit of the wrapped metadata key of dku is not what it was.", .damaged, bytes.flipping(bit: 597 * 8))
        vectors["keybag-changed-index-key"] = vector(
            "One bit of the wrapped index key is not what it was.", .damaged, bytes.flipping(bit: 637 * 8))
        vectors["keybag-longer"] = vector("One byte is left over.", .damaged, bytes + [0])
        vectors["keybag-unknown-protector"] = vector(
            "A kind of protector that version 1 does not have.", .damaged, bytes.flipping(bit: 57 * 8 + 3))
        vectors["keybag-version-2"] = vector(
            "Of a later version.", .unsupportedVersion, bytes.flipping(bits: [56, 57]))
    }

    /// The keybag with a passcode and one protector of each other kind, and an item of the class that needs a passcode.
    private mutating func addProtectedKeybags() throws {
        var random = SeededBytes("vectors v1 protectors")
        var given: [[UInt8]] = []
        func next() -> SymmetricKey {
            given.append(random.next(32))
            return SymmetricKey(data: given[given.count - 1])
        }
        let passcode = Array("correct horse 🐴".utf8)
        let cost = ScryptCost(logN: 10, blockSize: 8, parallelism: 2)!
        var (keybag, key) = try keybag.withPasscode(
            passcode, cost: cost, at: Fixtures.date, deviceKey: deviceKey, nextKey: next)
        var keys = keys
        keys.keybagKey = given[0].hex
        keys.classes["akpu"] = Vector.ClassKeys(classKey: given[1].hex, metadataKey: given[2].hex)
        let others: [ProtectorSecret<[UInt8]>] = [
            ProtectorSecret(.recoveryKey, random.next(16)), ProtectorSecret(.loginPassword, Array("login".utf8)),
            ProtectorSecret(.credential, random.next(32)), ProtectorSecret(.credential, random.next(32)),
        ]
        for (place, secret) in others.enumerated() {
            let date = Timestamp(secondsSinceReferenceDate: 800_000_001.5 + Double(place))
            keybag = try keybag.adding(
                secret, label: place == 2 ? "büro" : "", cost: cost, at: date, key, deviceKey: deviceKey, nextKey: next
            ).keybag
        }
        let bytes = Array(keybag.encoded)
        func vector(
            _ about: String, _ outcome: Vector.Outcome, _ secret: ProtectorSecret<[UInt8]>, _ bytes: [UInt8]
        ) -> Vector {
            var vector = Vector(about: about, format: .keybag, outcome: outcome)
            vector.deviceKey = deviceKeyBytes.hex
            vector.keybag = bytes.hex
            vector.secret = Vector.Secret(kind: secret.kind.rawValue, bytes: secret.bytes.hex)
            if outcome == .opens { vector.keys = keys }
            return vector
        }
        let right = ProtectorSecret(.passcode, passcode)
        vectors["keybag-passcode"] = vector("Opened with its passcode.", .opens, right, bytes)
        for (name, secret) in zip(["recovery-key", "login-password", "credential", "second-credential"], others) {
            vectors["keybag-\(name)"] = vector("The same keybag, opened with another protector.", .opens, secret, bytes)
        }
        vectors["keybag-wrong-passcode"] = vector(
            "Not the passcode.", .wrongSecret, ProtectorSecret(.passcode, Array("correct horse".utf8)), bytes)
        vectors["keybag-no-recovery-key"] = vector(
            "A keybag that has no protector of the kind.", .noSuchProtector, others[0],
            Array(keybag.removing(3)!.encoded))
        vectors["keybag-changed-cost"] = vector(
            "The passcode's p is 3 where it was 2: it takes part in the wrap.", .wrongSecret, right,
            bytes.flipping(bit: 79 * 8))
        vectors["keybag-changed-date"] = vector(
            "One bit of the date of the passcode.", .wrongSecret, right, bytes.flipping(bit: 69 * 8))
        vectors["keybag-expensive"] = vector(
            "Parameters that would take a tebibyte of memory.", .damaged, right,
            bytes.flipping(bits: [71 * 8 + 2, 71 * 8 + 4]))

        let ring = try keybag.keyRing(with: deviceKey, in: PlainKeyStorage())
        _ = ring.unlock(with: try keybag.classKeys(with: key, deviceKey, in: PlainKeyStorage()), since: ring.epoch)
        var binding = Fixtures.binding(ring)
        binding.accessibility = .whenPasscodeSetThisDeviceOnly
        var attributes = try Fixtures.fullAttributes()
        attributes[.accessible] = .string(Accessibility.whenPasscodeSetThisDeviceOnly.code)
        var item = try opening(
            "An item of the class akpu.", attributes, Array("correct horse battery staple".utf8), binding, ring)
        item.keybag = bytes.hex
        item.secret = Vector.Secret(kind: ProtectorKind.passcode.rawValue, bytes: passcode.hex)
        vectors["item-akpu"] = item
    }

    private mutating func addDigests() {
        let control = AccessControl(protection: .whenUnlocked, flags: [.userPresence, .privateKeyUsage])!
        let date = Timestamp(secondsSinceReferenceDate: 800_000_000.25)
        let cases: [(String, String, AttributeKey, AttributeValue)] = [
            ("text", "Text.", .account, .string("jenny")),
            ("data", "Data with the bytes of that text: the same digest.", .account, .data(Array("jenny".utf8))),
            ("other-attribute", "The same text in another attribute.", .service, .string("jenny")),
            ("empty", "Empty text.", .service, .string("")),
            ("unicode", "Text beyond ASCII: its UTF-8 bytes as they are.", .label, .string("Schlüssel 鍵 🔑")),
            ("access-group", "An access group.", .accessGroup, .string("TEAM.app")),
            ("number", "A negative number.", .creator, .number(-2)),
            ("date", "A date.", .creationDate, .date(date)),
            (
                "negative-zero", "A date of minus zero, taken for zero.", .creationDate,
                .date(.init(secondsSinceReferenceDate: -0.0))
            ),
            ("access-control", "An access control.", .accessControl, .accessControl(control)),
        ]
        for (name, about, key, value) in cases {
            var vector = Vector(about: about, format: .indexDigest, outcome: .opens)
            vector.deviceKey = deviceKeyBytes.hex
            vector.keybag = Array(keybag.encoded).hex
            vector.itemClass = "genp"
            vector.value = Vector.Value(key, value)
            vector.digest = unlocked.digest(of: value, for: key, in: .genericPassword).bytes.hex
            vectors["digest-\(name)"] = vector
        }
    }

    private mutating func addItems() throws {
        let full = try Fixtures.fullAttributes()
        let secret = Array("correct horse battery staple".utf8)
        let binding = Fixtures.binding(unlocked)

        for accessibility in Accessibility.allCases where unlocked.isAvailable(accessibility) {
            var (binding, attributes) = (binding, full)
            binding.accessibility = accessibility
            attributes[.accessible] = .string(accessibility.code)
            vectors["item-\(accessibility.code)"] = try opening(
                "An item of the class \(accessibility.code), with an attribute of each type.", attributes, secret,
                binding)
        }
        vectors["item-empty-secret"] = try opening("An item whose secret is empty.", full, [], binding)
        vectors["item-no-secret"] = try opening("An item without a secret.", full, nil, binding)
        vectors["item-no-attributes"] = try opening(
            "An item without attributes: not one that a keychain makes, but one that the format allows.",
            ItemAttributes(empty: .genericPassword), secret, binding)
        var synchronizable = binding
        synchronizable.isSynchronizable = true
        synchronizable.rowVersion = UInt64(Int64.max)
        vectors["item-synchronizable"] = try opening(
            "A synchronizable item of the last version there is.", full, secret, synchronizable)

        let sealed = try seal(full, secret, binding, "item")
        let empty = try seal(full, [], binding, "item")
        var next = binding
        next.rowVersion = 2
        let newer = try seal(full, secret, next, "newer item")
        func damaged(
            _ name: String, _ about: String, _ sealed: SealedItem,
            _ change: (inout SealedItem, inout ItemBinding) -> Void
        ) -> (String, Vector) {
            var (sealed, binding) = (sealed, binding)
            change(&sealed, &binding)
            return ("item-\(name)", vector(about, .damaged, sealed, binding))
        }
        let cases = [
            damaged("changed-attributes", "One bit of the attributes' ciphertext.", sealed) { item, _ in
                item.attributes[20] ^= 1
            },
            damaged("changed-attributes-tag", "One bit of the attributes' tag.", sealed) { item, _ in
                item.attributes[item.attributes.count - 1] ^= 0x80
            },
            damaged("changed-data", "One bit of the secret's ciphertext.", sealed) { item, _ in item.data[14] ^= 1 },
            damaged("changed-nonce", "One bit of the secret's nonce.", sealed) { item, _ in item.data[2] ^= 1 },
            damaged("changed-key", "One bit of the wrapped item key.", sealed) { item, _ in item.wrappedKey[39] ^= 1 },
            damaged("empty-made-absent", "An empty secret, marked as none.", empty) { item, _ in item.data[1] = 3 },
            damaged("parts-exchanged", "Attributes in the secret's place.", sealed) { item, _ in
                item.data = item.attributes
            },
            damaged("older-version", "The parts of one version beside the number of the next.", sealed) { _, binding in
                binding.rowVersion = 2
            },
            damaged("mixed-versions", "The secret and key of the next version.", sealed) { item, _ in
                item.data = newer.data
                item.wrappedKey = newer.wrappedKey
            },
            damaged("other-row", "In the row of another item.", sealed) { _, binding in
                binding.item = ItemIdentifier(bytes: Array(repeating: 0x42, count: 16))!
            },
            damaged("other-group", "In another access group.", sealed) { _, binding in
                binding.accessGroup = unlocked.digest(
                    of: .string("TEAM.other"), for: .accessGroup, in: .genericPassword)
            },
            damaged("other-account", "At another account's place in the index.", sealed) { _, binding in
                binding.uniqueness[0] = unlocked.digest(of: .string("john"), for: .account, in: .genericPassword)
            },
            damaged("other-accessibility", "Marked as readable when locked.", sealed) { _, binding in
                binding.accessibility = .always
            },
            damaged("made-synchronizable", "Marked as synchronizable.", sealed) { _, binding in
                binding.isSynchronizable = true
            },
        ]
        for (name, vector) in cases { vectors[name] = vector }
        var later = sealed
        later.attributes[0] = 2
        later.data[0] = 2
        vectors["item-version-2"] = vector("Of a later version.", .unsupportedVersion, later, binding)
    }

    private func seal(
        _ attributes: ItemAttributes, _ secret: [UInt8]?, _ binding: ItemBinding, _ seed: String,
        _ ring: KeyRing? = nil
    ) throws -> SealedItem {
        let ring = ring ?? unlocked
        var random = SeededBytes("vectors v1 \(seed)")
        let inputs = SealingInputs(
            itemKey: SymmetricKey(data: random.next(32)), attributesNonce: try AES.GCM.Nonce(data: random.next(12)),
            dataNonce: try AES.GCM.Nonce(data: random.next(12)))
        guard let secret else { return try ring.seal(attributes, data: nil, to: binding, with: inputs) }
        return try secret.withUnsafeBytes { try ring.seal(attributes, data: $0, to: binding, with: inputs) }
    }

    private func opening(
        _ about: String, _ attributes: ItemAttributes, _ secret: [UInt8]?, _ binding: ItemBinding,
        _ ring: KeyRing? = nil
    ) throws -> Vector {
        var vector = vector(about, .opens, try seal(attributes, secret, binding, about, ring), binding)
        vector.opened = Vector.Opened(
            attributes: attributes.entries.map { Vector.Value($0.key, $0.value) }, secret: secret?.hex)
        return vector
    }

    private func vector(
        _ about: String, _ outcome: Vector.Outcome, _ sealed: SealedItem, _ binding: ItemBinding
    ) -> Vector {
        var vector = Vector(about: about, format: .item, outcome: outcome)
        vector.deviceKey = deviceKeyBytes.hex
        vector.keybag = Array(keybag.encoded).hex
        vector.item = Vector.Item(
            binding: Vector.Binding(
                itemClass: binding.itemClass.code, accessibility: binding.accessibility.code,
                synchronizable: binding.isSynchronizable, item: binding.item.bytes.hex, version: binding.rowVersion,
                accessGroup: binding.accessGroup.bytes.hex, uniqueness: binding.uniqueness.map { $0?.bytes.hex ?? "" }),
            wrappedKey: sealed.wrappedKey.hex, attributes: sealed.attributes.hex, data: sealed.data.hex)
        return vector
    }
}

extension [UInt8] {
    fileprivate func flipping(bit: Int) -> [UInt8] { flipping(bits: [bit]) }

    fileprivate func flipping(bits: [Int]) -> [UInt8] {
        var changed = self
        for bit in bits { changed[bit / 8] ^= 1 << (bit % 8) }
        return changed
    }
}
