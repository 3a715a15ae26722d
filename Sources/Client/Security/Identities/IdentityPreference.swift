// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import Foundation
internal import KeychainModel
internal import SecurityValues

// The identity that a program uses for a service. Each program has its own preferences, as it has its own items.

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
    for preference in IdentityPreference.candidates(for: name as String, uses: uses) {
        var query = preference.query
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
    return nil
}

extension IdentityPreference {
    fileprivate var query: [CFString: Any] {
        var query = Self.dictionary(key)
        query[kSecClass] = kSecClassGenericPassword
        return query
    }

    fileprivate func item(_ reference: Data) -> [CFString: Any] {
        query.merging(Self.dictionary(values(Array(reference)))) { $1 }
    }

    private static func dictionary(_ entries: [ItemAttributes.Entry]) -> [CFString: Any] {
        var values: [CFString: Any] = [:]
        for entry in entries {
            switch entry.value {
            case .string(let text): values[entry.key.name as CFString] = text
            case .number(let number): values[entry.key.name as CFString] = number
            case .data(let bytes): values[entry.key.name as CFString] = Data(bytes)
            // A preference has none.
            case .date, .accessControl: break
            }
        }
        return values
    }

    /// Returns the bits of key uses; nil for an array with an unknown use.
    fileprivate static func uses(_ array: CFArray?) -> Int? {
        var uses = 0
        for element in array ?? NSArray() {
            guard let name = element as? String, let bit = AttributeKey(name: name).flatMap({ bits[$0] }) else {
                return nil
            }
            uses |= bit
        }
        return uses
    }
}
