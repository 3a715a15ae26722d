// SPDX-License-Identifier: Apache-2.0

import Crypto
import FoundationEssentials
import KeychainKeys
import Testing

struct KeyAlgorithmTests {
    private typealias Algorithm = KeyAlgorithm

    private static let carried: [HashAlgorithm] = [.sha1, .sha256, .sha384, .sha512]
    private static let rsaSignatures: Set<Algorithm> = Set(
        Algorithm.SignatureInput.allCases.flatMap { input in
            Algorithm.RSASignatureScheme.allCases.flatMap { scheme in
                carried.map { Algorithm.rsaSignature(scheme, input, $0) }
            }
        })
    private static let rsaEncryption: Set<Algorithm> = [
        .rsaEncryptionPKCS1, .rsaEncryptionOAEP(.sha1), .rsaEncryptionOAEP(.sha256), .rsaEncryptionOAEPAESGCM(.sha1),
        .rsaEncryptionOAEPAESGCM(.sha256),
    ]
    private static let ecdsa: Set<Algorithm> = Set(
        Algorithm.ECDSAEncoding.allCases.flatMap { encoding in
            [.ecdsa(encoding, .digest, nil)] + HashAlgorithm.allCases.map { Algorithm.ecdsa(encoding, .digest, $0) }
                + carried.map { Algorithm.ecdsa(encoding, .message, $0) }
        } + [.ecdsaRFC4754])
    private static let ecies: Set<Algorithm> = Set(
        Algorithm.CofactorMode.allCases.flatMap { mode in
            carried.map { Algorithm.ecies(mode, $0, initializationVector: .zero) }
                + carried.dropFirst().map { Algorithm.ecies(mode, $0, initializationVector: .derived) }
        })
    private static let agreement: Set<Algorithm> = Set(
        Algorithm.CofactorMode.allCases.flatMap { mode in
            [.keyExchange(mode, nil)] + carried.map { Algorithm.keyExchange(mode, $0) }
        })

