// SPDX-License-Identifier: Apache-2.0

import CryptoExtras
import CSQLite
import Foundation
import Keychain
import Measuring

/// Locking, unlocking and changing the passcode of a keychain that has items and the passcode ``passcode``.
enum Locking {
    static let passcode = "benchmark"

    /// - Parameter database: the keychain's file, to read from its keybag what unlocking has to compute at least.
    static func measure(database: String) async throws -> Table {
        let keychain = UserKeychain()
        let secret = SecretData(utf8: passcode)
        var table = Table()
        let cost = try Cost(ofPasscodeIn: database)
        var samples: (floor: [UInt64], unlock: [UInt64], lock: [UInt64]) = ([], [], [])
        for _ in 0..<15 {
            samples.floor.append(try cost.stretch(passcode))
            samples.lock.append(try await time { try await keychain.lock() })
            samples.unlock.append(try await time { try await keychain.unlock(passcode: secret) })
        }
        let floor = Timing("scrypt, \(cost)", samples: samples.floor)
        let lock = Timing("lock", samples: samples.lock)
        let unlock = Timing("unlock", samples: samples.unlock)
        var change: [UInt64] = []
        for _ in 0..<3 {
            change.append(try await time { try await keychain.setPasscode(secret, current: secret) })
        }
        let changing = Timing("change of the passcode", samples: change)
        table.add(floor)
        table.add(unlock, floor: floor)
        table.add(lock)
        table.add(changing, floor: floor)
        table.note("lock to keys gone, p99, ms", lock.p99 / 1000, atMost: 10)
        table.note("unlock beyond its scrypt, p50, ms", (unlock.p50 - floor.p50) / 1000, atMost: 5)
        table.note("change of the passcode, s", changing.p99 / 1_000_000, atMost: 1)
        return table
    }

    private static func time(_ body: () async throws -> Void) async rethrows -> UInt64 {
        let start = Timing.now()
        try await body()
        return Timing.now() - start
    }

    /// scrypt's parameters as the keybag has them (Documentation/Formats/keybag.md).
    private struct Cost: CustomStringConvertible {
        let logN: Int
        let blockSize: Int
        let parallelism: Int

        init(ofPasscodeIn path: String) throws {
            var database: OpaquePointer?
            var statement: OpaquePointer?
            defer {
                sqlite3_finalize(statement)
                sqlite3_close(database)
            }
            guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
                sqlite3_prepare_v2(database, "SELECT bytes FROM keybag", -1, &statement, nil) == SQLITE_OK,
                sqlite3_step(statement) == SQLITE_ROW, let bytes = sqlite3_column_blob(statement, 0)
            else { throw BenchmarkFailure("no keybag in \(path)") }
            let keybag = [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, 0))))
            guard keybag.count > 100, keybag[57] == 2 else { throw BenchmarkFailure("no passcode in \(path)") }
            let parameters = 71 + Int(keybag[70])
            func number(_ place: Int) -> Int { keybag[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
            logN = Int(keybag[parameters])
            blockSize = number(parameters + 1)
            parallelism = number(parameters + 5)
        }

        func stretch(_ passcode: String) throws -> UInt64 {
            let start = Timing.now()
            _ = try KDF.Scrypt.deriveKey(
                from: Data(passcode.utf8), salt: Data(count: 32), outputByteCount: 32, rounds: 1 << logN,
                blockSize: blockSize, parallelism: parallelism)
            return Timing.now() - start
        }

        var description: String { "N 2^\(logN), r \(blockSize), p \(parallelism)" }
    }
}
