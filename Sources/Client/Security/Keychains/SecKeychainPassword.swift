// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import KeychainModel
internal import SecretMemory

// Adds and finds passwords in one call. Apple's functions take names as pointers to characters. Here they are raw
// pointers, to which texts, arrays, `&array` and pointers to characters or bytes convert. Lengths are in bytes.
//
// - Callers guarantee all pointers. Results are written on success only.
// - A null keychain is the default one for additions, and the search list for searches, which also accept a CFArray of
//   keychains.
// - In a search, names without bytes and numbers with the value 0 match all items; other values must match exactly.
// - Data is read, and the permission to read it checked, only if it is requested. It must be freed with
//   ``SecKeychainItemFreeContent(_:_:)``.
//
// Source: semantics 8.3.

/// Adds a generic password; its label is the service.
///
/// - Returns: `errSecDuplicateItem`, `errSecParam` for a length without bytes, `errSecDataTooLarge`,
///   `errSecNoSuchKeychain`, `errSecInvalidKeychain`, `errSecInteractionNotAllowed` if a required prompt is not
///   possible.
@available(*, deprecated, message: "Use SecItemAdd with kSecClassGenericPassword.")
@discardableResult
public func SecKeychainAddGenericPassword(
    _ keychain: SecKeychain?, _ serviceNameLength: UInt32, _ serviceName: UnsafeRawPointer?,
    _ accountNameLength: UInt32, _ accountName: UnsafeRawPointer?, _ passwordLength: UInt32,
    _ passwordData: UnsafeRawPointer?, _ itemRef: UnsafeMutablePointer<SecKeychainItem?>?
) -> OSStatus {
    statusOf("SecKeychainAddGenericPassword") { () throws(CallFailure) in
        let service = try unsafe givenBytes(serviceNameLength, serviceName)
        let account = try unsafe givenBytes(accountNameLength, accountName)
        let secret = try unsafe givenSecret(passwordLength, passwordData) ?? SecretBytes(copying: [])
        let entries = entry(.service, service) + entry(.account, account) + entry(.label, service)
        let item = try addItem(.genericPassword, entries, secret, to: keychain)
        unsafe itemRef?.pointee = item
    }
}

/// Finds a generic password.
///
/// - Returns: `errSecItemNotFound`; `errSecAuthFailed` for data that the program may not read, or that is locked if no
///   prompt is possible; `errSecUserCanceled`; `errSecInvalidKeychain` for an object that is not a keychain;
///   `errSecNoSuchKeychain` for a missing keychain, if it is the only one.
@available(*, deprecated, message: "Use SecItemCopyMatching with kSecClassGenericPassword.")
@discardableResult
public func SecKeychainFindGenericPassword(
    _ keychainOrArray: CFTypeRef?, _ serviceNameLength: UInt32, _ serviceName: UnsafeRawPointer?,
    _ accountNameLength: UInt32, _ accountName: UnsafeRawPointer?, _ passwordLength: UnsafeMutablePointer<UInt32>?,
    _ passwordData: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ itemRef: UnsafeMutablePointer<SecKeychainItem?>?
) -> OSStatus {
    statusOf("SecKeychainFindGenericPassword") { () throws(CallFailure) in
        let service = try unsafe givenBytes(serviceNameLength, serviceName)
        let account = try unsafe givenBytes(accountNameLength, accountName)
        let entries = entry(.service, service) + entry(.account, account)
        try unsafe find(
            .genericPassword, entries, in: keychainOrArray, length: passwordLength, data: passwordData, item: itemRef)
    }
}

