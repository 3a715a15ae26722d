// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials
internal import SecretMemory

/// A team key in a file, under a passphrase: PKCS#8 (RFC 8410) encrypted by PBES2 (RFC 8018), as PEM (RFC 7468).
///
/// OpenSSL, GnuTLS and the libraries of most languages read and write this container, so a team's key does not depend
/// on this program. Written with scrypt (RFC 7914) at a cost that OWASP recommends and OpenSSL accepts without options,
/// and AES-256-CBC. Files with PBKDF2-HMAC-SHA256, which OpenSSL writes, can also be read.
///
/// The encryption does not detect changes; a user who imports a key must compare its team identifier, which the file
/// names before the PEM text.
enum TeamKeyFile {
    static let byteLimit = 16_384

    enum Problem: Error {
        /// No such PEM text, or unexpected content in it.
        case unknown
        /// Encrypted by an unsupported method.
        case unsupported
        /// The costs are too high.
        case expensive
        case wrongPassphrase
    }

    private static let begin = "-----BEGIN ENCRYPTED PRIVATE KEY-----"
    private static let end = "-----END ENCRYPTED PRIVATE KEY-----"
    /// A private key of RFC 8410, up to its 32 bytes: version 0, id-Ed25519, an octet string in an octet string.
    private static let keyPrefix: [UInt8] = [
        0x30, 0x2E, 2, 1, 0, 0x30, 5, 6, 3, 0x2B, 0x65, 0x70, 4, 0x22, 4, 0x20,
    ]
    private static let pbes2: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 5, 0x0D]
    private static let pbkdf2: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 5, 0x0C]
    private static let hmacSHA256: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 2, 9]
    private static let scrypt: [UInt8] = [0x2B, 6, 1, 4, 1, 0xDA, 0x47, 4, 0x0B]
    private static let aes256CBC: [UInt8] = [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 0x2A]

    // 16 MiB, five times.
    private static let (cost, blockSize, parallelism) = (16_384, 8, 5)

    /// Returns the text of a file.
    ///
    /// - Parameters:
    ///   - seed: the 32 bytes of the key.
    ///   - comment: lines before the PEM text.
    static func text(_ seed: SecretBytes, passphrase: SecretBytes, comment: String) throws -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let vector = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        var word = Array(passphrase.bytes)
        defer { wipe(&word) }
        let key = try KDF.Scrypt.deriveKey(
            from: word, salt: salt, outputByteCount: 32, rounds: cost, blockSize: blockSize, parallelism: parallelism)
        var plain: [UInt8] = []
        plain.reserveCapacity(keyPrefix.count + 32)
        plain += keyPrefix
        plain += seed.bytes
        defer { wipe(&plain) }
        let sealed = try AES._CBC.encrypt(plain, using: key, iv: AES._CBC.IV(ivBytes: vector))
        let parameters = DER.sequence(
            DER.octets(salt) + DER.integer(cost) + DER.integer(blockSize) + DER.integer(parallelism))
        let derivation = DER.sequence(DER.identifier(scrypt) + parameters)
        let encryption = DER.sequence(DER.identifier(aes256CBC) + DER.octets(vector))
        let algorithm = DER.sequence(DER.identifier(pbes2) + DER.sequence(derivation + encryption))
        let document = Array(base64(DER.sequence(algorithm + DER.octets(Array(sealed)))).utf8)
        var lines = comment + begin + "\n"
        for start in stride(from: 0, to: document.count, by: 64) {
            lines += String(decoding: document[start...].prefix(64), as: UTF8.self) + "\n"
        }
        return Array((lines + end + "\n").utf8)
    }

    /// Returns the encrypted bytes of a file's text, before the user is asked for the passphrase.
    static func document(_ text: [UInt8]) throws(Problem) -> [UInt8] {
        let text = String(decoding: text, as: UTF8.self)
        guard let start = text.firstRange(of: begin), let stop = text[start.upperBound...].firstRange(of: end) else {
            throw .unknown
        }
        let body = text[start.upperBound..<stop.lowerBound].filter { !$0.isWhitespace }
        guard let data = Data(base64Encoded: body) else { throw .unknown }
        return Array(data)
    }

    /// Returns the 32 bytes of the key.
    static func seed(_ document: [UInt8], passphrase: SecretBytes) throws(Problem) -> SecretBytes {
        var outer = try DER(document).single(0x30)
        var algorithm = try outer.take(0x30)
        let sealed = try outer.take(4).bytes
        guard outer.isAtEnd else { throw .unknown }
        guard try algorithm.take(6).bytes == pbes2 else { throw .unsupported }
        var parameters = try algorithm.take(0x30)
        var derivation = try parameters.take(0x30)
        var encryption = try parameters.take(0x30)
        guard try encryption.take(6).bytes == aes256CBC else { throw .unsupported }
        let vector = try encryption.take(4).bytes
        guard vector.count == 16, sealed.count.isMultiple(of: 16), !sealed.isEmpty else { throw .unknown }
        var word = Array(passphrase.bytes)
        defer { wipe(&word) }
        let key = try self.key(&derivation, passphrase: word)
        guard let initial = try? AES._CBC.IV(ivBytes: vector),
            var plain = try? AES._CBC.decrypt(sealed, using: key, iv: initial)
        else { throw .wrongPassphrase }
        defer { plain.resetBytes(in: plain.startIndex..<plain.endIndex) }
        // RFC 5958 allows attributes and the public key after it, which no program writes for this kind of key by
        // default.
        guard plain.count == keyPrefix.count + 32, plain.starts(with: keyPrefix) else { throw .wrongPassphrase }
        return SecretBytes(copying: plain.dropFirst(keyPrefix.count))
    }

    private static func key(_ derivation: inout DER, passphrase: [UInt8]) throws(Problem) -> SymmetricKey {
        let kind = try derivation.take(6).bytes
        var parameters = try derivation.take(0x30)
        let salt = try parameters.take(4).bytes
        do {
            if kind == scrypt {
                let (cost, blockSize, parallelism) = (
                    try parameters.integer(), try parameters.integer(), try parameters.integer()
                )
                guard cost > 1, cost & (cost - 1) == 0, blockSize > 0, parallelism > 0 else { throw Problem.unknown }
                // Up to 256 MiB.
                guard cost <= 1 << 20, blockSize <= 64, cost * blockSize <= 1 << 21, parallelism <= 16 else {
                    throw Problem.expensive
                }
                return try KDF.Scrypt.deriveKey(
                    from: passphrase, salt: salt, outputByteCount: 32, rounds: cost, blockSize: blockSize,
                    parallelism: parallelism)
            }
            guard kind == pbkdf2 else { throw Problem.unsupported }
            let rounds = try parameters.integer()
            // The length of the key may follow.
            if parameters.next == 2 { _ = try parameters.integer() }
            var function = try parameters.take(0x30)
            guard try function.take(6).bytes == hmacSHA256 else { throw Problem.unsupported }
            guard rounds > 0 else { throw Problem.unknown }
            guard rounds <= 20_000_000 else { throw Problem.expensive }
            return try KDF.Insecure.PBKDF2.deriveKey(
                from: passphrase, salt: salt, using: .sha256, outputByteCount: 32, unsafeUncheckedRounds: rounds)
        } catch let problem as Problem {
            throw problem
        } catch {
            throw .unsupported
        }
    }
}

