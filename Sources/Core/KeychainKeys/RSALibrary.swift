// SPDX-License-Identifier: Apache-2.0

internal import Crypto
public import FoundationEssentials

/// Another library's RSA, for the algorithms that swift-crypto lacks: signatures with SHA-224, OAEP with SHA-224,
/// SHA-384 and SHA-512, PKCS #1 v1.5 without the name of a hash, and the bare operation. It gets the key's bytes, so it
/// is for keys in the program's memory only.
public struct RSALibrary: Sendable {
    public enum Operation: Hashable, Sendable {
        case sign
        case verify(signature: Data)
        case encrypt
        case decrypt
    }

    /// Performs an operation.
    ///
    /// - Parameters:
    ///   - algorithm: one of those above, never with AES-GCM.
    ///   - key: RSAPrivateKey in DER to sign and decrypt, RSAPublicKey in DER to verify and encrypt.
    /// - Returns: the result; nothing for a valid signature.
    /// - Throws: `verificationFailed`; `invalid` for data that does not fit and for data that was not encrypted in this
    ///   way with the public half; `failed`.
    public typealias Perform =
        @Sendable (
            _ operation: Operation, _ algorithm: KeyAlgorithm, _ key: Data, _ data: Data
        ) throws(KeyError) -> Data

    private let perform: Perform

    public init(_ perform: @escaping Perform) { self.perform = perform }

    func signing(_ algorithm: KeyAlgorithm, _ key: PrivateKey) -> KeyWork? {
        guard key.publicKey.canSignElsewhere(algorithm) else { return nil }
        return { data throws(KeyError) in
            try Self.checkDigest(data, algorithm)
            return try use(key, .sign, algorithm, data)
        }
    }

    func verification(_ algorithm: KeyAlgorithm, _ key: PublicKey) -> PublicKey.Verification? {
        guard key.canSignElsewhere(algorithm) else { return nil }
        return { signature, data throws(KeyError) in
            try Self.checkDigest(data, algorithm)
            do throws(KeyError) {
                _ = try perform(.verify(signature: signature), algorithm, key.externalRepresentation, data)
                return true
            } catch {
                guard error.kind == .verificationFailed else { throw error }
                return false
            }
        }
    }

    func encryption(_ algorithm: KeyAlgorithm, _ key: PublicKey) -> KeyWork? {
        guard let (block, isSession) = key.encryptionElsewhere(algorithm) else { return nil }
        let encrypt: KeyWork = { data throws(KeyError) in
            try perform(.encrypt, block, key.externalRepresentation, data)
        }
        return isSession ? { data throws(KeyError) in try key.sealed(data, encryptingSession: encrypt) } : encrypt
    }

    func decryption(_ algorithm: KeyAlgorithm, _ key: PrivateKey) -> KeyWork? {
        guard let (block, isSession) = key.publicKey.encryptionElsewhere(algorithm) else { return nil }
        let decrypt: KeyWork = { data throws(KeyError) in try use(key, .decrypt, block, data) }
        return isSession ? { data throws(KeyError) in try key.opened(data, decryptingSession: decrypt) } : decrypt
    }

    private func use(
        _ key: PrivateKey, _ operation: Operation, _ algorithm: KeyAlgorithm, _ data: Data
    ) throws(KeyError) -> Data {
        var bytes = key.externalRepresentation
        defer { bytes.wipe() }
        return try perform(operation, algorithm, bytes, data)
    }

    private static func checkDigest(_ data: Data, _ algorithm: KeyAlgorithm) throws(KeyError) {
        if case .rsaSignature(_, .digest, let hash) = algorithm { _ = try hash.digest(of: data, .digest) }
    }
}

extension PublicKey {
    /// Returns whether another library is needed for, and the key's size allows, signatures of this kind.
    fileprivate func canSignElsewhere(_ algorithm: KeyAlgorithm) -> Bool {
        guard case .rsa = material else { return false }
        return switch algorithm {
        case .rsaSignature(let scheme, _, let hash): hash.function == nil && hasRoom(for: scheme, hash)
        case .rsaSignatureRaw, .rsaSignatureWithoutHashName: true
        default: false
        }
    }

    /// Returns the algorithm for one block, if another library is needed for it and the key's size allows it, and whether
    /// the block is a key of AES-GCM.
    fileprivate func encryptionElsewhere(_ algorithm: KeyAlgorithm) -> (block: KeyAlgorithm, isSession: Bool)? {
        guard case .rsa = material else { return nil }
        switch algorithm {
        case .rsaEncryptionRaw: return (algorithm, false)
        case .rsaEncryptionOAEP(let hash): return hasRoom(forOAEP: hash, 0) ? (algorithm, false) : nil
        case .rsaEncryptionOAEPAESGCM(let hash):
            let count = sessionKeySize.bitCount / 8
            return hasRoom(forOAEP: hash, count) ? (.rsaEncryptionOAEP(hash), true) : nil
        default: return nil
        }
    }

    /// Returns whether data of this length fits into a block (RFC 8017, 7.1.1).
    private func hasRoom(forOAEP hash: HashAlgorithm, _ count: Int) -> Bool {
        blockSize >= count + 2 * hash.byteCount + 2
    }
}
