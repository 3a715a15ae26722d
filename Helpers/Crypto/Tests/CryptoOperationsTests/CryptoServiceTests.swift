// SPDX-License-Identifier: Apache-2.0

import CryptoOperations
import KeychainHelperWire
import Testing

struct CryptoServiceTests {
    private func answer(
        _ operation: RSARequest.Operation, _ padding: RSARequest.Padding, _ hash: RSARequest.Hash = .none,
        isMessage: Bool = false, key: [UInt8]? = nil, _ data: [UInt8] = TestKey.message, signature: [UInt8] = []
    ) throws -> CryptoReply {
        let isPrivate = operation == .sign || operation == .decrypt
        let request = try #require(
            RSARequest(
                operation, padding, hash, isMessage: isMessage,
                key: key ?? (isPrivate ? TestKey.privateKey : TestKey.publicKey), data: data, signature: signature))
        return try CryptoService().answer(request.frame)
    }

    private func result(_ reply: CryptoReply) throws -> [UInt8] {
        guard case .result(let bytes) = reply else {
            Issue.record("no result: \(reply)")
            return []
        }
        return bytes
    }

    // MARK: Signatures

    @Test func `signatures with SHA-224 are those of OpenSSL's command`() throws {
        #expect(try answer(.sign, .pkcs1, .sha224, isMessage: true) == .result(TestKey.signature))
        for (padding, signature) in [
            (RSARequest.Padding.pkcs1, TestKey.signature), (.pss, TestKey.pssSignature),
        ] {
            #expect(try answer(.verify, padding, .sha224, isMessage: true, signature: signature) == .result([]))
            #expect(
                try answer(.verify, padding, .sha224, isMessage: true, [1], signature: signature)
                    == .failure(.mismatch))
            #expect(
                try answer(.verify, padding, .sha256, isMessage: true, signature: signature) == .failure(.mismatch))
        }
        let made = try result(answer(.sign, .pss, .sha224, isMessage: true))
        #expect(try answer(.verify, .pss, .sha224, isMessage: true, signature: made) == .result([]))
    }

    @Test func `a signature without the name of a hash is OpenSSL's, and leaves 11 bytes`() throws {
        #expect(try answer(.sign, .pkcs1) == .result(TestKey.paddedSignature))
        #expect(try answer(.verify, .pkcs1, signature: TestKey.paddedSignature) == .result([]))
        #expect(try result(answer(.sign, .pkcs1, .none, [UInt8](repeating: 1, count: 245))).count == 256)
        #expect(try answer(.sign, .pkcs1, .none, [UInt8](repeating: 1, count: 246)) == .failure(.unsuitableData))
    }

    @Test func `every changed, cut and lengthened signature is a mismatch`() throws {
        for (padding, hash, original) in [
            (RSARequest.Padding.pkcs1, RSARequest.Hash.sha224, TestKey.signature),
            (.pss, .sha224, TestKey.pssSignature),
            (.pkcs1, .none, TestKey.paddedSignature),
        ] {
            var changed = original
            changed[100] ^= 1
            for signature in [
                changed, original.dropLast(), original + [0], [0] + original, [], [UInt8](repeating: 0xFF, count: 256),
                [UInt8](repeating: 0, count: 256),
            ] {
                #expect(
                    try answer(.verify, padding, hash, isMessage: hash != .none, signature: Array(signature))
                        == .failure(.mismatch))
            }
        }
    }

    @Test func `a digest of another length is unsuitable data`() throws {
        for padding in [RSARequest.Padding.pkcs1, .pss] {
            #expect(try answer(.sign, padding, .sha224, [UInt8](repeating: 1, count: 32)) == .failure(.unsuitableData))
        }
    }

    // MARK: Encryption

    @Test(arguments: [
        (RSARequest.Hash.sha224, TestKey.oaepSHA224, 198), (.sha384, TestKey.oaepSHA384, 158),
        (.sha512, TestKey.oaepSHA512, 126),
    ])
    func `OAEP reads what OpenSSL's command wrote, and what it wrote itself`(
        hash: RSARequest.Hash, ciphertext: [UInt8], limit: Int
    ) throws {
        #expect(try answer(.decrypt, .oaep, hash, ciphertext) == .result(TestKey.message))
        for count in [0, 1, limit] {
            let data = [UInt8](repeating: 5, count: count)
            let sealed = try result(answer(.encrypt, .oaep, hash, data))
            #expect(sealed.count == 256)
            #expect(try answer(.decrypt, .oaep, hash, sealed) == .result(data))
        }
        #expect(
            try answer(.encrypt, .oaep, hash, [UInt8](repeating: 5, count: limit + 1)) == .failure(.unsuitableData))
        var changed = ciphertext
        changed[200] ^= 1
        for data in [changed, Array(ciphertext.dropLast()), ciphertext + [0], [], [UInt8](repeating: 0xFF, count: 256)]
        {
            #expect(try answer(.decrypt, .oaep, hash, data) == .failure(.mismatch))
        }
        #expect(try answer(.decrypt, .oaep, .sha1, ciphertext) == .failure(.mismatch))
    }

    // MARK: The bare operation

    @Test func `the bare operations are the inverse of each other, as long as the modulus`() throws {
        for data in [[], [0, 1], TestKey.message, [0] + [UInt8](repeating: 0xFF, count: 255)] {
            let padded = [UInt8](repeating: 0, count: 256 - data.count) + data
            let sealed = try result(answer(.encrypt, .none, .none, data))
            #expect(sealed.count == 256)
            #expect(try answer(.decrypt, .none, .none, sealed) == .result(padded))
            let signature = try result(answer(.sign, .none, .none, data))
            #expect(try answer(.encrypt, .none, .none, signature) == .result(padded))
            #expect(try answer(.verify, .none, .none, data, signature: signature) == .result([]))
            #expect(
                try answer(.verify, .none, .none, padded.dropLast() + [0x77], signature: signature)
                    == .failure(.mismatch))
        }
    }

    @Test func `a number that is not below the modulus, and a longer one, do not fit`() throws {
        for data in [[UInt8](repeating: 0xFF, count: 256), [UInt8](repeating: 0, count: 257)] {
            for operation in [RSARequest.Operation.sign, .encrypt, .decrypt] {
                #expect(try answer(operation, .none, .none, data) == .failure(.unsuitableData))
            }
        }
    }

    // MARK: Decryption with a passphrase

    @Test(arguments: TestKey.encrypted) func `older ciphers of OpenSSL's command are read`(file: TestKey.Encrypted)
        throws
    {
        func answer(_ passphrase: String, _ ciphertext: [UInt8], _ algorithm: [UInt8]) throws -> CryptoReply {
            let request = try #require(
                DecryptionRequest(
                    algorithm: algorithm, passphrase: Array(passphrase.utf8), ciphertext: ciphertext))
            return try CryptoService().answer(request.frame)
        }
        #expect(try answer(file.passphrase, file.ciphertext, file.algorithm) == .result(TestKey.clear))
        #expect(try answer("another", file.ciphertext, file.algorithm) != .result(TestKey.clear))
        // Blocks of eight bytes; RC4 has none.
        if !file.testDescription.contains("RC4") {
            #expect(
                try answer(file.passphrase, Array(file.ciphertext.dropLast()), file.algorithm) == .failure(.mismatch))
            #expect(try answer(file.passphrase, [], file.algorithm) == .failure(.mismatch))
        }
        for count in 0..<file.algorithm.count {
            guard case .refusal = try answer(file.passphrase, file.ciphertext, Array(file.algorithm.prefix(count)))
            else {
                Issue.record("an algorithm of \(count) bytes was not refused")
                continue
            }
        }
        guard case .refusal = try answer(file.passphrase, file.ciphertext, file.algorithm + [0]) else {
            Issue.record("a byte after the algorithm was not refused")
            return
        }
    }

    // MARK: Hostile requests

    @Test func `a key that is not exactly one of RSA is refused`() throws {
        let keys = [
            [], [0x30], TestKey.publicKey, TestKey.privateKey + [0], Array(TestKey.privateKey.dropLast()),
            TestKey.clear,
            [UInt8](repeating: 0x30, count: CryptoLimits.keyBytes),
        ]
        for key in keys {
            #expect(
                try answer(.sign, .none, key: key)
                    == .refusal(HelperRefusal(reason: "the key is not exactly one RSA key of PKCS #1 in DER")))
        }
    }

    @Test func `no changed byte of a key ends the process`() throws {
        for index in stride(from: 0, to: TestKey.privateKey.count, by: 7) {
            var key = TestKey.privateKey
            key[index] ^= 0x80
            // The result may be anything but the right one, or a refusal.
            let reply = try answer(.sign, .pkcs1, .sha224, isMessage: true, key: key)
            if case .result(let signature) = reply { #expect(signature.count <= CryptoLimits.signatureBytes) }
        }
    }

    @Test func `frames that are no request are refused`() throws {
        for frame in [[], [1, 2, 3], AnchorsRequest().frame, CryptoReply.failure(.mismatch).frame] {
            guard case .refusal = try CryptoService().answer(frame) else {
                Issue.record("\(frame) was not refused")
                continue
            }
        }
    }
}
