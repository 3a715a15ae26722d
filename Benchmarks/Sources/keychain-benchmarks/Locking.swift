// SPDX-License-Identifier: Apache-2.0

import CryptoExtras
import CSQLite
import Foundation
import Keychain
import Measuring

/// Locks, unlocks and changes the passcode of a keychain with items and the passcode ``passcode``.
enum Locking {
    static let passcode = "benchmark"

    /// - Parameter database: the keychain's file, whose keybag contains the scrypt parameters that unlocking requires.
    static func measure(database: String) async throws -> Table {
        let figures = try await figures(database: database, times: 15)
        let (keychain, secret) = (UserKeychain().administration, SecretData(utf8: passcode))
        var change: [UInt64] = []
        for _ in 0..<3 {
            change.append(try await time { try await keychain.setPasscode(secret, current: secret) })
        }
        let changing = Timing("change of the passcode", samples: change)
        var table = Table()
        table.add(figures.stretching)
        table.add(figures.unlock, floor: figures.stretching)
        table.add(figures.trip)
        table.add(figures.lock, floor: figures.trip)
        table.add(changing, floor: figures.stretching)
        table.note("lock to keys gone, p99, ms", figures.lock.p99 / 1000, atMost: 10)
        table.note("unlock beyond its scrypt, p50, ms", figures.beyondStretching / 1000, atMost: 5)
        table.note("change of the passcode, s", changing.p99 / 1_000_000, atMost: 1)
        return table
    }

    /// The durations of alternating locks and unlocks, and the minimum durations of their parts on this machine.
    struct Figures {
        /// scrypt alone, with the parameters of the passcode.
        let stretching: Timing
        /// A round trip of a lookup's sizes, with caches as cold as for locking.
        let trip: Timing
        let lock: Timing
        let unlock: Timing

        /// The duration of unlocking in addition to scrypt, in microseconds.
        var beyondStretching: Double { unlock.p50 - stretching.p50 }
    }

    static func figures(database: String, times: Int) async throws -> Figures {
        let keychain = UserKeychain().administration
        let secret = SecretData(utf8: passcode)
        let cost = try Cost(ofPasscodeIn: database)
        let server = try EchoServer(.lookup)
        defer { server.end() }
        let trip = try server.connect().operation
        var samples: (stretching: [UInt64], trip: [UInt64], lock: [UInt64], unlock: [UInt64]) = ([], [], [], [])
        for index in 0..<times {
            // On the cores on which the service computes scrypt.
            Floors.servicePlace?.enter()
            samples.stretching.append(try cost.stretch(passcode))
            Floors.ownPlace.enter()
            samples.trip.append(try trip.run(index))
            samples.lock.append(try await time { try await keychain.lock() })
            samples.unlock.append(try await time { try await keychain.unlock(passcode: secret) })
        }
        return Figures(
            stretching: Timing("scrypt, \(cost)", samples: samples.stretching),
            trip: Timing(trip.name, samples: samples.trip), lock: Timing("lock", samples: samples.lock),
            unlock: Timing("unlock", samples: samples.unlock))
    }

    /// Removes the passcode.
    static func end() async throws {
        try await UserKeychain().administration.removePasscode(current: SecretData(utf8: passcode))
    }

    private static func time(_ body: () async throws -> Void) async rethrows -> UInt64 {
        let start = Timing.now()
        try await body()
        return Timing.now() - start
    }

    /// scrypt's parameters from the keybag (Documentation/Formats/keybag.md).
    private struct Cost: CustomStringConvertible {
        let logN: Int
        let blockSize: Int
        let parallelism: Int

        init(ofPasscodeIn path: String) throws {
            let keybag = try Floors.firstRow(of: "SELECT bytes FROM keybag", in: path) { row in
                [UInt8](
                    UnsafeRawBufferPointer(
                        start: sqlite3_column_blob(row, 0), count: Int(sqlite3_column_bytes(row, 0))))
            }
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
