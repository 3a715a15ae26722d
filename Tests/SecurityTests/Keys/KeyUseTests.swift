// SPDX-License-Identifier: Apache-2.0

import Security
import SecurityValues
import TestSupport
import Testing

struct KeyUseTests {
    @Test(arguments: [256, 384, 521])
    func `C123: a private key on a curve signs and does not verify, a public one verifies and does not sign`(
        size: Int
    ) throws {
        let key = try newKey(kSecAttrKeyTypeECSECPrimeRandom, size)
        let publicKey = try publicHalf(of: key)
        for algorithm: SecKeyAlgorithm in [
            .ecdsaSignatureMessageX962SHA256, .ecdsaSignatureDigestX962, .ecdsaSignatureRFC4754,
        ] {
            #expect(SecKeyIsAlgorithmSupported(key, .sign, algorithm))
            #expect(!SecKeyIsAlgorithmSupported(key, .verify, algorithm))
            #expect(SecKeyIsAlgorithmSupported(publicKey, .verify, algorithm))
            #expect(!SecKeyIsAlgorithmSupported(publicKey, .sign, algorithm))
            let data = Data(repeating: 9, count: 32) as CFData
            let signature = try #require(SecKeyCreateSignature(key, algorithm, data, nil))
            #expect(SecKeyVerifySignature(publicKey, algorithm, data, signature, nil))
            #expect(status { SecKeyCreateSignature(publicKey, algorithm, data, &$0) != nil } == errSecParam)
            #expect(status { SecKeyVerifySignature(key, algorithm, data, signature, &$0) } == errSecParam)
        }
    }

    @Test func `a private RSA key verifies too`() throws {
        let key = try newKey(kSecAttrKeyTypeRSA, 1024)
        let data = Data("message".utf8) as CFData
        let algorithm = SecKeyAlgorithm.rsaSignatureMessagePSSSHA256
        #expect(SecKeyIsAlgorithmSupported(key, .verify, algorithm))
        let signature = try #require(SecKeyCreateSignature(key, algorithm, data, nil))
        #expect(SecKeyVerifySignature(key, algorithm, data, signature, nil))
    }

    @Test func `a signature of something else is errSecVerifyFailed`() throws {
        for (type, size, algorithm) in [
            (kSecAttrKeyTypeRSA, 1024, SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA256),
            (kSecAttrKeyTypeEC, 256, .ecdsaSignatureMessageX962SHA512),
            (kSecAttrKeyTypeEd25519, 256, .edDSASignatureMessageCurve25519SHA512),
        ] {
            let key = try newKey(type, size)
            let publicKey = try publicHalf(of: key)
            let signature = try #require(SecKeyCreateSignature(key, algorithm, Data("one".utf8) as CFData, nil))
            let other = Data("other".utf8) as CFData
            #expect(status { SecKeyVerifySignature(publicKey, algorithm, other, signature, &$0) } == errSecVerifyFailed)
            #expect(status { SecKeyVerifySignature(publicKey, algorithm, other, CFData(), &$0) } == errSecVerifyFailed)
        }
    }

    @Test(arguments: [256, 384, 521])
    func `C124: both halves agree on a secret of the requested length`(size: Int) throws {
        let alice = try newKey(kSecAttrKeyTypeEC, size)
        let bob = try newKey(kSecAttrKeyTypeEC, size)
        func secret(_ mine: SecKey, _ other: SecKey, _ algorithm: SecKeyAlgorithm, _ parameters: CFDictionary) throws
            -> CFData
        {
            let peer = try publicHalf(of: other)
            return try #require(SecKeyCopyKeyExchangeResult(mine, algorithm, peer, parameters, nil))
        }
        for algorithm: SecKeyAlgorithm in [.ecdhKeyExchangeStandardX963SHA256, .ecdhKeyExchangeCofactorX963SHA512] {
            for requested in [1, 20, 32, 100] {
                let parameters: [CFString: Any] = [
                    SecKeyKeyExchangeParameter.requestedSize.rawValue: requested,
                    SecKeyKeyExchangeParameter.sharedInfo.rawValue: Data("info".utf8),
                ]
                let first = try secret(alice, bob, algorithm, parameters as CFDictionary)
                #expect(first.length == requested)
                #expect(try secret(bob, alice, algorithm, parameters as CFDictionary) == first)
                // The parameters themselves as keys.
                let typed: [SecKeyKeyExchangeParameter: Any] = [
                    .requestedSize: requested, .sharedInfo: Data("info".utf8),
                ]
                #expect(try secret(bob, alice, algorithm, typed as CFDictionary) == first)
            }
        }
        let plain = try secret(alice, bob, .ecdhKeyExchangeStandard, [:] as CFDictionary)
        #expect(plain.length == (size + 7) / 8)
        #expect(try secret(bob, alice, .ecdhKeyExchangeCofactor, [:] as CFDictionary) == plain)
    }

