// SPDX-License-Identifier: Apache-2.0

import Crypto
import FoundationEssentials
import KeychainKeys
import Testing

struct EncryptionTests {
    private static let ecies = KeyAlgorithm.ecies(.standard, .sha256, initializationVector: .zero)

    @Test(arguments: KeyAlgorithm.ECIESVector.allCases)
    func `ECIES is the new point, the ciphertext and its tag`(vector: KeyAlgorithm.ECIESVector) throws {
        let key = SampleKeys.p256
        let message = Data("a message".utf8)
        let sealed = try key.publicKey.encrypt(
            message, using: .ecies(.cofactor, .sha256, initializationVector: vector))
        #expect(sealed.count == 65 + message.count + 16)

        // Opened without the module: X9.63's derivation over the new point, AES-128, a vector of 16 bytes.
        let point = sealed.prefix(65)
        let secret = try P256.KeyAgreement.PrivateKey(x963Representation: key.externalRepresentation)
            .sharedSecretFromKeyAgreement(with: P256.KeyAgreement.PublicKey(x963Representation: point))
        let z = secret.withUnsafeBytes { Data($0) }
        let derived = Data(Array(SHA256.hash(data: z + [0, 0, 0, 1] + point)))
        let box = try AES.GCM.SealedBox(
            nonce: AES.GCM.Nonce(data: vector == .zero ? Data(count: 16) : derived.suffix(16)),
            ciphertext: sealed.dropFirst(65).dropLast(16), tag: sealed.suffix(16))
        #expect(try AES.GCM.open(box, using: SymmetricKey(data: derived.prefix(16))) == message)
    }

    @Test(arguments: [SampleKeys.p384, SampleKeys.p521])
    func `larger curves have AES-256 in ECIES`(key: PrivateKey) throws {
        let sealed = try key.publicKey.encrypt(
            [1, 2, 3], using: .ecies(.standard, .sha512, initializationVector: .derived))
        let pointSize = 1 + 2 * key.publicKey.blockSize
        let point = sealed.prefix(pointSize)
        let peer = try PublicKey(type: .ellipticCurve, externalRepresentation: point)
        let derived = try key.agree(
            with: peer, using: .keyExchange(.standard, .sha512), .init(requestedSize: 48, sharedInfo: point))
        let box = try AES.GCM.SealedBox(
            nonce: AES.GCM.Nonce(data: derived.suffix(16)),
            ciphertext: sealed.dropFirst(pointSize).dropLast(16), tag: sealed.suffix(16))
        #expect(try AES.GCM.open(box, using: SymmetricKey(data: derived.prefix(32))) == Data([1, 2, 3]))
    }

    @Test(arguments: [SampleKeys.p256, SampleKeys.rsa])
    func `hybrid encryption has no limit and no minimum`(key: PrivateKey) throws {
        let algorithm = key.type == .rsa ? KeyAlgorithm.rsaEncryptionOAEPAESGCM(.sha256) : Self.ecies
        for count in [0, 1, 15, 16, 17, 100_000] {
            let data = Data(repeating: 0x5A, count: count)
            #expect(try key.decrypt(key.publicKey.encrypt(data, using: algorithm), using: algorithm) == data)
        }
    }

    @Test(arguments: SampleKeys.all) func `what was not encrypted for the key is an error`(key: PrivateKey) throws {
        for algorithm in KeyAlgorithm.all where key.canDecrypt(using: algorithm) {
            let sealed = try key.publicKey.encrypt(Data("message".utf8), using: algorithm)
            func kind(_ data: Data) -> KeyError.Kind? {
                KeyError.Kind { () throws(KeyError) in try key.decrypt(data, using: algorithm) }
            }
            // Each length with CHATELAINE_LONG; without it, each seventh and those at both ends.
            func lengths(of data: Data) -> [Int] {
                (0..<data.count).filter { isLong || $0 < 4 || $0 > data.count - 4 || $0.isMultiple(of: 7) }
            }
            for count in lengths(of: sealed) {
                #expect(kind(sealed.prefix(count)) == .invalid, "\(algorithm) \(count)")
            }
            for count in [0, 1, 16, 64, 65, 66, 81, 97, 128, 133, 256, 272, 512] {
                for byte: UInt8 in [0, 2, 4, 0xFF] {
                    #expect(kind(Data(repeating: byte, count: count)) == .invalid, "\(algorithm) \(count) of \(byte)")
                }
            }
            // PKCS #1 v1.5 has no integrity: a changed block is now and then one of something else.
            guard algorithm != .rsaEncryptionPKCS1 else { continue }
            for place in stride(from: 0, to: sealed.count, by: isLong ? 5 : 23) {
                var changed = sealed
                changed[place] ^= 1
                #expect(kind(changed) == .invalid, "\(algorithm) \(place)")
            }
            #expect(kind(sealed + [0]) == .invalid)
        }
    }

    @Test func `another key does not decrypt`() throws {
        let other = SampleKeys.make(.ellipticCurve, 256)
        let sealed = try SampleKeys.p256.publicKey.encrypt([1], using: Self.ecies)
        #expect(KeyError.Kind { () throws(KeyError) in try other.decrypt(sealed, using: Self.ecies) } == .invalid)
        #expect(
            KeyError.Kind { () throws(KeyError) in
                try SampleKeys.p256.decrypt(
                    sealed, using: .ecies(.standard, .sha256, initializationVector: .derived))
            } == .invalid)
    }

    @Test func `a block of RSA has room for so much and no more`() throws {
        let key = SampleKeys.rsa
        for (algorithm, maximum) in [
            (KeyAlgorithm.rsaEncryptionPKCS1, 245), (.rsaEncryptionOAEP(.sha1), 214),
            (.rsaEncryptionOAEP(.sha256), 190),
        ] {
            for count in [0, 1, maximum] {
                let data = Data(repeating: 7, count: count)
                #expect(try key.decrypt(key.publicKey.encrypt(data, using: algorithm), using: algorithm) == data)
            }
            let tooLong = Data(count: maximum + 1)
            #expect(
                KeyError.Kind { () throws(KeyError) in try key.publicKey.encrypt(tooLong, using: algorithm) }
                    == .invalid)
        }
    }
}

/// Whether the tests may take long: `make test-all` sets CHATELAINE_LONG to 1.
private let isLong = ProcessInfo.processInfo.environment["CHATELAINE_LONG"] == "1"
