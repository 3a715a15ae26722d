// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Wrappers of Keychain Services, as in libraries.
enum Wrapping {
    static func enumerations() throws {
        try expect(Accessibility(rawValue: "ak" as CFString) == .whenUnlocked)
        try expect(Accessibility.allCases.map { $0.rawValue as String } == ["ak", "ck", "akpu"])
        try expect(ItemClass(rawValue: kSecClassInternetPassword as String) == .internet)
        try expect(ItemClass(rawValue: "cert") == nil)
        try expect(Accessibility.names[kSecAttrAccessibleWhenUnlocked] == "when unlocked")
        try expect(Keys.all.contains(kSecAttrAccount as String))
        try expect(Keys.account == "acct" && "\(kSecAttrService)" == "svce")
        let known: Set<CFString> = [kSecClassGenericPassword, kSecClassInternetPassword]
        try expect(known.contains("genp" as CFString) && !known.contains(kSecClassKey))
        try expect(kSecAttrSynchronizableAny as String != kSecAttrSynchronizable as String)
    }

    static func errors() throws {
        let store = PasswordStore(service: emptyService("errors"))
        do {
            _ = try store.password(of: "nobody")
            throw Unexpected(description: "nobody has no password")
        } catch PasswordError.notFound {
            // Expected.
        }
        do {
            try store.check(errSecDuplicateItem)
        } catch let error as PasswordError where error.status == errSecDuplicateItem {
            try expect(error.errorDescription == "The specified item already exists in the keychain.")
            try expect(error.localizedDescription == error.errorDescription)
        }
        let error = NSError(
            domain: NSOSStatusErrorDomain, code: Int(errSecAuthFailed),
            userInfo: [NSLocalizedDescriptionKey: SecCopyErrorMessageString(errSecAuthFailed, nil) ?? ""])
        try expect(error.domain == kCFErrorDomainOSStatus as String && error.code == -25293)
        try expect(!error.localizedDescription.isEmpty)
        if let message = SecCopyErrorMessageString(errSecParam, nil) {
            try expect((message as String).contains("parameters"))
        }
        let text: String? = SecCopyErrorMessageString(errSecItemNotFound, nil) as String?
        try expect(text == "The specified item could not be found in the keychain.")
        let status: OSStatus = errSecItemNotFound
        switch status {
        case noErr, errSecInteractionNotAllowed: throw Unexpected(description: "found")
        case errSecItemNotFound: break
        default: throw Unexpected(description: "\(status)")
        }
    }

    static func accessControl() throws {
        var problem: Unmanaged<CFError>?
        let refused = SecAccessControlCreateWithFlags(
            kCFAllocatorDefault, "nonsense" as CFTypeRef, [.biometryAny, .or, .devicePasscode], &problem)
        try expect(refused == nil)
        let error = try some(problem?.takeRetainedValue())
        try expect(CFErrorGetCode(error) == Int(errSecParam))
        try expect(CFErrorGetDomain(error) as String == NSOSStatusErrorDomain)
        try expect((error as Error).localizedDescription.isEmpty == false)
        try expect((error as Error as NSError).code == -50)

        let service = emptyService("accessControl")
        let control = try some(
            SecAccessControlCreateWithFlags(nil, Accessibility.afterFirstUnlock.rawValue, [], nil) as SecAccessControl?)
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
            kSecAttrAccessControl as String: control as Any,
        ]
        try expect(SecItemAdd(item as CFDictionary, nil))
        var result: CFTypeRef?
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecReturnAttributes: true,
            kSecUseAuthenticationUI: kSecUseAuthenticationUISkip,
        ]
        try expect(SecItemCopyMatching(query as CFDictionary, &result))
        let found = try some(result as? [String: AnyObject])
        try expect(found[kSecAttrAccessControl as String] as! SecAccessControl == control)
        _ = emptyService("accessControl")
    }

    static func functionsAsValues() throws {
        typealias Search = (_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus
        var search: Search = SecItemCopyMatching
        let delete: (CFDictionary) -> OSStatus = SecItemDelete
        let query = [kSecClass: kSecClassGenericPassword, kSecAttrService: emptyService("functions")] as CFDictionary
        try expect(search(query, nil), errSecItemNotFound)
        try expect(delete(query), errSecItemNotFound)
        // As a test would.
        search = { _, result in
            result?.pointee = Data("made up".utf8) as CFData
            return errSecSuccess
        }
        var result: CFTypeRef?
        try expect(search(query, &result))
        try expect(result as? Data == Data("made up".utf8))
    }

    static func propertyWrapper() throws {
        _ = emptyService("settings")
        let settings = Settings()
        try expect(settings.token == nil)
        settings.token = "first"
        settings.token = "second"
        try expect(Settings().token == "second")
        settings.token = nil
        try expect(settings.token == nil)
        try expect(try Settings.store.accounts() == [])
    }

    static func subclass() throws {
        let store = LoudStore(service: emptyService("subclass"))
        try store.set("secret", for: "ann")
        try store.set("other", for: "bob")
        try expect(try store.password(of: "ann") == "secret")
        try expect(try store.accounts() == ["ann", "bob"])
        try expect(store.said == ["set ann", "set bob"])
        store["ann"] = nil
        try expect(store["ann"] == nil && store["bob"] == "other")
        try store.removeAll()
        try expect(try store.accounts().isEmpty)
    }
}

