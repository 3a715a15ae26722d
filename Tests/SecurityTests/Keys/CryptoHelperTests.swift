// SPDX-License-Identifier: Apache-2.0

import KeychainEndpoint
import KeychainHelperWire
import Security
import SecurityValues
import Synchronization
import TestSupport
import Testing

/// Keys in memory with the algorithms of `chatelaine-crypto`, which these tests replace. The program itself is tested in
/// Helpers/Crypto and Tests/Programs.
struct CryptoHelperTests {
    private static let signature = SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA224
    private static let encryption = SecKeyAlgorithm.rsaEncryptionOAEPSHA384
    private let data = Data("message".utf8) as CFData

    private func answering<R>(_ reply: CryptoReply, _ body: () throws -> R) rethrows -> R {
        try CryptoHelper.$current.withValue(CryptoHelper { _ throws(HelperError) in reply.frame }, operation: body)
    }

    @Test func `with the program RSA has all algorithms of Apple's, and without it those of swift-crypto`() throws {
        let key = try newKey(kSecAttrKeyTypeRSA, 2048)
        let publicKey = try publicHalf(of: key)
        let signatures: [SecKeyAlgorithm] = [
            Self.signature, .rsaSignatureDigestPSSSHA224, .rsaSignatureRaw, .rsaSignatureDigestPKCS1v15Raw,
        ]
        let encryptions: [SecKeyAlgorithm] = [
            Self.encryption, .rsaEncryptionOAEPSHA224, .rsaEncryptionOAEPSHA512AESGCM, .rsaEncryptionRaw,
        ]
        for isInstalled in [true, false] {
            let ask: CryptoHelper.Ask = { _ throws(HelperError) in CryptoReply.result([]).frame }
            CryptoHelper.$current.withValue(CryptoHelper(ask: isInstalled ? ask : nil)) {
                for algorithm in signatures {
                    #expect(SecKeyIsAlgorithmSupported(key, .sign, algorithm) == isInstalled)
                    #expect(SecKeyIsAlgorithmSupported(key, .verify, algorithm) == isInstalled)
                    #expect(SecKeyIsAlgorithmSupported(publicKey, .verify, algorithm) == isInstalled)
                    #expect(!SecKeyIsAlgorithmSupported(publicKey, .sign, algorithm))
                }
                for algorithm in encryptions {
                    #expect(SecKeyIsAlgorithmSupported(key, .decrypt, algorithm) == isInstalled)
                    #expect(SecKeyIsAlgorithmSupported(publicKey, .encrypt, algorithm) == isInstalled)
                    #expect(!SecKeyIsAlgorithmSupported(key, .encrypt, algorithm))
                }
            }
        }
    }

    @Test func `the program gets the key, the data and the algorithm, and its result is the function's`() throws {
        let key = try newKey(kSecAttrKeyTypeRSA, 2048)
        let publicKey = try publicHalf(of: key)
        let frames = Mutex<[[UInt8]]>([])
        let helper = CryptoHelper { frame throws(HelperError) in
            frames.withLock { $0.append(frame) }
            return CryptoReply.result([7, 8]).frame
        }
        CryptoHelper.$current.withValue(helper) {
            #expect(SecKeyCreateSignature(key, Self.signature, data, nil) == Data([7, 8]) as CFData)
            #expect(SecKeyVerifySignature(publicKey, Self.signature, data, Data([9]) as CFData, nil))
            #expect(SecKeyCreateEncryptedData(publicKey, Self.encryption, data, nil) == Data([7, 8]) as CFData)
            #expect(SecKeyCreateDecryptedData(key, .rsaEncryptionRaw, data, nil) == Data([7, 8]) as CFData)
        }
        let requests = try frames.withLock { try $0.map { try RSARequest($0) } }
        #expect(requests.map(\.operation) == [.sign, .verify, .encrypt, .decrypt])
        #expect(requests.map(\.padding) == [.pkcs1, .pkcs1, .oaep, .none])
        #expect(requests.map(\.hash) == [.sha224, .sha224, .sha384, .none])
        #expect(requests.map(\.isMessage) == [true, true, false, false])
        #expect(requests.map(\.signature) == [[], [9], [], []])
        #expect(requests.allSatisfy { $0.data == Array("message".utf8) })
        let bytes = try [key, publicKey].map { Array(try #require(SecKeyCopyExternalRepresentation($0, nil)) as Data) }
        #expect(requests.map(\.key) == [bytes[0], bytes[1], bytes[1], bytes[0]])
    }

    @Test func `failures of the program have Apple's statuses`() throws {
        let key = try newKey(kSecAttrKeyTypeRSA, 2048)
        let publicKey = try publicHalf(of: key)
        for (reply, sign, verify, decrypt) in [
            (CryptoReply.failure(.mismatch), errSecParam, errSecVerifyFailed, errSecParam),
            (.failure(.unsuitableData), errSecParam, errSecParam, errSecParam),
            (
                .refusal(HelperRefusal(reason: "no")), errSecInternalComponent, errSecInternalComponent,
                errSecInternalComponent
            ),
        ] {
            answering(reply) {
                #expect(status { SecKeyCreateSignature(key, Self.signature, data, &$0) != nil } == sign)
                #expect(status { SecKeyVerifySignature(publicKey, Self.signature, data, data, &$0) } == verify)
                #expect(status { SecKeyCreateDecryptedData(key, Self.encryption, data, &$0) != nil } == decrypt)
            }
        }
    }

    @Test func `a program that ends, or answers with other bytes, never makes a signature valid`() throws {
        let publicKey = try publicHalf(of: try newKey(kSecAttrKeyTypeRSA, 2048))
        let helpers = [
            CryptoHelper { _ throws(HelperError) in throw HelperError(.ended, of: "chatelaine-crypto") },
            CryptoHelper { _ throws(HelperError) in [] },
            CryptoHelper { _ throws(HelperError) in AnchorsRequest().frame },
        ]
        for helper in helpers {
            CryptoHelper.$current.withValue(helper) {
                #expect(
                    status { SecKeyVerifySignature(publicKey, Self.signature, data, data, &$0) }
                        == errSecInternalComponent)
            }
        }
    }

    @Test func `more data than the program takes is errSecParam`() throws {
        let key = try newKey(kSecAttrKeyTypeRSA, 2048)
        let long = Data(count: CryptoLimits.dataBytes + 1) as CFData
        answering(.result([1])) {
            #expect(status { SecKeyCreateSignature(key, Self.signature, long, &$0) != nil } == errSecParam)
        }
    }

    private func status(_ call: (inout Unmanaged<CFError>?) -> Bool) -> OSStatus {
        var error: Unmanaged<CFError>?
        let succeeded = call(&error)
        let object = error?.takeRetainedValue()
        #expect(succeeded == (object == nil))
        return object.map { OSStatus($0.code) } ?? errSecSuccess
    }
}