    @Test func `an exchange needs a public key of the same kind and parameters that can be`() throws {
        let key = try newKey(kSecAttrKeyTypeEC, 256)
        let peer = try publicHalf(of: newKey(kSecAttrKeyTypeEC, 256))
        let other = try publicHalf(of: newKey(kSecAttrKeyTypeEC, 384))
        func result(_ key: SecKey, _ peer: SecKey, _ parameters: [String: Any]) -> OSStatus {
            status {
                SecKeyCopyKeyExchangeResult(
                    key, .ecdhKeyExchangeStandardX963SHA256, peer, parameters as CFDictionary, &$0) != nil
            }
        }
        #expect(result(key, peer, ["requestedSize": 32]) == errSecSuccess)
        #expect(result(key, key, ["requestedSize": 32]) == errSecParam)
        #expect(result(peer, peer, ["requestedSize": 32]) == errSecParam)
        #expect(result(key, other, ["requestedSize": 32]) == errSecParam)
        #expect(result(key, peer, [:]) == errSecParam)
        #expect(result(key, peer, ["requestedSize": 0]) == errSecParam)
        #expect(result(key, peer, ["requestedSize": -1]) == errSecParam)
        #expect(result(key, peer, ["requestedSize": Int.max]) == errSecParam)
        #expect(result(key, peer, ["requestedSize": "32"]) == errSecParam)
        #expect(result(key, peer, ["requestedSize": 32, "sharedInfo": "text"]) == errSecParam)
    }

