// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials
public import KeychainKeys
internal import SwiftASN1

extension PrivateKey {
    /// Reads an EncryptedPrivateKeyInfo in DER (PKCS #8; RFC 5958, 3): AES by PBES2, with PBKDF2 or scrypt; with
    /// `ciphers` also the older schemes with Triple DES, RC2 and RC4, and without it these for RSA keys, for passphrases
    /// in ASCII.
    ///
    /// - Throws: `wrongPassphrase`, `malformed`, `unsupported`, `tooExpensive`.
    public init(
        encryptedPKCS8 bytes: some Collection<UInt8>, passphrase: Passphrase, ciphers: OlderCiphers? = nil,
        limits: TransferLimits = TransferLimits()
    ) throws(TransferError) {
        var budget = WorkBudget(limits)
        try self.init(encryptedKeyInfo: try readBER(bytes, "the encrypted key"), passphrase, ciphers, &budget)
    }

    /// Returns the PrivateKeyInfo in an EncryptedPrivateKeyInfo in DER: AES by PBES2, with PBKDF2 or scrypt. The caller
    /// wipes it.
    ///
    /// - Throws: `wrongPassphrase` if the padding at the end is invalid, which a wrong passphrase avoids one time in
    ///   256; `malformed`, `unsupported`, `tooExpensive`.
    public static func pkcs8(
        decrypting bytes: some Collection<UInt8>, passphrase: Passphrase, limits: TransferLimits = TransferLimits()
    ) throws(TransferError) -> [UInt8] {
        var budget = WorkBudget(limits)
        let (encryption, ciphertext) = try encryption(of: try readBER(bytes, "the encrypted key"), in: .pkcs8)
        return try encryption.decrypt(ciphertext, with: passphrase, nil, &budget)
    }

    private static func encryption(
        of node: ASN1Node, in container: PasswordEncryption.Container
    ) throws(TransferError) -> (PasswordEncryption, ciphertext: [UInt8]) {
        let what = "the encrypted key"
        var parts = try node.fields(what)
        let encryption = try PasswordEncryption(try parts.next(what), in: container)
        let ciphertext = try parts.next(what).octets(what)
        try parts.end(what)
        return (encryption, ciphertext)
    }

    /// Reads a key.
    ///
    /// - Parameter isRight: whether the passphrase is known to be correct.
    init(
        encryptedKeyInfo node: ASN1Node, _ passphrase: Passphrase, _ ciphers: OlderCiphers?, isRight: Bool = false,
        in container: PasswordEncryption.Container = .pkcs8, _ budget: inout WorkBudget
    ) throws(TransferError) {
        let (encryption, ciphertext) = try Self.encryption(of: node, in: container)
        switch encryption {
        case .older(_, let repetitions, let refusal) where ciphers == nil:
            try PasswordEncryption.spendOlder(repetitions, &budget)
            let text = Self.pem("ENCRYPTED PRIVATE KEY", "", Array(node.encodedBytes))
            self = try Self.olderRSAKey(pem: text, passphrase, isRight: isRight, refusal)
        case .aes, .older:
            var clear = try encryption.decrypt(ciphertext, with: passphrase, ciphers, &budget)
            defer { clear.wipe() }
            // With a wrong key, the padding is valid one time in 256.
            guard let info = try? BER.parse(clear), info.identifier == .sequence else {
                throw .wrongPassphrase
            }
            try self.init(privateKeyInfo: info)
        }
    }

    /// Returns an EncryptedPrivateKeyInfo in DER: PBES2 with AES-256 in CBC.
    public func encryptedPKCS8(
        passphrase: Passphrase, derivation: WrittenDerivation = .pbkdf2,
        using generator: inout some RandomNumberGenerator
    ) -> [UInt8] {
        var clear = pkcs8
        defer { clear.wipe() }
        let (algorithm, ciphertext) = derivation.encrypt(clear, with: passphrase, using: &generator)
        return Encoded.sequence(algorithm, Encoded.octets(ciphertext))
    }

