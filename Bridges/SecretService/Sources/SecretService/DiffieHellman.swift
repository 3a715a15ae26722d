// SPDX-License-Identifier: Apache-2.0

internal import CBigNumbers

// libcrypto passes its numbers only through pointers. Only this file uses them, and no pointer leaves it: each number is
// freed by the value that made it, and bytes are lent for the duration of one call.

/// Diffie-Hellman in the 1024-bit MODP group of RFC 2409, section 6.2 ("group 2"), with the generator 2.
///
/// The group is what the Secret Service names; its strength does not matter here, because a program that can read the
/// messages of a session bus can also connect to it.
enum DiffieHellman {
    /// The length of the prime, of public keys and of shared secrets, in bytes.
    static let byteCount = 128

    /// Returns the public key of a private key.
    ///
    /// - Parameter privateKey: 128 random bytes.
    static func publicKey(for privateKey: [UInt8]) throws(SessionError) -> [UInt8] {
        try power(of: [2], privateKey)
    }

    /// Returns the secret that both sides share, padded with zeros on its left.
    ///
    /// - Parameters:
    ///   - privateKey: of this side.
    ///   - publicKey: of the other side, big-endian. Programs send it without its zeros on the left, or with one zero more
    ///     if its top bit is set.
    /// - Throws: `.invalidPublicKey` for a number that is not between 1 and the prime minus 1, both excluded.
    static func sharedSecret(_ privateKey: [UInt8], publicKey: [UInt8]) throws(SessionError) -> [UInt8] {
        let digits = Array(publicKey.drop { $0 == 0 })
        guard digits.count <= byteCount else { throw .invalidPublicKey }
        let number = [UInt8](repeating: 0, count: byteCount - digits.count) + digits
        // The prime is odd, so the number before it differs in its last byte alone.
        var last = BigNumber.prime.bytes
        last[byteCount - 1] -= 1
        guard digits != [], digits != [1], number.lexicographicallyPrecedes(last) else { throw .invalidPublicKey }
        return try power(of: digits, privateKey)
    }

    private static func power(of base: [UInt8], _ exponent: [UInt8]) throws(SessionError) -> [UInt8] {
        guard let power = BigNumber(base).power(BigNumber(exponent), modulo: .prime) else {
            throw .cryptographyFailed
        }
        return power.bytes
    }
}

/// A number of libcrypto.
@safe private struct BigNumber: ~Copyable {
    private let number: OpaquePointer

    private init(taking number: OpaquePointer?) {
        // The functions of libcrypto that make numbers fail for lack of memory alone.
        guard let number = unsafe number else { preconditionFailure("libcrypto has not enough memory") }
        unsafe self.number = unsafe number
    }

    init(_ bytes: [UInt8]) {
        // The call reads the given number of bytes.
        unsafe self.init(taking: BN_bin2bn(bytes, Int32(bytes.count), nil))
    }

    /// The prime of the group.
    static var prime: BigNumber { unsafe BigNumber(taking: BN_get_rfc2409_prime_1024(nil)) }

    deinit { unsafe BN_clear_free(number) }

    /// Returns the power in a time that does not depend on the exponent; nil if libcrypto fails.
    func power(_ exponent: borrowing BigNumber, modulo modulus: borrowing BigNumber) -> BigNumber? {
        let result = unsafe BigNumber(taking: BN_new())
        let context = unsafe BN_CTX_new()
        defer { unsafe BN_CTX_free(context) }
        guard
            unsafe BN_mod_exp_mont_consttime(
                result.number, number, exponent.number, modulus.number, context, nil) == 1
        else { return nil }
        return result
    }

    /// The big-endian bytes, padded with zeros on the left to the length of the group.
    var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: DiffieHellman.byteCount)
        // The call writes the given number of bytes. It fails only for a longer number; all are below the prime.
        let count = unsafe BN_bn2binpad(number, &bytes, Int32(bytes.count))
        precondition(count == Int32(bytes.count), "the number is longer than the group")
        return bytes
    }
}
