// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLiteStatements
import Testing

@testable import KeychainStore

/// A hot journal that changes no page and names a file as its super-journal ("Rollback Journal Format" of SQLite's documentation).
private func journal(of pages: UInt32, naming victim: String) -> Data {
    let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    var bytes = magic
    for value: UInt32 in [0, 0, pages, 512, 2048] { bytes += number(value) }
    bytes += [UInt8](repeating: 0, count: 512 - bytes.count)
    guard !victim.isEmpty else { return Data(bytes) }
    let name = Array(victim.utf8)
    var sum: UInt32 = 0
    for byte in name { sum += UInt32(byte) }
    // The page of the byte at 1 GiB, which no page of a database holds.
    bytes += number(0x4000_0000 / 2048 + 1)
    bytes += name
    bytes += number(UInt32(name.count))
    bytes += number(sum)
    bytes += magic
    return Data(bytes)
}

@Suite struct `A file beside the database` {
    private let directory: Directory

    init() throws {
        directory = try Directory()
        let fixture = try Fixture(at: .file(directory.database))
        try fixture.add([:])
        try fixture.store.close()
    }

    private func refused(_ file: StoreError.UntrustedFile) {
        #expect(throws: StoreError.untrusted(file)) { try Fixture(at: .file(directory.database)) }
    }

    private func write(_ bytes: Data, _ suffix: String) throws {
        try bytes.write(to: URL(fileURLWithPath: directory.database + suffix))
    }

    @Test func `that is a journal with a super-journal is refused, and deletes nothing`() throws {
        let victim = directory.path + "/victim"
        try Data("kept".utf8).write(to: URL(fileURLWithPath: victim))
        let pages = UInt32(try directory.bytes().count / 2048)
        // Also a file that claims that the database is being created.
        for pages in [pages, 0] {
            try write(journal(of: pages, naming: victim), "-journal")
            let before = try directory.bytes()
            refused(.journal)
            #expect(FileManager.default.fileExists(atPath: victim))
            #expect(try directory.bytes() == before)
        }
    }

    @Test func `that is a journal of a whole database is refused, since the service makes none`() throws {
        try write(journal(of: 1, naming: ""), "-journal")
        refused(.journal)
        // A snapshot has no write-ahead log, and its journal may be of an interrupted change.
        #expect(throws: Never.self) { try DatabaseFiles(at: directory.database, journalOf: .change) }
    }

    @Test func `without a head is no journal, as an interrupted write leaves it`() throws {
        for bytes in [Data(), Data(repeating: 0, count: 512)] {
            try write(bytes, "-journal")
            #expect(throws: Never.self) { try DatabaseFiles(at: directory.database, journalOf: .creation) }
        }
    }

    @Test(arguments: [DatabaseFiles.Kind.database, .journal, .log, .logIndex])
    func `that is a link is refused`(kind: DatabaseFiles.Kind) throws {
        let elsewhere = directory.path + "/elsewhere"
        if kind == .database {
            try FileManager.default.moveItem(atPath: directory.database, toPath: elsewhere)
        } else {
            try Data().write(to: URL(fileURLWithPath: elsewhere))
        }
        let path = directory.database + kind.suffix
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
        refused(StoreError.UntrustedFile(kind))
    }

    @Test(arguments: [DatabaseFiles.Kind.database, .journal, .log, .logIndex])
    func `that is a FIFO is refused, and nothing waits for its writer`(kind: DatabaseFiles.Kind) throws {
        let path = directory.database + kind.suffix
        try? FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        refused(StoreError.UntrustedFile(kind))
        #expect(PageFile(path: path) == nil)
    }

    @Test func `that a journal names as its super-journal stays, also where SQLite opens the database`() throws {
        SQLiteLibrary.configure()
        let victim = directory.path + "/victim"
        try Data("kept".utf8).write(to: URL(fileURLWithPath: victim))
        try directory.edit("PRAGMA journal_mode = DELETE")
        try write(journal(of: UInt32(try directory.bytes().count / 2048), naming: victim), "-journal")
        try? directory.edit("SELECT count(*) FROM sqlite_master")
        #expect(FileManager.default.fileExists(atPath: victim))
    }
}
