// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import Testing

@testable import KeychainStore

@Suite("Figures of a store") struct FiguresTests {
    @Test func `each connection to a file tells of its pages, the one for lists only when it was needed`() throws {
        let folder = try Directory()
        let keychain = try Fixture(at: .file(folder.database))
        try keychain.add([.account: .string("ann")])
        #expect(try keychain.store.figures().caches.map(\.kind) == [.searches, .lookupPages, .writerPages])
        _ = try keychain.store.statistics()
        let caches = try keychain.store.figures().caches
        #expect(caches.map(\.kind) == [.searches, .lookupPages, .writerPages, .listPages])
        for pages in caches.dropFirst() {
            #expect(pages.hits + pages.misses > 0 && pages.size > 0 && pages.size <= pages.bound)
        }
        #expect(caches.last?.bound == 1_024_000)
        #expect(keychain.store.paths?.database == folder.database)
        #expect(keychain.store.paths?.log == folder.database + "-wal")
    }

    @Test func `a database in memory has one connection and no paths`() throws {
        let keychain = try Fixture()
        #expect(try keychain.store.figures().caches.map(\.kind) == [.searches, .lookupPages])
        #expect(keychain.store.paths == nil)
    }

    @Test func `a store that is closed says so`() throws {
        let folder = try Directory()
        let keychain = try Fixture(at: .file(folder.database))
        try keychain.store.close()
        #expect(throws: StoreError.closed) { try keychain.store.figures() }
    }
}
