// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainClient
import KeychainModel
import KeychainTesting
import SecretMemory
import Testing

/// Copies of keychain files: made by their user, and each day by the service.
struct FileKeychainCopyTests {
    private final class House {
        let folder = NSTemporaryDirectory() + "chatelaine-copies-\(UInt64.random(in: 0 ... .max))"
        let memory: InMemoryKeychain

        init() throws {
            memory = try InMemoryKeychain(accessGroups: ["mail"], keychainFolder: folder + "/keychains")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }

        deinit {
            memory.closeKeychainFiles()
            try? FileManager.default.removeItem(atPath: folder)
        }

        var client: KeychainClient { memory.client }
        var copy: String { folder + "/work.copy" }
        var snapshots: String { folder + "/keychains/.work-db.snapshots" }

        @discardableResult
        func make() throws -> KeychainClient {
            _ = try client.createKeychain(at: "work", password: secret("sesame"))
            let work = try client.inKeychain("work")
            try work.addPassword()
            return work
        }

        var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } }
    }

    @Test func `a copy opens with the keychain's own password, with all that it has`() async throws {
        let house = try House()
        try house.make()
        let settings = FileKeychainSettings(locksOnSleep: false, idleLockSeconds: 60)
        try house.client.changeKeychain(at: "work", settings)
        try house.client.lockKeychain(at: "work")
        try house.client.copyKeychain(at: "work", to: house.copy)
        let mode = try FileManager.default.attributesOfItem(atPath: house.copy)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try house.client.deleteKeychain(at: "work")
        let report = try house.client.restoreKeychain(at: "work", from: house.copy)
        #expect(report.state == .locked && report.settings == settings)
        let work = try house.client.inKeychain("work")
        #expect(try refusal { _ = try work.secrets(query()) }.reason == .locked)
        try house.client.unlockKeychain(at: "work", password: secret("sesame"))
        #expect(try work.secrets(query()) == ["correct horse"])
        // Who may read it has come along.
        let other = try house.memory.client(accessGroups: ["news"]).inKeychain("work")
        #expect(try refusal { _ = try other.secrets(query()) } == Refusal(.authenticationFailed, .notTrusted))
        #expect(try house.client.keychainList(of: .user).searched == [report.path])
        #expect(try house.names == ["keychains", "work.copy"])
    }

    @Test func `existing items are not replaced, neither by a copy nor by a restore`() async throws {
        let house = try House()
        let work = try house.make()
        try Data("mine".utf8).write(to: URL(fileURLWithPath: house.copy))
        let duplicate = Refusal(.duplicateKeychain, .duplicateKeychain)
        #expect(try refusal { try house.client.copyKeychain(at: "work", to: house.copy) } == duplicate)
        #expect(try Data(contentsOf: URL(fileURLWithPath: house.copy)) == Data("mine".utf8))
        #expect(
            try refusal { _ = try house.client.restoreKeychain(at: "new", from: house.copy) }
                == Refusal(.invalidKeychain, .notAKeychain))
        try FileManager.default.removeItem(atPath: house.copy)
        try house.client.copyKeychain(at: "work", to: house.copy)
        try work.addPassword(service: "later")
        #expect(try refusal { _ = try house.client.restoreKeychain(at: "work", from: house.copy) } == duplicate)
        #expect(try work.attributeSets(query()).count == 2)
        #expect(try house.names == ["keychains", "work.copy"])
    }

    @Test func `a copy of another device is restored nowhere`() async throws {
        let (house, other) = (try House(), try House())
        try house.make()
        try house.client.copyKeychain(at: "work", to: house.copy)
        #expect(
            try refusal { _ = try other.client.restoreKeychain(at: "work", from: house.copy) }
                == Refusal(.invalidKeychain, .notAKeychain))
        #expect(try other.client.keychain(at: "work").state == .missing)
        #expect(try other.names == ["keychains"])
    }

    @Test func `a damaged copy is restored nowhere`() async throws {
        let house = try House()
        try house.make()
        try house.client.copyKeychain(at: "work", to: house.copy)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: house.copy))
        bytes.replaceSubrange(100..<bytes.count, with: Data(repeating: 0xFF, count: bytes.count - 100))
        try bytes.write(to: URL(fileURLWithPath: house.copy))
        #expect(
            try refusal { _ = try house.client.restoreKeychain(at: "new", from: house.copy) }.status == .invalidKeychain
        )
        #expect(try house.client.keychain(at: "new").state == .missing)
    }

    @Test(arguments: ["copy", "/nowhere/at/all/copy"])
    func `a copy goes to an absolute path in a folder that is there`(place: String) async throws {
        let house = try House()
        try house.make()
        #expect(try refusal { try house.client.copyKeychain(at: "work", to: place) }.status == .noSuchKeychain)
    }

    @Test func `each day there is a copy beside it, which goes with the keychain`() async throws {
        let house = try House()
        try house.make()
        func snapshots() throws -> [String] {
            house.memory.passTime()
            house.memory.closeKeychainFiles()
            return ((try? FileManager.default.contentsOfDirectory(atPath: house.snapshots)) ?? []).sorted()
        }
        #expect(try snapshots().count == 1)
        _ = try house.client.keychain(at: "work")
        #expect(try snapshots().count == 1)
        house.memory.setTime(to: Date(timeIntervalSinceReferenceDate: 800_000_000 + 86_400))
        _ = try house.client.keychain(at: "work")
        let both = try snapshots()
        #expect(both.count == 2)
        // It is a copy like any other.
        let newest = house.snapshots + "/" + (both.last ?? "")
        #expect(try house.client.restoreKeychain(at: "again", from: newest).state == .locked)
        try house.client.deleteKeychain(at: "work")
        #expect(!FileManager.default.fileExists(atPath: house.snapshots))
    }

    @Test func `no copy opens with a password that the keychain had once`() async throws {
        let house = try House()
        try house.make()
        house.memory.passTime()
        house.memory.closeKeychainFiles()
        try house.client.changePassword(ofKeychainAt: "work", old: secret("sesame"), new: secret("open up"))
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: house.snapshots).first)
        _ = try house.client.restoreKeychain(at: "again", from: house.snapshots + "/" + name)
        #expect(
            try refusal { try house.client.unlockKeychain(at: "again", password: secret("sesame")) }.reason
                == .wrongSecret)
        try house.client.unlockKeychain(at: "again", password: secret("open up"))
    }

    @Test func `unlocking one keychain touches no other`() async throws {
        let house = try House()
        try house.make()
        for name in ["other", "third"] {
            _ = try house.client.createKeychain(at: name, password: secret("sesame"))
        }
        try house.client.lockAllKeychains()
        house.memory.closeKeychainFiles()
        func facts() throws -> [String: [String]] {
            var facts: [String: [String]] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: house.folder + "/keychains")
            where name.contains("other") || name.contains("third") {
                let attributes = try FileManager.default.attributesOfItem(atPath: house.folder + "/keychains/" + name)
                facts[name] = ["\(attributes[.modificationDate] ?? "")", "\(attributes[.size] ?? "")"]
            }
            return facts
        }
        let before = try facts()
        try house.client.unlockKeychain(at: "work", password: secret("sesame"))
        #expect(try facts() == before)
        for name in ["other", "third"] { #expect(try house.client.keychain(at: name).state == .locked) }
    }
}

private func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8)) }
