// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import KeychainModel
import Testing

@testable import KeychainSealing

/// TestVectors/constrained-items-v2.json: sealed items of version 2, which never change.
struct ConstrainedVectorTests {
    private struct File: Codable, Equatable {
        var about: [String]
        var deviceKey: String
        var keybag: String
        var vectors: [Case]
    }

    private struct Case: Codable, Equatable {
        var name: String
        var flags: UInt32
        var password: String?
        var enrolmentSecret: String?
        var item: String
        var rowVersion: UInt64
        var accessGroup: String
        var uniqueness: [String]
        /// The columns.
        var itemKey: String
        var attributes: String
        var data: String
        /// Nil where it does not open.
        var secret: String?
    }

    private static let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "TestVectors/constrained-items-v2.json")

    private static let cases: [(String, AccessControl.Flags, password: String?, hasEnrolment: Bool)] = [
        ("user-presence", .userPresence, nil, false),
        ("biometry-or-passcode", [.biometryAny, .or, .devicePasscode], nil, false),
        ("current-set", .biometryCurrentSet, nil, true),
        ("password", .applicationPassword, "open sesame", false),
        ("everything", [.biometryCurrentSet, .devicePasscode, .and, .applicationPassword], "ünï", true),
        ("key-use", [.privateKeyUsage, .userPresence], nil, false),
    ]

    private func material(_ password: [UInt8]?, _ enrolment: [UInt8]?) throws -> ItemKeyMaterial {
        func store(_ bytes: [UInt8]?) throws -> (any StoredKey)? {
            try bytes.map { try PlainKeyStorage().store(copying: $0) }
        }
        return ItemKeyMaterial(
            password: try store(password), enrolment: try store(enrolment).map { EnrolmentSecret(key: $0) })
    }

    private func made() throws -> File {
        let (keybag, ring) = (try Fixtures.keybag(), try Fixtures.unlocked())
        let secret = Array("correct horse".utf8)
        var vectors: [Case] = []
        for (name, flags, password, hasEnrolment) in Self.cases {
            var bytes = SeededBytes(name)
            var binding = Fixtures.binding(ring)
            let access: ItemAccess = try #require(ItemAccess(flags))
            binding.access = access
            let enrolment = hasEnrolment ? bytes.next(32) : nil
            let inputs = SealingInputs(
                itemKey: SymmetricKey(data: bytes.next(32)),
                attributesNonce: try AES.GCM.Nonce(data: bytes.next(12)),
                dataNonce: try AES.GCM.Nonce(data: bytes.next(12)))
            let material = try material(password.map { Array($0.utf8) }, enrolment)
            let sealed = try secret.withUnsafeBytes {
                try ring.seal(
                    try Fixtures.fullAttributes(), data: $0, to: binding, material: material, with: inputs)
            }
            vectors.append(
                Case(
                    name: name, flags: flags.rawValue, password: password.map { Array($0.utf8).hex },
                    enrolmentSecret: enrolment?.hex, item: binding.item.bytes.hex, rowVersion: binding.rowVersion,
                    accessGroup: binding.accessGroup.bytes.hex,
                    uniqueness: binding.uniqueness.map { $0?.bytes.hex ?? "" }, itemKey: sealed.wrappedKey.hex,
                    attributes: sealed.attributes.hex, data: sealed.data.hex, secret: secret.hex))
        }
        func changed(_ index: Int, _ name: String, _ change: (inout Case) -> Void) {
            var vector = vectors[index]
            change(&vector)
            (vector.name, vector.secret) = (name, nil)
            vectors.append(vector)
        }
        changed(0, "constraints-taken-away") { $0.itemKey = String($0.itemKey.suffix(80)) }
        changed(0, "other-constraints") {
            $0.itemKey.replaceSubrange(
                $0.itemKey.startIndex..<$0.itemKey.index($0.itemKey.startIndex, offsetBy: 10), with: "0200000002")
        }
        changed(3, "wrong-password") { $0.password = Array("open Sesame".utf8).hex }
        changed(2, "other-enrolment") { $0.enrolmentSecret = [UInt8](repeating: 7, count: 32).hex }
        changed(0, "older-version") { $0.rowVersion += 1 }
        return File(
            about: [
                "Sealed items of version 2 (Documentation/Formats/sealed-item.md, \"Version 2\"), one case each, in a keybag without a passcode.",
                "Generic passwords of the class ak. Bytes in hexadecimal; itemKey, attributes and data are the columns of the row. Without a secret it does not open.",
                "Origin: made for this project by ConstrainedVectorTests from fixed seeds. Licence: Apache-2.0.",
                "Never edited once released: another version of the format gets another file.",
            ],
            deviceKey: SeededKey.device.hex, keybag: Array(keybag.encoded).hex, vectors: vectors)
    }

    private enum SeededKey {
        static var device: [UInt8] {
            var bytes = SeededBytes("device")
            return bytes.next(32)
        }
    }

    @Test func `the file is what this version makes from the same seeds`() throws {
        #expect(try JSONDecoder().decode(File.self, from: Data(contentsOf: Self.url)) == made())
    }

    @Test func `each opens, or does not, as it says`() throws {
        let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: Self.url))
        #expect(file.vectors.count == 11)
        let ring = try Fixtures.unlocked()
        for vector in file.vectors {
            func bytes(_ text: String) throws -> [UInt8] { try #require([UInt8](hex: text)) }
            let column = ItemKeyColumn(Data(try bytes(vector.itemKey)))
            let binding = ItemBinding(
                itemClass: .genericPassword, accessibility: .whenUnlocked, isSynchronizable: false,
                item: try #require(ItemIdentifier(bytes: try bytes(vector.item))), rowVersion: vector.rowVersion,
                accessGroup: try #require(IndexDigest(bytes: try bytes(vector.accessGroup))),
                uniqueness: try vector.uniqueness.map { try $0.isEmpty ? nil : IndexDigest(bytes: bytes($0)) },
                access: column.access)
            let material = try material(
                try vector.password.map(bytes), try vector.enrolmentSecret.map(bytes))
            func open() throws -> Data? {
                try ring.openData(
                    Data(try bytes(vector.data)), wrappedKey: column.wrappedKey, of: binding, material: material)
            }
            if let secret = vector.secret {
                #expect(try open() == Data(try bytes(secret)), "\(vector.name)")
                #expect(column.access?.flags.rawValue == vector.flags)
                let attributes = try ring.openAttributes(Data(try bytes(vector.attributes)), of: binding)
                #expect(try attributes == Fixtures.fullAttributes())
            } else {
                #expect(throws: SealingError.self, "\(vector.name)") { try open() }
            }
        }
    }

    /// Writes the file of a version that has none yet: CHATELAINE_RECORD_VECTORS=1. Never changes an existing file.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["CHATELAINE_RECORD_VECTORS"] == "1"))
    func `record`() throws {
        guard !FileManager.default.fileExists(atPath: Self.url.path) else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try (encoder.encode(made()) + Data("\n".utf8)).write(to: Self.url)
    }
}
