// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// The operations of the keychain, as a program for Apple's systems would call them, against a running service.
enum Operations {
    private static let service = "benchmark"
    private static let secret = Data(repeating: 0x53, count: 32)

    /// Adds items until there are as many.
    static func fill(from start: Int, to count: Int) throws {
        for index in start..<count { try add(index) }
    }

    static func lookup(among count: Int, times: Int) throws -> Measurement {
        var generator = SystemRandomNumberGenerator()
        return try Measurement("SecItemCopyMatching with data, \(count) items", times: times, warmUp: 500) { _ in
            let index = Int.random(in: 0..<count, using: &generator)
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: "account-\(index)",
                kSecReturnData as String: true,
                kSecMatchLimit as String: kSecMatchLimitOne,
            ]
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            guard status == errSecSuccess, result as? Data == secret else {
                throw BenchmarkFailure("lookup of \(index): status \(status)")
            }
        }
    }

    static func addition(from start: Int, times: Int) throws -> Measurement {
        try Measurement("SecItemAdd", times: times, warmUp: 0) { index in try add(start + index) }
    }

    private static func add(_ index: Int) throws {
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: "account-\(index)",
            kSecValueData as String: secret,
        ]
        let status = SecItemAdd(item as CFDictionary, nil)
        guard status == errSecSuccess else { throw BenchmarkFailure("adding \(index): status \(status)") }
    }
}
