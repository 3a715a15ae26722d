// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import KeychainPlatform
@testable import KeychainServer

@Suite struct `A migration` {
    private func isCopied(_ path: String, beside siblings: [String] = []) -> Bool {
        let parts = path.split(separator: "/").map(String.init)
        return MigratedFiles.contains(
            FolderCopy.Entry(folder: Array(parts.dropLast()), name: parts[parts.count - 1], siblings: siblings))
    }

    @Test(arguments: [
        "keychain.db", "keychain.db-wal", "device.key", "device.tries", "token.key", "audit.log", "audit.log.seal",
        "audit.log.1", "audit.log.2.before", "keychains", "keychains/lists", "keychains/work-db",
        "keychains/work-db-wal", "snapshots", "snapshots/keychain-20260101000000Z.db",
    ])
    func `copies what the services made`(path: String) {
        #expect(isCopied(path))
    }

    @Test(arguments: [
        "keychain.db-journal", "keychain.db-shm", "audit.logs", "audit.log.0", "audit.log.1.2", "notes",
        "other/keychain.db", "keychains/work-db-journal", "keychains/work-db-shm", "keychains/.work-db.lock",
        "keychains/-db", "keychains/notes", "keychains/deeper/work-db",
        "snapshots/keychain-20260101000000Z.db-journal", "snapshots/notes",
        "snapshots/keychain-20260101000000Z.db-wal",
    ])
    func `leaves everything else where it is, and each journal`(path: String) {
        #expect(!isCopied(path))
    }

    @Test func `leaves a snapshot whose last change was interrupted where it is`() {
        let name = "keychain-20260101000000Z.db"
        #expect(isCopied("snapshots/" + name, beside: [name]))
        #expect(!isCopied("snapshots/" + name, beside: [name, name + "-journal"]))
    }

    @Test(arguments: [
        ("keychains/.work-db.snapshots", false), ("keychains/.work-db.lock", true), ("chatelained.log", true),
        ("notes", false),
    ])
    func `reports a file that stays, unless the services make it again`(path: String, isMadeAnew: Bool) {
        let parts = path.split(separator: "/").map(String.init)
        let entry = FolderCopy.Entry(folder: Array(parts.dropLast()), name: parts[parts.count - 1], siblings: [])
        #expect(MigratedFiles.isMadeAnew(entry) == isMadeAnew)
    }

    @Test(
        arguments: [
            ("keychain.db", nil), ("keychain.db-wal", nil), ("keychains/work-db", nil),
            ("snapshots/keychain-20260101000000Z.db", nil), ("device.key", 4 << 20), ("keychains/lists", 4 << 20),
            ("audit.log", 68 << 20), ("audit.log.2.before", 68 << 20),
        ] as [(String, Int?)])
    func `copies databases of any size, and other files up to what the services write`(path: String, size: Int?) {
        let parts = path.split(separator: "/").map(String.init)
        let entry = FolderCopy.Entry(folder: Array(parts.dropLast()), name: parts[parts.count - 1], siblings: [])
        #expect(MigratedFiles.largestSize(entry) == size)
    }
}
