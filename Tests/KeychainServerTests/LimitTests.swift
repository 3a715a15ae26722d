// SPDX-License-Identifier: Apache-2.0

import KeychainClient
import KeychainModel
import KeychainTesting
import Testing

/// The largest accepted values, and that accepted values can be read again.
struct LimitTests {
    private let client: KeychainClient

    init() throws { client = try InMemoryKeychain().client }

    @Test func `a secret may have 16 MiB and not a byte more`() throws {
        let largest = [UInt8](repeating: 0x5A, count: ItemLimits.secretBytes)
        let item = try attributes([(.account, .string("a"))])
        try client.add(item, secret: largest)
        let found = try client.copyMatching(try query(), limit: .one, returning: .data) { Array($0) }
        #expect(found[0].secret == largest)
        let tooLarge = Refusal(.dataTooLarge, .none)
        #expect(
            try refusal { try client.add(try attributes([]), secret: largest + [0]) } == tooLarge)
        #expect(
            try refusal {
                try client.update(
                    try query(), changes: ItemAttributes(empty: .genericPassword), secret: largest + [0])
            } == tooLarge)
        #expect(
            try client.copyMatching(try query(), limit: .one, returning: .data) { $0.count }[0].secret == largest.count)
    }

    @Test func `an item with the largest attributes can be read again`() throws {
        let label = String(repeating: "l", count: ItemLimits.attributeBytes)
        try client.add(try attributes([(.label, .string(label))]), secret: [1])
        #expect(try client.attributeSets(try query())[0][.label] == .string(label))
    }

    @Test func `an update that makes an item too large is refused, and the item stays as it was`() throws {
        let half = AttributeValue.string(String(repeating: "x", count: ItemLimits.attributeBytes * 2 / 3))
        try client.add(try attributes([(.label, half)]), secret: [1])
        let changes = try attributes(.update, [(.comment, half)])
        #expect(
            try refusal { try client.update(try query(), changes: changes, secret: [UInt8]?.none) }
                == Refusal(.dataTooLarge, .none))
        let found = try client.attributeSets(try query())[0]
        #expect(found[.label] == half && found[.comment] == nil)
        // As large as before is not too large.
        try client.update(try query(), changes: try attributes(.update, [(.label, half)]), secret: [2])
        #expect(try client.attributeSets(try query())[0][.label] == half)
    }
}