    @Test func `every algorithm has a name of its own`() {
        #expect(Algorithm.all.count == 88)
        #expect(Set(Algorithm.all.map(\.identifier)).count == 88)
        for algorithm in Algorithm.all { #expect(Algorithm(identifier: algorithm.identifier) == algorithm) }
        #expect(Algorithm(identifier: "algid:sign:RSA:digest-PKCS1v15:MD5") == nil)
        #expect(Algorithm(identifier: "") == nil)
    }

    @Test func `keys can be used with what swift-crypto carries`() {
        func expect(
            _ key: PrivateKey, sign: Set<Algorithm> = [], encrypt: Set<Algorithm> = [], agree: Set<Algorithm> = []
        ) {
            func all(_ isSupported: (Algorithm) -> Bool) -> Set<Algorithm> { Set(Algorithm.all.filter(isSupported)) }
            #expect(all { key.canSign(using: $0) } == sign)
            #expect(all { key.publicKey.canVerify(using: $0) } == sign)
            #expect(all { key.publicKey.canEncrypt(using: $0) } == encrypt)
            #expect(all { key.canDecrypt(using: $0) } == encrypt)
            #expect(all { key.canAgree(using: $0) } == agree)
        }
        expect(SampleKeys.rsa, sign: Self.rsaSignatures, encrypt: Self.rsaEncryption)
        // 1024 bits have no room for PSS with SHA-512.
        let tooLong: Set<Algorithm> = [.rsaSignature(.pss, .digest, .sha512), .rsaSignature(.pss, .message, .sha512)]
        expect(SampleKeys.smallRSA, sign: Self.rsaSignatures.subtracting(tooLong), encrypt: Self.rsaEncryption)
        for key in SampleKeys.curves { expect(key, sign: Self.ecdsa, encrypt: Self.ecies, agree: Self.agreement) }
        expect(SampleKeys.ed25519, sign: [.ed25519])
        expect(SampleKeys.x25519, agree: Self.agreement)
    }

    @Test(arguments: SampleKeys.all) func `supported algorithms work and nothing else`(key: PrivateKey) throws {
        for algorithm in Algorithm.all {
            let data = input(for: algorithm)
            // Signatures.
            if key.canSign(using: algorithm) {
                let signature = try key.signature(for: data, using: algorithm)
                try key.publicKey.verify(signature, for: data, using: algorithm)
            } else {
                #expect(unsupported { () throws(KeyError) in try key.signature(for: data, using: algorithm) })
                #expect(
                    unsupported { () throws(KeyError) in try key.publicKey.verify(data, for: data, using: algorithm) })
            }
            // Encryption.
            if key.publicKey.canEncrypt(using: algorithm) {
                let encrypted = try key.publicKey.encrypt(data, using: algorithm)
                #expect(try key.decrypt(encrypted, using: algorithm) == data)
                #expect(try key.publicKey.encrypt(data, using: algorithm) != encrypted, "randomized")
            } else {
                #expect(unsupported { () throws(KeyError) in try key.publicKey.encrypt(data, using: algorithm) })
                #expect(unsupported { () throws(KeyError) in try key.decrypt(data, using: algorithm) })
            }
            // Agreement.
            let parameters = KeyExchangeParameters(requestedSize: 40, sharedInfo: Data("info".utf8))
            if key.canAgree(using: algorithm) {
                let other = SampleKeys.make(key.type, key.publicKey.sizeInBits)
                let secret = try key.agree(with: other.publicKey, using: algorithm, parameters)
                #expect(try other.agree(with: key.publicKey, using: algorithm, parameters) == secret)
            } else {
                #expect(
                    unsupported { () throws(KeyError) in
                        try key.agree(with: key.publicKey, using: algorithm, parameters)
                    })
            }
        }
    }

    @Test(arguments: SampleKeys.all.filter { $0.type != .x25519 })
    func `a signature is good for its key, its data and its bits alone`(key: PrivateKey) throws {
        for algorithm in Algorithm.all where key.canSign(using: algorithm) {
            let data = input(for: algorithm)
            let signature = try key.signature(for: data, using: algorithm)
            func kind(_ key: PublicKey, _ signature: Data, _ data: Data) -> KeyError.Kind? {
                KeyError.Kind { () throws(KeyError) in try key.verify(signature, for: data, using: algorithm) }
            }
            var otherData = data
            otherData[0] ^= 1
            #expect(kind(key.publicKey, signature, otherData) == .verificationFailed)
            for place in [0, signature.count / 2, signature.count - 1] {
                var changed = signature
                changed[place] ^= 1
                #expect(kind(key.publicKey, changed, data) == .verificationFailed)
            }
            for other in [Data(), Data([0x30]), signature.dropLast(), signature + [0], Data(count: signature.count)] {
                #expect(kind(key.publicKey, other, data) == .verificationFailed)
            }
        }
    }

    @Test(arguments: SampleKeys.curves + [SampleKeys.rsa])
    func `a digest has the length of its hash`(key: PrivateKey) throws {
        for hash in HashAlgorithm.allCases {
            for count in [0, 1, hash.byteCount - 1, hash.byteCount + 1] {
                for algorithm: Algorithm in [
                    .rsaSignature(.pkcs1v15, .digest, hash), .rsaSignature(.pss, .digest, hash),
                    .ecdsa(.x962, .digest, hash), .ecdsa(.rfc4754, .digest, hash),
                ] where key.canSign(using: algorithm) {
                    let digest = Data(count: count)
                    #expect(
                        KeyError.Kind { () throws(KeyError) in try key.signature(for: digest, using: algorithm) }
                            == .invalid)
                    #expect(
                        KeyError.Kind { () throws(KeyError) in
                            try key.publicKey.verify(Data(count: 64), for: digest, using: algorithm)
                        } == .invalid)
                }
            }
        }
    }

    @Test(arguments: SampleKeys.curves) func `ECDSA takes digests of other lengths than the curve's`(key: PrivateKey)
        throws
    {
        for count in [1, 16, 20, 33, 64, 65, 67, 200] {
            let digest = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 + 1) })
            for algorithm: Algorithm in [.ecdsa(.x962, .digest, nil), .ecdsa(.rfc4754, .digest, nil), .ecdsaRFC4754] {
                let signature = try key.signature(for: digest, using: algorithm)
                try key.publicKey.verify(signature, for: digest, using: algorithm)
            }
        }
        #expect(
            KeyError.Kind { () throws(KeyError) in try key.signature(for: [], using: .ecdsaRFC4754) } == .invalid)
    }

    @Test func `the example of RFC 4754 verifies`() throws {
        let key = try PrivateKey(
            type: .ellipticCurve,
            externalRepresentation: bytes(
                """
                04 2442A5CC0ECD015FA3CA31DC8E2BBC70BF42D60CBCA20085E0822CB04235E970
                6FC98BD7E50211A4A27102FA3549DF79EBCB4BF246B80945CDDFE7D509BBFD7D
                DC51D3866A15BACDE33D96F992FCA99DA7E6EF0934E7097559C27F1614C88A7F
                """))
        let signature = bytes(
            """
            CB28E0999B9C7715FD0A80D8E47A77079716CBBF917DD72E97566EA1C066957C
            86FA3BB4E26CAD5BF90B7F81899256CE7594BB1EA0C89212748BFF3B3D5B0315
            """)
        try key.publicKey.verify(signature, for: "abc".utf8, using: .ecdsa(.rfc4754, .message, .sha256))
        try key.publicKey.verify(signature, for: Data(SHA256.hash(data: Data("abc".utf8))), using: .ecdsaRFC4754)
    }

    @Test func `the first example of RFC 8032 signs as it says`() throws {
        let key = try PrivateKey(
            type: .ed25519,
            externalRepresentation: bytes("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
        #expect(
            Array(key.publicKey.externalRepresentation)
                == bytes("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"))
        #expect(
            Array(try key.signature(for: [], using: .ed25519))
                == bytes(
                    """
                    e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b
                    d25bf5f0595bbe24655141438e7a100b
                    """))
    }

    @Test func `the first example of RFC 7748 agrees as it says`() throws {
        let key = try PrivateKey(
            type: .x25519,
            externalRepresentation: bytes("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4"))
        let peer = try PublicKey(
            type: .x25519,
            externalRepresentation: bytes("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"))
        for mode in KeyAlgorithm.CofactorMode.allCases {
            #expect(
                Array(try key.agree(with: peer, using: .keyExchange(mode, nil), .init()))
                    == bytes("c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"))
        }
    }

    private func input(for algorithm: Algorithm) -> Data {
        switch algorithm {
        case .rsaSignature(_, .digest, let hash), .ecdsa(_, .digest, let hash?):
            Data((0..<hash.byteCount).map { UInt8($0 + 1) })
        default: Data("data to be used".utf8)
        }
    }

    private func unsupported(_ work: () throws(KeyError) -> some Any) -> Bool {
        KeyError.Kind(of: work) == .unsupportedAlgorithm
    }
}

