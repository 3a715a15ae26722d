// SPDX-License-Identifier: Apache-2.0

import Foundation
import Measuring
import Security

/// Operations with the items that ``fill(from:to:)`` added, or with similar items.
extension Operations {
    private static func query(_ number: Int) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account(number),
        ]
    }

    /// Reads an item with its data.
    static func find(_ number: Int) throws {
        let status = SecItemCopyMatching(
            query(number).merging([kSecReturnData as String: true]) { $1 } as CFDictionary, nil)
        guard status == errSecSuccess else { throw BenchmarkFailure("lookup of \(number): status \(status)") }
    }

    static func attributes(among count: Int) -> MeasuredOperation {
        var generator = SystemRandomNumberGenerator()
        return MeasuredOperation("SecItemCopyMatching with attributes, \(count) items") { _ in
            let number = Int.random(in: 0..<count, using: &generator)
            let dictionary = query(number).merging([kSecReturnAttributes as String: true]) { $1 } as CFDictionary
            var result: CFTypeRef?
            let start = Timing.now()
            let status = SecItemCopyMatching(dictionary, &result)
            let time = Timing.now() - start
            guard status == errSecSuccess,
                (result as? [String: Any])?[kSecAttrAccount as String] as? String == account(number)
            else { throw BenchmarkFailure("attributes of \(number): status \(status)") }
            return time
        }
    }

    /// Reads the attributes of this many items.
    static func page(_ count: Int) throws {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
            kSecMatchLimit as String: count, kSecReturnAttributes as String: true,
        ]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        guard status == errSecSuccess, (result as? NSArray)?.count == count else {
            throw BenchmarkFailure("\(count) items: status \(status)")
        }
    }

    /// A search that finds nothing.
    static func miss(_ attributes: [String: Any]) throws {
        let query = attributes.merging([kSecClass as String: kSecClassGenericPassword]) { $1 }
        let status = SecItemCopyMatching(query as CFDictionary, nil)
        guard status == errSecItemNotFound else { throw BenchmarkFailure("a search that misses: status \(status)") }
    }

    static func change(from start: Int) -> MeasuredOperation {
        MeasuredOperation("SecItemUpdate", prepare: Floors.ownPlace.enter) { index in
            let dictionary = query(start + index) as CFDictionary
            let changes = [kSecValueData as String: Data("changed \(index)".utf8)] as CFDictionary
            let begin = Timing.now()
            let status = SecItemUpdate(dictionary, changes)
            let time = Timing.now() - begin
            guard status == errSecSuccess else { throw BenchmarkFailure("update of \(index): status \(status)") }
            return time
        }
    }

    static func deletion(from start: Int) -> MeasuredOperation {
        MeasuredOperation("SecItemDelete", prepare: Floors.ownPlace.enter) { index in
            let dictionary = query(start + index) as CFDictionary
            let begin = Timing.now()
            let status = SecItemDelete(dictionary)
            let time = Timing.now() - begin
            guard status == errSecSuccess else { throw BenchmarkFailure("deleting \(index): status \(status)") }
            return time
        }
    }

    static func delete(_ number: Int) throws { _ = try deletion(from: number).run(0) }
}
