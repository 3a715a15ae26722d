// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import Foundation
internal import KeychainKeys

// Each function gives nil, or false, and an error of the domain `NSOSStatusErrorDomain` where it fails; without an error,
// the variable keeps what it held.

/// Whether the function for an operation works with a key and an algorithm.
///
/// RSA's private keys verify too; other private keys do not, and public keys never sign.
@discardableResult
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
    guard let algorithm = KeyAlgorithm(identifier: algorithm.rawValue as String) else { return false }
    return switch operation {
    case .sign: key.privateKey?.canSign(using: algorithm) ?? false
    case .verify: key.verifyingKey?.canVerify(using: algorithm) ?? false
    case .encrypt: key.encryptingKey?.canEncrypt(using: algorithm) ?? false
    case .decrypt: key.privateKey?.canDecrypt(using: algorithm) ?? false
    case .keyExchange: key.privateKey?.canAgree(using: algorithm) ?? false
    }
}

/// Signs a message or a digest with a private key, as the algorithm says.
///
/// - Returns: nil and `errSecParam` for an algorithm that the key cannot be used with and for a digest that does not have the
///   length of its hash.
@discardableResult
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe reporting(to: error) { try key.signature(for: dataToSign as Data, algorithm.parsed()) as CFData }
}

/// Whether a signature of a message or a digest, as the algorithm says, was made with the private half of a key.
///
/// - Returns: false and `errSecVerifyFailed` when it was not; false and `errSecParam` as
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

/// Encrypts for the owner of a public key.
///
/// - Returns: nil and `errSecParam` for an algorithm that the key cannot be used with, and for more than fits into a block
///   of RSA where the algorithm has only that.
@discardableResult
public func SecKeyCreateEncryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe reporting(to: error) { try key.encrypt(plaintext as Data, algorithm.parsed()) as CFData }
}

/// Decrypts what was encrypted for the owner of a private key.
///
/// - Returns: nil and `errSecParam` for an algorithm that the key cannot be used with, and for everything that was not
///   encrypted in this way with its public half.
@discardableResult
public func SecKeyCreateDecryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe reporting(to: error) { try key.decrypt(ciphertext as Data, algorithm.parsed()) as CFData }
}

/// Agrees on a secret with the owner of a public key.
///
/// With a key derivation, `parameters` needs ``SecKeyKeyExchangeParameter/requestedSize``, 1 to 1,048,576 bytes, and takes
/// ``SecKeyKeyExchangeParameter/sharedInfo``; without, they are not looked at. The secret is then in memory that nobody wipes.
///
/// - Returns: nil and `errSecParam` for an algorithm that the private key cannot be used with, for a public key of another
///   family or curve or that is none, and for parameters that are missing, of the wrong type or out of range.
@discardableResult
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey, _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe reporting(to: error) {
        let algorithm = try algorithm.parsed()
        guard let key = privateKey.privateKey else { throw SecKey.wrongHalf(algorithm) }
        guard case .publicKey(let peer) = publicKey.material else {
            throw KeyFailure(errSecParam, "what should be the other's public key is a private key")
        }
        return try key.agree(with: peer, using: algorithm, KeyParameters(parameters).keyExchange()) as CFData
    }
}

extension SecKeyAlgorithm {
    fileprivate func parsed() throws(KeyFailure) -> KeyAlgorithm {
        guard let algorithm = KeyAlgorithm(identifier: rawValue as String) else {
            throw KeyFailure(errSecParam, "there is no algorithm of that name")
        }
        return algorithm
    }
}

extension SecKey {
    fileprivate var privateKey: PrivateKey? {
        guard case .privateKey(let key) = material else { return nil }
        return key
    }

    fileprivate var encryptingKey: PublicKey? {
        guard case .publicKey(let key) = material else { return nil }
        return key
    }

    /// The half that verifies; private keys other than RSA's do not (semantics 6.4).
    fileprivate var verifyingKey: PublicKey? {
        switch material {
        case .publicKey(let key): key
        case .privateKey(let key): key.type == .rsa ? key.publicKey : nil
        }
    }

    func signature(for data: Data, _ algorithm: KeyAlgorithm) throws -> Data {
        guard let privateKey else { throw Self.wrongHalf(algorithm) }
        return try privateKey.signature(for: data, using: algorithm)
    }

    func verify(_ signature: Data, for data: Data, _ algorithm: KeyAlgorithm) throws {
        guard let verifyingKey else { throw Self.wrongHalf(algorithm) }
        try verifyingKey.verify(signature, for: data, using: algorithm)
    }

    func encrypt(_ data: Data, _ algorithm: KeyAlgorithm) throws -> Data {
        guard let encryptingKey else { throw Self.wrongHalf(algorithm) }
        return try encryptingKey.encrypt(data, using: algorithm)
    }

    func decrypt(_ data: Data, _ algorithm: KeyAlgorithm) throws -> Data {
        guard let privateKey else { throw Self.wrongHalf(algorithm) }
        return try privateKey.decrypt(data, using: algorithm)
    }

    fileprivate static func wrongHalf(_ algorithm: KeyAlgorithm) -> KeyFailure {
        KeyFailure(
            errSecParam, "it is the other half of the key that is used in this way, with \(algorithm.identifier)")
    }
}
