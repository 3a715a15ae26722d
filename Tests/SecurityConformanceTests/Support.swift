// SPDX-License-Identifier: Apache-2.0

import KeychainTesting
import Security
import Testing

// The cases of Apple's published regression tests, as far as they concern generic passwords or hold for every class. The
// numbers (C001 …) are those of Documentation/Cases.md.

/// Runs a test on an empty keychain of its own.
func onEmptyKeychain(accessGroups: [String] = ["tests"], _ body: () throws -> Void) throws {
    try InMemoryKeychain(accessGroups: accessGroups).run(body)
}

/// A dictionary for generic passwords.
func password(_ more: [CFString: Any] = [:]) -> CFDictionary {
    more.merging([kSecClass: kSecClassGenericPassword]) { given, _ in given } as CFDictionary
}

/// A dictionary that names one password.
func password(_ account: String, _ service: String, _ more: [CFString: Any] = [:]) -> CFDictionary {
    password(more.merging([kSecAttrAccount: account, kSecAttrService: service]) { given, _ in given })
}

/// The status of a search without a result.
func probe(_ query: CFDictionary) -> OSStatus { SecItemCopyMatching(query, nil) }

/// The result of a search that must succeed.
func find(_ query: CFDictionary, sourceLocation: SourceLocation = #_sourceLocation) -> CFTypeRef? {
    var result: CFTypeRef?
    #expect(SecItemCopyMatching(query, &result) == errSecSuccess, sourceLocation: sourceLocation)
    return result
}

/// The data of one password.
func data(_ account: String, _ service: String) -> Data? {
    find(password(account, service, [kSecReturnData: true])) as? Data
}

/// Adds an item that must be new.
func add(_ item: CFDictionary, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(SecItemAdd(item, nil) == errSecSuccess, sourceLocation: sourceLocation)
}

/// Adds an item and returns its persistent reference.
func addedReference(_ account: String, _ service: String) throws -> Data {
    var result: CFTypeRef?
    #expect(SecItemAdd(password(account, service, [kSecReturnPersistentRef: true]), &result) == errSecSuccess)
    return try #require(result as? Data)
}
