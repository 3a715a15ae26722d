// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import Foundation
internal import KeychainClient
internal import KeychainKeys
internal import KeychainModel
internal import KeychainWire
internal import SecurityValues

// Each function returns nil, or false, and an error of the domain `NSOSStatusErrorDomain` on failure; on success, the
// error variable is not changed.

/// Returns whether a key and an algorithm support an operation.
///
/// RSA private keys can verify; other private keys cannot, and public keys cannot sign. A use that an attribute such as
/// `kSecAttrCanSign` prohibits is not supported. RSA with SHA-224, OAEP with SHA-224, SHA-384 and SHA-512, and the
/// algorithms of RSA whose names contain "Raw" are supported where the helper program `chatelaine-crypto` is installed,
/// for keys whose private half is in the program's memory.
@discardableResult
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
    guard let algorithm = KeyAlgorithm(identifier: algorithm.rawValue as String) else { return false }
    return key.can(operation, using: algorithm)
}

/// Signs a message or a digest with a private key, depending on the algorithm.
///
/// A key in the keychain service signs there. All functions that use such a key may also fail with `errSecItemNotFound`
/// if it was deleted, `errSecInteractionNotAllowed` while it is locked, `errSecNotAvailable` if the service cannot be
/// reached, and `errSecDataTooLarge` for more than 16 MiB. A key whose access control object constrains its use prompts
/// the user, through the context with which it was found or created: `errSecUserCanceled`, `errSecAuthFailed` and
/// `errSecInteractionNotAllowed` are the failures of that prompt.
/// - Returns: nil and `errSecParam` for an algorithm that the key does not support and for a digest whose length is not
///   that of its hash; `errSecKeyUsageIncorrect` if `kSecAttrCanSign` is false.
@discardableResult
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe reporting(to: error) { try key.signature(for: dataToSign as Data, algorithm.parsed()) as CFData }
}

/// Verifies that a signature of a message or a digest, depending on the algorithm, was created with the private half of
/// a key.
///
/// - Returns: false and `errSecVerifyFailed` if it was not; false and `errSecParam` as
///   ``SecKeyCreateSignature(_:_:_:_:)``.
@discardableResult
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    unsafe reporting(to: error) {
        try key.verify(signature as Data, for: signedData as Data, algorithm.parsed())
    } != nil
}

/// Encrypts with a public key.
///
/// - Returns: nil and `errSecParam` for an algorithm that the key does not support, and for data that does not fit into
///   an RSA block if the algorithm is limited to one block.
@discardableResult
public func SecKeyCreateEncryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe reporting(to: error) { try key.encrypt(plaintext as Data, algorithm.parsed()) as CFData }
}

/// Decrypts data that was encrypted with the public half of a private key.
///
/// - Returns: nil and `errSecParam` for an algorithm that the key does not support, and for data that was not encrypted
///   with this algorithm and its public half; `errSecKeyUsageIncorrect` if `kSecAttrCanDecrypt` is false; for a key in
///   the service as ``SecKeyCreateSignature(_:_:_:_:)``.
@discardableResult
public func SecKeyCreateDecryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe reporting(to: error) { try key.decrypt(ciphertext as Data, algorithm.parsed()) as CFData }
}

/// Agrees on a secret with the owner of a public key.
///
/// With a key derivation, `parameters` requires ``SecKeyKeyExchangeParameter/requestedSize``, 1 to 1,048,576 bytes, and
/// may contain ``SecKeyKeyExchangeParameter/sharedInfo``; without a key derivation, both are ignored. The secret is
/// then in memory that is not wiped.
///
/// - Returns: nil and `errSecParam` for an algorithm that the private key does not support, for a public key that is
///   invalid or of another type or curve, and for parameters that are missing, of the wrong type or out of range;
///   `errSecKeyUsageIncorrect` if `kSecAttrCanDerive` is false; for a key in the service as
///   ``SecKeyCreateSignature(_:_:_:_:)``, with at most 64 KiB of shared info.
@discardableResult
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey, _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe reporting(to: error) {
        let algorithm = try algorithm.parsed()
        guard case .publicKey(let peer) = publicKey.material else {
            throw KeyFailure(errSecParam, "the key of the other party must be a public key")
        }
        return try privateKey.agree(with: peer, algorithm, KeyParameters(parameters).keyExchange()) as CFData
    }
}

extension SecKeyAlgorithm {
    fileprivate func parsed() throws(KeyFailure) -> KeyAlgorithm {
        guard let algorithm = KeyAlgorithm(identifier: rawValue as String) else {
            throw KeyFailure(errSecParam, "the algorithm does not exist")
        }
        return algorithm
    }
}

extension SecKey {
    fileprivate func can(_ operation: SecKeyOperationType, using algorithm: KeyAlgorithm) -> Bool {
        switch operation {
        case .sign:
            isPrivate && permissions.isAllowed(.canSign) && publicKey.canVerify(using: algorithm, privateLibrary)
        case .verify: verifyingKey?.canVerify(using: algorithm, CryptoHelper.current.rsa) ?? false
        case .encrypt: encryptingKey?.canEncrypt(using: algorithm, CryptoHelper.current.rsa) ?? false
        case .decrypt:
            isPrivate && permissions.isAllowed(.canDecrypt) && publicKey.canEncrypt(using: algorithm, privateLibrary)
        case .keyExchange:
            isPrivate && permissions.isAllowed(.canDerive) && publicKey.privateHalfCanAgree(using: algorithm)
        }
    }