/// The facts about a private key that its public half shows.
struct PublicHalfTests {
    @Test(arguments: SampleKeys.all)
    func `the public half says what the private one can do`(_ key: PrivateKey) {
        for algorithm in KeyAlgorithm.all {
            #expect(key.canSign(using: algorithm) == key.publicKey.canVerify(using: algorithm), "\(algorithm)")
            #expect(key.canDecrypt(using: algorithm) == key.publicKey.canEncrypt(using: algorithm), "\(algorithm)")
            #expect(
                key.canAgree(using: algorithm) == key.publicKey.privateHalfCanAgree(using: algorithm), "\(algorithm)")
        }
    }

    @Test(arguments: SampleKeys.all)
    func `a message and its digest have the same signature`(_ key: PrivateKey) throws {
        let message = Data("a message".utf8)
        var count = 0
        for algorithm in KeyAlgorithm.all where key.canSign(using: algorithm) {
            guard let (ofDigest, digest) = algorithm.ofDigest(of: message) else { continue }
            count += 1
            let signature = try key.signature(for: digest, using: ofDigest)
            #expect(throws: Never.self) { try key.publicKey.verify(signature, for: message, using: algorithm) }
        }
        #expect(count > 0 || key.type == .ed25519 || key.type == .x25519)
    }

    @Test func `a missing or forbidden digest has no replacement`() {
        for algorithm in KeyAlgorithm.all {
            let isOfMessage = algorithm.identifier.contains("message-") && algorithm != .ed25519
            let hasHash = !algorithm.identifier.contains("SHA224")
            #expect((algorithm.ofDigest(of: Data([1])) != nil) == (isOfMessage && hasHash), "\(algorithm)")
        }
    }

    @Test func `families have the numbers of kSecAttrKeyType`() {
        #expect(KeyType.allCases.map(\.code) == [42, 73, 2_147_483_681, 2_147_483_682])
        #expect(KeyType.allCases.allSatisfy { KeyType(code: $0.code) == $0 })
        #expect(KeyType(code: 43) == nil)
    }
}
