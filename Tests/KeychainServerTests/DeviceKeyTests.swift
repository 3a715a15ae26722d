// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEndpoint
import KeychainHelperWire
import KeychainModel
import KeychainPlatform
import KeychainSealing
import Synchronization
import Testing

@testable import KeychainServer

/// The file with the device key, as it is and sealed to a token.
struct DeviceKeyTests {
    private let folder: KeychainFolder
    private let token = FakeToken()

    init() throws {
        let path = "/tmp/chatelaine-device-key-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        folder = KeychainFolder(path: path)
    }

    /// A token whose blobs are the secrets turned around; it can be told to lie.
    private final class FakeToken: Sendable {
        enum Mood { case honest, gone, foreign, forgetful }
        let mood = Mutex(Mood.honest)

        func answer(_ request: TokenRequest) throws(TokenFailure) -> TokenAnswer {
            switch (mood.withLock { $0 }, request) {
            case (.gone, _): throw TokenFailure(.unavailable, "gone")
            case (.foreign, .unseal): throw TokenFailure(.foreignBlob, "not mine")
            case (.forgetful, .unseal): return .secret([1, 2, 3])
            case (_, .seal(let secret)): return .blob(secret.reversed())
            case (_, .unseal(let blob)): return .secret(blob.reversed())
            default: throw TokenFailure(.unsupported, "no")
            }
        }
    }

    private var file: DeviceKeyFile {
        let token = token
        return DeviceKeyFile(
            in: folder, SecureElement([.init(.tpm) { request throws(TokenFailure) in try token.answer(request) }]))
    }

    private var content: Data { (try? Data(contentsOf: URL(filePath: folder.deviceKeyPath))) ?? Data() }

    private func load() throws -> Data { try file.loadOrCreate(in: LockedKeyStorage()).encoded() }

    private func refusal(_ place: DeviceKeyPlace) -> Refusal? {
        do throws(Refusal) {
            try file.moving.move(place)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a device key that is sealed opens the same keychain, and can be taken back`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        let key = try load()
        let clear = content
        #expect(try file.moving.place() == .file)
        #expect(refusal(.file) == nil && content == clear)
        #expect(refusal(.tpm) == nil)
        #expect(try file.moving.place() == .tpm)
        #expect(content != clear && content.range(of: key[8..<40]) == nil, "the key is still in its file")
        #expect(try load() == key)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.deviceKeyPath)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let sealed = content
        #expect(refusal(.tpm) == nil && content == sealed)
        #expect(refusal(.file) == nil)
        #expect(content == clear)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["device.key"])
    }

    @Test(arguments: [FakeToken.Mood.gone, .foreign, .forgetful])
    private func `a token that does not do what it should leaves the file as it is`(mood: FakeToken.Mood) throws {
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        _ = try load()
        let clear = content
        token.mood.withLock { $0 = mood }
        #expect(refusal(.tpm) != nil)
        #expect(content == clear)
        token.mood.withLock { $0 = .honest }
        #expect(refusal(.tpm) == nil)
        let sealed = content
        token.mood.withLock { $0 = mood }
        if mood != .forgetful {
            #expect(refusal(.file) != nil)
            #expect(content == sealed)
        }
        #expect(throws: StartFailure.self) { try load() }
        #expect(content == sealed)
    }

    @Test func `a file that is damaged, or without its token, is said to be`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        _ = try load()
        #expect(refusal(.tpm) == nil)
        let without = DeviceKeyFile(in: folder, .none)
        #expect(throws: StartFailure.self) { try without.loadOrCreate(in: LockedKeyStorage()) }
        var damaged = content
        damaged[12] ^= 1
        try damaged.write(to: URL(filePath: folder.deviceKeyPath))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.deviceKeyPath)
        #expect(throws: StartFailure.self) { try load() }
        #expect(content == damaged)
    }
}
