// SPDX-License-Identifier: Apache-2.0

import Keychain
import KeychainClient
import KeychainModel
import KeychainTesting
import SecretMemory
import Testing

/// The operations that are possible with items of each class in each lock state (semantics 4.3).
struct LockStateTests {
    private let memory: InMemoryKeychain
    private let client: KeychainClient
    private let passcode = ProtectorSecret(.passcode, SecretBytes(copying: "1234".utf8))

    init() throws {
        memory = try InMemoryKeychain()
        client = memory.client
    }

    private static let classes = Accessibility.allCases

    /// An item of each class that there can be, in a keychain that is unlocked or has no passcode.
    private func addOneOfEach(_ classes: [Accessibility] = classes) throws {
        for accessibility in classes { try add(accessibility, account: accessibility.code) }
    }

    private func add(_ accessibility: Accessibility, account: String) throws {
        try client.add(
            try attributes([
                (.service, .string("mail")), (.account, .string(account)), (.accessible, .string(accessibility.code)),
            ]), secret: Array("secret of \(account)".utf8))
    }

    private func setPasscode() throws {
        try memory.administrationClient().setPasscode(passcode.bytes, proof: nil)
    }

    /// Returns the outcome of every operation on the item of a class, and of an addition. Restores both items if
    /// possible.
    private func outcomes(_ accessibility: Accessibility) throws -> [String: StatusCode] {
        let item = try query(account: accessibility.code)
        let changes = try attributes(.update, [(.comment, .string("changed"))])
        return [
            "add": try refusal {
                try add(accessibility, account: "new \(accessibility.code)")
                try client.delete(try query(account: "new \(accessibility.code)"))
            }.status,
            "add the same": try refusal { try add(accessibility, account: accessibility.code) }.status,
            "data": try refusal {
                let secrets = try client.secrets(item)
                #expect(secrets == ["secret of \(accessibility.code)"])
            }.status,
            "attributes": try refusal {
                let sets = try client.attributeSets(item)
                #expect(sets.count == 1)
            }.status,
            "probe": try refusal { _ = try client.copyMatching(item, limit: .one, returning: []) { _ in } }.status,
            "update": try refusal { try client.update(item, changes: changes, secret: [UInt8]?.none) }.status,
        ]
    }

    private static func expected(_ isAvailable: Bool) -> [String: StatusCode] {
        let other: StatusCode = isAvailable ? .success : .interactionNotAllowed
        return [
            "add": other, "add the same": isAvailable ? .duplicateItem : .interactionNotAllowed, "data": other,
            "attributes": other, "probe": other, "update": other,
        ]
    }

    @Test func `unlocked, everything can be done with every class`() throws {
        try setPasscode()
        try addOneOfEach()
        #expect(try client.lockState() == .unlocked)
        for accessibility in Self.classes {
            #expect(try outcomes(accessibility) == Self.expected(true), "\(accessibility)")
        }
    }

    @Test func `locked, the classes that need an unlocked keychain can only be deleted`() throws {
        try setPasscode()
        try addOneOfEach()
        try client.lock()
        #expect(try client.lockState() == .locked)
        let available: Set<Accessibility> = [
            .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly, .always, .alwaysThisDeviceOnly,
        ]
        for accessibility in Self.classes {
            #expect(try outcomes(accessibility) == Self.expected(available.contains(accessibility)), "\(accessibility)")
        }
        for accessibility in Self.classes { try client.delete(try query(account: accessibility.code)) }
        #expect(try refusal { try client.delete(try query()) }.status == .itemNotFound)
    }

    @Test func `unlocked again, nothing is lost`() throws {
        try setPasscode()
        try addOneOfEach()
        try client.lock()
        try client.unlock(with: passcode)
        for accessibility in Self.classes {
            #expect(try outcomes(accessibility) == Self.expected(true), "\(accessibility)")
        }
    }

