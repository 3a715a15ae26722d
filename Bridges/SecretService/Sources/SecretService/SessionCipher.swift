// SPDX-License-Identifier: Apache-2.0

public import DBusMessages
internal import Crypto
internal import CryptoExtras

/// The reason why a session cannot be opened, or why a secret cannot be taken from its transport form.
public enum SessionError: Error, Hashable, Sendable {
    /// The algorithm is unknown. Clients then try another one.
    case unknownAlgorithm
    /// The input of the algorithm has another type than the algorithm needs.
    case invalidInput
    case invalidPublicKey
    /// The parameters are not what the algorithm of the session needs: 16 bytes, or none for `plain`.
    case invalidParameters
    /// The ciphertext has a wrong length or a wrong padding.
    case invalidCiphertext
    case cryptographyFailed
}

/// How a session protects secrets on the bus.
public enum SessionCipher: Sendable {
    /// No protection.
    case plain
    /// AES-128-CBC with PKCS #7 padding; the parameters of a secret are the initialization vector.
    case aes(key: [UInt8])

    /// A secret as it is sent: the parameters, and the value.
    public struct Transport: Hashable, Sendable {
        public let parameters: [UInt8]
        public let value: [UInt8]

        public init(parameters: [UInt8], value: [UInt8]) {
            self.parameters = parameters
            self.value = value
        }
    }

    static let plainName = "plain"
    static let encryptedName = "dh-ietf1024-sha256-aes128-cbc-pkcs7"

    /// Agrees on the protection of a session.
    ///
    /// - Parameters:
    ///   - algorithm: its name in the specification.
    ///   - input: the client's public key; an empty text for `plain`.
    ///   - randomBytes: returns the given number of random bytes.
    /// - Returns: the cipher, and the output for the client: our public key; an empty text for `plain`.
    public static func negotiate(
        _ algorithm: String, _ input: Value, randomBytes: (Int) -> [UInt8]
    ) throws(SessionError) -> (cipher: SessionCipher, output: Value) {
        switch algorithm {
        case plainName:
            // libsecret sends an empty text. Other programs send anything, and providers ignore it.
            return (.plain, .string(""))
        case encryptedName:
            guard case .bytes(let clientKey) = input.unwrapped else { throw .invalidInput }
            let privateKey = randomBytes(DiffieHellman.byteCount)
            let shared = try DiffieHellman.sharedSecret(privateKey, publicKey: clientKey)
            return (.aes(key: key(from: shared)), .bytes(try DiffieHellman.publicKey(for: privateKey)))
        default: throw .unknownAlgorithm
        }
    }

    /// Derives the key of a session: HKDF-SHA256 without salt and info.
    static func key(from shared: [UInt8]) -> [UInt8] {
        let key = HKDF<SHA256>.deriveKey(inputKeyMaterial: SymmetricKey(data: shared), outputByteCount: 16)
        // The bytes are copied during the call.
        return unsafe key.withUnsafeBytes { unsafe Array($0) }
    }

    /// Encrypts a secret for the client.
    public func encrypt(_ secret: [UInt8], randomBytes: (Int) -> [UInt8]) throws(SessionError) -> Transport {
        switch self {
        case .plain: return Transport(parameters: [], value: secret)
        case .aes(let key):
            let vector = randomBytes(16)
            do {
                let value = try AES._CBC.encrypt(
                    secret, using: SymmetricKey(data: key), iv: AES._CBC.IV(ivBytes: vector))
                return Transport(parameters: vector, value: Array(value))
            } catch {
                throw .cryptographyFailed
            }
        }
    }

    /// Decrypts a secret from the client.
    ///
    /// - Throws: `.invalidParameters` and `.invalidCiphertext`.
    public func decrypt(_ transport: Transport) throws(SessionError) -> [UInt8] {
        switch self {
        case .plain:
            guard transport.parameters.isEmpty else { throw .invalidParameters }
            return transport.value
        case .aes(let key):
            guard transport.parameters.count == 16 else { throw .invalidParameters }
            guard !transport.value.isEmpty, transport.value.count.isMultiple(of: 16) else { throw .invalidCiphertext }
            let padded: [UInt8]
            do {
                padded = Array(
                    try AES._CBC.decrypt(
                        transport.value, using: SymmetricKey(data: key),
                        iv: AES._CBC.IV(ivBytes: transport.parameters), noPadding: true))
            } catch {
                throw .invalidCiphertext
            }
            let count = Int(padded.last ?? 0)
            guard (1...16).contains(count), padded.suffix(count).allSatisfy({ Int($0) == count }) else {
                throw .invalidCiphertext
            }
            return Array(padded.dropLast(count))
        }
    }
}