    /// Makes the service use a key that it holds, for an operation that the key supports.
    private func use(
        _ key: UsedKey, _ operation: SecKeyOperationType, algorithm: KeyAlgorithm,
        input: KeyWork<Data>.Input
    ) throws(KeyFailure) -> Data {
        guard can(operation, using: algorithm) else {
            throw KeyFailure(errSecParam, "the key does not support this operation with \(algorithm.identifier)")
        }
        let authentication: ClientAuthentication?
        do throws(CallFailure) {
            authentication = try self.authentication?.ofRequest()
        } catch {
            throw KeyFailure(error)
        }
        do throws(ClientError) {
            let work = KeyWork(key, algorithm: algorithm.identifier, input)
            let client = KeychainClient.current
            return try (keychain.map { path throws(ClientError) in try client.inKeychain(path) } ?? client)
                .authenticating(authentication ?? UserInteraction.ofRequest).use(work) { Data($0) }
        } catch {
            throw KeyFailure(error)
        }
    }

    /// The other library for the private half; nil for a half that is in the service only.
    private var privateLibrary: RSALibrary? {
        if case .heldKey = material { nil } else { CryptoHelper.current.rsa }
    }

    fileprivate var encryptingKey: PublicKey? {
        guard case .publicKey(let key) = material, permissions.isAllowed(.canEncrypt) else { return nil }
        return key
    }

    /// The half that verifies; private keys other than RSA keys cannot verify (semantics 6.4).
    fileprivate var verifyingKey: PublicKey? {
        switch material {
        case .publicKey(let key): permissions.isAllowed(.canVerify) ? key : nil
        case .privateKey, .heldKey: publicKey.type == .rsa ? publicKey : nil
        }
    }

    func signature(for data: Data, _ algorithm: KeyAlgorithm) throws -> Data {
        switch material {
        case .publicKey: throw Self.wrongHalf(algorithm)
        case .privateKey(let key):
            try permissions.allow(.canSign)
            return try key.signature(for: data, using: algorithm, privateLibrary)
        case .heldKey(let key, _):
            try permissions.allow(.canSign)
            // A signature of the digest is equivalent, and the digest is shorter.
            let (algorithm, input) = algorithm.ofDigest(of: data) ?? (algorithm, data)
            return try use(key, .sign, algorithm: algorithm, input: .sign(input))
        }
    }

    func verify(_ signature: Data, for data: Data, _ algorithm: KeyAlgorithm) throws {
        if case .publicKey = material { try permissions.allow(.canVerify) }
        guard let verifyingKey else { throw Self.wrongHalf(algorithm) }
        try verifyingKey.verify(signature, for: data, using: algorithm, CryptoHelper.current.rsa)
    }

    func encrypt(_ data: Data, _ algorithm: KeyAlgorithm) throws -> Data {
        if case .publicKey = material { try permissions.allow(.canEncrypt) }
        guard let encryptingKey else { throw Self.wrongHalf(algorithm) }
        return try encryptingKey.encrypt(data, using: algorithm, CryptoHelper.current.rsa)
    }

    func decrypt(_ data: Data, _ algorithm: KeyAlgorithm) throws -> Data {
        switch material {
        case .publicKey: throw Self.wrongHalf(algorithm)
        case .privateKey(let key):
            try permissions.allow(.canDecrypt)
            return try key.decrypt(data, using: algorithm, privateLibrary)
        case .heldKey(let key, _):
            try permissions.allow(.canDecrypt)
            return try use(key, .decrypt, algorithm: algorithm, input: .decrypt(data))
        }
    }

    func agree(
        with peer: PublicKey, _ algorithm: KeyAlgorithm, _ parameters: KeyExchangeParameters
    ) throws -> Data {
        switch material {
        case .publicKey: throw Self.wrongHalf(algorithm)
        case .privateKey(let key):
            try permissions.allow(.canDerive)
            return try key.agree(with: peer, using: algorithm, parameters)
        case .heldKey(let key, let publicKey):
            try permissions.allow(.canDerive)
            guard peer.type == publicKey.type else {
                throw KeyFailure(errSecParam, "the public key and the private key have different types")
            }
            let agreement = KeyAgreement(
                publicKey: Array(peer.externalRepresentation),
                // The service rejects the clamped size as well.
                requestedSize: parameters.requestedSize.map { UInt32(clamping: $0) },
                sharedInfo: Array(parameters.sharedInfo))
            return try use(key, .keyExchange, algorithm: algorithm, input: .agree(agreement))
        }
    }

    fileprivate static func wrongHalf(_ algorithm: KeyAlgorithm) -> KeyFailure {
        KeyFailure(
            errSecParam, "this operation requires the other key of the pair, with \(algorithm.identifier)")
    }
}
