// SPDX-License-Identifier: Apache-2.0

internal import Crypto

/// What ties a private key, its public key and the certificates for it together: SHA-1 over the public key's bits.
///
/// These are the content of the bit string in a SubjectPublicKeyInfo (RFC 5280, 4.1): of RSA keys the RSAPublicKey of
/// PKCS #1 in DER, of keys on elliptic curves the point of ANSI X9.63. It is a name and protects nothing; the collisions
/// that can be made in SHA-1 let somebody only name two keys of their own alike.
public struct PublicKeyHash: Hashable, Sendable {
    /// 20 bytes, as in `kSecAttrApplicationLabel` and `kSecAttrPublicKeyHash`.
    public let bytes: [UInt8]

    /// - Parameter bits: of the public key, as above.
    public init(of bits: some Sequence<UInt8>) { bytes = Array(Insecure.SHA1.hash(data: Array(bits))) }
}
