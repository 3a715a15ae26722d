// SPDX-License-Identifier: Apache-2.0

import KeychainModel

extension ServiceFigures {
    /// Of a service that had something of everything to do.
    static let sample: ServiceFigures = {
        let noon = Timestamp(secondsSinceReferenceDate: 725_846_400)
        func later(_ seconds: Double) -> Timestamp {
            Timestamp(secondsSinceReferenceDate: noon.secondsSinceReferenceDate + seconds)
        }
        return ServiceFigures(
            version: "9.8.7", lockState: .unlocked, since: noon, uptimeSeconds: 273_845,
            items: [.genericPassword: 1_234_567, .internetPassword: 89, .certificate: 7, .key: 0], unreadable: 2,
            sizes: [
                .init(.database, files: 1, bytes: 734_003_200), .init(.writeAheadLog, files: 1, bytes: 4_152_992),
                .init(.auditLog, files: 5, bytes: 41_943_040), .init(.snapshots, files: 7, bytes: 5_138_022_400),
            ],
            keychainFiles: [
                .init(
                    path: "/home/ann/.local/share/chatelaine/keychains/login.keychain-db", bytes: 98_304, logBytes: 0),
                .init(path: "/srv/work.keychain", bytes: 57_344, logBytes: 32),
            ],
            queues: [
                .init(.connections, now: 12, most: 256, bound: 256), .init(.changes, now: 0, most: 64, bound: 256),
                .init(.questions, now: 1, most: 2, bound: 9), .init(.watchers, now: 3, bound: 256),
                .init(.keychainFiles, now: 2, bound: 64),
            ],
            caches: [
                .init(.searches, hits: 98_765_432, misses: 5, size: 5, bound: 128),
                .init(.programs, hits: 4321, misses: 12, size: 12, bound: 256),
                .init(.lookupPages, hits: 493_827_160, misses: 20_480, size: 8_189_952, bound: 8_192_000),
                .init(.writerPages, hits: 123_456, misses: 789, size: 204_800, bound: 8_192_000),
                .init(.listPages, hits: 54, misses: 32, size: 1_024_000, bound: 1_024_000),
            ],
            requests: [
                .init(
                    .lookup, served: 98_760_000, notFound: 5431, refused: 1, abandoned: 0,
                    nanoseconds: 2_962_962_930_000, slowestNanoseconds: 31_415_926,
                    histogram: [90_000_000, 8_765_000, 400, 30, 1, 1, 0, 0, 0, 0]),
                .init(
                    .add, served: 1_234_663, notFound: 0, refused: 3, abandoned: 2, nanoseconds: 1_500_000_000_000,
                    slowestNanoseconds: 2_345_678_901, histogram: [0, 0, 0, 0, 1_234_600, 60, 7, 0, 1, 0]),
                .init(
                    .status, served: 1, notFound: 0, refused: 0, abandoned: 0, nanoseconds: 987,
                    slowestNanoseconds: 987, histogram: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
            ],
            refusals: [
                .init(Refusal(.itemNotFound, .none), count: 5431, last: later(273_840)),
                .init(Refusal(.duplicateItem, .none), count: 3, last: later(3600)),
                .init(Refusal(.missingEntitlement, .otherProgramsItem), count: 1, last: later(60)),
            ])
    }()
}