/// The part of DER (X.690) that this structure needs.
private struct DER {
    private(set) var bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }
    var next: UInt8? { isAtEnd ? nil : bytes[position] }

    /// Returns the content of an element without trailing bytes.
    func single(_ tag: UInt8) throws(TeamKeyFile.Problem) -> DER {
        var reader = self
        let content = try reader.take(tag)
        guard reader.isAtEnd else { throw .unknown }
        return content
    }

    mutating func take(_ tag: UInt8) throws(TeamKeyFile.Problem) -> DER {
        guard bytes.count - position >= 2, bytes[position] == tag else { throw .unknown }
        var length = Int(bytes[position + 1])
        var start = position + 2
        if length > 0x7F {
            let count = length & 0x7F
            guard (1...2).contains(count), bytes.count - start >= count else { throw .unknown }
            length = bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
            start += count
        }
        guard length <= bytes.count - start else { throw .unknown }
        position = start + length
        return DER(Array(bytes[start..<position]))
    }

    /// Reads an integer that is not negative and not too large.
    mutating func integer() throws(TeamKeyFile.Problem) -> Int {
        let content = try take(2).bytes
        guard (1...5).contains(content.count), content[0] < 0x80 else { throw .unknown }
        return content.reduce(0) { $0 << 8 | Int($1) }
    }

    // MARK: Writing

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        precondition(content.count < 256, "nothing here is as long as that")
        return [tag] + (content.count > 0x7F ? [0x81] : []) + [UInt8(content.count)] + content
    }

    static func sequence(_ content: [UInt8]) -> [UInt8] { element(0x30, content) }
    static func octets(_ content: [UInt8]) -> [UInt8] { element(4, content) }
    static func identifier(_ content: [UInt8]) -> [UInt8] { element(6, content) }

    static func integer(_ value: Int) -> [UInt8] {
        var content: [UInt8] = []
        var rest = value
        repeat {
            content.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        } while rest > 0
        return element(2, (content[0] > 0x7F ? [0] : []) + content)
    }
}