    @Test func `without a passcode all can be done but with the class that needs one`() throws {
        let others = Self.classes.filter { $0 != .whenPasscodeSetThisDeviceOnly }
        try addOneOfEach(others)
        try client.lock()
        #expect(try client.lockState() == .noPasscode)
        for accessibility in others {
            #expect(try outcomes(accessibility) == Self.expected(true), "\(accessibility)")
        }
        #expect(
            try refusal { try add(.whenPasscodeSetThisDeviceOnly, account: "x") }
                == Refusal(.authenticationFailed, .noPasscode))
    }

    @Test func `locked, what matches nothing is not found`() throws {
        try setPasscode()
        try addOneOfEach()
        try client.lock()
        #expect(try refusal { _ = try client.secrets(try query(account: "nobody")) }.status == .itemNotFound)
        #expect(
            try refusal {
                try client.update(
                    try query(account: "nobody"), changes: try attributes(.update, [(.comment, .string("x"))]),
                    secret: [UInt8]?.none)
            }.status == .itemNotFound)
    }

    @Test func `locked, a search for all fails where one of them cannot be read`() throws {
        try setPasscode()
        try addOneOfEach([.always, .whenUnlocked])
        try client.lock()
        #expect(try refusal { _ = try client.secrets(try query()) } == Refusal(.interactionNotAllowed, .locked))
        var always = try query()
        always.attributes = try attributes(.query, [(.accessible, .string("dk"))])
        #expect(try client.secrets(always) == ["secret of dk"])
    }

    @Test func `a change of the class is a change of the key, and needs both`() throws {
        try setPasscode()
        try addOneOfEach([.always, .whenUnlocked])
        func change(_ account: String, to accessibility: Accessibility) throws -> StatusCode {
            try refusal {
                try client.update(
                    try query(account: account),
                    changes: try attributes(.update, [(.accessible, .string(accessibility.code))]),
                    secret: [UInt8]?.none)
            }.status
        }
        try client.lock()
        #expect(try change("dk", to: .whenUnlocked) == .interactionNotAllowed)
        #expect(try change("ak", to: .always) == .interactionNotAllowed)
        try client.unlock(with: passcode)
        #expect(try change("dk", to: .whenUnlocked) == .success)
        #expect(try change("ak", to: .always) == .success)
        try client.lock()
        #expect(try refusal { _ = try client.secrets(try query(account: "dk")) }.status == .interactionNotAllowed)
        #expect(try client.secrets(try query(account: "ak")) == ["secret of ak"])
    }

    @Test func `a synchronizable item that is deleted while locked leaves its tombstone, and can come back`() throws {
        try setPasscode()
        let item = try attributes([(.account, .string("ann")), (.synchronizable, .number(1))])
        let reference = try client.add(item, secret: [1])
        try client.lock()
        var everywhere = try query(account: "ann")
        everywhere.synchronizable = .any
        try client.delete(everywhere)
        #expect(try refusal { _ = try client.secrets(everywhere) }.status == .itemNotFound)
        try client.unlock(with: passcode)
        #expect(try refusal { _ = try client.secrets(everywhere) }.status == .itemNotFound)
        // In the tombstone's place: with its identifier.
        #expect(try client.add(item, secret: [2]) == reference)
        #expect(try client.copyMatching(everywhere, limit: .all, returning: .data) { Array($0) }.map(\.secret) == [[2]])
    }

    @Test func `removing the passcode deletes the items that need one, for good`() throws {
        try setPasscode()
        try addOneOfEach()
        try client.removePasscode(proof: passcode)
        let needsPasscode = try query(account: "akpu")
        #expect(try refusal { _ = try client.secrets(needsPasscode) }.status == .itemNotFound)
        try setPasscode()
        #expect(try refusal { _ = try client.secrets(needsPasscode) }.status == .itemNotFound)
        #expect(try client.secrets(try query()).count == Self.classes.count - 1)
        try add(.whenPasscodeSetThisDeviceOnly, account: "akpu")
        #expect(try client.secrets(needsPasscode) == ["secret of akpu"])
    }

    @Test func `changing the passcode touches no item`() throws {
        try setPasscode()
        try addOneOfEach()
        let new = SecretBytes(copying: "a longer one".utf8)
        try client.setPasscode(new, proof: passcode)
        try client.lock()
        #expect(try refusal { try client.unlock(with: passcode) } == Refusal(.authenticationFailed, .wrongSecret))
        try client.unlock(with: ProtectorSecret(.passcode, new))
        #expect(try client.secrets(try query()).count == Self.classes.count)
    }

    @Test func `observers are told of each state`() throws {
        try setPasscode()
        let stream = try memory.client(accessGroups: ["another program"]).watch()
        try client.lock()
        // A second time changes nothing.
        try client.lock()
        try client.unlock(with: passcode)
        try client.removePasscode(proof: passcode)
        try setPasscode()
        for state in [LockState.locked, .unlocked, .noPasscode, .unlocked] {
            #expect(try stream.next() == .lockState(state))
        }
        stream.cancel()
    }

    @Test func `it locks when no item was used for the set time`() throws {
        try setPasscode()
        try addOneOfEach([.whenUnlocked])
        var now = 800_000_000.0
        func wait(_ seconds: Double) {
            now += seconds
            memory.setTime(to: Timestamp(secondsSinceReferenceDate: now))
            memory.passTime()
        }
        wait(1_000_000)
        #expect(try client.lockState() == .unlocked, "nothing was set")
        try client.change([.idleLockSeconds: 60], proof: passcode)
        wait(59)
        _ = try client.secrets(try query())
        wait(59)
        #expect(try client.lockState() == .unlocked)
        // Asking for the state is no use of an item.
        wait(2)
        #expect(try client.lockState() == .locked)
        try client.unlock(with: passcode)
        wait(59)
        #expect(try client.lockState() == .unlocked)
        wait(1)
        #expect(try client.lockState() == .locked)
    }

    @Test func `it never locks for idleness where there is no passcode`() throws {
        try memory.administrationClient().change([.idleLockSeconds: 1], proof: nil)
        try addOneOfEach([.whenUnlocked])
        memory.setTime(to: Timestamp(secondsSinceReferenceDate: 900_000_000))
        memory.passTime()
        #expect(try client.secrets(try query()).count == 1)
    }

    // MARK: The typed interface

    @Test func `the lock states come as a sequence`() async throws {
        let keychain = memory.keychain
        try await memory.setPasscode(SecretData(utf8: "1234"))
        var states = keychain.lockStates.makeAsyncIterator()
        #expect(try await states.next() == .unlocked)
        try await keychain.administration.lock()
        #expect(try await states.next() == .locked)
        #expect(try await !keychain.isProtectedDataAvailable)
        try await keychain.administration.unlock(passcode: SecretData(utf8: "1234"))
        #expect(try await states.next() == .unlocked)
        #expect(try await keychain.isProtectedDataAvailable)
        try await keychain.administration.removePasscode(current: SecretData(utf8: "1234"))
        #expect(try await states.next() == .noPasscode)
        #expect(try await keychain.isProtectedDataAvailable)
    }

    @Test func `a wrong passcode is an error that says so`() async throws {
        let keychain = memory.keychain
        try await memory.setPasscode(SecretData(utf8: "1234"))
        let error = await #expect(throws: KeychainError.self) {
            try await keychain.administration.verify(passcode: SecretData(utf8: "12345"))
        }
        #expect(error?.code == .authenticationFailed)
        #expect(error?.description.contains("credential is wrong") == true)
        try await keychain.administration.verify(passcode: SecretData(utf8: "1234"))
        try await keychain.administration.setPasscode(SecretData(utf8: "5678"), current: SecretData(utf8: "1234"))
        try await keychain.administration.verify(passcode: SecretData(utf8: "5678"))
    }
}
