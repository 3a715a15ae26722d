// SPDX-License-Identifier: Apache-2.0

internal import Crypto

/// A keybag key that is kept while the keychain is locked, wrapped under a secret that is kept elsewhere (SECURITY.md,
/// "Unlock by fingerprint"): AES key wrap (RFC 3394) under a separate random key. It exists only in memory and is never
/// stored, so it has no version.
public struct KeptKeybagKey: Sendable {
    private let wrapped: [UInt8]

    /// Wraps a key under a new secret.
    ///
    /// - Returns: also the secret, of ``secretBytes`` bytes. The caller wipes it.
    /// - Throws: `.damaged` if the key cannot be wrapped.
    public static func closing(in key: KeybagKey) throws(SealingError) -> (KeptKeybagKey, secret: [UInt8]) {
        let wrapping = SymmetricKey.generate()
        let wrapped = Array(try wrapping.wrap(key.key))
        return (KeptKeybagKey(wrapped: wrapped), Array(wrapping.copyBytes()))
    }

    /// The size of the secret.
    public static let secretBytes = SealingConstants.keySize

    /// Unwraps the key.
    ///
    /// - Throws: `.damaged` for another secret.
    public func open(with secret: [UInt8]) throws(SealingError) -> KeybagKey {
        guard secret.count == Self.secretBytes else { throw .damaged }
        return KeybagKey(key: try SymmetricKey(data: secret).unwrap(wrapped))
    }
}
