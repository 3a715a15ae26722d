// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import KeychainModel
import KeychainSealing
import Testing

/// One file of TestVectors/backup-v1: a backup, the attempted operation, and the outcome.
private struct BackupVector: Codable, Equatable {
    struct Secret: Codable, Equatable {
        var kind: UInt8
        var bytes: String
    }

    struct Item: Codable, Equatable {
        var `class`: UInt8
        var item: String
        var accessibility: UInt8
        var attributes: [Vector.Value]
        /// Missing for an item without one.
        var secret: String?
    }

    struct Opened: Codable, Equatable {
        var items: [Item]
        var otherDevice: UInt64
        var leftOut: UInt64
    }

    var about: String
    var format = "backup"
    var outcome: String
    var deviceKey: String
    var secret: Secret
    var backup: String
    var opened: Opened?

    static let directory = Vector.directory.deletingLastPathComponent().appendingPathComponent("backup-v1")
}

@Suite struct `Test vectors of backups` {
    private static let storage = PlainKeyStorage()
    private static let passphrase = BackupSecret(.passphrase, Array("open sesame".utf8))

    private static func deviceKey(_ bytes: [UInt8]) throws -> DeviceKey {
        try DeviceKey(key: SymmetricKey(data: bytes), in: storage)
    }

    private static func items() throws -> [BackupItem] {
        func item(_ number: UInt8, _ attributes: ItemAttributes, _ data: [UInt8]?) -> BackupItem {
            BackupItem(
                identifier: ItemIdentifier(bytes: [UInt8](repeating: number, count: 16))!, attributes: attributes,
                data: data.map { Data($0) })
        }
        var bound = try Fixtures.fullAttributes()
        bound[.accessible] = .string("cku")
        return [
            item(1, try Fixtures.fullAttributes(), Array("correct horse".utf8)), item(2, bound, []),
            item(3, try Fixtures.attributes([(.account, .string("ann"))]), nil),
        ]
    }

    private static func records(
        _ device: [UInt8], _ secret: BackupSecret<[UInt8]>, _ form: BackupForm = .portable
    ) throws -> [[UInt8]] {
        var random = SeededBytes("vectors v1 backup \(secret.kind) \(form)")
        var writer = try BackupWriter(
            BackupInputs(backup: random.next(16), salt: random.next(32), key: SymmetricKey(data: random.next(32))),
            secret: secret, cost: ScryptCost(logN: 10, blockSize: 8, parallelism: 1)!, form: form,
            keybag: random.next(16), date: Timestamp(secondsSinceReferenceDate: 800_000_000.5),
            deviceKey: deviceKey(device), in: storage)
        var records = [writer.header.encoded]
        for item in try items() {
            records.append(writer.record(of: item, isDeviceBound: item.attributes.accessibility.isThisDeviceOnly))
        }
        writer.leaveOut()
        records.append(writer.end())
        return records
    }

    private static func made() throws -> [String: BackupVector] {
        var seeded = SeededBytes("vectors v1 device key")
        let device = seeded.next(32)
        let other = seeded.next(32)
        var vectors: [String: BackupVector] = [:]
        func add(
            _ name: String, _ about: String, _ outcome: String, _ bytes: [UInt8], device used: [UInt8] = device,
            secret: BackupSecret<[UInt8]> = passphrase
        ) throws {
            var vector = BackupVector(
                about: about, outcome: outcome, deviceKey: used.hex,
                secret: .init(kind: secret.kind.rawValue, bytes: secret.bytes.hex), backup: bytes.hex)
            if outcome == "opens" { vector.opened = try read(bytes, used, secret) }
            vectors["backup-" + name] = vector
        }
        let recoveryKey = BackupSecret(.recoveryKey, Array(UInt8(0)..<16))
        let portable = try records(device, passphrase)
        let bound = Array(try records(device, passphrase, .deviceBound).joined())
        let all = Array(portable.joined())
        let byKey = Array(try records(device, recoveryKey).joined())
        try add("portable", "A portable backup on the device that made it.", "opens", all)
        try add("other-device", "The same on another: one item may not leave its device.", "opens", all, device: other)
        try add("recovery-key", "Under a recovery key.", "opens", byKey, secret: recoveryKey)
        try add("device-bound", "Of a keychain without a passcode.", "opens", bound)
        try add("device-bound-elsewhere", "The same on another device.", "other-device", bound, device: other)
        try add(
            "wrong-passphrase", "With one letter more.", "wrong-secret", all,
            secret: BackupSecret(.passphrase, Array("open sesames".utf8)))
        try add("other-kind", "A recovery key for a passphrase's backup.", "wrong-secret", all, secret: recoveryKey)
        try add("truncated", "Without its last record.", "truncated", Array(portable.dropLast().joined()))
        try add("longer", "One byte is left over.", "damaged", all + [0])
        try add(
            "exchanged", "Two records in each other's place.", "damaged",
            portable[0] + portable[2] + portable[1] + portable[3] + portable[4])
        try add("left-out", "A record in the middle is missing.", "damaged", portable[0] + portable[1] + portable[3])
        for (name, bit, about) in [
            ("changed-salt", 60 * 8, "One bit of the salt; the checksum tells."),
            ("changed-record", BackupHeader.size * 8 + 200, "One bit of the first record."),
        ] {
            var changed = all
            changed[bit / 8] ^= 1
            try add(name, about, "damaged", changed)
        }
        var newer = all
        newer[7] = 2
        try add("version-2", "Of a later version.", "unsupported-version", newer)
        return vectors
    }

