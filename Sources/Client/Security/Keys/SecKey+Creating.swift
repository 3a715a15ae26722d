// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import Foundation
internal import KeychainKeys

/// Makes a new private key, with its public half, in the program's memory.
///
/// `parameters` needs `kSecAttrKeyType` and `kSecAttrKeySizeInBits` (a number or its text): RSA 1024 to 8192 bits in steps of
/// 128, elliptic curves 256, 384 and 521, Ed25519 and X25519 256. `kSecPrivateKeyAttrs` and `kSecPublicKeyAttrs` hold what
/// differs for one half. Keys are not stored yet.
///
/// - Returns: nil, and an error of the domain `NSOSStatusErrorDomain` in `error`: `errSecParam` for a value that is missing,
///   of the wrong type or unknown; `errSecKeySizeNotAllowed`; `errSecUnimplemented` for a key that shall be permanent or in a
///   token; `errSecInternalComponent` when the system gives no randomness. Without an error, `error` keeps what it held.
@discardableResult
public func SecKeyCreateRandomKey(
    _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    unsafe reporting(to: error) { SecKey(try PrivateKey(generatedFor: KeyParameters(parameters))) }
}

/// Makes a new key pair in the program's memory; the older form of ``SecKeyCreateRandomKey(_:_:)``.
///
/// - Returns: `errSecSuccess` and both halves, or one of the codes there; then the variables keep what they held.
@discardableResult
public func SecKeyGeneratePair(
    _ parameters: CFDictionary, _ publicKey: UnsafeMutablePointer<SecKey?>?,
    _ privateKey: UnsafeMutablePointer<SecKey?>?
) -> OSStatus {
    do {
        let key = try PrivateKey(generatedFor: KeyParameters(parameters))
        // The caller vouches for the variables.
        unsafe publicKey?.pointee = SecKey(key.publicKey)
        unsafe privateKey?.pointee = SecKey(key)
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
        return isPrivate
            ? SecKey(try PrivateKey(type: type, externalRepresentation: data))
            : SecKey(try PublicKey(type: type, externalRepresentation: data))
    }
}

/// The bytes of a key, in the forms of ``SecKeyCreateWithData(_:_:_:)``.
///
/// The bytes of a private key are then in memory that nobody wipes.
/// - Returns: never nil for the keys that there are now: all are in the program's memory.
@discardableResult
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    switch key.material {
    case .publicKey(let key): key.externalRepresentation as CFData
    case .privateKey(let key): key.externalRepresentation as CFData
    }
}

/// The public half of a key; of a public key, the key itself.
@discardableResult
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? {
    switch key.material {
    case .publicKey: key
    case .privateKey(let key): SecKey(key.publicKey)
    }
}

/// What a key is: its class, type and size, the hash of its public half, and what it can be used for.
///
/// The values are texts and numbers, truth values being 0 and 1, as Apple's systems give them for keys in memory.
@discardableResult
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? { key.attributes }

/// Bytes of the modulus of an RSA key, of the field of others: how long RSA's signatures and ciphertexts are.
@discardableResult
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { key.publicKey.blockSize }

extension PrivateKey {
    fileprivate init(generatedFor parameters: KeyParameters) throws {
        let ours = try parameters.overridden(by: kSecPrivateKeyAttrs, "kSecPrivateKeyAttrs")
        let type = try ours.type()
        let size = try ours.sizeInBits(type)
        try ours.refuseStorage()
        try parameters.overridden(by: kSecPublicKeyAttrs, "kSecPublicKeyAttrs").refuseStorage()
        try self.init(generating: type, sizeInBits: size)
    }
}

extension SecKey {
    /// Source: semantics 6.2.
    fileprivate var attributes: CFDictionary {
        let isPrivate =
            switch material {
            case .publicKey: false
            case .privateKey: true
            }
        let size = publicKey.sizeInBits
        func number(_ truth: Bool) -> NSNumber { NSNumber(value: truth ? 1 : 0) }
        let values: [CFString: Any] = [
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
        return NSDictionary(objects: Array(values.values), forKeys: Array(values.keys))
    }
}
