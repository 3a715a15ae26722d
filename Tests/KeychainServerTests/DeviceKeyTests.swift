// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEndpoint
import KeychainHelperWire
import KeychainModel
import KeychainPlatform
import KeychainSealing
import SecretMemory
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
        enum Mood { case honest, gone, foreign, forgetful, lockedOut }
        /// The number of requests to open a guarded secret.
        let looks = Atomic<Int>(0)
        let mood = Mutex(Mood.honest)

        func answer(_ request: TokenRequest) throws(TokenError) -> TokenAnswer {
            switch (mood.withLock { $0 }, request) {
            case (.gone, _): throw TokenError(.unavailable, "gone")
            case (.foreign, .unseal): throw TokenError(.foreignBlob, "not mine")
            case (.forgetful, .unseal): return .secret([1, 2, 3])
            case (.foreign, .unsealGuarded): throw TokenError(.foreignBlob, "not mine")
            case (.forgetful, .unsealGuarded): return .secret([1, 2, 3])
            case (.lockedOut, .unsealGuarded): throw TokenError(.lockedOut, "later")
            case (_, .sealGuarded(let secret, let authorization)): return .blob(authorization + secret.reversed())
            case (_, .unsealGuarded(let blob, let authorization)):
                looks.add(1, ordering: .relaxed)
                guard blob.starts(with: authorization) else { throw TokenError(.wrongAuthorization, "wrong") }
                return .secret(blob.dropFirst(32).reversed())
            case (_, .seal(let secret)): return .blob(secret.reversed())
            case (_, .unseal(let blob)): return .secret(blob.reversed())
            default: throw TokenError(.unsupported, "no")
            }
        }
    }

    private var file: DeviceKeyFile {
        let token = token
        return DeviceKeyFile(
            in: folder,
            SecureElement(
                [TokenKind.tpm, .software].map { kind in
                    .init(kind) { request throws(TokenError) in try token.answer(request) }
                }),
            wallClock: WallClock { [clock] in Double(clock.seconds.load(ordering: .relaxed)) },
            clock: MonotonicClock { [clock] in clock.seconds.load(ordering: .relaxed) * 1_000_000_000 })
    }

    private final class Clock: Sendable {
        let seconds = Atomic<UInt64>(1_000_000)
        func advance(_ seconds: UInt64) { self.seconds.add(seconds, ordering: .relaxed) }
    }
    private let clock = Clock()

    private var content: Data { (try? Data(contentsOf: URL(filePath: folder.deviceKeyPath))) ?? Data() }

    private func load() throws -> Data { try file.loadOrCreate(in: LockedKeyStorage()).encoded() }

    private func refusal(_ place: DeviceKeyLocation, pin: String? = nil, newPIN: String? = nil) -> Refusal? {
        refusal(place, pin: pin, newPIN: newPIN, file)
    }

    private func refusal(
        _ place: DeviceKeyLocation, pin: String? = nil, newPIN: String? = nil, _ file: DeviceKeyFile
    ) -> Refusal? {
        do throws(Refusal) {
            let cost = ScryptCost(logN: 4, blockSize: 8, parallelism: 1)!
            try file.moving.move(
                DeviceKeyMove(to: place, pin: pin.map(Self.secret), newPIN: newPIN.map(Self.secret))
            ) { () throws(Refusal) in cost }
            return nil
        } catch {
            return error
        }
    }

    @Test func `a device key that is sealed opens the same keychain, and can be taken back`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        let key = try load()
        let clear = content
        #expect(try file.moving.state().place == .file)
        #expect(refusal(.file) == nil && content == clear)
        #expect(refusal(.tpm) == nil)
        #expect(try file.moving.state().place == .tpm)
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
        #expect(throws: StartError.self) { try load() }
        #expect(content == sealed)
    }

    @Test func `a file that is damaged, or without its token, is said to be`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        _ = try load()
        #expect(refusal(.tpm) == nil)
        let without = DeviceKeyFile(in: folder, .none)
        #expect(throws: StartError.self) { try without.loadOrCreate(in: LockedKeyStorage()) }
        var damaged = content
        damaged[12] ^= 1
        try damaged.write(to: URL(filePath: folder.deviceKeyPath))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.deviceKeyPath)
        #expect(throws: StartError.self) { try load() }
        #expect(content == damaged)
    }

    // MARK: With a PIN

    private static func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8)) }

    private func open(_ pin: String, _ file: DeviceKeyFile? = nil) -> Result<Data, Refusal> {
        do throws(Refusal) {
            let key = try (file ?? self.file).open(with: Self.secret(pin), in: LockedKeyStorage())
            return .success((try? key.encoded()) ?? Data())
        } catch {
            return .failure(error)
        }
    }

    private static let wrong = Result<Data, Refusal>.failure(Refusal(.authenticationFailed, .wrongPIN))

    @Test(arguments: [DeviceKeyLocation.tpm, .software])
    func `with a PIN the device key opens with that alone, from wherever it came and wherever it goes`(
        place: DeviceKeyLocation
    ) throws {
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        let key = try load()
        let clear = content
        #expect(try !file.isGuarded())
        #expect(refusal(place, newPIN: "2468") == nil)
        #expect(try file.isGuarded() && file.moving.state().place == place)
        #expect(try file.moving.state().pin == TokenReport.PIN())
        #expect(throws: StartError.self) { try load() }
        #expect(open("2468") == .success(key))
        #expect(open("2469") == Self.wrong)
        // Another one takes the one of now, and so does giving it up.
        let needed = Refusal(.authenticationFailed, .pinNeeded)
        #expect(refusal(place, newPIN: "1") == needed && refusal(.file) == needed && refusal(.tpm) == needed)
        #expect(refusal(.file, pin: "2469") == Refusal(.authenticationFailed, .wrongPIN))
        #expect(refusal(place, pin: "2468", newPIN: "1357") == nil)
        #expect(open("2468") == Self.wrong)
        #expect(open("1357") == .success(key))
        #expect(refusal(.tpm, pin: "1357") == nil)
        #expect(try load() == key && !file.isGuarded())
        #expect(refusal(place, newPIN: "2468") == nil)
        #expect(refusal(.file, pin: "2468") == nil)
        #expect(content == clear)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["device.key"])
    }

    @Test func `what would be no PIN, or worth nothing, is refused`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        _ = try load()
        let clear = content
        #expect(refusal(.file, newPIN: "2468") == Refusal(.parameter, .unusableSecret))
        #expect(refusal(.software) == Refusal(.parameter, .pinNeeded))
        for pin in ["", "a\0b", String(repeating: "1", count: 1025)] {
            #expect(refusal(.tpm, newPIN: pin) == Refusal(.parameter, .unusableSecret))
        }
        #expect(content == clear)
    }

    @Test func `wrong PINs are counted before they are looked at, and make the next one wait, over restarts`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        let key = try load()
        #expect(refusal(.tpm, newPIN: "2468") == nil)
        let looks = token.looks.load(ordering: .relaxed)
        for _ in 0..<5 { #expect(open("0") == Self.wrong) }
        let tooMany = Result<Data, Refusal>.failure(Refusal(.authenticationFailed, .tooManyAttempts))
        #expect(open("2468") == tooMany)
        #expect(token.looks.load(ordering: .relaxed) == looks + 5)
        let report = try #require(try file.moving.state().pin)
        #expect(report == TokenReport.PIN(failedAttempts: 5, retryAfterSeconds: 60))
        // A clock that is set back does not shorten the wait in a service that has seen the wrong PIN.
        let same = file
        clock.advance(59)
        #expect(open("2468", same) == tooMany)
        clock.advance(1)
        #expect(open("0", same) == Self.wrong)
        #expect(try same.moving.state().pin == TokenReport.PIN(failedAttempts: 6, retryAfterSeconds: 300))
        // Moving it is an entry as any other.
        #expect(refusal(.file, pin: "2468", same) == Refusal(.authenticationFailed, .tooManyAttempts))
        clock.advance(300)
        #expect(open("2468", same) == .success(key))
        #expect(try file.moving.state().pin == TokenReport.PIN())
    }

    @Test func `a damaged count locks no user out, and delays the next wrong attempt`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        let key = try load()
        #expect(refusal(.tpm, newPIN: "2468") == nil)
        func damage() throws {
            #expect(
                FileManager.default.createFile(
                    atPath: folder.pinAttemptsPath, contents: Data([1, 2, 3]), attributes: [.posixPermissions: 0o600]))
        }
        try damage()
        #expect(open("2468") == .success(key))
        try damage()
        #expect(open("0") == Self.wrong)
        #expect(try file.moving.state().pin == TokenReport.PIN(failedAttempts: 6, retryAfterSeconds: 300))
    }

    @Test func `a token that is locked out, gone or forgetful counts as no entry, and changes nothing`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        let key = try load()
        token.mood.withLock { $0 = .forgetful }
        #expect(refusal(.tpm, newPIN: "2468") == Refusal(.internalComponent, .tokenUnavailable))
        token.mood.withLock { $0 = .honest }
        #expect(try load() == key)
        #expect(refusal(.tpm, newPIN: "2468") == nil)
        let guarded = content
        let moods: [(FakeToken.Mood, Refusal)] = [
            (.lockedOut, Refusal(.notAvailable, .tokenLockedOut)), (.gone, Refusal(.notAvailable, .tokenUnavailable)),
            (.foreign, Refusal(.decode, .foreignDeviceKey)),
        ]
        for (mood, expected) in moods {
            token.mood.withLock { $0 = mood }
            #expect(open("2468") == .failure(expected))
            #expect(refusal(.file, pin: "2468") == expected)
        }
        token.mood.withLock { $0 = .honest }
        #expect(content == guarded)
        #expect(try file.moving.state().pin == TokenReport.PIN())
        #expect(open("2468") == .success(key))
    }
}
