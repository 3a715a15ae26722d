// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainPlatform
import KeychainPolicy
import KeychainSealing
import KeychainStore
import Measuring

/// Adds many items to a keychain that no service has open, with the store's own code, like the restore of a backup but
/// with more items in one transaction than a service uses.
enum StoreFilling {
    private static let itemsATransaction = 100_000

    /// Adds items like the existing one, each with its own account.
    ///
    /// - Parameters:
    ///   - folder: the folder of a keychain without passcode, with one item.
    ///   - numbers: the numbers of the items to add.
    ///   - account: returns the account of the item with a number.
    static func fill(_ folder: String, _ numbers: Range<Int>, account: (Int) -> String) throws {
        let storage = LockedKeyStorage()
        let key = try DeviceKey(
            decoding: Data(contentsOf: URL(fileURLWithPath: folder + "/device.key")), in: storage)
        let store = try ItemStore(
            at: .file(folder + "/keychain.db"), deviceKey: key, keyStorage: storage,
            clock: { Timestamp(secondsSinceReferenceDate: Date().timeIntervalSinceReferenceDate) },
            makeIdentifier: identifier)
        let pattern = try first(of: store)
        var start = numbers.lowerBound
        while start < numbers.upperBound {
            let end = min(numbers.upperBound, start + itemsATransaction)
            let items = try (start..<end).map { number in
                let entries = pattern.attributes.entries.map { entry in
                    entry.key == .account ? .init(.account, .string(account(number))) : entry
                }
                return BackupItem(
                    identifier: identifier(), attributes: try ItemAttributes(stored: .genericPassword, entries),
                    data: pattern.data)
            }
            let results = try store.restore(items, replacesNewer: false, isDryRun: false, with: grant(.restore))
            guard results.allSatisfy({ $0.outcome == .added }) else {
                throw BenchmarkFailure("the store did not take all items")
            }
            start = end
        }
        try store.close()
    }

    private static func first(of store: ItemStore) throws -> BackupItem {
        var found: BackupItem?
        _ = try store.readAll(from: .start, with: grant(.backUp)) { candidate in
            guard found == nil, case .item(let item) = candidate else { return }
            // The store wipes the bytes after the call.
            found = BackupItem(
                identifier: item.identifier, attributes: item.attributes, data: item.data.map { Data(Array($0)) })
        }
        guard let found else { throw BenchmarkFailure("no item to make others like") }
        return found
    }

    private static func identifier() -> ItemIdentifier {
        ItemIdentifier(bytes: (0..<16).map { _ in UInt8.random(in: 0...255) })!
    }

    /// The grant that the service gives the administration tool.
    private static func grant(_ operation: KeychainPolicy.Operation) throws -> Grant {
        let tool = Caller(
            userID: getuid(), processID: getpid(), tier: .installed, identity: .command, accessGroups: ["chatelaine"],
            displayPath: "/benchmark")
        guard case .grant(let grant) = AccessPolicy.judgeBackup(tool, operation, lockState: .noPasscode) else {
            throw BenchmarkFailure("no grant to fill a store")
        }
        return grant
    }
}