/// Adds an internet password; its label is the server.
///
/// - Returns: as ``SecKeychainAddGenericPassword(_:_:_:_:_:_:_:_:)``.
@available(*, deprecated, message: "Use SecItemAdd with kSecClassInternetPassword.")
@discardableResult
public func SecKeychainAddInternetPassword(
    _ keychain: SecKeychain?, _ serverNameLength: UInt32, _ serverName: UnsafeRawPointer?,
    _ securityDomainLength: UInt32, _ securityDomain: UnsafeRawPointer?, _ accountNameLength: UInt32,
    _ accountName: UnsafeRawPointer?, _ pathLength: UInt32, _ path: UnsafeRawPointer?, _ port: UInt16,
    _ protocol: SecProtocolType, _ authenticationType: SecAuthenticationType, _ passwordLength: UInt32,
    _ passwordData: UnsafeRawPointer?, _ itemRef: UnsafeMutablePointer<SecKeychainItem?>?
) -> OSStatus {
    statusOf("SecKeychainAddInternetPassword") { () throws(CallFailure) in
        let server = try unsafe givenBytes(serverNameLength, serverName)
        let names = InternetPasswordNames(
            server: server, domain: try unsafe givenBytes(securityDomainLength, securityDomain),
            account: try unsafe givenBytes(accountNameLength, accountName),
            path: try unsafe givenBytes(pathLength, path), port: port, protocol: `protocol`,
            authentication: authenticationType)
        let secret = try unsafe givenSecret(passwordLength, passwordData) ?? SecretBytes(copying: [])
        let item = try addItem(.internetPassword, names.entries + entry(.label, server), secret, to: keychain)
        unsafe itemRef?.pointee = item
    }
}

/// Finds an internet password.
///
/// - Returns: as ``SecKeychainFindGenericPassword(_:_:_:_:_:_:_:_:)``.
@available(*, deprecated, message: "Use SecItemCopyMatching with kSecClassInternetPassword.")
@discardableResult
public func SecKeychainFindInternetPassword(
    _ keychainOrArray: CFTypeRef?, _ serverNameLength: UInt32, _ serverName: UnsafeRawPointer?,
    _ securityDomainLength: UInt32, _ securityDomain: UnsafeRawPointer?, _ accountNameLength: UInt32,
    _ accountName: UnsafeRawPointer?, _ pathLength: UInt32, _ path: UnsafeRawPointer?, _ port: UInt16,
    _ protocol: SecProtocolType, _ authenticationType: SecAuthenticationType,
    _ passwordLength: UnsafeMutablePointer<UInt32>?,
    _ passwordData: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ itemRef: UnsafeMutablePointer<SecKeychainItem?>?
) -> OSStatus {
    statusOf("SecKeychainFindInternetPassword") { () throws(CallFailure) in
        let names = InternetPasswordNames(
            server: try unsafe givenBytes(serverNameLength, serverName),
            domain: try unsafe givenBytes(securityDomainLength, securityDomain),
            account: try unsafe givenBytes(accountNameLength, accountName),
            path: try unsafe givenBytes(pathLength, path), port: port, protocol: `protocol`,
            authentication: authenticationType)
        try unsafe find(
            .internetPassword, names.entries, in: keychainOrArray, length: passwordLength, data: passwordData,
            item: itemRef)
    }
}

/// The attributes of an internet password's primary key.
private struct InternetPasswordNames {
    let server: [UInt8]
    let domain: [UInt8]
    let account: [UInt8]
    let path: [UInt8]
    let port: UInt16
    let `protocol`: SecProtocolType
    let authentication: SecAuthenticationType

    /// Without numbers that are 0: 0 is the default of an item, and matches all items in a search.
    var entries: [ItemAttributes.Entry] {
        var entries =
            entry(.server, server) + entry(.securityDomain, domain) + entry(.account, account) + entry(.path, path)
        if port != 0 { entries.append(.init(.port, .number(Int64(port)))) }
        if `protocol` != .any {
            entries.append(.init(.protocol, KeychainAttribute.value(ofCode: `protocol`.rawValue)))
        }
        if authentication != .any {
            let characters = (0..<4).map { UInt8(truncatingIfNeeded: authentication.rawValue >> (8 * $0)) }
            entries += entry(.authenticationType, characters)
        }
        return entries
    }
}

private func find(
    _ itemClass: ItemClass, _ entries: [ItemAttributes.Entry], in keychainOrArray: CFTypeRef?,
    length: UnsafeMutablePointer<UInt32>?, data: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    item itemRef: UnsafeMutablePointer<SecKeychainItem?>?
) throws(CallFailure) {
    var query = ItemQuery(itemClass)
    query.attributes = try itemAttributes(itemClass, for: .query, entries)
    let readsData = unsafe length != nil || data != nil
    let found = try findItem(query, in: try searchedKeychains(keychainOrArray), readsData: readsData)
    if readsData { unsafe give(found.data ?? SecretBytes(copying: []), length, data) }
    unsafe itemRef?.pointee = found.item
}
