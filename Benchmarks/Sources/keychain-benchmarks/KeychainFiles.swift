// SPDX-License-Identifier: Apache-2.0

import Foundation
import Measuring
import Security

/// Searches through the search list, with one keychain file and with ten.
enum KeychainFiles {
    private static let secret = Data(repeating: 0x53, count: 32)

    /// Creates an unlocked keychain with this number of passwords, whose names begin with the keychain's.
    static func filled(_ name: String, count: Int) throws -> SecKeychain {
        var keychain: SecKeychain?
        let made = SecKeychainCreate(name, 9, "benchmark", false, nil, &keychain)
        guard made == errSecSuccess, let keychain else { throw BenchmarkFailure("making \(name): status \(made)") }
        for index in 0..<count {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "\(name)-\(index)",
                kSecAttrAccount as String: "account",
                kSecValueData as String: secret,
                kSecUseKeychain as String: keychain,
            ]
            let status = SecItemAdd(item as CFDictionary, nil)
            guard status == errSecSuccess else { throw BenchmarkFailure("adding \(index): status \(status)") }
        }
        return keychain
    }

    /// Searches all keychains for a password of the last one.
    static func search(_ keychains: [SecKeychain], _ name: String, count: Int) -> MeasuredOperation {
        var generator = SystemRandomNumberGenerator()
        return MeasuredOperation("a search through \(keychains.count) keychains of \(count) items") { _ in
            let index = Int.random(in: 0..<count, using: &generator)
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "\(name)-\(index)",
                kSecMatchSearchList as String: keychains,
                kSecReturnAttributes as String: true,
            ]
            let dictionary = query as CFDictionary
            var result: CFTypeRef?
            let start = Timing.now()
            let status = SecItemCopyMatching(dictionary, &result)
            let time = Timing.now() - start
            guard status == errSecSuccess,
                (result as? [String: Any])?[kSecAttrService as String] as? String == "\(name)-\(index)"
            else { throw BenchmarkFailure("search for \(name)-\(index): status \(status)") }
            return time
        }
    }
}
