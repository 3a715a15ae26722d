// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainClient
internal import KeychainKeys
internal import KeychainModel
internal import KeychainWire
internal import SecurityValues

/// A dictionary that describes an existing or a new key, parsed as far as a key in memory requires it; other entries
/// apply to stored keys.
struct KeyParameters {
    private var values: [String: Any]

    init(_ dictionary: CFDictionary) {
        values = [:]
        // Only the stop pointer is unsafe, and it is not used.
        unsafe dictionary.enumerateKeysAndObjects(options: []) { key, value, _ in
            if let name = Self.name(key) { values[name] = value }
        }
    }

    /// Dictionaries of Foundation have NSString keys; others may have String keys, or keys of this module's own type.
    private static func name(_ key: Any) -> String? {
        switch key {
        case let name as String: name
        case let name as NSString: name as String
        case let name as SecKeyKeyExchangeParameter: name.rawValue as String
        default: nil
        }
    }

    /// Returns these entries, overridden by those of the dictionary under the given key.
    ///
    /// - Throws: `errSecParam` if the value under the key is not a dictionary.
    func overridden(by key: CFString, _ name: String) throws(KeyFailure) -> KeyParameters {
        guard let value = values[key as String] else { return self }
        let half: KeyParameters
        switch value {
        case let dictionary as NSDictionary: half = KeyParameters(dictionary)
        case let dictionary as [AnyHashable: Any]: half = KeyParameters(dictionary as CFDictionary)
        default: throw KeyFailure(errSecParam, "\(name) is not a dictionary")
        }
        var result = self
        result.values.merge(half.values) { $1 }
        return result
    }

    /// `kSecAttrKeyType`
    ///
    /// - Throws: `errSecParam` if the value is missing or names an unsupported type.
    func type() throws(KeyFailure) -> KeyType {
        let name = try text(kSecAttrKeyType, "kSecAttrKeyType", neededFor: "a key")
        guard let type = KeyType.allCases.first(where: { $0.name as String == name }) else {
            throw KeyFailure(errSecParam, "the key type in kSecAttrKeyType is not supported")
        }
        return type
    }

    /// `kSecAttrKeyClass`: whether the key is the private half.
    ///
    /// - Throws: `errSecParam` if the value is missing or unknown, `errSecUnimplemented` for symmetric keys.
    func isPrivate() throws(KeyFailure) -> Bool {
        let name = try text(kSecAttrKeyClass, "kSecAttrKeyClass", neededFor: "a key from data")
        if name == kSecAttrKeyClassPrivate as String { return true }
        if name == kSecAttrKeyClassPublic as String { return false }
        if name == kSecAttrKeyClassSymmetric as String {
            throw KeyFailure(errSecUnimplemented, "symmetric keys are not supported")
        }
        throw KeyFailure(errSecParam, "kSecAttrKeyClass has an unknown value")
    }

    /// `kSecAttrKeySizeInBits`, as a number or its text; optional for Curve25519, whose keys have one size.
    ///
    /// - Throws: `errSecParam` if the value is missing or is not a number.
    func sizeInBits(_ type: KeyType) throws(KeyFailure) -> Int {
        if values[kSecAttrKeySizeInBits as String] == nil, type == .ed25519 || type == .x25519 { return 256 }
        guard let size = Int(try text(kSecAttrKeySizeInBits, "kSecAttrKeySizeInBits", neededFor: "a new key")) else {
            throw KeyFailure(errSecParam, "kSecAttrKeySizeInBits is not a number")
        }
        return size
    }

    /// The permitted uses and the protection of the key.
    ///
    /// - Throws: `errSecParam` for a value that is not a boolean.
    func permissions() throws(KeyFailure) -> KeyPermissions { try KeyPermissions(values) }

    /// These parameters for a public half, to which the protection of the private half does not apply.
    var ofPublicHalf: KeyParameters {
        var result = self
        for key in [kSecAttrIsExtractable, kSecAttrIsSensitive, kSecAttrTokenID] { result.values[key as String] = nil }
        return result
    }

    /// Adds a half to the keychain, with these attributes.
    ///
    /// - Returns: the persistent reference of the item.
    /// - Throws: the status of `SecItemAdd`.
    func store(_ key: SecKey) throws(KeyFailure) -> CFData? {
        let item = itemDictionary
        item[kSecValueRef] = key
        item[kSecReturnPersistentRef] = true
        var result: CFTypeRef?
        let status = unsafe SecItemAdd(item, &result)
        guard status == errSecSuccess else {
            let text = SecCopyErrorMessageString(status, nil).map { $0 as String } ?? ""
            throw KeyFailure(status, "the key cannot be stored: \(text)")
        }
        return result as? CFData
    }

