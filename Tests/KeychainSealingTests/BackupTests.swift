// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import KeychainModel
import KeychainSealing
import Testing

@Suite struct `A backup` {
    private let storage = PlainKeyStorage()
    private static let passphrase = Array("open sesame".utf8)

    private func writer(
        _ seed: String = "backup", form: BackupForm = .portable, kind: BackupSecretKind = .passphrase,
        secret: [UInt8] = passphrase
    ) throws -> BackupWriter {
        var bytes = SeededBytes(seed)
        let inputs = BackupInputs(
            backup: bytes.next(16), salt: bytes.next(32), key: SymmetricKey(data: bytes.next(32)))
        return try BackupWriter(
            inputs, secret: BackupSecret(kind, secret), cost: Self.cheap, form: form,
            keybag: Array(repeating: 7, count: 16), date: Timestamp(secondsSinceReferenceDate: 800_000_000),
            deviceKey: Fixtures.deviceKey(), in: storage)
    }

    /// Too weak for anything but tests.
    static let cheap = ScryptCost(logN: 4, blockSize: 1, parallelism: 1)!

    private func item(_ account: String, _ accessibility: String = "ak", secret: [UInt8]? = [1, 2, 3]) throws
        -> BackupItem
    {
        BackupItem(
            identifier: ItemIdentifier(value: UInt128(account.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })),
            attributes: try Fixtures.attributes([
                (.account, .string(account)), (.accessGroup, .string("TEAM.app")),
                (.accessible, .string(accessibility)),
            ]), data: secret.map { Data($0) })
    }

    /// Header and records of a backup with an item of each form, one without data and one whose data is empty.
    private func records(_ seed: String = "backup", form: BackupForm = .portable) throws -> [[UInt8]] {
        var writer = try writer(seed, form: form)
        var records = [writer.header.encoded]
        records.append(writer.record(of: try item("ann"), isDeviceBound: false))
        records.append(writer.record(of: try item("bob", "aku"), isDeviceBound: true))
        records.append(writer.record(of: try item("carl", secret: nil), isDeviceBound: false))
        records.append(writer.record(of: try item("dora", secret: []), isDeviceBound: false))
        writer.leaveOut()
        records.append(writer.end())
        return records
    }

    struct Read: Equatable {
        var items: [String] = []
        var otherDevice = 0
        var counts = BackupCounts()
    }

    private func read(
        _ bytes: [UInt8], secret: [UInt8] = passphrase, kind: BackupSecretKind = .passphrase, device: String = "device",
        pieces: Int = .max
    ) throws -> Read {
        let header = try BackupHeader(decoding: bytes.prefix(BackupHeader.size))
        var reader = try BackupReader(
            header, secret: BackupSecret(kind, secret), deviceKey: Fixtures.deviceKey(device), in: storage)
        var read = Read()
        var rest = bytes.dropFirst(BackupHeader.size)
        while !rest.isEmpty {
            reader.receive(rest.prefix(pieces))
            rest = rest.dropFirst(pieces)
            while let record = try reader.next() {
                switch record {
                case .item(let item, let isDeviceBound):
                    let secret = item.data.map { "\(Array($0))" } ?? "none"
                    read.items.append("\(item.attributes[.account]?.string ?? "?") \(isDeviceBound) \(secret)")
                case .otherDevice: read.otherDevice += 1
                case .end: break
                }
            }
        }
        read.counts = try reader.finish()
        return read
    }

    private let expected = ["ann false [1, 2, 3]", "bob true [1, 2, 3]", "carl false none", "dora false []"]

    @Test(arguments: [1, 7, 100, Int.max]) func `gives back what was written, in whatever pieces it comes`(
        _ pieces: Int
    ) throws {
        let read = try read(Array(try records().joined()), pieces: pieces)
        #expect(read.items == expected)
        #expect(read.counts == BackupCounts(portable: 3, deviceBound: 1, leftOut: 1))
    }

    @Test func `keeps class, identifier and every attribute`() throws {
        var writer = try writer()
        let original = BackupItem(
            identifier: ItemIdentifier(value: 99), attributes: try Fixtures.fullAttributes(), data: Data([9]))
        let record = writer.record(of: original, isDeviceBound: false)
        var reader = try BackupReader(
            writer.header, secret: BackupSecret(.passphrase, Self.passphrase), deviceKey: Fixtures.deviceKey(),
            in: storage)
        reader.receive(record)
        guard case .item(let item, _) = try #require(try reader.next()) else { return #expect(Bool(false)) }
        #expect(item.identifier == original.identifier)
        #expect(item.attributes == original.attributes)
        #expect(item.data == original.data)
    }

    @Test func `opens on another device but for items that may not leave theirs`() throws {
        let read = try read(Array(try records().joined()), device: "another")
        #expect(read.items == [expected[0], expected[2], expected[3]])
        #expect(read.otherDevice == 1)
    }

    @Test func `of a keychain without a passcode opens nowhere else`() throws {
        let bytes = Array(try records(form: .deviceBound).joined())
        #expect(try read(bytes).items == expected)
        #expect(throws: BackupError.otherDevice) { try read(bytes, device: "another") }
    }

    @Test func `opens with its own secret alone`() throws {
        let bytes = Array(try records().joined())
        #expect(throws: BackupError.wrongSecret) { try read(bytes, secret: Array("open sesame ".utf8)) }
        #expect(throws: BackupError.wrongSecret) { try read(bytes, secret: []) }
        #expect(throws: BackupError.wrongSecret) {
            try read(bytes, secret: Array(repeating: 1, count: 16), kind: .recoveryKey)
        }
        let key = Array(UInt8(0)..<16)
        var writer = try writer(kind: .recoveryKey, secret: key)
        let other = writer.header.encoded + writer.end()
        #expect(try read(other, secret: key, kind: .recoveryKey).items == [])
        #expect(throws: BackupError.wrongSecret) {
            try read(other, secret: key.reversed(), kind: .recoveryKey)
        }
    }

    @Test func `is found to be damaged whichever bit changes`() throws {
        let bytes = Array(try records().joined())
        for bit in 0..<bytes.count * 8 {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            // A length that grew waits for bytes that never come; the version has a word of its own.
            let place = bit / 8
            do {
                _ = try read(changed)
                Issue.record("bit \(bit) changed unnoticed")
            } catch let error as BackupError {
                #expect(
                    error == .damaged || (error == .truncated && place >= BackupHeader.size)
                        || (error == .unsupportedVersion && place == 7), "bit \(bit): \(error)")
            }
        }
    }

    @Test func `is found to be cut wherever it is`() throws {
        let bytes = Array(try records().joined())
        for length in 0..<bytes.count {
            let expected: BackupError = length < BackupHeader.size ? .damaged : .truncated
            #expect(throws: expected) { try read(Array(bytes[..<length])) }
        }
        #expect(throws: BackupError.damaged) { try read(bytes + [0]) }
    }

    @Test func `does not open with records exchanged, left out, repeated or taken from another`() throws {
        let own = try records()
        let other = try records("another backup")
        for first in 1..<own.count {
            for second in first + 1..<own.count {
                var exchanged = own
                exchanged.swapAt(first, second)
                #expect(throws: BackupError.damaged) { try read(Array(exchanged.joined())) }
            }
            var without = own
            without.remove(at: first)
            // Without the last record there is no end; without any other, the next one has the wrong number.
            #expect(throws: first == own.count - 1 ? BackupError.truncated : .damaged) {
                try read(Array(without.joined()))
            }
            var repeated = own
            repeated.insert(own[first], at: first)
            #expect(throws: BackupError.damaged) { try read(Array(repeated.joined())) }
            var joined = own
            joined[first] = other[first]
            #expect(throws: BackupError.damaged) { try read(Array(joined.joined())) }
        }
        #expect(throws: BackupError.damaged) { try read(Array((own + other.dropFirst()).joined())) }
    }

    @Test func `of a newer version is told apart from a damaged one`() throws {
        var bytes = Array(try records().joined())
        bytes[7] = 2
        #expect(throws: BackupError.unsupportedVersion) { try read(bytes) }
        #expect(throws: BackupError.unsupportedVersion) { try BackupHeader(decoding: bytes.prefix(20)) }
    }

    @Test(arguments: [(17, 8, 2), (17, 1, 9), (10, 32, 33), (1, 1, 17)] as [(UInt8, UInt32, UInt32)])
    func `that asks for more work than any has is not one`(logN: UInt8, blockSize: UInt32, parallelism: UInt32) throws {
        var head = Array(try writer().header.encoded.dropLast(32))
        head[50] = logN
        for (index, value) in [blockSize, parallelism].enumerated() {
            head.replaceSubrange(
                51 + 4 * index..<55 + 4 * index, with: withUnsafeBytes(of: value.bigEndian, Array.init))
        }
        let isKnown = ScryptCost(logN: logN, blockSize: blockSize, parallelism: parallelism) != nil
        #expect(throws: isKnown ? BackupError.unsupportedVersion : .damaged) {
            try BackupHeader(decoding: head + Array(SHA256.hash(data: head)))
        }
    }

    @Test func `does not wait for a record of gigabytes`() throws {
        let header = try writer().header
        var reader = try BackupReader(
            header, secret: BackupSecret(.passphrase, Self.passphrase), deviceKey: Fixtures.deviceKey(), in: storage)
        reader.receive([1, 0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: BackupError.damaged) { try reader.next() }
    }

    @Test func `reveals nothing of its contents`() throws {
        let bytes = Data(try records().joined())
        for text in ["ann", "bob", "TEAM.app", "open sesame"] {
            #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text)")
        }
        #expect("\(BackupSecret(.passphrase, Self.passphrase))" == "BackupSecret(passphrase, redacted)")
    }

    @Test func `two of the same items have nothing in common`() throws {
        let storage = storage
        func fresh() throws -> [UInt8] {
            var writer = try BackupWriter(
                secret: BackupSecret(.passphrase, Self.passphrase), cost: Self.cheap, form: .portable,
                keybag: Array(repeating: 7, count: 16), date: Timestamp(secondsSinceReferenceDate: 0),
                deviceKey: Fixtures.deviceKey(), in: storage)
            return Array(writer.header.encoded.dropFirst(59)) + writer.record(of: try item("ann"), isDeviceBound: true)
        }
        let (first, second) = (try fresh(), try fresh())
        for start in 0..<first.count - 16 where !(first[start..<start + 16].contains { $0 != 0 }) {
            Issue.record("zeros where random bytes belong")
        }
        #expect(Set(first.chunks(16)).isDisjoint(with: second.chunks(16)))
    }
}

extension [UInt8] {
    fileprivate func chunks(_ size: Int) -> [[UInt8]] {
        stride(from: 0, to: count - size, by: size).map { Array(self[$0..<$0 + size]) }
    }
}
