// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import Foundation
internal import KeychainModel

// The identity that a program uses for a service. As on macOS, a preference is a generic password without data: with
// the type `iprf` and the creator `aapl`, named by the service, with the identity's persistent reference as the generic
// attribute and the uses of the key as the script code. Each program has its own preferences, as it has its own items.

/// Sets or removes the preferred identity for a service.
///
/// - Parameters:
///   - identity: an identity in the keychain; nil removes the preference.
///   - name: the service: a URL, a host, an email address or any other name. A URL that ends with a slash applies to
///     all URLs below it, a host that begins with `*.` to all hosts of a domain.
///   - keyUsage: the uses of the key, `kSecAttrCanSign` and so on; nil or an empty array: all uses.
/// - Returns: `errSecParam` for an empty name and for an unknown use; `errSecItemNotFound` for an identity that is not
///   in the keychain, and for the removal of a preference that does not exist; otherwise as `SecItemAdd`.
@discardableResult
public func SecIdentitySetPreferred(_ identity: SecIdentity?, _ name: CFString, _ keyUsage: CFArray?) -> OSStatus {
    guard let uses = IdentityPreference.uses(keyUsage), (name as String).isEmpty == false else { return errSecParam }
    let preference = IdentityPreference(name: name as String, uses: uses)
    // Preferences are in the keychain of the identities, even if plain calls use another one.
    return PlainItemCalls.dataProtectionKeychain.during { set(preference, identity) }
}

private func set(_ preference: IdentityPreference, _ identity: SecIdentity?) -> OSStatus {
    guard let identity else { return SecItemDelete(preference.query as CFDictionary) }
    var found: CFTypeRef?
    let search: [CFString: Any] = [
        kSecValueRef: identity, kSecReturnPersistentRef: true, kSecAttrSynchronizable: kSecAttrSynchronizableAny,
    ]
    // The variable is local to this function.
    let status = unsafe SecItemCopyMatching(search as CFDictionary, &found)
    guard status == errSecSuccess, let reference = found as? NSData else { return status }
    let added = SecItemAdd(preference.item(reference as Data) as CFDictionary, nil)
    guard added == errSecDuplicateItem else { return added }
    return SecItemUpdate(preference.query as CFDictionary, [kSecAttrGeneric: reference as Data] as CFDictionary)
}

/// Returns the preferred identity for a service.
///
/// The search uses the whole name; for a URL then each shorter URL that ends with a slash; then its host, and each
/// domain of the host with `*.` before it. For each name, a preference for exactly these uses precedes a preference for
/// all uses.
///
/// - Parameters:
///   - name: as for ``SecIdentitySetPreferred(_:_:_:)``.
///   - keyUsage: as for ``SecIdentitySetPreferred(_:_:_:)``.
///   - validIssuers: distinguished names in DER (CFData), one of which must have issued the certificate or one above
///     it; nil or an empty array: any.
/// - Returns: nil if no preference exists, if the preferred identity was deleted or was not issued by one of these
///   issuers, and if the service cannot be reached.
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
            // The variables are local to this function.
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

/// The item in which a preference is stored.
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

    /// Differs for different uses, because the script code is not part of the primary key.
    private var account: String { uses == 0 ? "identity preference" : "identity preference, key usage \(uses)" }

    /// `iprf` and `aapl` as numbers.
    private static let type = 0x6970_7266
    private static let creator = 0x6161_706C

    /// Nil for an array with an unknown use.
    static func uses(_ array: CFArray?) -> Int? {
        var uses = 0
        for element in array ?? NSArray() {
            guard let name = element as? String, let bit = bits[name] else { return nil }
            uses |= bit
        }
        return uses
    }

    /// The bits of `CSSM_KEYUSE`, which the script code of preferences and the command line use.
    private static let bits: [String: Int] = [
        kSecAttrCanEncrypt as String: 1, kSecAttrCanDecrypt as String: 2, kSecAttrCanSign as String: 4,
        kSecAttrCanVerify as String: 8, "snrc": 16, "vyrc": 32, kSecAttrCanWrap as String: 64,
        kSecAttrCanUnwrap as String: 128, kSecAttrCanDerive as String: 1024,
    ]

    /// Returns the names under which a matching preference may be stored, the closest first.
    static func names(matching name: String) -> [String] {
        var names = [name]
        var host = name[...]
        if let scheme = name.firstRange(of: "://") {
            let rest = name[scheme.upperBound...].prefix { $0 != "?" && $0 != "#" }
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            // Every part of the path that ends with a slash, the longest first; the root ends with a slash even if the
            // URL does not.
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
