// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

typealias Entries = [CFString: Any]

/// The two classes of passwords. What holds for both is tested with both.
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

    /// The attribute that says, beside the account, what the password is for.
    var place: CFString {
        switch self {
        case .generic: kSecAttrService
        case .internet: kSecAttrServer
        }
    }

    var other: PasswordClass { self == .generic ? .internet : .generic }

    /// A dictionary for this class. An entry that is given goes before the class.
    func query(_ more: Entries = [:]) -> CFDictionary {
        #if os(Linux)
            let base: Entries = [kSecClass: constant]
        #else
            // Without it macOS speaks to a keychain in a file, which has other rules.
            let base: Entries = [kSecClass: constant, kSecUseDataProtectionKeychain: true]
        #endif
        return base.merging(more) { $1 } as CFDictionary
    }

    /// A dictionary that names one password.
    func item(_ account: String, _ place: String, _ more: Entries = [:]) -> CFDictionary {
        query([kSecAttrAccount: account, self.place: place].merging(more) { $1 })
    }
}

// MARK: Calls

/// The status of a search without a result.
func probe(_ query: CFDictionary) -> OSStatus { SecItemCopyMatching(query, nil) }

/// The result of a search that must succeed.
@discardableResult
func find(_ query: CFDictionary, sourceLocation: SourceLocation = #_sourceLocation) -> CFTypeRef? {
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query, &result)
    #expect(status == errSecSuccess, sourceLocation: sourceLocation)
    return result
}

/// The attributes of the one item that a search finds.
func attributes(
    _ itemClass: PasswordClass, _ more: Entries, sourceLocation: SourceLocation = #_sourceLocation
) throws -> Entries {
    let found = find(itemClass.query(more.merging([kSecReturnAttributes: true]) { $1 }), sourceLocation: sourceLocation)
    return try #require(found as? Entries, sourceLocation: sourceLocation)
}

/// The data of one password.
func data(
    _ itemClass: PasswordClass, _ account: String, _ place: String, sourceLocation: SourceLocation = #_sourceLocation
) -> Data? {
    find(itemClass.item(account, place, [kSecReturnData: true]), sourceLocation: sourceLocation) as? Data
}

/// Adds an item that must be new.
func add(_ item: CFDictionary, sourceLocation: SourceLocation = #_sourceLocation) {
    let status = SecItemAdd(item, nil)
    #expect(status == errSecSuccess, sourceLocation: sourceLocation)
}

/// Adds an item that must be new, and returns its persistent reference.
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

/// How many items a search finds; nothing found is none.
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

/// Everything that this program has in the keychain, as text: equal texts are equal keychains.
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
    // Access control, of which nothing can be asked; equal for equal content where it says so.
    default: "\(CFCopyDescription(value as CFTypeRef) ?? "" as CFString)"
    }
}