private enum Keys {
    static let account = kSecAttrAccount as String
    static let service = String(kSecAttrService)
    static let all: Set<String> = [account, service, kSecAttrLabel as String]
}

enum Accessibility: RawRepresentable, CaseIterable {
    case whenUnlocked, afterFirstUnlock, whenPasscodeSetThisDeviceOnly

    // A computed property: CFString is not Sendable, so in Swift 6 a static constant would need `nonisolated(unsafe)`.
    static var names: [CFString: String] {
        [kSecAttrAccessibleWhenUnlocked: "when unlocked", kSecAttrAccessibleAfterFirstUnlock: "after first unlock"]
    }

    init?(rawValue: CFString) {
        switch rawValue {
        case kSecAttrAccessibleWhenUnlocked: self = .whenUnlocked
        case kSecAttrAccessibleAfterFirstUnlock: self = .afterFirstUnlock
        case kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: self = .whenPasscodeSetThisDeviceOnly
        default: return nil
        }
    }

    var rawValue: CFString {
        switch self {
        case .whenUnlocked: return kSecAttrAccessibleWhenUnlocked
        case .afterFirstUnlock: return kSecAttrAccessibleAfterFirstUnlock
        case .whenPasscodeSetThisDeviceOnly: return kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
        }
    }
}

enum ItemClass: RawRepresentable {
    case generic, internet

    init?(rawValue: String) {
        switch rawValue {
        case String(kSecClassGenericPassword): self = .generic
        case String(kSecClassInternetPassword): self = .internet
        default: return nil
        }
    }

    var rawValue: String {
        switch self {
        case .generic: return String(kSecClassGenericPassword)
        case .internet: return String(kSecClassInternetPassword)
        }
    }
}

enum PasswordError: LocalizedError, Equatable {
    case notFound
    case notText
    case other(OSStatus)

    init(_ status: OSStatus) { self = status == errSecItemNotFound ? .notFound : .other(status) }

    var status: OSStatus {
        switch self {
        case .notFound: return errSecItemNotFound
        case .notText: return errSecDecode
        case .other(let status): return status
        }
    }

    var errorDescription: String? { SecCopyErrorMessageString(status, nil) as String? }
}

/// A small keychain wrapper, similar to many libraries.
class PasswordStore {
    let service: String

    init(service: String) { self.service = service }

    private var query: [String: Any] {
        [kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service]
    }

    private func query(_ account: String) -> [String: Any] {
        query.merging([kSecAttrAccount as String: account]) { $1 }
    }

    func check(_ status: OSStatus) throws {
        guard status == errSecSuccess else { throw PasswordError(status) }
    }

    func password(of account: String) throws -> String {
        var query = query(account)
        query[kSecReturnData as String] = true
        var item: CFTypeRef?
        try check(SecItemCopyMatching(query as CFDictionary, &item))
        guard let data = item as? Data, let text = String(data: data, encoding: .utf8) else {
            throw PasswordError.notText
        }
        return text
    }

    func set(_ password: String, for account: String) throws {
        let data = Data(password.utf8)
        let status = SecItemUpdate(query(account) as CFDictionary, [kSecValueData: data] as CFDictionary)
        guard status == errSecItemNotFound else { return try check(status) }
        var item = query(account)
        item[kSecValueData as String] = data
        item[kSecAttrAccessible as String] = Accessibility.afterFirstUnlock.rawValue
        try check(SecItemAdd(item as CFDictionary, nil))
    }

    func accounts() throws -> [String] {
        var query = query
        query[kSecMatchLimit as String] = kSecMatchLimitAll
        query[kSecReturnAttributes as String] = kCFBooleanTrue
        var result: AnyObject?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { return [] }
        try check(status)
        let items = result as? [[String: Any]] ?? []
        return items.compactMap { $0[kSecAttrAccount as String] as? String }.sorted()
    }

    func removeAll() throws {
        let status = SecItemDelete(query as CFDictionary)
        if status != errSecItemNotFound { try check(status) }
    }

    subscript(account: String) -> String? {
        get { try? password(of: account) }
        set {
            if let password = newValue {
                try? set(password, for: account)
            } else {
                SecItemDelete(query(account) as CFDictionary)
            }
        }
    }
}

final class LoudStore: PasswordStore {
    private(set) var said: [String] = []

    override func set(_ password: String, for account: String) throws {
        said.append("set \(account)")
        try super.set(password, for: account)
    }
}

@propertyWrapper
struct Password {
    let account: String

    var wrappedValue: String? {
        get { Settings.store[account] }
        nonmutating set { Settings.store[account] = newValue }
    }
}

struct Settings {
    static var store: PasswordStore { PasswordStore(service: "com.example.PasswordIdioms.settings") }

    @Password(account: "token") var token: String?
}