    /// Makes the keychain service generate a private key that it holds, with these attributes. A key in a token that is
    /// not permanent is not stored.
    ///
    /// - Throws: the status of `SecItemAdd`.
    func makeHeldKey(_ type: KeyType, sizeInBits: Int) throws(KeyFailure) -> SecKey {
        let item = itemDictionary
        item[kSecClass] = kSecClassKey
        item[kSecAttrKeyType] = type.name
        item[kSecAttrKeySizeInBits] = NSNumber(value: sizeInBits)
        item[kSecAttrKeyClass] = kSecAttrKeyClassPrivate
        do throws(CallFailure) {
            // Same location as for other keys: in a file only if the file is named.
            let addition = try PlainItemCalls.dataProtectionKeychain.during { () throws(CallFailure) in
                try ItemAddition(item)
            }
            let authentication = try addition.authentication.ofRequest()
            return try addition.place.adding { _ throws(CallFailure) in
                try asking(.addition(addition.attributes), authentication) { client throws(ClientError) in
                    let (attributes, kept) = (addition.attributes, addition.authentication.ofReturnedKey)
                    let key: SecKey?
                    if attributes.isUnstoredKey {
                        let made = try client.generateUnstoredKey(attributes)
                        key = SecKey(made.key, kept, sealed: made.sealed)
                    } else {
                        key = SecKey(try client.generateKey(attributes), kept)
                    }
                    guard let key, case .heldKey = key.material else { throw ClientError.protocolViolation(.malformed) }
                    return key
                }
            }
        } catch {
            throw KeyFailure(error)
        }
    }

    /// Attributes of both halves and of the key itself are not part of the item.
    private var itemDictionary: NSMutableDictionary {
        let names = [kSecPrivateKeyAttrs, kSecPublicKeyAttrs, kSecAttrKeyClass].map { $0 as String }
        let item = NSMutableDictionary()
        for (name, value) in values where !names.contains(name) { item[name as NSString] = value }
        return item
    }

    /// - Throws: `errSecUnimplemented` for a key in a token, because a token generates its own keys.
    func refuseTokens() throws(KeyFailure) {
        if values[kSecAttrTokenID as String] != nil {
            throw KeyFailure(
                errSecUnimplemented, "a token generates its own private keys, so kSecAttrTokenID is not allowed here")
        }
    }

    /// Whether the token of `kSecAttrTokenID` generates and holds the private key.
    ///
    /// - Throws: `errSecUnimplemented` for another token than the secure enclave's, `errSecParam` for a key that is not
    ///   on P-256.
    func isOfToken(_ type: KeyType, sizeInBits: Int) throws(KeyFailure) -> Bool {
        guard let value = values[kSecAttrTokenID as String] else { return false }
        guard case .text(let name) = DictionaryValue(value), name == kSecAttrTokenIDSecureEnclave as String else {
            throw KeyFailure(errSecUnimplemented, "the token in kSecAttrTokenID does not exist")
        }
        guard type == .ellipticCurve, sizeInBits == 256 else {
            throw KeyFailure(errSecParam, "a token supports only keys on elliptic curves of 256 bits")
        }
        return true
    }

    /// Returns the parameters of a key exchange.
    ///
    /// - Throws: `errSecParam` for values of the wrong type.
    func keyExchange() throws(KeyFailure) -> KeyExchangeParameters {
        var parameters = KeyExchangeParameters()
        if let value = values[SecKeyKeyExchangeParameter.requestedSize.rawValue as String] {
            guard case .number(let size) = DictionaryValue(value) else {
                throw KeyFailure(errSecParam, "the requested size is not a number")
            }
            parameters.requestedSize = Int(size)
        }
        if let value = values[SecKeyKeyExchangeParameter.sharedInfo.rawValue as String] {
            guard case .data(let data) = DictionaryValue(value) else {
                throw KeyFailure(errSecParam, "the shared info is not data")
            }
            parameters.sharedInfo = data
        }
        return parameters
    }

    /// Returns a value that may be a text or a number.
    private func text(_ key: CFString, _ name: String, neededFor what: String) throws(KeyFailure) -> String {
        guard let value = values[key as String] else {
            throw KeyFailure(errSecParam, "\(name) is missing, but \(what) requires it")
        }
        switch DictionaryValue(value) {
        case .text(let text): return text
        case .number(let number): return String(number)
        case .truth(let truth): return truth ? "1" : "0"
        case .data, .date, .other:
            throw KeyFailure(errSecParam, "\(name) is neither text nor a number")
        }
    }

    /// `kSecAttrIsPermanent`
    func isPermanent() throws(KeyFailure) -> Bool {
        guard let value = values[kSecAttrIsPermanent as String] else { return false }
        switch DictionaryValue(value) {
        case .truth(let truth): return truth
        case .number(let number): return number != 0
        case .text(let text): return text != "0"
        case .data, .date, .other: throw KeyFailure(errSecParam, "kSecAttrIsPermanent is not a Boolean")
        }
    }
}

extension KeyType {
    /// The value of `kSecAttrKeyType`.
    var name: CFString { String(code) as CFString }
}
