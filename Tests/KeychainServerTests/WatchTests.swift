// SPDX-License-Identifier: Apache-2.0

import KeychainClient
import KeychainModel
import KeychainTesting
import Testing

/// Streams of changes, below the typed API.
struct WatchTests {
    private let memory: InMemoryKeychain

    init() throws { memory = try InMemoryKeychain() }

    @Test func `a cancelled stream stays ended, however often it is asked`() throws {
        let stream = try memory.client.watch()
        try memory.client.addPassword()
        stream.cancel()
        stream.cancel()
        #expect(try stream.next() == nil)
        #expect(try stream.next() == nil)
    }

    @Test func `other programs' changes are not seen, but by the administration tool`() throws {
        let mine = try memory.client.watch()
        let tool = try memory.administrationClient().watch()
        let other = memory.client(accessGroups: ["other"])
        let foreign = try other.addPassword()
        let own = try memory.client.addPassword()
        #expect(try mine.next() == .item(ItemChange(.added, own)))
        #expect(try tool.next() == .item(ItemChange(.added, foreign)))
        #expect(try tool.next() == .item(ItemChange(.added, own)))
        mine.cancel()
        tool.cancel()
    }

    @Test func `who watches the group that an item leaves or enters sees it`() throws {
        let both = memory.client(accessGroups: ["tests", "second"])
        let reference = try both.addPassword()
        let first = try memory.client.watch()
        let second = try memory.client(accessGroups: ["second"]).watch()
        try both.update(
            try query(), changes: try attributes(.update, [(.accessGroup, .string("second"))]),
            secret: [UInt8]?.none)
        #expect(try first.next() == .item(ItemChange(.updated, reference)))
        #expect(try second.next() == .item(ItemChange(.updated, reference)))
        first.cancel()
        second.cancel()
    }
}
