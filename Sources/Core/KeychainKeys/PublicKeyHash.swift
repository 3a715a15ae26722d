// SPDX-License-Identifier: Apache-2.0

internal import Crypto

/// The identifier that links a private key, its public key and their certificates: SHA-1 over the public key's bits.
///
/// These are the content of the bit string in a SubjectPublicKeyInfo (RFC 5280, 4.1): for RSA keys the RSAPublicKey of
/// PKCS #1 in DER, for keys on elliptic curves the point of ANSI X9.63. It is an identifier and protects nothing. With
/// a collision of SHA-1, an attacker can only give two keys of their own the same identifier.
public struct PublicKeyHash: Hashable, Sendable {
    /// 20 bytes, as in `kSecAttrApplicationLabel` and `kSecAttrPublicKeyHash`.
    public let bytes: [UInt8]

    /// Computes the hash.
    ///
    /// - Parameter bits: the public key's bits, as above.
    public init(of bits: some Sequence<UInt8>) { bytes = Array(Insecure.SHA1.hash(data: Array(bits))) }
}
