// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials
internal import SwiftASN1

/// The encryption of data with a passphrase: PBES2 with AES (RFC 8018, 6.2), or one of the older schemes, whose ciphers
/// this module lacks.
enum PasswordEncryption {
    enum Container {
        case pkcs8, pkcs12
    }

    case aes(KeyDerivation, keyByteCount: Int, initializationVector: [UInt8])
    /// A scheme that swift-crypto supports for RSA keys only. The algorithm is the AlgorithmIdentifier.
    case older(algorithm: [UInt8], repetitions: Int, refusal: TransferError)

    /// Reads an AlgorithmIdentifier.
    ///
    /// - Parameter container: the structure around the encrypted bytes, for the hint of a refusal.
    /// - Throws: `malformed`; `unsupported` for an unknown scheme.
    init(_ node: ASN1Node, in container: Container) throws(TransferError) {
        let what = "the encryption"
        let algorithm = try node.algorithm(what)
        guard var parts = try algorithm.parameters?.fields(what) else { throw .unexpected(what) }
        guard algorithm.type == .pbes2 else {
            let refusal = try Self.refusal(algorithm.type, container)
            _ = try parts.next(what).octets(what)
            self = .older(
                algorithm: Array(node.encodedBytes), repetitions: try parts.next(what).number(what), refusal: refusal)
            try parts.end(what)
            return
        }
        let derivation = try KeyDerivation(try parts.next(what))
        let cipher = try parts.next(what).algorithm(what)
        try parts.end(what)
        if let count = Self.keyByteCount(cipher.type) {
            guard let vector = try cipher.parameters?.octets(what), vector.count == 16 else { throw .unexpected(what) }
            self = .aes(derivation, keyByteCount: count, initializationVector: vector)
        } else {
            guard case .pbkdf2(_, let repetitions, _, _) = derivation else {
                throw try Self.refusal(cipher.type, container)
            }
            self = .older(
                algorithm: Array(node.encodedBytes), repetitions: repetitions,
                refusal: try Self.refusal(cipher.type, container))
        }
    }

    /// Decrypts data.
    ///
    /// - Parameter ciphers: for the older schemes, which are unsupported without.
    /// - Returns: the plaintext. The caller wipes it.
    /// - Throws: `wrongPassphrase` if the padding at the end is invalid, which a wrong passphrase avoids one time in
    ///   256; `unsupported`; `tooExpensive`; `malformed`.
    func decrypt(
        _ ciphertext: [UInt8], with passphrase: Passphrase, _ ciphers: OlderCiphers?, _ budget: inout WorkBudget
    ) throws(TransferError) -> [UInt8] {
        switch self {
        case .older(let algorithm, let repetitions, let refusal):
            guard let ciphers else { throw refusal }
            try Self.spendOlder(repetitions, &budget)
            guard let clear = try ciphers.decrypt(algorithm, passphrase.bytes, ciphertext) else {
                throw .wrongPassphrase
            }
            return clear
        case .aes(let derivation, let keyByteCount, let vector):
            guard !ciphertext.isEmpty, ciphertext.count.isMultiple(of: 16) else { throw .unexpected("the ciphertext") }
            let key = try derivation.key(of: passphrase, byteCount: keyByteCount, &budget)
            return try openAES(ciphertext, key, vector)
        }
    }

    /// Counts the repetitions of an older scheme. The longest of these derivations makes a key of two digests and a vector
    /// of one, and each step counts two.
    static func spendOlder(_ repetitions: Int, _ budget: inout WorkBudget) throws(TransferError) {
        guard repetitions > 0 else { throw .unexpected("the encryption") }
        try budget.spend(repetitions: repetitions, times: 6)
    }

    private static func keyByteCount(_ type: ASN1ObjectIdentifier) -> Int? {
        switch type {
        case .aes128CBC: 16
        case .aes192CBC: 24
        case .aes256CBC: 32
        default: nil
        }
    }

    private static func refusal(
        _ type: ASN1ObjectIdentifier, _ container: Container
    ) throws(TransferError) -> TransferError {
        guard let name = name(type) else {
            throw TransferError(.unsupported, "encryption with the algorithm \(type) is not supported")
        }
        let command =
            switch container {
            case .pkcs8: "openssl pkcs8 -topk8 -in OLD -out NEW"
            case .pkcs12: "openssl pkcs12 -legacy -in OLD -nodes | openssl pkcs12 -export -out NEW"
            }
        return TransferError(
            .unsupported, "encryption with \(name) is not supported",
            hint: "`\(command)` writes a supported file")
    }

