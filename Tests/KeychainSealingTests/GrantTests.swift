// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainSealing
import Testing

@Suite struct `Sealed grants` {
    private static let identifier = [UInt8](repeating: 7, count: 16)
    private let deviceKey: DeviceKey
    private let key: GrantKey

    init() throws {
        deviceKey = try DeviceKey.generate(in: PlainKeyStorage())
        key = try GrantKey(deviceKey: deviceKey, keybagIdentifier: Self.identifier, in: PlainKeyStorage())
    }

    private static func grant(
        _ identity: ProgramIdentity = .signed(team: "TEAM", identifier: "org.example.mäil"), number: UInt64 = 3
    ) -> RememberedGrant {
        RememberedGrant(
            number: number, identity: identity, tier: .signed, operation: .update, itemClass: .internetPassword,
            item: ItemIdentifier(value: 0x1234), date: Timestamp(secondsSinceReferenceDate: 800_000_000.25))
    }

    @Test(arguments: [
        ProgramIdentity.command, .signed(team: "TEAM", identifier: "org.example.mäil"),
        .installed(path: "/usr/bin/päth"), .installed(path: ""), .unsigned(digest: Array(0..<32)),
    ])
    func `open to what was sealed, and have other bytes each time`(identity: ProgramIdentity) throws {
        let grant = Self.grant(identity)
        let sealed = try key.seal(grant)
        #expect(try key.open(sealed, number: 3, item: grant.item) == grant)
        #expect(try key.seal(grant) != sealed)
    }

    @Test func `with any byte changed, cut or longer do not open`() throws {
        let grant = Self.grant()
        let sealed = try key.seal(grant)
        for place in 1..<sealed.count {
            var changed = sealed
            changed[place] ^= 1
            #expect(throws: SealingError.damaged) { try key.open(changed, number: 3, item: grant.item) }
            #expect(throws: SealingError.damaged) { try key.open(sealed.prefix(place), number: 3, item: grant.item) }
        }
        #expect(throws: SealingError.damaged) { try key.open(sealed + [0], number: 3, item: grant.item) }
        #expect(throws: SealingError.damaged) { try key.open(Data(), number: 3, item: grant.item) }
        #expect(throws: SealingError.unsupportedVersion) {
            try key.open([2] + sealed.dropFirst(), number: 3, item: grant.item)
        }
    }

    @Test func `open only beside their number and item`() throws {
        let grant = Self.grant()
        let sealed = try key.seal(grant)
        #expect(throws: SealingError.damaged) { try key.open(sealed, number: 4, item: grant.item) }
        #expect(throws: SealingError.damaged) {
            try key.open(sealed, number: 3, item: ItemIdentifier(value: 0x1235))
        }
    }

    @Test func `of another keybag or device open nothing`() throws {
        let grant = Self.grant()
        let sealed = try key.seal(grant)
        let other = try GrantKey(
            deviceKey: deviceKey, keybagIdentifier: [UInt8](repeating: 8, count: 16), in: PlainKeyStorage())
        #expect(throws: SealingError.damaged) { try other.open(sealed, number: 3, item: grant.item) }
        let elsewhere = try GrantKey(
            deviceKey: try DeviceKey.generate(in: PlainKeyStorage()), keybagIdentifier: Self.identifier,
            in: PlainKeyStorage())
        #expect(throws: SealingError.damaged) { try elsewhere.open(sealed, number: 3, item: grant.item) }
    }

    @Test func `a program that is not identified gets none, and neither does a path that no file can have`() {
        for identity in [
            ProgramIdentity.unidentified, .unsigned(digest: [1]),
            .installed(path: String(repeating: "x", count: 65_536)),
        ] {
            #expect(throws: SealingError.damaged) { try key.seal(Self.grant(identity)) }
        }
    }

    @Test func `the key shows nothing of itself`() {
        #expect("\(key)" == "GrantKey(redacted)" && String(reflecting: key) == "GrantKey(redacted)")
        #expect(Mirror(reflecting: key).children.isEmpty)
    }
}