    /// Reads a key that is encrypted inside PEM in OpenSSL's own old scheme (RFC 1421, 4.6.1.1; `EVP_BytesToKey` with
    /// MD5): AES in CBC; for RSA keys also Triple DES, for passphrases in ASCII.
    ///
    /// - Parameter information: the text after `DEK-Info:`, a cipher and its vector in hexadecimal digits.
    init(
        label: String, encryptionInformation information: String, ciphertext: [UInt8], _ passphrase: Passphrase
    ) throws(TransferError) {
        let what = "the encrypted key"
        let words = information.split(separator: ",", maxSplits: 1)
        guard words.count == 2, let vector = bytes(hexadecimal: words[1]) else { throw .unexpected(what) }
        let keyByteCount: Int
        switch words[0].uppercased() {
        case "AES-128-CBC": keyByteCount = 16
        case "AES-192-CBC": keyByteCount = 24
        case "AES-256-CBC": keyByteCount = 32
        case "DES-EDE3-CBC" where label == "RSA PRIVATE KEY":
            guard vector.count == 8 else { throw .unexpected(what) }
            let refusal = TransferError(
                .unsupported, "encryption with Triple DES is not supported",
                hint: "`openssl pkey -in OLD -aes256 -out NEW` writes a supported file")
            let headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: DES-EDE3-CBC,\(hexadecimal(vector))\n\n"
            let text = Self.pem(label, headers, ciphertext)
            self = try Self.olderRSAKey(pem: text, passphrase, isRight: false, refusal)
            return
        default:
            throw TransferError(
                .unsupported, "\(what): its cipher is not supported",
                hint: "`openssl pkey -in OLD -aes256 -out NEW` writes a supported file")
        }
        guard vector.count == 16, !ciphertext.isEmpty, ciphertext.count.isMultiple(of: 16) else {
            throw .unexpected(what)
        }
        var material: [UInt8] = []
        defer { material.wipe() }
        while material.count < keyByteCount {
            let last = material.suffix(16)
            material += Array(Insecure.MD5.hash(data: last + passphrase.bytes + vector.prefix(8)))
        }
        var clear = try openAES(ciphertext, SymmetricKey(data: material.prefix(keyByteCount)), vector)
        defer { clear.wipe() }
        guard (try? BER.parse(clear))?.identifier == .sequence else { throw .wrongPassphrase }
        switch label {
        case "RSA PRIVATE KEY": try self.init(pkcs1: clear)
        case "EC PRIVATE KEY": try self.init(sec1: clear)
        default: throw .unexpected(what)
        }
    }

    /// Decrypts an RSA key with Triple DES, RC2 or RC4: swift-crypto has these ciphers only for RSA keys.
    ///
    /// - Parameter refusal: the error for a key that is not RSA; that case and a wrong passphrase cannot be
    ///   distinguished.
    private static func olderRSAKey(
        pem: String, _ passphrase: Passphrase, isRight: Bool, _ refusal: TransferError
    ) throws(TransferError) -> PrivateKey {
        // swift-crypto ends the program at a byte above 127, and BoringSSL has 1,024 bytes for a passphrase.
        guard passphrase.bytes.allSatisfy({ $0 < 0x80 }), passphrase.bytes.count < 1024 else { throw refusal }
        let key: _RSA.Signing.PrivateKey
        do {
            key = try _RSA.Signing.PrivateKey(encryptedPEMRepresentation: pem) { set in set(passphrase.bytes) }
        } catch {
            guard !isRight else { throw refusal }
            throw TransferError(
                .wrongPassphrase,
                "the passphrase is wrong, or the file does not contain an RSA key; \(refusal.reason), except for RSA keys",
                hint: refusal.hint)
        }
        var representation = key.derRepresentation
        defer { representation.resetBytes(in: representation.startIndex..<representation.endIndex) }
        return try PrivateKey(family: .rsa, representation: Array(representation))
    }

    private static func pem(_ label: String, _ headers: String, _ bytes: [UInt8]) -> String {
        let text = Array(base64(bytes).utf8)
        let lines = stride(from: 0, to: text.count, by: 64).map { start in
            String(decoding: text[start..<min(start + 64, text.count)], as: UTF8.self) + "\n"
        }
        return "-----BEGIN \(label)-----\n\(headers)\(lines.joined())-----END \(label)-----\n"
    }
}

private func bytes(hexadecimal text: some StringProtocol) -> [UInt8]? {
    let digits = text.utf8.filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: digits.count, by: 2) {
        guard let byte = UInt8(String(decoding: digits[start..<start + 2], as: UTF8.self), radix: 16) else {
            return nil
        }
        bytes.append(byte)
    }
    return bytes
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
}
