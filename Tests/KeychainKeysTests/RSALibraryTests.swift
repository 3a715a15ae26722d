// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeychainKeys
import Synchronization
import Testing

struct RSALibraryTests {
    /// A library that notes each call, and returns its data.
    private final class NotingLibrary: Sendable {
        struct Call: Hashable {
            let operation: RSALibrary.Operation
            let algorithm: KeyAlgorithm
            let key: Data
            let data: Data
        }

        private let noted = Mutex<[Call]>([])
        private let failure: KeyError?

        init(_ failure: KeyError? = nil) { self.failure = failure }

        var calls: [Call] { noted.withLock { $0 } }

        var library: RSALibrary {
            RSALibrary { operation, algorithm, key, data throws(KeyError) in
                self.noted.withLock {
                    $0.append(Call(operation: operation, algorithm: algorithm, key: key, data: data))
                }
                if let failure = self.failure { throw failure }
                return data
            }
        }
    }

    private static let signatures: [KeyAlgorithm] = [
        .rsaSignatureRaw, .rsaSignatureWithoutHashName, .rsaSignature(.pkcs1v15, .message, .sha224),
        .rsaSignature(.pss, .message, .sha224), .rsaSignature(.pkcs1v15, .digest, .sha224),
        .rsaSignature(.pss, .digest, .sha224),
    ]
    private static let encryptions: [KeyAlgorithm] =
        [.rsaEncryptionRaw] + [.sha224, .sha384, .sha512].map { .rsaEncryptionOAEP($0) }

    @Test(arguments: signatures) func `a signature that swift-crypto lacks is the library's`(algorithm: KeyAlgorithm)
        throws
    {
        let key = SampleKeys.rsa
        let data = Data(repeating: 7, count: 28)
        #expect(!key.canSign(using: algorithm) && !key.publicKey.canVerify(using: algorithm))
        let other = NotingLibrary()
        #expect(key.canSign(using: algorithm, other.library))
        #expect(key.publicKey.canVerify(using: algorithm, other.library))
        #expect(try key.signature(for: data, using: algorithm, other.library) == data)
        try key.publicKey.verify(Data([1]), for: data, using: algorithm, other.library)
        #expect(
            other.calls == [
                .init(operation: .sign, algorithm: algorithm, key: key.externalRepresentation, data: data),
                .init(
                    operation: .verify(signature: Data([1])), algorithm: algorithm,
                    key: key.publicKey.externalRepresentation, data: data),
            ])
    }

    @Test(arguments: encryptions) func `an encryption that swift-crypto lacks is the library's`(algorithm: KeyAlgorithm)
        throws
    {
        let key = SampleKeys.rsa
        #expect(!key.canDecrypt(using: algorithm) && !key.publicKey.canEncrypt(using: algorithm))
        let other = NotingLibrary()
        #expect(key.canDecrypt(using: algorithm, other.library))
        #expect(try key.publicKey.encrypt([1], using: algorithm, other.library) == Data([1]))
        #expect(try key.decrypt([2], using: algorithm, other.library) == Data([2]))
        #expect(
            other.calls == [
                .init(
                    operation: .encrypt, algorithm: algorithm, key: key.publicKey.externalRepresentation,
                    data: Data([1])),
                .init(operation: .decrypt, algorithm: algorithm, key: key.externalRepresentation, data: Data([2])),
            ])
    }

    @Test func `with AES-GCM only the session key goes to the library`() throws {
        let key = SampleKeys.rsa
        let message = Data(repeating: 9, count: 1000)
        // The block has the length of the modulus, as RSA's.
        let other = RSALibrary { operation, algorithm, _, data throws(KeyError) in
            #expect(algorithm == .rsaEncryptionOAEP(.sha512))
            if operation == .decrypt { return data.prefix(16) }
            #expect(data.count == 16)
            return data + Data(count: 240)
        }
        let algorithm = KeyAlgorithm.rsaEncryptionOAEPAESGCM(.sha512)
        let sealed = try key.publicKey.encrypt(message, using: algorithm, other)
        #expect(sealed.count == 256 + message.count + 16)
        #expect(try key.decrypt(sealed, using: algorithm, other) == message)
        #expect(
            KeyError.Kind { () throws(KeyError) in try key.decrypt(sealed.dropLast(), using: algorithm, other) }
                == .invalid)
    }

    @Test func `what swift-crypto does never goes to the library`() throws {
        let other = NotingLibrary()
        for key in SampleKeys.all {
            for algorithm in KeyAlgorithm.all {
                if key.canSign(using: algorithm) {
                    let digest = Data(repeating: 1, count: algorithm.ofDigest(of: Data())?.digest.count ?? 32)
                    _ = try? key.signature(for: digest, using: algorithm, other.library)
                }
                if key.publicKey.canEncrypt(using: algorithm) {
                    _ = try key.publicKey.encrypt([1], using: algorithm, other.library)
                }
            }
        }
        #expect(other.calls.isEmpty)
    }

    @Test func `other families and blocks that are too short for a hash stay unsupported`() {
        let other = NotingLibrary().library
        for key in SampleKeys.curves + [SampleKeys.ed25519, SampleKeys.x25519] {
            for algorithm in Self.signatures { #expect(!key.canSign(using: algorithm, other)) }
            for algorithm in Self.encryptions { #expect(!key.publicKey.canEncrypt(using: algorithm, other)) }
        }
        // OAEP with SHA-512 needs 130 bytes, 1024 bits are 128.
        #expect(!SampleKeys.smallRSA.publicKey.canEncrypt(using: .rsaEncryptionOAEP(.sha512), other))
        #expect(SampleKeys.smallRSA.publicKey.canEncrypt(using: .rsaEncryptionOAEP(.sha384), other))
        // 128 bytes less 98 have room for 16 bytes of a key, 2048 bits for one with SHA-512.
        #expect(SampleKeys.smallRSA.publicKey.canEncrypt(using: .rsaEncryptionOAEPAESGCM(.sha384), other))
        #expect(!SampleKeys.smallRSA.publicKey.canEncrypt(using: .rsaEncryptionOAEPAESGCM(.sha512), other))
    }

    @Test func `a digest of another length does not reach the library`() {
        let other = NotingLibrary()
        let algorithm = KeyAlgorithm.rsaSignature(.pkcs1v15, .digest, .sha224)
        #expect(
            KeyError.Kind { () throws(KeyError) in
                try SampleKeys.rsa.signature(for: Data(count: 32), using: algorithm, other.library)
            } == .invalid)
        #expect(other.calls.isEmpty)
    }

    @Test(arguments: [KeyError.Kind.verificationFailed, .failed])
    func `a failure of the library is the failure of the operation`(kind: KeyError.Kind) {
        let other = NotingLibrary(KeyError(kind, "no")).library
        #expect(
            KeyError.Kind { () throws(KeyError) in
                try SampleKeys.rsa.publicKey.verify([1], for: [2], using: .rsaSignatureRaw, other)
            } == kind)
    }
}
