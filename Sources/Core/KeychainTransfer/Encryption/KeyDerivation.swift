// SPDX-License-Identifier: Apache-2.0

internal import CryptoExtras
internal import Crypto
internal import FoundationEssentials
internal import SwiftASN1

/// The derivation of a key from a passphrase: PBKDF2 (RFC 8018, A.2) or scrypt (RFC 7914, 7).
enum KeyDerivation {
    /// - Parameter keyByteCount: the optional length in the file.
    case pbkdf2(salt: [UInt8], repetitions: Int, hash: KDF.Insecure.PBKDF2.HashFunction, keyByteCount: Int?)
    case scrypt(salt: [UInt8], cost: Int, blockSize: Int, parallelism: Int, keyByteCount: Int?)

    init(_ node: ASN1Node) throws(TransferError) {
        let what = "the derivation of a key"
        let algorithm = try node.algorithm(what)
        guard var parts = try algorithm.parameters?.fields(what) else { throw .unexpected(what) }
        let salt = try parts.next(what).octets(what)
        switch algorithm.type {
        case .pbkdf2:
            let repetitions = try parts.next(what).number(what)
            let count = try parts.next(if: .integer)?.number(what)
            let hash = try parts.popNext().map { node throws(TransferError) in
                try KDF.Insecure.PBKDF2.HashFunction(try node.algorithm(what).type)
            }
            guard repetitions > 0 else { throw .unexpected(what) }
            // HMAC with SHA-1 is the default, which is not encoded.
            self = .pbkdf2(
                salt: salt, repetitions: repetitions, hash: hash ?? .insecureSHA1, keyByteCount: count)
        case .scrypt:
            let cost = try parts.next(what).number(what)
            let blockSize = try parts.next(what).number(what)
            let parallelism = try parts.next(what).number(what)
            let count = try parts.next(if: .integer)?.number(what)
            guard cost > 1, cost & (cost - 1) == 0, blockSize > 0, parallelism > 0 else { throw .unexpected(what) }
            self = .scrypt(
                salt: salt, cost: cost, blockSize: blockSize, parallelism: parallelism, keyByteCount: count)
        default: throw TransferError(.unsupported, "\(what): the algorithm \(algorithm.type) is not supported")
        }
        try parts.end(what)
    }

    /// The optional length in the file.
    var keyByteCount: Int? {
        switch self {
        case .pbkdf2(_, _, _, let count), .scrypt(_, _, _, _, let count): count
        }
    }

    /// Derives the key.
    ///
    /// - Throws: `malformed` if the file requires a key of another length; `tooExpensive`.
    func key(
        of passphrase: Passphrase, byteCount: Int, _ budget: inout WorkBudget
    ) throws(TransferError) -> SymmetricKey {
        guard keyByteCount ?? byteCount == byteCount else {
            throw TransferError(.malformed, "the derivation of a key: the length of the derived key is wrong")
        }
        let key: SymmetricKey?
        switch self {
        case .pbkdf2(let salt, let repetitions, let hash, _):
            try budget.spend(repetitions: repetitions, times: (byteCount - 1) / hash.byteCount + 1)
            key = try? KDF.Insecure.PBKDF2.deriveKey(
                from: passphrase.bytes, salt: salt, using: hash, outputByteCount: byteCount,
                unsafeUncheckedRounds: repetitions)
        case .scrypt(let salt, let cost, let blockSize, let parallelism, _):
            try budget.spend(scryptCost: cost, blockSize: blockSize, parallelism: parallelism)
            key = try? KDF.Scrypt.deriveKey(
                from: passphrase.bytes, salt: salt, outputByteCount: byteCount, rounds: cost, blockSize: blockSize,
                parallelism: parallelism)
        }
        guard let key else {
            throw TransferError(.malformed, "the derivation of a key: its numbers are not valid")
        }
        return key
    }
}

extension KDF.Insecure.PBKDF2.HashFunction {
    init(_ type: ASN1ObjectIdentifier) throws(TransferError) {
        switch type {
        case .hmacSHA1: self = .insecureSHA1
        case .hmacSHA224: self = .insecureSHA224
        case .hmacSHA256: self = .sha256
        case .hmacSHA384: self = .sha384
        case .hmacSHA512: self = .sha512
        default: throw TransferError(.unsupported, "the derivation of a key: the function \(type) is not supported")
        }
    }

    fileprivate var byteCount: Int {
        switch self {
        case .insecureSHA1: 20
        case .insecureSHA224: 28
        case .sha256: 32
        case .sha384: 48
        default: 64
        }
    }
}
