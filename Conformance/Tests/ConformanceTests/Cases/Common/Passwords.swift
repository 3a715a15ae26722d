// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

typealias Entries = [CFString: Any]

/// The two classes of passwords. Their common behaviour is tested with both.
enum PasswordClass: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case generic = "genp"
    case internet = "inet"

    var testDescription: String { rawValue }

    var constant: CFString {
        switch self {
        case .generic: kSecClassGenericPassword
        case .internet: kSecClassInternetPassword
        }
    }

    /// The attribute that, together with the account, identifies the password.
    var place: CFString {
        switch self {
        case .generic: kSecAttrService
        case .internet: kSecAttrServer
        }
    }

    var other: PasswordClass { self == .generic ? .internet : .generic }

    /// Returns a dictionary for this class. An entry in `more` overrides the class.
    func query(_ more: Entries = [:]) -> CFDictionary {
        #if os(Linux)
            let base: Entries = [kSecClass: constant]
        #else
            // Without this key macOS uses a keychain file, which has other rules.
            let base: Entries = [kSecClass: constant, kSecUseDataProtectionKeychain: true]
        #endif
        return base.merging(more) { $1 } as CFDictionary
    }

    /// Returns a dictionary for one password.
    func item(_ account: String, _ place: String, _ more: Entries = [:]) -> CFDictionary {
        query([kSecAttrAccount: account, self.place: place].merging(more) { $1 })
    }
}

// MARK: Calls

/// Returns the status of a search without a result.
func probe(_ query: CFDictionary) -> OSStatus { SecItemCopyMatching(query, nil) }

/// Returns the result of a search that must succeed.
@discardableResult
func find(_ query: CFDictionary, sourceLocation: SourceLocation = #_sourceLocation) -> CFTypeRef? {
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query, &result)
    #expect(status == errSecSuccess, sourceLocation: sourceLocation)
    return result
}

/// Returns the attributes of the only item that a search finds.
func attributes(
    _ itemClass: PasswordClass, _ more: Entries, sourceLocation: SourceLocation = #_sourceLocation
) throws -> Entries {
    let found = find(itemClass.query(more.merging([kSecReturnAttributes: true]) { $1 }), sourceLocation: sourceLocation)
    return try #require(found as? Entries, sourceLocation: sourceLocation)
}

/// Returns the data of one password.
func data(
    _ itemClass: PasswordClass, _ account: String, _ place: String, sourceLocation: SourceLocation = #_sourceLocation
) -> Data? {
    find(itemClass.item(account, place, [kSecReturnData: true]), sourceLocation: sourceLocation) as? Data
}

/// Adds an item, which must not exist yet.
func add(_ item: CFDictionary, sourceLocation: SourceLocation = #_sourceLocation) {
    let status = SecItemAdd(item, nil)
    #expect(status == errSecSuccess, sourceLocation: sourceLocation)
}

/// Adds an item, which must not exist yet, and returns its persistent reference.
func addedReference(
    _ itemClass: PasswordClass, _ account: String, _ place: String, _ more: Entries = [:],
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> Data {
    var result: CFTypeRef?
    let item = itemClass.item(account, place, more.merging([kSecReturnPersistentRef: true]) { $1 })
    let status = SecItemAdd(item, &result)
    #expect(status == errSecSuccess, sourceLocation: sourceLocation)
    return try #require(result as? Data, sourceLocation: sourceLocation)
}

/// Returns the number of items that a search finds; 0 if it finds none.
func count(
    _ itemClass: PasswordClass, _ more: Entries = [:], sourceLocation: SourceLocation = #_sourceLocation
) -> Int {
    var result: CFTypeRef?
    let all: Entries = [kSecMatchLimit: kSecMatchLimitAll, kSecReturnPersistentRef: true]
    let status = SecItemCopyMatching(itemClass.query(more.merging(all) { $1 }), &result)
    if status == errSecItemNotFound { return 0 }
    #expect(status == errSecSuccess, sourceLocation: sourceLocation)
    return (result as? [Any])?.count ?? -1
}

func changes(_ entries: Entries) -> CFDictionary { entries as CFDictionary }

/// Returns all items of this program in the keychain as text: equal texts mean equal contents.
func dump(sourceLocation: SourceLocation = #_sourceLocation) -> [String] {
    PasswordClass.allCases.flatMap { itemClass -> [String] in
        var result: CFTypeRef?
        let status = SecItemCopyMatching(
            itemClass.query([
                kSecAttrSynchronizable: kSecAttrSynchronizableAny, kSecMatchLimit: kSecMatchLimitAll,
                kSecReturnAttributes: true, kSecReturnData: true, kSecReturnPersistentRef: true,
            ]), &result)
        if status == errSecItemNotFound { return [] }
        #expect(status == errSecSuccess, sourceLocation: sourceLocation)
        return (result as? [Entries] ?? []).map { item in
            "\(itemClass) " + item.map { "\($0.key)=\(text($0.value))" }.sorted().joined(separator: " ")
        }
    }.sorted()
}

private func text(_ value: Any) -> String {
    switch value {
    case let data as Data: "<\(data.map { String($0, radix: 16) }.joined(separator: " "))>"
    case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
    case let text as String: "\"\(text)\""
    case let number as NSNumber: "\(number)"
    // Access control, which has no readable properties; equal for equal content on platforms that define it so.
    default: "\(CFCopyDescription(value as CFTypeRef) ?? "" as CFString)"
    }
}
