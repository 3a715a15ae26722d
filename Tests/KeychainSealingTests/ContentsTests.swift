// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSealing
import Testing

@Suite struct `The seal of contents` {
    private static let identifier = [UInt8](repeating: 7, count: 16)
    private let deviceKey: DeviceKey
    private let key: ContentsKey

    init() throws {
        deviceKey = try DeviceKey.generate(in: PlainKeyStorage())
        key = try ContentsKey(deviceKey: deviceKey, keybagIdentifier: Self.identifier, in: PlainKeyStorage())
    }

    private func sum(_ rows: [[UInt8]], of key: ContentsKey? = nil) -> ContentsSum {
        var sum = ContentsSum()
        for row in rows { sum.insert((key ?? self.key).coder.code(row)) }
        return sum
    }

    @Test func `does not depend on the order of rows, and is what it was when a row comes and goes`() {
        #expect(sum([[1], [2], [3]]) == sum([[3], [1], [2]]))
        var changed = sum([[1], [2]])
        changed.insert(key.coder.code([9]))
        #expect(changed != sum([[1], [2]]) && changed.rowCount == 3)
        changed.remove(key.coder.code([9]))
        #expect(changed == sum([[1], [2]]))
    }

    @Test func `tells other rows, and the same row twice from none`() {
        #expect(sum([[1], [2]]) != sum([[1], [3]]))
        #expect(sum([[1], [1]]) != sum([]))
        #expect(sum([[1, 2]]) != sum([[1], [2]]))
    }

    @Test func `opens to what was sealed, and has other bytes each time`() throws {
        let contents = sum([[1], [2]])
        let sealed = try key.seal(contents)
        #expect(try key.open(sealed) == contents)
        #expect(try key.seal(contents) != sealed)
        #expect(sealed.count == 69)
    }

    @Test func `with any byte changed, cut or longer does not open`() throws {
        let sealed = try key.seal(sum([[1]]))
        for place in 1..<sealed.count {
            var changed = sealed
            changed[place] ^= 1
            #expect(throws: SealingError.damaged) { try key.open(changed) }
            #expect(throws: SealingError.damaged) { try key.open(sealed.prefix(place)) }
        }
        #expect(throws: SealingError.damaged) { try key.open(sealed + [0]) }
        #expect(throws: SealingError.damaged) { try key.open(Data()) }
        #expect(throws: SealingError.unsupportedVersion) { try key.open([2] + sealed.dropFirst()) }
    }

    @Test func `of another keybag or device opens nothing, and codes differ as well`() throws {
        let sealed = try key.seal(sum([[1]]))
        let others = [
            try ContentsKey(
                deviceKey: deviceKey, keybagIdentifier: [UInt8](repeating: 8, count: 16), in: PlainKeyStorage()),
            try ContentsKey(
                deviceKey: DeviceKey.generate(in: PlainKeyStorage()), keybagIdentifier: Self.identifier,
                in: PlainKeyStorage()),
        ]
        for other in others {
            #expect(throws: SealingError.damaged) { try other.open(sealed) }
            #expect(sum([[1]], of: other) != sum([[1]]))
        }
        let same = try ContentsKey(deviceKey: deviceKey, keybagIdentifier: Self.identifier, in: PlainKeyStorage())
        #expect(try same.open(sealed) == sum([[1]]))
    }

    @Test func `a contents key tells nothing of itself`() {
        #expect("\(key)" == "ContentsKey(redacted)" && Mirror(reflecting: key).children.isEmpty)
    }
}
