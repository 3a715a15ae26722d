// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import Foundation
internal import KeychainModel

// Which identity a program shows to whom. As on macOS, a preference is a generic password without data: of the type
// `iprf` and the creator `aapl`, named by the service, with the identity's persistent reference as the generic attribute
// and the uses of the key as the script code. Each program has its own, as it has its own items.

/// Chooses the identity for a service, or chooses none any more.
///
/// - Parameters:
///   - identity: one that is in the keychain; nil takes the preference back.
///   - name: whom the identity is for: a URL, a host, an e-mail address or any other name. A URL that ends with a slash is
///     for all below it, a host that begins with `*.` for all hosts of a domain.
///   - keyUsage: for which uses of the key, `kSecAttrCanSign` and its like; nil or an empty array: for all.
/// - Returns: `errSecParam` for an empty name and for a use that is none; `errSecItemNotFound` for an identity that is not
///   in the keychain, and for a preference to be taken back that there is not; else as `SecItemAdd`.
@discardableResult
public func SecIdentitySetPreferred(_ identity: SecIdentity?, _ name: CFString, _ keyUsage: CFArray?) -> OSStatus {
    guard let uses = IdentityPreference.uses(keyUsage), (name as String).isEmpty == false else { return errSecParam }
    let preference = IdentityPreference(name: name as String, uses: uses)
    // Preferences are where identities are, also when calls that say nothing go elsewhere.
    return PlainItemCalls.dataProtectionKeychain.during { set(preference, identity) }
}

private func set(_ preference: IdentityPreference, _ identity: SecIdentity?) -> OSStatus {
    guard let identity else { return SecItemDelete(preference.query as CFDictionary) }
    var found: CFTypeRef?
    let search: [CFString: Any] = [
        kSecValueRef: identity, kSecReturnPersistentRef: true, kSecAttrSynchronizable: kSecAttrSynchronizableAny,
    ]
    // The variable is this function's own.
    let status = unsafe SecItemCopyMatching(search as CFDictionary, &found)
    guard status == errSecSuccess, let reference = found as? NSData else { return status }
    let added = SecItemAdd(preference.item(reference as Data) as CFDictionary, nil)
    guard added == errSecDuplicateItem else { return added }
    return SecItemUpdate(preference.query as CFDictionary, [kSecAttrGeneric: reference as Data] as CFDictionary)
}

/// The identity that was chosen for a service.
///
/// Looked for is the whole name; for a URL then each shorter one that ends with a slash; then its host, and each domain of
/// the host with `*.` before it. Of each a preference for just these uses comes before one for all.
///
/// - Parameters:
///   - name, keyUsage: as of ``SecIdentitySetPreferred(_:_:_:)``.
///   - validIssuers: distinguished names in DER (CFData), one of which has to have issued the certificate or one above it;
///     nil or an empty array: any.
/// - Returns: nil where none was chosen, the one chosen is gone, or was not issued by one of these; and where the service
///   cannot be asked.
public func SecIdentityCopyPreferred(
    _ name: CFString, _ keyUsage: CFArray?, _ validIssuers: CFArray?
) -> SecIdentity? {
    guard let uses = IdentityPreference.uses(keyUsage) else { return nil }
    return PlainItemCalls.dataProtectionKeychain.during { preferred(name, uses, validIssuers) }
}

private func preferred(_ name: CFString, _ uses: Int, _ validIssuers: CFArray?) -> SecIdentity? {
    for name in IdentityPreference.names(matching: name as String) {
        for uses in uses == 0 ? [0] : [uses, 0] {
            var query = IdentityPreference(name: name, uses: uses).query
            query[kSecReturnAttributes] = true
            var found: CFTypeRef?
            // The variables are this function's own.
            guard unsafe SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess,
                let reference = (found as? NSDictionary)?.object(forKey: kSecAttrGeneric) as? Data
            else { continue }
            var identity: [CFString: Any] = [kSecValuePersistentRef: reference, kSecReturnRef: true]
            if let validIssuers, validIssuers.count > 0 { identity[kSecMatchIssuers] = validIssuers }
            var result: CFTypeRef?
            guard unsafe SecItemCopyMatching(identity as CFDictionary, &result) == errSecSuccess else { return nil }
            return result as? SecIdentity
        }
    }
    return nil
}

/// The item that a preference is.
struct IdentityPreference {
    let name: String
    /// Bits of CSSM's key uses; 0: all.
    let uses: Int

    var query: [CFString: Any] {
        [
            kSecClass: kSecClassGenericPassword, kSecAttrService: name, kSecAttrAccount: account,
            kSecAttrType: Self.type,
        ]
    }

    func item(_ reference: Data) -> [CFString: Any] {
        query.merging([
            kSecAttrLabel: name, kSecAttrCreator: Self.creator, kSecAttrGeneric: reference, "scrp" as CFString: uses,
        ]) { given, _ in given }
    }

    /// Different for different uses, since the script code makes no item different.
    private var account: String { uses == 0 ? "identity preference" : "identity preference, key usage \(uses)" }

    /// `iprf` and `aapl` as numbers.
    private static let type = 0x6970_7266
    private static let creator = 0x6161_706C

    /// Nil for an array with something that is no use of a key.
    static func uses(_ array: CFArray?) -> Int? {
        var uses = 0
        for element in array ?? NSArray() {
            guard let name = element as? String, let bit = bits[name] else { return nil }
            uses |= bit
        }
        return uses
    }

    /// The bits of `CSSM_KEYUSE`, which the script code of preferences and the command line have.
    private static let bits: [String: Int] = [
        kSecAttrCanEncrypt as String: 1, kSecAttrCanDecrypt as String: 2, kSecAttrCanSign as String: 4,
        kSecAttrCanVerify as String: 8, "snrc": 16, "vyrc": 32, kSecAttrCanWrap as String: 64,
        kSecAttrCanUnwrap as String: 128, kSecAttrCanDerive as String: 1024,
    ]

    /// The names under which a preference for something may be, the closest first.
    static func names(matching name: String) -> [String] {
        var names = [name]
        var host = name[...]
        if let scheme = name.firstRange(of: "://") {
            let rest = name[scheme.upperBound...].prefix { $0 != "?" && $0 != "#" }
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            // Every part of the path that ends with a slash, the longest first; the root has one even where it is not
            // written.
            var path = rest[end...]
            while let slash = path.lastIndex(of: "/") {
                names.append(String(name[..<slash]) + "/")
                path = path[..<slash]
            }
            names.append(String(name[..<end]) + "/")
            host = rest[..<end]
            if let user = host.lastIndex(of: "@") { host = host[host.index(after: user)...] }
            if let port = host.lastIndex(of: ":"), !host.hasSuffix("]") { host = host[..<port] }
            names.append(String(host))
        } else if name.contains("@") {
            return names
        }
        while let dot = host.firstIndex(of: ".") {
            host = host[host.index(after: dot)...]
            if !host.isEmpty { names.append("*." + host) }
        }
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }
}