    @Test func `C125: ECIES of cut off and of garbage data is an error`() throws {
        let key = try newKey(kSecAttrKeyTypeECSECPrimeRandom, 256)
        let publicKey = try publicHalf(of: key)
        for algorithm: SecKeyAlgorithm in [
            .eciesEncryptionStandardX963SHA256AESGCM, .eciesEncryptionCofactorVariableIVX963SHA384AESGCM,
        ] {
            let sealed = try #require(
                SecKeyCreateEncryptedData(publicKey, algorithm, Data("message".utf8) as CFData, nil))
            #expect(SecKeyCreateDecryptedData(key, algorithm, sealed, nil) == Data("message".utf8) as CFData)
            let data = sealed as Data
            for count in 0..<data.count {
                let part = data.prefix(count) as CFData
                #expect(status { SecKeyCreateDecryptedData(key, algorithm, part, &$0) != nil } == errSecParam)
            }
            var generator = SeededGenerator(searchFrom: 125)
            for count in [1, 65, 66, 80, 81, 82, 1000] {
                let garbage = Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }) as CFData
                #expect(status { SecKeyCreateDecryptedData(key, algorithm, garbage, &$0) != nil } == errSecParam)
            }
        }
    }

    @Test func `encryption is for public keys, decryption for private ones`() throws {
        let key = try newKey(kSecAttrKeyTypeRSA, 1024)
        let publicKey = try publicHalf(of: key)
        let data = Data("message".utf8) as CFData
        for algorithm: SecKeyAlgorithm in [
            .rsaEncryptionPKCS1, .rsaEncryptionOAEPSHA1, .rsaEncryptionOAEPSHA256, .rsaEncryptionOAEPSHA256AESGCM,
        ] {
            #expect(SecKeyIsAlgorithmSupported(publicKey, .encrypt, algorithm))
            #expect(SecKeyIsAlgorithmSupported(key, .decrypt, algorithm))
            #expect(!SecKeyIsAlgorithmSupported(publicKey, .decrypt, algorithm))
            #expect(!SecKeyIsAlgorithmSupported(key, .encrypt, algorithm))
            let sealed = try #require(SecKeyCreateEncryptedData(publicKey, algorithm, data, nil))
            #expect(SecKeyCreateDecryptedData(key, algorithm, sealed, nil) == data)
            #expect(status { SecKeyCreateEncryptedData(key, algorithm, data, &$0) != nil } == errSecParam)
            #expect(status { SecKeyCreateDecryptedData(publicKey, algorithm, sealed, &$0) != nil } == errSecParam)
        }
    }

    @Test func `algorithms that are not there are not supported`() throws {
        let key = try newKey(kSecAttrKeyTypeEC, 256)
        for algorithm in [
            SecKeyAlgorithm("algid:sign:none" as CFString), .rsaSignatureRaw, .ecdsaSignatureMessageX962SHA224,
        ] {
            for operation: SecKeyOperationType in [.sign, .verify, .encrypt, .decrypt, .keyExchange] {
                #expect(!SecKeyIsAlgorithmSupported(key, operation, algorithm))
            }
            #expect(status { SecKeyCreateSignature(key, algorithm, CFData(), &$0) != nil } == errSecParam)
        }
    }

    @Test func `an algorithm is its text`() {
        #expect(
            SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256.rawValue as String == "algid:sign:ECDSA:message-X962:SHA256"
        )
        #expect(
            SecKeyAlgorithm(rawValue: "algid:sign:RSA:message-PSS:SHA256:SHA256:32" as CFString)
                == .rsaSignatureMessagePSSSHA256)
        #expect(SecKeyOperationType.keyExchange.rawValue == 4)
    }

    @Test func `the older functions sign and verify digests`() throws {
        let digest = [UInt8](repeating: 3, count: 32)
        for (type, size, padding, length) in [
            (kSecAttrKeyTypeRSA, 1024, SecPadding.PKCS1SHA256, 128...128), (kSecAttrKeyTypeEC, 256, .PKCS1, 66...72),
            (kSecAttrKeyTypeEC, 256, [], 66...72), (kSecAttrKeyTypeEC, 384, .sigRaw, 96...96),
        ] {
            let key = try newKey(type, size)
            let publicKey = try publicHalf(of: key)
            var signature = [UInt8](repeating: 0, count: 256)
            var count = signature.count
            #expect(SecKeyRawSign(key, padding, digest, digest.count, &signature, &count) == errSecSuccess)
            #expect(length.contains(count))
            #expect(SecKeyRawVerify(publicKey, padding, digest, digest.count, signature, count) == errSecSuccess)
            #expect(SecKeyRawVerify(publicKey, padding, digest, 31, signature, count) != errSecSuccess)
            signature[count / 2] ^= 1
            #expect(SecKeyRawVerify(publicKey, padding, digest, digest.count, signature, count) == errSecVerifyFailed)
            count = 8
            #expect(SecKeyRawSign(key, padding, digest, digest.count, &signature, &count) == errSecParam)
            #expect(count == 8)
            #expect(SecKeyRawSign(key, padding, nil, 32, &signature, &count) == errSecParam)
            #expect(SecKeyRawSign(key, padding, digest, -1, &signature, &count) == errSecParam)
        }
    }

    @Test func `the older functions encrypt and decrypt`() throws {
        let key = try newKey(kSecAttrKeyTypeRSA, 1024)
        let publicKey = try publicHalf(of: key)
        for padding: SecPadding in [.PKCS1, .OAEP] {
            var sealed = [UInt8](repeating: 0, count: SecKeyGetBlockSize(key))
            var count = sealed.count
            #expect(SecKeyEncrypt(publicKey, padding, "message", 7, &sealed, &count) == errSecSuccess)
            #expect(count == 128)
            var opened = [UInt8](repeating: 0, count: 128)
            var openedCount = opened.count
            #expect(SecKeyDecrypt(key, padding, sealed, count, &opened, &openedCount) == errSecSuccess)
            #expect(opened.prefix(openedCount).elementsEqual("message".utf8))
            openedCount = 6
            #expect(SecKeyDecrypt(key, padding, sealed, count, &opened, &openedCount) == errSecParam)
            #expect(SecKeyDecrypt(key, padding, sealed, 127, &opened, &openedCount) == errSecParam)
        }
        var place = [UInt8](repeating: 0, count: 128)
        var count = 128
        CryptoHelper.$current.withValue(CryptoHelper(ask: nil)) {
            #expect(SecKeyEncrypt(publicKey, [], "message", 7, &place, &count) == errSecParam)
        }
        #expect(SecKeyEncrypt(publicKey, .sigRaw, "message", 7, &place, &count) == errSecParam)
        #expect(SecKeyEncrypt(publicKey, .PKCS1, place, 118, &place, &count) == errSecParam)
    }

    /// The status in the error of a call that gives nil or false; a success gives no error.
    private func status(_ call: (inout Unmanaged<CFError>?) -> Bool) -> OSStatus {
        var error: Unmanaged<CFError>?
        let succeeded = call(&error)
        let object = error?.takeRetainedValue()
        #expect(succeeded == (object == nil))
        #expect(object.map { $0.domain == NSOSStatusErrorDomain } ?? true)
        return object.map { OSStatus($0.code) } ?? errSecSuccess
    }
}
