// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import KeychainModel
import KeychainSealing
import Testing

@Suite struct `Test vectors of version 1` {
    private static let names = (try? FileManager.default.contentsOfDirectory(atPath: Vector.directory.path)) ?? []

    private static func read(_ name: String) throws -> Vector {
        try JSONDecoder().decode(
            Vector.self, from: Data(contentsOf: Vector.directory.appendingPathComponent(name)))
    }

    @Test func `the files are what this version makes from the same seeds`() throws {
        let made = try VectorGenerator().vectors
        #expect(Set(made.keys.map { $0 + ".json" }) == Set(Self.names))
        for (name, vector) in made {
            #expect(try Self.read(name + ".json") == vector, "\(name)")
        }
    }

    @Test(arguments: names) func `has the outcome it names`(_ name: String) throws {
        let vector = try Self.read(name)
        let error: SealingError? =
            switch vector.outcome {
            case .opens: nil
            case .damaged: .damaged
            case .unsupportedVersion: .unsupportedVersion
            case .wrongDeviceKey: .wrongDeviceKey
            case .wrongSecret: .wrongSecret
            case .noSuchProtector: .noSuchProtector
            }
        switch vector.format {
        case .deviceKey: try check(error) { try openDeviceKey(vector) }
        case .keybag: try check(error) { _ = try unlock(vector) }
        case .indexDigest: try checkDigest(vector)
        case .item: try checkItem(vector, error)
        case .grant: try checkGrant(vector, error)
        }
    }

    private func check(_ error: SealingError?, _ body: () throws -> Void) throws {
        if let error { #expect(throws: error, performing: body) } else { try body() }
    }

    private func bytes(_ hex: String?) throws -> [UInt8] { try #require(hex.flatMap([UInt8].init(hex:))) }

    private func openDeviceKey(_ vector: Vector) throws {
        let file = try bytes(vector.deviceKeyFile)
        let key = try DeviceKey(decoding: file, in: PlainKeyStorage())
        #expect(Array(try key.encoded()) == file)
        #expect(Array(file[8..<40]) == (try bytes(vector.deviceKey)))
    }

    private func unlock(_ vector: Vector) throws -> KeyRing {
        let deviceKey = try DeviceKey(key: .init(data: bytes(vector.deviceKey)), in: PlainKeyStorage())
        let keybag = try Keybag(decoding: bytes(vector.keybag))
        let ring = try keybag.keyRing(with: deviceKey, in: PlainKeyStorage())
        guard let secret = vector.secret else { return ring }
        #expect(ring.lockState == .beforeFirstUnlock)
        let kind = try #require(ProtectorKind(rawValue: secret.kind))
        let key = try keybag.keybagKey(for: ProtectorSecret(kind, bytes(secret.bytes)), with: deviceKey)
        let keys = try keybag.classKeys(with: key, deviceKey, in: PlainKeyStorage())
        #expect(ring.unlock(with: keys, since: ring.epoch))
        return ring
    }

    private func checkDigest(_ vector: Vector) throws {
        let (key, value) = try #require(vector.value?.attribute)
        let itemClass = try #require(vector.itemClass.flatMap(ItemClass.init(code:)))
        #expect(try unlock(vector).digest(of: value, for: key, in: itemClass).bytes == bytes(vector.digest))
    }

    private func checkItem(_ vector: Vector, _ error: SealingError?) throws {
        let keybag = try unlock(vector)
        let item = try #require(vector.item)
        let given = item.binding
        let binding = ItemBinding(
            itemClass: try #require(ItemClass(code: given.itemClass)),
            accessibility: try #require(Accessibility(code: given.accessibility)),
            isSynchronizable: given.synchronizable, item: try #require(ItemIdentifier(bytes: bytes(given.item))),
            rowVersion: given.version, accessGroup: try #require(IndexDigest(bytes: bytes(given.accessGroup))),
            uniqueness: try given.uniqueness.map { IndexDigest(bytes: try bytes($0)) })
        let (attributes, data, key) = (
            Data(try bytes(item.attributes)), Data(try bytes(item.data)), Data(try bytes(item.wrappedKey))
        )
        try check(error) {
            let attributes = try keybag.openAttributes(attributes, of: binding)
            let secret = try keybag.openData(data, wrappedKey: key, of: binding)
            let opened = Vector.Opened(
                attributes: attributes.entries.map { Vector.Value($0.key, $0.value) }, secret: secret?.hex)
            #expect(opened == vector.opened)
        }
    }

    private func checkGrant(_ vector: Vector, _ error: SealingError?) throws {
        let deviceKey = try DeviceKey(key: .init(data: bytes(vector.deviceKey)), in: PlainKeyStorage())
        let keybag = try Keybag(decoding: bytes(vector.keybag))
        let key = try GrantKey(deviceKey: deviceKey, keybagIdentifier: keybag.identifier, in: PlainKeyStorage())
        let row = try #require(vector.grant)
        let item = try #require(ItemIdentifier(bytes: bytes(row.item)))
        try check(error) {
            let grant = try key.open(Data(bytes(row.bytes)), number: row.number, item: item)
            #expect(grant.number == row.number && grant.item == item)
            #expect(Vector.OpenedGrant(grant) == vector.openedGrant)
        }
    }

    /// Writes the files of a version that has none yet: CHATELAINE_RECORD_VECTORS=1. Never changes an existing file.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["CHATELAINE_RECORD_VECTORS"] == "1"))
    func `record`() throws {
        try FileManager.default.createDirectory(at: Vector.directory, withIntermediateDirectories: true)
        for (name, vector) in try VectorGenerator().vectors {
            let file = Vector.directory.appendingPathComponent(name + ".json")
            guard !FileManager.default.fileExists(atPath: file.path) else { continue }
            try vector.encoded.write(to: file)
        }
    }
}
