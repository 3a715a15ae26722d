// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeychainKeys

/// A key of each kind, made once per run.
enum SampleKeys {
    static let rsa = make(.rsa, 2048)
    static let smallRSA = make(.rsa, 1024)
    static let p256 = make(.ellipticCurve, 256)
    static let p384 = make(.ellipticCurve, 384)
    static let p521 = make(.ellipticCurve, 521)
    static let ed25519 = make(.ed25519, 256)
    static let x25519 = make(.x25519, 256)

    static let all = [rsa, smallRSA, p256, p384, p521, ed25519, x25519]
    static let curves = [p256, p384, p521]

    static func make(_ type: KeyType, _ size: Int) -> PrivateKey {
        // These sizes are there, and without randomness no test could run.
        try! PrivateKey(generating: type, sizeInBits: size)
    }
}

extension KeyError.Kind {
    /// The kind of failure of some work; nil when it succeeds.
    init?(of work: () throws(KeyError) -> some Any) {
        do throws(KeyError) {
            _ = try work()
            return nil
        } catch let error {
            self = error.kind
        }
    }
}

/// Bytes from hexadecimal digits; spaces do not count.
func bytes(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
