// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory

// What the functions for keychains that are files have in common.

extension StatusCode {
    static let noDefaultKeychain = StatusCode(rawValue: errSecNoDefaultKeychain)
    static let invalidDomain = StatusCode(rawValue: errSecInvalidPrefsDomain)
}

extension CallFailure {
    static let missingVariable = CallFailure(.parameter, "there is no variable for the result")
}

func report(of name: String) throws(CallFailure) -> FileKeychainReport {
    try asking(.keychain) { client throws(ClientError) in try client.keychain(at: name) }
}

/// Of a keychain, or of the default one.
///
/// - Parameter domain: whose default; nil: that of the process's domain.
/// - Throws: `errSecNoDefaultKeychain`.
func path(
    of keychain: SecKeychain?, defaultOf domain: PreferencesDomain? = nil
) throws(CallFailure) -> String {
    if let keychain { return keychain.path }
    guard let standard = try list(of: domain ?? PreferenceDomain.current).standard else {
        throw CallFailure(.noDefaultKeychain, "there is no default keychain")
    }
    return standard
}

func list(of domain: PreferencesDomain) throws(CallFailure) -> KeychainList {
    try asking(.keychain) { client throws(ClientError) in try client.keychainList(of: domain) }
}

/// The keychains that are searched, in order: those of the process's domain, then those of all users.
func effectiveSearchList() throws(CallFailure) -> [String] {
    var paths: [String] = []
    for domain in [PreferencesDomain.dynamic, PreferenceDomain.current, .common] {
        for path in try list(of: domain).searched where !paths.contains(path) { paths.append(path) }
    }
    return paths
}

/// The keychains of a parameter that takes one or an array of them; nil for any other object.
func keychains(in object: AnyObject) -> [SecKeychain]? {
    if let keychain = object as? SecKeychain { return [keychain] }
    guard let array = object as? NSArray else { return nil }
    var keychains: [SecKeychain] = []
    for element in array {
        guard let keychain = element as? SecKeychain else { return nil }
        keychains.append(keychain)
    }
    return keychains
}

/// The keychains that a parameter means, which may be nil for the search list.
///
/// - Throws: `errSecInvalidKeychain` for another object.
func searchedKeychains(_ keychainOrArray: CFTypeRef?) throws(CallFailure) -> SearchedKeychains {
    guard let object = keychainOrArray else { return SearchedKeychains(try effectiveSearchList()) }
    guard let keychains = keychains(in: object) else {
        throw CallFailure(.invalidKeychain, "what shall be searched is no keychain")
    }
    return SearchedKeychains(keychains.map(\.path))
}

/// Keychains to be searched one after the other.
struct SearchedKeychains {
    let paths: [String]

    init(_ paths: [String]) { self.paths = paths }

    /// Calls the closure with each keychain, as that in which item requests are made, until one call returns a value.
    ///
    /// Where there are several, one that is missing, damaged or without such an item is passed over.
    /// - Throws: what the closure throws, for a single keychain; `errSecItemNotFound` if no call returned a value.
    func first<R>(_ body: (_ path: String) throws(CallFailure) -> R?) throws(CallFailure) -> R {
        var notFound = CallFailure(.itemNotFound, "none of the keychains has such an item")
        for path in paths {
            do throws(CallFailure) {
                if let found = try inKeychain(path, { () throws(CallFailure) in try body(path) }) { return found }
            } catch {
                guard paths.count == 1 || error.status.leavesOthers else { throw error }
                if error.status == .itemNotFound || paths.count == 1 { notFound = error }
            }
        }
        throw notFound
    }
}

extension StatusCode {
    /// Whether the next keychain of a list may have what this one has not.
    var leavesOthers: Bool { [.itemNotFound, .noSuchKeychain, .invalidKeychain].contains(self) }
}

/// Runs a closure whose requests for items go to a keychain's file.
func inKeychain<R>(_ path: String, _ body: () throws(CallFailure) -> R) throws(CallFailure) -> R {
    let client = try asking(.keychain) { client throws(ClientError) in
        try KeychainClient.current.inKeychain(path)
    }
    let result: Result<R, CallFailure> = client.asCurrent {
        do throws(CallFailure) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
}

/// Runs a closure that reads items' data. Where nobody could be asked for a password or a permission, Apple's functions call it
/// a failed authentication (semantics 8.3).
func readingData<R>(_ body: () throws(CallFailure) -> R) throws(CallFailure) -> R {
    do throws(CallFailure) {
        return try body()
    } catch {
        guard error.status == .interactionNotAllowed else { throw error }
        throw CallFailure(.authenticationFailed, error.summary)
    }
}

// MARK: The keychain for new items

/// Under this name Apple's systems keep the keychain that login unlocks.
private let loginKeychainName = "login.keychain"

func loginKeychainPath() throws(CallFailure) -> String { try report(of: loginKeychainName).path }

/// Puts a keychain on the user's search list, and makes it the default where there is none.
///
/// - Parameter former: makes it the default also where this one is.
func adoptKeychain(_ path: String, replacing former: String? = nil) throws(CallFailure) {
    try asking(.keychain) { client throws(ClientError) in
        try client.adoptKeychain(path, replacing: former, of: .user)
    }
}

/// Runs a closure that adds an item to a keychain, or to the default one. Where there is no default keychain, or its file is
/// missing, the login keychain is taken in its place; a person is asked for its password if it has to be made.
///
/// - Throws: `errSecInteractionNotAllowed` where nobody can be asked; what the closure throws.
func adding<R>(
    to keychain: SecKeychain?, _ body: (_ path: String) throws(CallFailure) -> R
) throws(CallFailure) -> R {
    func add(_ path: String) throws(CallFailure) -> R {
        try inKeychain(path) { () throws(CallFailure) in try body(path) }
    }
    if let keychain { return try add(keychain.path) }
    let standard = try list(of: PreferenceDomain.current).standard
    if let standard {
        do throws(CallFailure) {
            return try add(standard)
        } catch {
            guard error.status == .noSuchKeychain else { throw error }
        }
    }
    let login = try report(of: loginKeychainName)
    if login.state == .missing {
        _ = try asking(.keychain) { client throws(ClientError) in
            try client.createKeychain(at: login.path, password: nil)
        }
    }
    try adoptKeychain(login.path, replacing: standard)
    return try add(login.path)
}

// MARK: What callers give

/// The text at a pointer, for which the caller vouches.
///
/// - Throws: `errSecParam` for nil and for what is no UTF-8; `errSecNoSuchKeychain` for what can be no path.
func keychainName(_ name: UnsafePointer<CChar>?) throws(CallFailure) -> String {
    guard let name = unsafe name, let text = unsafe String(validatingCString: name) else {
        throw CallFailure(.parameter, "there is no name of a keychain")
    }
    guard WireLimits.isKeychainPath(text) else {
        throw CallFailure(.noSuchKeychain, "the name is empty or longer than a path")
    }
    return text
}

/// The password at a pointer, for which the caller vouches; nil if there is none. An empty one has a pointer and no length.
func givenPassword(_ length: UInt32, _ password: UnsafeRawPointer?) -> SecretBytes? {
    guard let password = unsafe password else { return nil }
    return unsafe SecretBytes(copying: UnsafeRawBufferPointer(start: password, count: Int(length)))
}
