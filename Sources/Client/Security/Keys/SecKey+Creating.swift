// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import Foundation
internal import KeychainClient
internal import KeychainKeys
internal import KeychainModel

/// Makes a new private key, with its public half, in the program's memory, and stores those halves that shall be permanent.
///
/// `parameters` needs `kSecAttrKeyType` and `kSecAttrKeySizeInBits` (a number or its text): RSA 1024 to 8192 bits in steps of
/// 128, elliptic curves 256, 384 and 521, Ed25519 and X25519 256. `kSecPrivateKeyAttrs` and `kSecPublicKeyAttrs` hold what
/// differs for one half. A half with `kSecAttrIsPermanent` is added to the keychain by ``SecItemAdd(_:_:)``, with the other
/// attributes that are given for it; both are stored or none. A private half that is permanent and not extractable
/// (`kSecAttrIsExtractable`), or sensitive, is made by the keychain service and never leaves it; it keeps the LAContext of
/// `kSecUseAuthenticationContext` for its uses.
///
/// With `kSecAttrTokenID` `kSecAttrTokenIDSecureEnclave` the private half is made by a token, the machine's TPM or, where there is
/// none, a program of its own, and stays there: on P-256 (`kSecAttrKeyTypeECSECPrimeRandom`, 256 bits), and always permanent.
///
/// - Returns: nil, and an error of the domain `NSOSStatusErrorDomain` in `error`: `errSecParam` for a value that is missing,
///   of the wrong type or unknown; `errSecKeySizeNotAllowed`; `errSecUnimplemented` for another token
///   and for a key in a token that shall not be permanent; `errSecNotAvailable` where the token does not answer;
///   `errSecInternalComponent` when the system gives no randomness; what ``SecItemAdd(_:_:)`` returns when it cannot be
///   stored. Without an error, `error` keeps what it held.
@discardableResult
public func SecKeyCreateRandomKey(
    _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    unsafe reporting(to: error) { try newKey(KeyParameters(parameters)) }
}

/// Makes a new key pair; the older form of ``SecKeyCreateRandomKey(_:_:)``.
///
/// - Returns: `errSecSuccess` and both halves, or one of the codes there; then the variables keep what they held.
@discardableResult
public func SecKeyGeneratePair(
    _ parameters: CFDictionary, _ publicKey: UnsafeMutablePointer<SecKey?>?,
    _ privateKey: UnsafeMutablePointer<SecKey?>?
) -> OSStatus {
    do {
        let key = try newKey(KeyParameters(parameters))
        // The caller vouches for the variables.
        unsafe publicKey?.pointee = SecKey(key.publicKey)
        unsafe privateKey?.pointee = key
        return errSecSuccess
    } catch let error as KeyError {
        return KeyFailure(error).status
    } catch let failure as KeyFailure {
        return failure.status
    } catch {
        return errSecInternalComponent
    }
}

/// Makes a key of the bytes of one.
///
/// RSA keys are RSAPublicKey or RSAPrivateKey of PKCS #1 in DER; keys on curves over prime fields 04 | X | Y or
/// 04 | X | Y | K (ANSI X9.63), whose length tells the curve; those for Ed25519 and X25519 32 bytes (RFC 8032, RFC 7748).
/// `attributes` needs `kSecAttrKeyType` and `kSecAttrKeyClass`; `kSecAttrKeySizeInBits` is not looked at, as the bytes say it.
///
/// - Returns: nil, and an error of the domain `NSOSStatusErrorDomain` in `error`: `errSecParam` for a value that is missing,
///   of the wrong type or unknown, and for bytes that are no such key (malformed, followed by others, a point that is not on
///   the curve, halves that do not belong together); `errSecKeySizeNotAllowed` for RSA keys that do not have 1024 to 8192
///   bits; `errSecUnimplemented` for symmetric keys and for keys in a token. Without an error, `error` keeps what it held.
@discardableResult
public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    unsafe reporting(to: error) {
        let parameters = KeyParameters(attributes)
        try parameters.refuseTokens()
        let isPrivate = try parameters.isPrivate()
        let type = try parameters.type()
        let data = keyData as Data
        let permissions = try parameters.permissions()
        return isPrivate
            ? SecKey(.privateKey(try PrivateKey(type: type, externalRepresentation: data)), permissions)
            : SecKey(.publicKey(try PublicKey(type: type, externalRepresentation: data)), permissions.ofPublicHalf)
    }
}

/// The bytes of a key, in the forms of ``SecKeyCreateWithData(_:_:_:)``.
///
/// The bytes of a private key are then in memory that nobody wipes.
/// - Returns: nil, and `errSecDataNotAvailable` for a private key whose `kSecAttrIsExtractable` is false,
///   `errSecKeyIsSensitive` for one whose `kSecAttrIsSensitive` is true, `errSecUnimplemented` for one in a token.
@discardableResult
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe reporting(to: error) {
        switch key.material {
        case .publicKey(let key): return key.externalRepresentation as CFData
        case .privateKey(let secret):
            try key.permissions.allowExtraction()
            return secret.externalRepresentation as CFData
        case .heldKey:
            guard key.permissions.token == nil else {
                throw KeyFailure(errSecUnimplemented, "the private half is in a token alone")
            }
            try key.permissions.allowExtraction()
            throw KeyFailure(errSecDataNotAvailable, "the private half is in the keychain service alone")
        }
    }
}