    private static func read(
        _ bytes: [UInt8], _ device: [UInt8], _ secret: BackupSecret<[UInt8]>
    ) throws -> BackupVector.Opened {
        let header = try BackupHeader(decoding: bytes.prefix(BackupHeader.size))
        var reader = try BackupReader(header, secret: secret, deviceKey: deviceKey(device), in: storage)
        var opened = BackupVector.Opened(items: [], otherDevice: 0, leftOut: 0)
        reader.receive(bytes.dropFirst(BackupHeader.size))
        while let record = try reader.next() {
            switch record {
            case .item(let item, _):
                opened.items.append(
                    BackupVector.Item(
                        class: item.attributes.itemClass.rawValue, item: item.identifier.bytes.hex,
                        accessibility: item.attributes.accessibility.rawValue,
                        attributes: item.attributes.entries.map { Vector.Value($0.key, $0.value) },
                        secret: item.data?.hex))
            case .otherDevice: opened.otherDevice += 1
            case .end(let counts): opened.leftOut = counts.leftOut
            }
        }
        _ = try reader.finish()
        return opened
    }

    private static let names = (try? FileManager.default.contentsOfDirectory(atPath: BackupVector.directory.path)) ?? []

    private static func file(_ name: String) throws -> BackupVector {
        try JSONDecoder().decode(
            BackupVector.self, from: Data(contentsOf: BackupVector.directory.appendingPathComponent(name)))
    }

    @Test func `the files are what this version makes from the same seeds`() throws {
        let made = try Self.made()
        #expect(Set(made.keys.map { $0 + ".json" }) == Set(Self.names))
        for (name, vector) in made { #expect(try Self.file(name + ".json") == vector, "\(name)") }
    }

    @Test(arguments: names) func `has the outcome it names`(_ name: String) throws {
        let vector = try Self.file(name)
        let secret = BackupSecret(
            try #require(BackupSecretKind(rawValue: vector.secret.kind)),
            try #require([UInt8](hex: vector.secret.bytes)))
        let (bytes, device) = (
            try #require([UInt8](hex: vector.backup)), try #require([UInt8](hex: vector.deviceKey))
        )
        let outcome: String
        do {
            #expect(try Self.read(bytes, device, secret) == vector.opened)
            outcome = "opens"
        } catch let error as BackupError {
            outcome =
                switch error {
                case .damaged: "damaged"
                case .truncated: "truncated"
                case .unsupportedVersion: "unsupported-version"
                case .otherDevice: "other-device"
                case .wrongSecret: "wrong-secret"
                case .noKeyStorage: "no-key-storage"
                }
        }
        #expect(outcome == vector.outcome)
    }

    @Test func `say what a program that only carries a backup has to know`() throws {
        for name in Self.names {
            let vector = try Self.file(name)
            let bytes = try #require([UInt8](hex: vector.backup)).prefix(BackupFile.headerBytes)
            let expected: BackupFile.Kind =
                vector.outcome == "unsupported-version"
                ? .newer : .backup(name.contains("recovery-key") ? .recoveryKey : .passphrase)
            #expect(BackupFile.kind(bytes) == expected, "\(name)")
            #expect(BackupFile.kind(bytes.dropLast()) == (expected == .newer ? .newer : .damaged))
            #expect(BackupFile.kind(bytes.dropFirst()) == .notABackup)
        }
        #expect(BackupFile.headerBytes == BackupHeader.size)
    }

    /// Writes the files of a version that has none yet: CHATELAINE_RECORD_VECTORS=1. Never changes an existing file.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["CHATELAINE_RECORD_VECTORS"] == "1"))
    func `record`() throws {
        try FileManager.default.createDirectory(at: BackupVector.directory, withIntermediateDirectories: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        for (name, vector) in try Self.made() {
            let file = BackupVector.directory.appendingPathComponent(name + ".json")
            guard !FileManager.default.fileExists(atPath: file.path) else { continue }
            try (try encoder.encode(vector) + Data("\n".utf8)).write(to: file)
        }
    }
}
