// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import Foundation
internal import KeychainClient
internal import KeychainModel
internal import Synchronization

// The default keychain and the search list: of the user, of the system, and of all users in common. Only the user's can
// be changed here; others return `errSecWrPerm`. Results and common statuses are as in SecKeychain.swift.

/// The domain of a default keychain and a search list.
public enum SecPreferencesDomain: Int32, Sendable {
    case user = 0
    case system = 1
    /// Searched for every user, after the user's own domain. It has no default keychain.
    case common = 2
    /// Keychains of removable tokens. There are none.
    case dynamic = 3

    fileprivate var domain: PreferencesDomain {
        switch self {
        case .user: .user
        case .system: .system
        case .common: .common
        case .dynamic: .dynamic
        }
    }

    fileprivate init(_ domain: PreferencesDomain) {
        switch domain {
        case .user: self = .user
        case .system: self = .system
        case .common: self = .common
        case .dynamic: self = .dynamic
        }
    }
}

/// The domain of this process's calls without a domain.
enum PreferenceDomain {
    private static let domain = Mutex(PreferencesDomain.user)

    static var current: PreferencesDomain {
        get { domain.withLock { $0 } }
        set { domain.withLock { $0 = newValue } }
    }
}

/// Sets the domain of this process's calls without a domain.
///
/// - Returns: `errSecInvalidPrefsDomain` for the dynamic domain.
@available(
    *, deprecated,
    message: "Items of the data-protection keychain need no keychain file: use SecItemAdd and the related functions."
)
@discardableResult
public func SecKeychainSetPreferenceDomain(_ domain: SecPreferencesDomain) -> OSStatus {
    statusOf("SecKeychainSetPreferenceDomain") { () throws(CallFailure) in
        try domain.checkIsChangeable()
        PreferenceDomain.current = domain.domain
    }
}

/// Returns the domain of this process's calls without a domain: initially the user's.
///
/// - Returns: `errSecParam` without a variable.
@available(
    *, deprecated,
    message: "Items of the data-protection keychain need no keychain file: use SecItemAdd and the related functions."
)
@discardableResult
public func SecKeychainGetPreferenceDomain(_ domain: UnsafeMutablePointer<SecPreferencesDomain>?) -> OSStatus {
    statusOf("SecKeychainGetPreferenceDomain") { () throws(CallFailure) in
        guard let domain = unsafe domain else { throw .missingVariable }
        unsafe domain.pointee = SecPreferencesDomain(PreferenceDomain.current)
    }
}

// MARK: The default keychain

/// Returns the keychain for new items without a keychain of their own. Its file may be missing.
///
/// - Returns: `errSecNoDefaultKeychain` if there is none; `errSecParam` without a variable.
@available(
    *, deprecated,
    message: "Items of the data-protection keychain need no keychain file: use SecItemAdd and the related functions."
)
@discardableResult
public func SecKeychainCopyDefault(_ keychain: UnsafeMutablePointer<SecKeychain?>?) -> OSStatus {
    unsafe copyDefault(of: PreferenceDomain.current, keychain, "SecKeychainCopyDefault")
}

/// Sets the keychain for new items without a keychain of their own.
///
/// - Parameter keychain: nil: the current default keychain.
/// - Returns: `errSecWrPerm` for a keychain that is missing or cannot be used; `errSecNoDefaultKeychain` for nil if
///   there is none.
@available(
    *, deprecated,
    message: "Items of the data-protection keychain need no keychain file: use SecItemAdd and the related functions."
)
@discardableResult
public func SecKeychainSetDefault(_ keychain: SecKeychain?) -> OSStatus {
    setDefault(of: PreferenceDomain.current, keychain, "SecKeychainSetDefault")
}

/// Same as ``SecKeychainCopyDefault(_:)``, for a domain.
///
/// - Returns: also `errSecInvalidPrefsDomain` for the dynamic domain.
@available(
    *, deprecated,
    message: "Items of the data-protection keychain need no keychain file: use SecItemAdd and the related functions."
)
@discardableResult
public func SecKeychainCopyDomainDefault(
    _ domain: SecPreferencesDomain, _ keychain: UnsafeMutablePointer<SecKeychain?>?
) -> OSStatus {
    unsafe copyDefault(of: domain.domain, keychain, "SecKeychainCopyDomainDefault")
}

/// Same as ``SecKeychainSetDefault(_:)``, for a domain.
///
/// - Returns: also `errSecInvalidPrefsDomain` for the dynamic domain.
@available(
    *, deprecated,
    message: "Items of the data-protection keychain need no keychain file: use SecItemAdd and the related functions."
)
@discardableResult
public func SecKeychainSetDomainDefault(_ domain: SecPreferencesDomain, _ keychain: SecKeychain?) -> OSStatus {
    setDefault(of: domain.domain, keychain, "SecKeychainSetDomainDefault")
}