    private static func name(_ type: ASN1ObjectIdentifier) -> String? {
        switch type {
        case .shaAnd40BitRC2, .shaAnd128BitRC2: "RC2"
        case .shaAnd40BitRC4, .shaAnd128BitRC4: "RC4"
        case .shaAndTripleDES, .shaAndTwoKeyTripleDES, .tripleDES: "Triple DES"
        default: nil
        }
    }
}

/// Decrypts with AES in CBC with padding.
///
/// - Throws: `wrongPassphrase` if the padding is invalid.
func openAES(_ ciphertext: [UInt8], _ key: SymmetricKey, _ vector: [UInt8]) throws(TransferError) -> [UInt8] {
    guard let vector = try? AES._CBC.IV(ivBytes: vector),
        var clear = try? AES._CBC.decrypt(ciphertext, using: key, iv: vector)
    else { throw .wrongPassphrase }
    defer { clear.resetBytes(in: clear.startIndex..<clear.endIndex) }
    return Array(clear)
}

extension TransferError {
    static var wrongPassphrase: TransferError {
        TransferError(.wrongPassphrase, "the passphrase is wrong, or the file was changed")
    }

    static var passphraseRequired: TransferError {
        TransferError(.passphraseRequired, "the file is encrypted and requires a passphrase")
    }
}

/// The derivation of the key of a written file, which may be attacked wherever a copy of it exists.
public enum WrittenDerivation: Sendable {
    /// PBKDF2 over HMAC with SHA-256, with 100,000 repetitions: readable by OpenSSL, Java, Windows and macOS.
    case pbkdf2
    /// scrypt with 16 MiB, five times: a cost that OWASP recommends, and that OpenSSL accepts without options.
    case scrypt

    static let repetitions = 100_000

    /// Encrypts with PBES2 and with AES-256 in CBC, with a new salt and a new vector.
    ///
    /// - Returns: the AlgorithmIdentifier and the ciphertext.
    func encrypt(
        _ clear: [UInt8], with passphrase: Passphrase, using generator: inout some RandomNumberGenerator
    ) -> (algorithm: [UInt8], ciphertext: [UInt8]) {
        let salt = generator.bytes(16)
        let vector = generator.bytes(16)
        do {
            let (derivation, key) = try key(of: passphrase, salt: salt)
            let algorithm = Encoded.algorithm(
                .pbes2, Encoded.sequence(derivation, Encoded.algorithm(.aes256CBC, Encoded.octets(vector))))
            let ciphertext = try AES._CBC.encrypt(clear, using: key, iv: try AES._CBC.IV(ivBytes: vector))
            return (algorithm, Array(ciphertext))
        } catch {
            // All lengths and costs are constants that the library accepts, so only a failed allocation of at most 16 MiB
            // can cause this. An array that cannot be allocated ends the program too. Nothing was written yet.
            fatalError("there is no memory for the encryption of the key")
        }
    }

    private func key(of passphrase: Passphrase, salt: [UInt8]) throws -> (algorithm: [UInt8], SymmetricKey) {
        switch self {
        case .pbkdf2:
            let parameters = Encoded.sequence(
                Encoded.octets(salt), Encoded.number(Self.repetitions), Encoded.algorithm(.hmacSHA256, Encoded.null))
            let key = try KDF.Insecure.PBKDF2.deriveKey(
                from: passphrase.bytes, salt: salt, using: .sha256, outputByteCount: 32,
                unsafeUncheckedRounds: Self.repetitions)
            return (Encoded.algorithm(.pbkdf2, parameters), key)
        case .scrypt:
            let (cost, blockSize, parallelism) = (16_384, 8, 5)
            let parameters = Encoded.sequence(
                Encoded.octets(salt), Encoded.number(cost), Encoded.number(blockSize), Encoded.number(parallelism))
            let key = try KDF.Scrypt.deriveKey(
                from: passphrase.bytes, salt: salt, outputByteCount: 32, rounds: cost, blockSize: blockSize,
                parallelism: parallelism)
            return (Encoded.algorithm(.scrypt, parameters), key)
        }
    }
}

extension RandomNumberGenerator {
    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) } }
}
