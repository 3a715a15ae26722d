// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
import KeychainSealing
public import KeychainModel
import SQLiteStatements

/// The number of failed entries of one secret since the last successful one. The count is on the disk before an entry
/// is checked, so a caller that terminates the service during the check has used up one attempt.
public struct Attempts: Hashable, Sendable {
    public var failed: UInt32
    /// The time of the last failed entry.
    public var last: Timestamp

    public init(failed: UInt32 = 0, last: Timestamp = Timestamp(secondsSinceReferenceDate: 0)) {
        self.failed = failed
        self.last = last
    }
}

/// A secret that can be guessed, each with a separate count.
public enum GuessableSecret: Hashable, Sendable {
    /// A protector of the user's own keychain.
    case protector(ProtectorKind)
    /// A protector of a keychain file, named by the identifier of its keybag. All copies of a file share the
    /// identifier. The key that opens the keybag is derived from it, so a copy with another identifier does not open
    /// with the right password either.
    case file(keybag: [UInt8], ProtectorKind)
    /// The password of a keychain file, tried because it was correct for the user's own keychain. The count is
    /// separate, so a user whose keychain file has another password need not wait before entering it.
    case fileAlong(keybag: [UInt8])
    /// An item's own password. The item's key is derived from its identifier, as above.
    case item(ItemIdentifier)

    /// The bytes in the column `secret` (Documentation/Formats/database.md).
    public var encoded: Data {
        switch self {
        case .protector(let kind): Data([kind.rawValue])
        case .file(let keybag, let kind): Data([kind.rawValue] + keybag)
        case .fileAlong(let keybag): Data([Self.alongNumber] + keybag)
        case .item(let item): Data([Self.itemNumber] + item.bytes)
        }
    }

    // Above the numbers of all protector kinds.
    private static let itemNumber: UInt8 = 0x80
    private static let alongNumber: UInt8 = 0x81

    fileprivate var isProtector: Bool { if case .protector = self { true } else { false } }
}

extension Attempts {
    /// The maximum number of keychain files and items with a count.
    static let limit = 1024
    /// The number of seconds after which the count of a file or item may be evicted. Waiting gives a caller no
    /// advantage: the schedule of delays allows more guesses in this time than the eviction does.
    static let lifetime: Double = 86_400

    /// Writes the count.
    ///
    /// - Throws: `.refused` with the reason `tooManyAttempts` if the table is full.
    func write(_ db: Database, of secret: GuessableSecret) throws {
        let key = secret.encoded
        if !secret.isProtector {
            guard failed > 0 else {
                return try db.execute("DELETE FROM guesses WHERE secret = ?", [.bytes(key)])
            }
            try makeRoom(db, for: key)
        }
        try db.execute(
            "INSERT INTO guesses (secret, failed, last) VALUES (?, ?, ?) "
                + "ON CONFLICT (secret) DO UPDATE SET failed = excluded.failed, last = excluded.last",
            [.bytes(key), .integer(Int64(failed)), .real(last.secondsSinceReferenceDate)])
    }

    private func makeRoom(_ db: Database, for key: Data) throws {
        let others = "FROM guesses WHERE length(secret) > 1 AND secret != ?"
        guard try db.value(of: "SELECT count(*) \(others)", [.bytes(key)])?.integer ?? 0 >= Self.limit else {
            return
        }
        try db.execute(
            "DELETE \(others) AND last < ?", [.bytes(key), .real(last.secondsSinceReferenceDate - Self.lifetime)])
        guard try db.value(of: "SELECT count(*) \(others)", [.bytes(key)])?.integer ?? 0 < Self.limit else {
            throw StoreError.refused(Refusal(.authenticationFailed, .tooManyAttempts))
        }
    }
}

extension ItemStore {
    /// The identifier of the keybag, equal in all copies of a keychain file.
    public var keybagIdentifier: [UInt8] { keybag.identifier }

    public func attempts(of secret: GuessableSecret) throws(StoreError) -> Attempts {
        try StoreError.translating {
            try writer.access { db in
                let rows = try db.rows(
                    of: "SELECT failed, last FROM guesses WHERE secret = ?", [.bytes(secret.encoded)])
                guard let row = rows.first else {
                    // Every database has rows for the protectors. If a row is missing, the database was damaged, or
                    // changed to get more guesses.
                    guard !secret.isProtector else { throw StoreError.damaged(.database) }
                    return Attempts()
                }
                guard let failed = row[0].integer, let last = row[1].real else { throw StoreError.damaged(.database) }
                return Attempts(failed: UInt32(clamping: failed), last: Timestamp(secondsSinceReferenceDate: last))
            }
        }
    }

    /// Writes all counts, or none. They are on the disk when this returns.
    public func record(_ attempts: [GuessableSecret: Attempts]) throws(StoreError) {
        try StoreError.translating {
            try writer.inTransaction { db in
                for (secret, attempts) in attempts { try attempts.write(db, of: secret) }
                return .commit
            }
        }
    }
}
