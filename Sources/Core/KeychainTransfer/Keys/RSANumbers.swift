// SPDX-License-Identifier: Apache-2.0

internal import CryptoExtras
internal import FoundationEssentials
internal import KeychainKeys
internal import SwiftASN1

/// The numbers of an RSA key, each big-endian without leading zeros.
struct RSANumbers {
    var modulus: [UInt8]
    var publicExponent: [UInt8]
    var privateExponent: [UInt8]
    var firstPrime: [UInt8]
    var secondPrime: [UInt8]
    /// The inverse of the second prime modulo the first.
    var coefficient: [UInt8]
}

extension RSANumbers {
    mutating func wipe() {
        privateExponent.wipe()
        firstPrime.wipe()
        secondPrime.wipe()
        coefficient.wipe()
    }

    /// Reads the numbers; nil for a key of another family.
    init?(_ key: PrivateKey) {
        guard key.type == .rsa,
            var parts = try? readBER(key.externalRepresentation, "").fields(""), parts.nodes.count == 9
        else { return nil }
        let numbers = parts.nodes.map { (try? $0.magnitude("")) ?? [] }
        (modulus, publicExponent, privateExponent) = (numbers[1], numbers[2], numbers[3])
        (firstPrime, secondPrime, coefficient) = (numbers[4], numbers[5], numbers[8])
        parts = Fields(nodes: [])
    }

    /// Creates the key. swift-crypto computes the numbers that PKCS #1 needs in addition, and checks that the numbers
    /// are consistent.
    ///
    /// - Throws: `malformed`; `unsupported` for sizes outside 2048 to 8192 bits.
    func key() throws(TransferError) -> PrivateKey {
        guard (256...1024).contains(modulus.count) else {
            throw TransferError(.unsupported, "an RSA key in this format must have 2048 to 8192 bits")
        }
        guard publicExponent.count <= 5,
            [privateExponent, firstPrime, secondPrime].allSatisfy({ !$0.isEmpty && $0.count <= modulus.count }),
            let key = try? _RSA.Signing.PrivateKey(
                n: modulus, e: publicExponent, d: privateExponent, p: firstPrime, q: secondPrime)
        else { throw TransferError(.malformed, "the numbers of an RSA key are inconsistent") }
        var representation = key.derRepresentation
        defer { representation.resetBytes(in: representation.startIndex..<representation.endIndex) }
        return try PrivateKey(family: .rsa, representation: Array(representation))
    }
}
