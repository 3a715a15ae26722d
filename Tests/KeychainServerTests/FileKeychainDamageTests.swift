// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Keychain
import KeychainClient
import KeychainModel
import KeychainTesting
import SQLiteStatements
import SecretMemory
import Testing

/// The answers to requests about a keychain file with a damaged database.
@Suite struct `A damaged keychain file` {
    private final class House {
        let folder = NSTemporaryDirectory() + "chatelaine-damage-\(UInt64.random(in: 0 ... .max))"
        let memory: InMemoryKeychain

        init() throws { memory = try InMemoryKeychain(accessGroups: ["mail"], keychainFolder: folder) }

        deinit {
            memory.closeKeychainFiles()
            try? FileManager.default.removeItem(atPath: folder)
        }

        var client: KeychainClient { memory.client }
        var work: String { folder + "/work-db" }
        var home: String { folder + "/home-db" }

        func make() throws {
            for name in ["work", "home"] {
                _ = try client.createKeychain(at: name, password: secret)
                let keychain = try client.inKeychain(name)
                for number in 0..<120 { try keychain.addPassword(account: "\(number)") }
            }
        }

        /// Changes the file of a keychain while no process has it open.
        func edit(_ body: (Database) throws -> Void) throws {
            memory.closeKeychainFiles()
            try body(Database(path: work))
        }

        /// Has an index lead into the pages of a table.
        func damageIndex() throws {
            var (pageSize, index, table) = (0, 0, 0)
            try edit { db in
                func root(of name: String) throws -> Int {
                    let sql = "SELECT rootpage FROM sqlite_master WHERE name = ?"
                    return try Int(db.value(of: sql, [.text(name)])?.integer ?? 0)
                }
                pageSize = try Int(db.value(of: "PRAGMA page_size")?.integer ?? 0)
                (index, table) = (try root(of: "genp_acct"), try root(of: "genp"))
            }
            var file = try Data(contentsOf: URL(fileURLWithPath: work))
            let page = (index - 1) * pageSize
            try #require(file[page] == 2, "an index of more than one page")
            // The number of the page on the right.
            file.replaceSubrange(page + 8..<page + 12, with: [0, 0, 0, UInt8(table)])
            try file.write(to: URL(fileURLWithPath: work))
        }

        /// Polls until the condition is true. The service reads a file on its own thread.
        func wait(_ isSo: () throws -> Bool) rethrows -> Bool {
            let deadline = ContinuousClock.now + .seconds(60)
            while ContinuousClock.now < deadline {
                if try isSo() { return true }
                sched_yield()
            }
            return false
        }

        private var secret: SecretBytes { SecretBytes(copying: Array("sesame".utf8)) }
    }

    @Test func `is told of as such once the service has looked at it, and no other is`() throws {
        let house = try House()
        try house.make()
        #expect(try house.client.keychains().map(\.isDamaged) == [false, false])
        try house.damageIndex()
        #expect(try house.wait { try house.client.keychain(at: "work").isDamaged })
        let reports = try house.client.keychains()
        #expect(reports.map(\.path) == [house.home, house.work])
        #expect(reports.map(\.isDamaged) == [false, true])
        // The readable part is served all the same.
        #expect(reports.map(\.state) == [.locked, .locked] && reports[1].settings == .initial)
    }

    @Test func `is in the figures of the service while it is open`() throws {
        let house = try House()
        try house.make()
        try house.damageIndex()
        let administration = house.memory.administrationClient()
        #expect(try administration.figures().keychainFiles.isEmpty)
        _ = try house.client.keychains()
        #expect(try house.wait { try administration.figures().keychainFiles.contains(where: \.isDamaged) })
        let files = try administration.figures().keychainFiles
        #expect(files.map(\.path) == [house.home, house.work] && files.map(\.isDamaged) == [false, true])
    }

    @Test func `is told of as such also where it cannot be opened`() throws {
        let house = try House()
        try house.make()
        try house.edit { db in try db.execute("UPDATE keybag SET bytes = x'00'") }
        let report = try house.client.keychain(at: "work")
        #expect(report.state == .unusable && report.isDamaged && report.settings == nil)
        #expect(try refusal { try house.client.lockKeychain(at: "work") }.reason == .damagedStore)
    }

    @Test func `is another thing than a file that is no keychain, or none at all`() throws {
        let house = try House()
        try house.make()
        try Data("a letter".utf8).write(to: URL(fileURLWithPath: house.folder + "/letter-db"))
        let letter = try house.client.keychain(at: "letter")
        #expect(letter.state == .unusable && !letter.isDamaged)
        #expect(try !house.client.keychain(at: "none").isDamaged)
    }
}
