// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory

// Common parts of the functions for keychain files.

extension StatusCode {
    static let noDefaultKeychain = StatusCode(rawValue: errSecNoDefaultKeychain)
    static let invalidDomain = StatusCode(rawValue: errSecInvalidPrefsDomain)
}

extension CallFailure {
    static let missingVariable = CallFailure(.parameter, "the variable for the result is nil")
}

func report(of name: String) throws(CallFailure) -> FileKeychainReport {
    try asking(.keychain) { client throws(ClientError) in try client.keychain(at: name) }
}

/// Returns the path of a keychain, or of the default keychain.
///
/// - Parameter domain: the domain of the default keychain; nil: that of the process.
/// - Throws: `errSecNoDefaultKeychain`.
func path(
    of keychain: SecKeychain?, defaultOf domain: PreferencesDomain? = nil
) throws(CallFailure) -> String {
    if let keychain { return keychain.path }
    guard let standard = try list(of: domain ?? PreferenceDomain.current).standard else {
        throw CallFailure(.noDefaultKeychain, "no default keychain is set")
    }
    return standard
}

func list(of domain: PreferencesDomain) throws(CallFailure) -> KeychainList {
    try asking(.keychain) { client throws(ClientError) in try client.keychainList(of: domain) }
}

/// Returns the keychains that are searched, in order: those of the process's domain, then those of all users.
func effectiveSearchList() throws(CallFailure) -> [String] {
    var paths: [String] = []
    for domain in [PreferencesDomain.dynamic, PreferenceDomain.current, .common] {
        for path in try list(of: domain).searched where !paths.contains(path) { paths.append(path) }
    }
    return paths
}

/// Returns the keychains of a parameter that accepts one or an array of them; nil for any other object.
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

/// Returns the keychains of a parameter, which may be nil for the search list.
///
/// - Throws: `errSecInvalidKeychain` for another object.
func searchedKeychains(_ keychainOrArray: CFTypeRef?) throws(CallFailure) -> SearchedKeychains {
    guard let object = keychainOrArray else { return SearchedKeychains(try effectiveSearchList()) }
    guard let keychains = keychains(in: object) else {
        throw CallFailure(.invalidKeychain, "the object to search is not a keychain")
    }
    return SearchedKeychains(keychains.map(\.path))
}

/// Keychains that are searched one after the other.
struct SearchedKeychains {
    let paths: [String]

    init(_ paths: [String]) { self.paths = paths }

    /// Calls the closure with each keychain as the target of item requests, until one call returns a value.
    ///
    /// Among several keychains, those that are missing, damaged or without such an item are skipped.
    /// - Throws: the errors of the closure, for a single keychain; `errSecItemNotFound` if no call returned a value.
    func first<R>(_ body: (_ path: String) throws(CallFailure) -> R?) throws(CallFailure) -> R {
        var notFound = CallFailure(.itemNotFound, "no keychain contains such an item")
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
    /// Whether the search continues with the next keychain of a list.
    var leavesOthers: Bool { [.itemNotFound, .noSuchKeychain, .invalidKeychain].contains(self) }
}

/// Runs a closure whose requests for items use a keychain's file.
func inKeychain<R>(_ path: String, _ body: () throws(CallFailure) -> R) throws(CallFailure) -> R {
    let result: Result<R, CallFailure> = try client(ofKeychain: path).asCurrent {
        do throws(CallFailure) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
}

private func client(ofKeychain path: String) throws(CallFailure) -> KeychainClient {
    try asking(.keychain) { _ throws(ClientError) in try KeychainClient.current.inKeychain(path) }
}

/// Runs a closure that reads items' data. If a prompt for a password or an approval is not possible, Apple's functions
/// return a failed authentication (semantics 8.3).
func readingData<R>(_ body: () throws(CallFailure) -> R) throws(CallFailure) -> R {
    do throws(CallFailure) {
        return try body()
    } catch {
        guard error.status == .interactionNotAllowed else { throw error }
        throw CallFailure(.authenticationFailed, error.summary)
    }
}

// MARK: The keychain for new items

/// The name of the keychain that Apple's systems unlock at login.
private let loginKeychainName = "login.keychain"

func loginKeychainPath() throws(CallFailure) -> String { try report(of: loginKeychainName).path }

/// Appends a keychain to the user's search list, and makes it the default keychain if there is none.
///
/// - Parameter former: if this keychain is the default one, it is replaced as well.
func adoptKeychain(_ path: String, replacing former: String? = nil) throws(CallFailure) {
    try asking(.keychain) { client throws(ClientError) in
        try client.adoptKeychain(path, replacing: former, of: .user)
    }
}

/// Runs a closure that adds an item to a keychain, or to the default one. If there is no default keychain, or its file
/// is missing, the login keychain is used instead; if it has to be created, the user is prompted for its password.
///
/// - Throws: `errSecInteractionNotAllowed` if no prompt is possible; the errors of the closure.
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

// MARK: Parameters of callers

/// Reads the text at a pointer, which the caller guarantees.
///
/// - Throws: `errSecParam` for nil and for invalid UTF-8; `errSecNoSuchKeychain` for an invalid path.
func keychainName(_ name: UnsafePointer<CChar>?) throws(CallFailure) -> String {
    guard let name = unsafe name, let text = unsafe String(validatingCString: name) else {
        throw CallFailure(.parameter, "the name of the keychain is missing")
    }
    guard WireLimits.isKeychainPath(text) else {
        throw CallFailure(.noSuchKeychain, "the name is empty or longer than a path")
    }
    return text
}

/// Reads the password at a pointer, which the caller guarantees; nil if there is none. An empty password has a pointer
/// and length 0.
func givenPassword(_ length: UInt32, _ password: UnsafeRawPointer?) -> SecretBytes? {
    guard let password = unsafe password else { return nil }
    return unsafe SecretBytes(copying: UnsafeRawBufferPointer(start: password, count: Int(length)))
}