/// The public half of a key; of a public key, the key itself.
@discardableResult
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? {
    key.isPrivate ? SecKey(key.publicKey) : key
}

/// What a key is: its class, type and size, the hash of its public half, and what it can be used for.
///
/// The values are texts and numbers, truth values being 0 and 1, as Apple's systems give them for keys in memory.
@discardableResult
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? { key.attributes }

/// Bytes of the modulus of an RSA key, of the field of others: how long RSA's signatures and ciphertexts are.
@discardableResult
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { key.publicKey.blockSize }

private func newKey(_ parameters: KeyParameters) throws -> SecKey {
    let ours = try parameters.overridden(by: kSecPrivateKeyAttrs, "kSecPrivateKeyAttrs")
    let given = try parameters.overridden(by: kSecPublicKeyAttrs, "kSecPublicKeyAttrs")
    let theirs = given.ofPublicHalf
    let type = try ours.type()
    let size = try ours.sizeInBits(type)
    let isOfToken = try ours.isOfToken(type, sizeInBits: size)
    if !isOfToken { try given.refuseTokens() }
    let (storesPrivate, storesPublic) = (try ours.isPermanent(), try theirs.isPermanent())
    let permissions = try ours.permissions()
    let key: SecKey
    /// The persistent reference of what was stored.
    var stored: CFData?
    if isOfToken || storesPrivate && permissions.areOfHeldKey {
        key = try ours.makeHeldKey(type, sizeInBits: size)
        stored = key.persistentReference
    } else {
        key = SecKey(.privateKey(try PrivateKey(generating: type, sizeInBits: size)), permissions)
        if storesPrivate { stored = try ours.store(key) }
    }
    guard storesPublic else { return key }
    do {
        _ = try theirs.store(SecKey(.publicKey(key.publicKey), try theirs.permissions()))
    } catch {
        // A pair of which one half is missing would be found, and be of no use. It is new, so nobody else has it.
        if let stored { SecItemDelete([kSecValuePersistentRef: stored] as NSDictionary) }
        throw error
    }
    return key
}

extension SecKey {
    /// The private key in the service that an item of an answer is; nil if it is none.
    ///
    /// - Parameter authentication: what it keeps for its uses.
    convenience init?(heldKey item: ReturnedItem<some Collection<UInt8>>, _ authentication: GivenAuthentication?) {
        guard let attributes = item.attributes, attributes.isHeldKey, let data = item.secret,
            case .number(let code) = attributes[.type], let type = KeyType(code: code),
            let key = try? PublicKey(type: type, externalRepresentation: data)
        else { return nil }
        self.init(
            .heldKey(item.reference, key), KeyPermissions(attributes), authentication,
            keychain: KeychainClient.current.keychain)
    }

    /// Of a key that the service holds.
    var persistentReference: CFData? {
        guard case .heldKey(let reference, _) = material else { return nil }
        if let keychain {
            return SecKeychainItem(inKeychain: keychain, reference).persistentReference as CFData
        }
        return Data(reference.bytes) as CFData
    }

    /// Source: semantics 6.2.
    fileprivate var attributes: CFDictionary {
        let size = publicKey.sizeInBits
        func number(_ truth: Bool) -> NSNumber { NSNumber(value: truth ? 1 : 0) }
        var values: [CFString: Any] = [
            kSecAttrKeyClass: isPrivate ? kSecAttrKeyClassPrivate : kSecAttrKeyClassPublic,
            kSecAttrKeyType: publicKey.type.name,
            kSecAttrKeySizeInBits: NSNumber(value: size),
            kSecAttrEffectiveKeySize: NSNumber(value: size),
            kSecAttrApplicationLabel: Data(publicKey.hash.bytes),
            // Apple says these three of every key, also of public ones.
            kSecAttrIsPermanent: number(true),
            "priv": number(true),
            "modi": number(true),
            // Sensitive, always was; extractable, never was.
            kSecAttrIsSensitive: number(false),
            "asen": number(false),
            kSecAttrIsExtractable: number(true),
            "next": number(false),
            kSecAttrCanEncrypt: number(!isPrivate),
            kSecAttrCanDecrypt: number(isPrivate),
            kSecAttrCanDerive: number(isPrivate && publicKey.type != .rsa),
            kSecAttrCanSign: number(isPrivate),
            kSecAttrCanVerify: number(!isPrivate),
            "snrc": number(false),
            "vyrc": number(false),
            kSecAttrCanWrap: number(!isPrivate),
            kSecAttrCanUnwrap: number(isPrivate),
        ]
        if let token = permissions.token { values[kSecAttrTokenID] = token as CFString }
        for (key, truth) in permissions.said { values[key.name as CFString] = number(truth) }
        return NSDictionary(objects: Array(values.values), forKeys: Array(values.keys))
    }
}
