// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeychainKeys

/// Decodes keys from untrusted sources. The first byte selects: a private or a public key of a family, a
/// SubjectPublicKeyInfo, a ciphertext of ECIES, or a signature.
func fuzzKeys(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let input = Array(bytes.dropFirst())
    let choice = Int(first % 11)
    let types = KeyType.allCases
    switch choice {
    case 0..<4:
        guard let key = try? PrivateKey(type: types[choice], externalRepresentation: input) else { return }
        if Array(key.externalRepresentation) != input { finding("a private key has two encodings") }
        use(key)
    case 4..<8:
        guard let key = try? PublicKey(type: types[choice - 4], externalRepresentation: input) else { return }
        if Array(key.externalRepresentation) != input { finding("a public key has two encodings") }
        use(key)
    case 8: if let key = try? PublicKey(subjectPublicKeyInfo: input) { use(key) }
    case 9:
        let opened = try? keys[0].decrypt(input, using: .ecies(.standard, .sha256, initializationVector: .derived))
        if opened != nil { finding("nobody encrypted this") }
    default:
        for key in keys {
            for encoding in KeyAlgorithm.ECDSAEncoding.allCases {
                if isValid(input, key.publicKey, .ecdsa(encoding, .message, .sha256)) {
                    finding("nobody signed this")
                }
            }
        }
    }
}

private let keys = [256, 384, 521].map { size in
    guard let key = try? PrivateKey(generating: .ellipticCurve, sizeInBits: size) else { finding("no randomness") }
    return key
}

private func isValid(_ signature: [UInt8], _ key: PublicKey, _ algorithm: KeyAlgorithm) -> Bool {
    (try? key.verify(signature, for: [1, 2, 3], using: algorithm)) != nil
}

/// Uses a decoded key for all operations that it reports as supported.
private func use(_ key: PrivateKey) {
    for algorithm in [KeyAlgorithm.ecdsa(.x962, .message, .sha256), .ed25519, .rsaSignature(.pss, .message, .sha256)]
    where key.canSign(using: algorithm) {
        guard let signature = try? key.signature(for: [1, 2, 3], using: algorithm),
            isValid(Array(signature), key.publicKey, algorithm)
        else { finding("a key was read that does not sign") }
    }
}

private func use(_ key: PublicKey) {
    for algorithm in KeyAlgorithm.all where key.canVerify(using: algorithm) {
        _ = try? key.verify(Array(repeating: 1, count: key.blockSize), for: [1, 2, 3], using: algorithm)
    }
    for algorithm in KeyAlgorithm.all where key.canEncrypt(using: algorithm) {
        guard (try? key.encrypt([1, 2, 3], using: algorithm)) != nil else {
            finding("a key was read that does not encrypt")
        }
    }
}
