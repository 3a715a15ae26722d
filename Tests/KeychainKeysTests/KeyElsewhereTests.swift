// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainKeys
import Testing

/// A key of which only two things can be asked does all that one in memory does.
struct KeyElsewhereTests {
    private struct Gone: Error, Hashable {}

    private let key: PrivateKey
    private let elsewhere: KeyElsewhere<Gone>
    private let message = Data("a message".utf8)

    init() throws {
        let key = try PrivateKey(generating: .ellipticCurve, sizeInBits: 256)
        self.key = key
        elsewhere = KeyElsewhere(key.publicKey) { digest throws(Gone) in
            guard digest.count == 32,
                let signature = try? key.signature(for: digest, using: .ecdsa(.rfc4754, .digest, .sha256))
            else { throw Gone() }
            return Array(signature)
        } agree: { point throws(Gone) in
            guard let peer = try? PublicKey(type: .ellipticCurve, externalRepresentation: point),
                let secret = try? key.agree(
                    with: peer, using: .keyExchange(.standard, nil), KeyExchangeParameters())
            else { throw Gone() }
            return Array(secret)
        }
    }

    @Test func `it signs with every algorithm of its family, and its public half agrees`() throws {
        for algorithm in KeyAlgorithm.all where key.canSign(using: algorithm) {
            let isDigest = algorithm.identifier.contains("digest") || algorithm == .ecdsaRFC4754
            let lengths = isDigest ? Self.digestLengths(algorithm) : [0, 9, 1000]
            for length in lengths {
                let input = Data(repeating: 0xC3, count: length)
                let signature = try elsewhere.signature(for: input, using: algorithm)
                #expect(throws: Never.self, "\(algorithm.identifier), \(length) bytes") {
                    try key.publicKey.verify(signature, for: input, using: algorithm)
                }
            }
        }
    }

    private static func digestLengths(_ algorithm: KeyAlgorithm) -> [Int] {
        if case .ecdsa(_, _, let hash?) = algorithm { [hash.byteCount] } else { [1, 20, 31, 32, 33, 64] }
    }

    @Test func `it decrypts what was encrypted for its public half`() throws {
        for algorithm in KeyAlgorithm.all where key.publicKey.canEncrypt(using: algorithm) {
            let encrypted = try key.publicKey.encrypt(message, using: algorithm)
            #expect(try elsewhere.decrypt(encrypted, using: algorithm) == message, "\(algorithm.identifier)")
            var changed = encrypted
            changed[changed.count - 1] ^= 1
            #expect(throws: KeyElsewhere<Gone>.UseError.self) { try elsewhere.decrypt(changed, using: algorithm) }
        }
    }

    @Test(arguments: [1, 16, 32, 33, 64, 100, 1000])
    func `it agrees on what a key in memory agrees on`(size: Int) throws {
        let peer = try PrivateKey(generating: .ellipticCurve, sizeInBits: 256)
        let parameters = KeyExchangeParameters(requestedSize: size, sharedInfo: Data([1, 2, 3]))
        for algorithm in KeyAlgorithm.all where key.canAgree(using: algorithm) {
            #expect(
                try elsewhere.agree(with: peer.publicKey, using: algorithm, parameters)
                    == peer.agree(with: key.publicKey, using: algorithm, parameters), "\(algorithm.identifier)")
        }
    }

    @Test func `operations that such a key does not support are refused before any prompt`() throws {
        let silent = KeyElsewhere<Gone>(key.publicKey) { _ throws(Gone) in
            Issue.record("asked to sign")
            throw Gone()
        } agree: { _ throws(Gone) in
            Issue.record("asked to agree")
            throw Gone()
        }
        for algorithm in KeyAlgorithm.all {
            if !key.canSign(using: algorithm) {
                #expect(throws: (any Error).self) { try silent.signature(for: message, using: algorithm) }
            }
            if !key.canDecrypt(using: algorithm) {
                #expect(throws: (any Error).self) { try silent.decrypt(message, using: algorithm) }
            }
        }
        let other = try PrivateKey(generating: .ellipticCurve, sizeInBits: 384).publicKey
        let parameters = KeyExchangeParameters()
        #expect(throws: (any Error).self) {
            try silent.agree(with: other, using: .keyExchange(.standard, nil), parameters)
        }
        #expect(throws: (any Error).self) {
            try silent.agree(with: key.publicKey, using: .keyExchange(.standard, .sha256), parameters)
        }
        #expect(throws: (any Error).self) {
            try silent.signature(for: Data([1]), using: .ecdsa(.x962, .digest, .sha256))
        }
        #expect(throws: (any Error).self) {
            try silent.decrypt(Data([4]), using: .ecies(.standard, .sha256, initializationVector: .zero))
        }
    }

    @Test func `what keeps the key is heard when it does not do it`() {
        let gone = KeyElsewhere<Gone>(
            key.publicKey, sign: { _ throws(Gone) in throw Gone() }, agree: { _ throws(Gone) in throw Gone() })
        do throws(KeyElsewhere<Gone>.UseError) {
            _ = try gone.signature(for: message, using: .ecdsa(.x962, .message, .sha256))
            Issue.record("signed all the same")
        } catch {
            guard case .keeper = error else {
                Issue.record("\(error)")
                return
            }
        }
    }
}