private func copyDefault(
    of domain: PreferencesDomain, _ keychain: UnsafeMutablePointer<SecKeychain?>?, _ function: StaticString
) -> OSStatus {
    statusOf(function) { () throws(CallFailure) in
        guard let keychain = unsafe keychain else { throw .missingVariable }
        try SecPreferencesDomain(domain).checkIsChangeable()
        unsafe keychain.pointee = .at(try path(of: nil, defaultOf: domain))
    }
}

private func setDefault(
    of domain: PreferencesDomain, _ keychain: SecKeychain?, _ function: StaticString
) -> OSStatus {
    statusOf(function) { () throws(CallFailure) in
        try SecPreferencesDomain(domain).checkIsChangeable()
        let path = try path(of: keychain, defaultOf: domain)
        switch try report(of: path).state {
        case .missing, .unusable:
            throw CallFailure(.writePermission, "the default keychain must be a usable keychain")
        case .locked, .unlocked: break
        }
        try asking(.keychain) { client throws(ClientError) in try client.setDefaultKeychain(path, of: domain) }
    }
}

// MARK: The search list

/// Returns the keychains that are searched by default, as CFArray of ``SecKeychain`` in their order: those of the
/// process's domain, followed by those of all users. The list includes keychains whose files are missing.
///
/// - Returns: `errSecParam` without a variable.
@available(
    *, deprecated, message: "Items of the data-protection keychain need no keychain file: use SecItemCopyMatching."
)
@discardableResult
public func SecKeychainCopySearchList(_ searchList: UnsafeMutablePointer<CFArray?>?) -> OSStatus {
    statusOf("SecKeychainCopySearchList") { () throws(CallFailure) in
        guard let searchList = unsafe searchList else { throw .missingVariable }
        unsafe searchList.pointee = array(try effectiveSearchList())
    }
}

/// Sets the keychains that are searched by default. Those that are searched for every user do not have to be included,
/// and are omitted. An empty array clears the list.
///
/// - Returns: `errSecParam` for any other objects than keychains, and for more than 256.
@available(
    *, deprecated, message: "Items of the data-protection keychain need no keychain file: use SecItemCopyMatching."
)
@discardableResult
public func SecKeychainSetSearchList(_ searchList: CFArray) -> OSStatus {
    statusOf("SecKeychainSetSearchList") { () throws(CallFailure) in
        try setSearchList(of: PreferenceDomain.current, searchList)
    }
}

/// Returns the search list of one domain only.
///
/// - Returns: `errSecParam` without a variable.
@available(
    *, deprecated, message: "Items of the data-protection keychain need no keychain file: use SecItemCopyMatching."
)
@discardableResult
public func SecKeychainCopyDomainSearchList(
    _ domain: SecPreferencesDomain, _ searchList: UnsafeMutablePointer<CFArray?>?
) -> OSStatus {
    statusOf("SecKeychainCopyDomainSearchList") { () throws(CallFailure) in
        guard let searchList = unsafe searchList else { throw .missingVariable }
        unsafe searchList.pointee = array(try list(of: domain.domain).searched)
    }
}

/// Same as ``SecKeychainSetSearchList(_:)``, for a domain.
///
/// - Returns: also `errSecInvalidPrefsDomain` for the dynamic domain.
@available(
    *, deprecated, message: "Items of the data-protection keychain need no keychain file: use SecItemCopyMatching."
)
@discardableResult
public func SecKeychainSetDomainSearchList(_ domain: SecPreferencesDomain, _ searchList: CFArray) -> OSStatus {
    statusOf("SecKeychainSetDomainSearchList") { () throws(CallFailure) in
        try domain.checkIsChangeable()
        try setSearchList(of: domain.domain, searchList)
    }
}

private func array(_ paths: [String]) -> CFArray { NSArray(array: paths.map { SecKeychain.at($0) }) }

private func setSearchList(of domain: PreferencesDomain, _ searchList: CFArray) throws(CallFailure) {
    guard let keychains = keychains(in: searchList) else {
        throw CallFailure(.parameter, "the search list contains objects other than keychains")
    }
    let shared = domain == .common ? [] : try list(of: .common).searched
    let paths = keychains.map(\.path).filter { !shared.contains($0) }
    try asking(.keychain) { client throws(ClientError) in try client.setSearchList(paths, of: domain) }
}

extension SecPreferencesDomain {
    fileprivate func checkIsChangeable() throws(CallFailure) {
        guard self != .dynamic else {
            throw CallFailure(.invalidDomain, "the keychains of tokens cannot be added or removed")
        }
    }
}
