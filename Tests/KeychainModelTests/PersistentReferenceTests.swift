// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

/// Semantics 2.7.
struct PersistentReferenceTests {
    private let identifier = ItemIdentifier(bytes: Array(0..<16))!

    @Test(arguments: ItemClass.allCases)
    func `a reference is the class's four characters and the identifier`(itemClass: ItemClass) throws {
        let reference = PersistentReference(itemClass: itemClass, item: identifier)
        #expect(reference.bytes == Array(itemClass.code.utf8) + Array(0..<16))
        #expect(PersistentReference(bytes: reference.bytes) == reference)
    }

    @Test(arguments: [0, 1, -1, Int64.max, Int64.min, 0x0102_0304_0506_0708])
    func `the older encoding with a row number is understood`(row: Int64) throws {
        let bytes = Array("genp".utf8) + (0..<8).map { UInt8(truncatingIfNeeded: row >> (56 - 8 * Int64($0))) }
        let reference = try #require(PersistentReference(bytes: bytes))
        #expect(reference.target == .row(row))
        #expect(reference.bytes == bytes)
    }

    @Test func `other sizes and unknown classes are no references`() {
        let good = PersistentReference(itemClass: .genericPassword, item: identifier).bytes
        for count in 0...40 where count != 20 && count != 12 {
            let bytes = count <= good.count ? Array(good[..<count]) : good + [UInt8](repeating: 0, count: count - 20)
            #expect(PersistentReference(bytes: bytes) == nil, "\(count) bytes")
        }
        #expect(PersistentReference(bytes: Array("GENP".utf8) + Array(0..<16)) == nil)
        #expect(PersistentReference(bytes: [0xFF, 0xFE, 0xFD, 0xFC] + Array(0..<16)) == nil)
    }

    @Test(arguments: [0, 15, 17]) func `an identifier has sixteen bytes`(count: Int) {
        #expect(ItemIdentifier(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }
}
