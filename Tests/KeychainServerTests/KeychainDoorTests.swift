// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import KeychainClient
import KeychainModel
import KeychainPlatform
import KeychainPolicy
import KeychainWire
import SecretMemory
import Synchronization
import Testing

@testable import KeychainServer

/// A keychain that waits for the PIN of its device key, over a real socket.
struct KeychainDoorTests {
    /// The keychain behind the door.
    private final class House: Sendable {
        let pipeline = Mutex<Pipeline?>(nil)
        let isOpen = Atomic<Bool>(false)
        let entries = Atomic<Int>(0)

        func source(_ pipeline: Pipeline) -> KeychainSource {
            self.pipeline.withLock { $0 = pipeline }
            return KeychainSource(
                begin: { [self] _ in
                    isOpen.load(ordering: .acquiring) ? .open(pipeline) : .closed(door(pipeline))
                }, end: { _ in })
        }

        private func door(_ pipeline: Pipeline) -> KeychainDoor {
            KeychainDoor(
                opened: { [self] in isOpen.load(ordering: .acquiring) ? pipeline : nil },
                open: { [self] pin throws(Refusal) in
                    entries.add(1, ordering: .relaxed)
                    guard pin.bytes.elementsEqual("2468".utf8) else { throw Refusal(.authenticationFailed, .wrongPIN) }
                    isOpen.store(true, ordering: .releasing)
                    return pipeline
                },
                report: { TokenReport(tokens: [], deviceKey: .tpm, pin: TokenReport.PIN(failedAttempts: 7)) },
                protections: ["as ever"])
        }
    }

    private let house = House()

    private func service(_ caller: Caller = RunningService.program) throws -> RunningService {
        try RunningService(identifier: .constant(caller), source: { [house] in house.source($0) })
    }

    private func refused(_ body: () throws -> Void) -> Refusal? {
        do {
            try body()
            return nil
        } catch ClientError.refused(let refusal) {
            return refusal
        } catch {
            Issue.record(error)
            return nil
        }
    }

    private func pin(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8)) }

    private static let needed = Refusal(.interactionNotAllowed, .pinNeeded)

    @Test func `until the PIN is given nothing is told but that it is needed, and then everybody goes on`() throws {
        let service = try service()
        defer { service.stop() }
        let client = service.client()
        let other = service.client()
        for client in [client, other] {
            let status = try client.status()
            #expect(status.lockState == .awaitingPIN && status.protections == ["as ever"])
            #expect(status.itemCount == nil && status.contents == nil)
        }
        let proof = ProtectorSecret(.passcode, pin("1234"))
        let requests: [(KeychainClient) throws -> Void] = [
            { try $0.addPassword(service: "mail", account: "ann", secret: "s") },
            { _ = try $0.copyMatching(try query(service: "mail"), limit: .one, returning: []) { _ in } },
            { try $0.update(try query(service: "mail"), changes: try attributes(.update, []), secret: [UInt8]?.none) },
            { try $0.delete(try query(service: "mail")) },
            { _ = try $0.protectors() }, { _ = try $0.settings() }, { try $0.verify(proof) },
            { try $0.unlock(with: proof) }, { try $0.setPasscode(proof.bytes, proof: nil) },
            { _ = try $0.authenticationState() },
            { [pin] in try $0.moveDeviceKey(DeviceKeyMove(to: .file, pin: pin("2468")), proof: nil) },
        ]
        for request in requests { #expect(refused { try request(client) } == Self.needed) }
        try client.lock()
        #expect(try client.tokens().pin == TokenReport.PIN(failedAttempts: 7))
        #expect(refused { try client.openDeviceKey(pin: pin("2469")) } == Refusal(.authenticationFailed, .wrongPIN))
        #expect(try other.lockState() == .awaitingPIN)
        #expect(service.auditLog.isEmpty)

        try client.openDeviceKey(pin: pin("2468"))
        try client.addPassword(service: "mail", account: "ann", secret: "s")
        // A connection from before the PIN, and one from after it.
        for client in [other, service.client()] {
            #expect(try client.lockState() == .noPasscode)
            #expect(try client.copyMatching(try query(service: "mail"), limit: .one, returning: []) { _ in }.count == 1)
        }
        #expect(service.auditLog.first?.contains("open-device-key") == true)
        // Once more does nothing.
        try other.openDeviceKey(pin: pin("whatever"))
        #expect(house.entries.load(ordering: .relaxed) == 2)
    }

    @Test func `an unidentified program may not try PINs`() throws {
        let service = try service(
            Caller(
                userID: getuid(), processID: getpid(), tier: .unidentified, identity: .unsigned(digest: [1]),
                accessGroups: [], displayPath: "/test"))
        defer { service.stop() }
        let client = service.client()
        #expect(
            refused { try client.openDeviceKey(pin: pin("2468")) }
                == Refusal(.missingEntitlement, .unidentifiedCaller))
        #expect(try client.lockState() == .awaitingPIN)
        #expect(house.entries.load(ordering: .relaxed) == 0)
    }
}
