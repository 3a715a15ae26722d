// SPDX-License-Identifier: Apache-2.0

public import DBusMessages

/// A client's side of the agreement on a session: what it passes to `OpenSession`, and what it makes of the answer.
public struct SessionOffer: Sendable {
    /// The name of the algorithm.
    public let algorithm: String
    /// The input of the algorithm: the client's public key, or an empty text.
    public let input: Value
    /// Nil for a session without encryption.
    private let privateKey: [UInt8]?

    /// A session without encryption, for providers that know nothing else.
    public static let plain = SessionOffer(
        algorithm: SessionCipher.plainName, input: .string(""), privateKey: nil)

    /// Offers an encrypted session.
    ///
    /// - Parameter randomBytes: returns the given number of random bytes.
    /// - Throws: `.cryptographyFailed`.
    public static func encrypted(randomBytes: (Int) -> [UInt8]) throws(SessionError) -> SessionOffer {
        let privateKey = randomBytes(DiffieHellman.byteCount)
        return SessionOffer(
            algorithm: SessionCipher.encryptedName,
            input: .bytes(try DiffieHellman.publicKey(for: privateKey)), privateKey: privateKey)
    }

    /// Returns the protection of the session.
    ///
    /// - Parameter output: the provider's public key; ignored for a session without encryption.
    /// - Throws: `.invalidInput` if the provider sent no key, `.invalidPublicKey`, `.cryptographyFailed`.
    public func cipher(for output: Value) throws(SessionError) -> SessionCipher {
        guard let privateKey else { return .plain }
        guard case .bytes(let key) = output.unwrapped else { throw .invalidInput }
        return .aes(key: SessionCipher.key(from: try DiffieHellman.sharedSecret(privateKey, publicKey: key)))
    }
}
