// SPDX-License-Identifier: Apache-2.0

import CCryptoki
import Foundation
import KeychainKeys
import Testing

@testable import PKCS11

/// The uses of keys, and new keys.
@Suite(.timeLimit(.minutes(5))) struct KeyTests {
    private let test: TestModule
    private var module: CryptokiModule { test.module }
    private var session: CK_SESSION_HANDLE { test.session }
    private let rsa: [CK_ATTRIBUTE_TYPE: [UInt8]] = [
        CKA_MODULUS_BITS: CK_ULONG(2048).bytes, CKA_PUBLIC_EXPONENT: [1, 0, 1],
    ]

    init() throws { test = try TestModule() }

    @Test func `curves sign digests and messages, and the module verifies`() throws {
        let key = try test.generate()
        for mechanism in [CKM_ECDSA, CKM_ECDSA_SHA1, CKM_ECDSA_SHA256, CKM_ECDSA_SHA384, CKM_ECDSA_SHA512] {
            let data = [UInt8](repeating: 7, count: 32)
            let signature = try test.signature(Mechanism(mechanism), key.privateKey, data)
            #expect(signature.count == 64)
            try test.verify(Mechanism(mechanism), key.publicKey, data, signature)
            expect(CKR_SIGNATURE_INVALID) {
                try test.verify(Mechanism(mechanism), key.publicKey, data.map { $0 + 1 }, signature)
            }
            expect(CKR_SIGNATURE_LEN_RANGE) {
                try test.verify(Mechanism(mechanism), key.publicKey, data, signature + [0])
            }
        }
        let edwards = try test.generate(
            CKM_EC_EDWARDS_KEY_PAIR_GEN, [CKA_EC_PARAMS: Array([0x13, 0x0C] + "edwards25519".utf8)])
        for parameter in [Mechanism.Parameter.none, .edwards(isPrehashed: false, context: [])] {
            let signature = try test.signature(Mechanism(CKM_EDDSA, parameter), edwards.privateKey, [1, 2, 3])
            try test.verify(Mechanism(CKM_EDDSA), edwards.publicKey, [1, 2, 3], signature)
        }
        expect(CKR_MECHANISM_PARAM_INVALID) {
            _ = try test.signature(
                Mechanism(CKM_EDDSA, .edwards(isPrehashed: true, context: [])), edwards.privateKey, [1])
        }
    }

    @Test func `RSA signs a DigestInfo, messages, and with PSS whose parameters belong together`() throws {
        let key = try test.generate(CKM_RSA_PKCS_KEY_PAIR_GEN, rsa)
        let digest = [UInt8](repeating: 9, count: 32)
        let prefix: [UInt8] = [
            0x30, 0x31, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04,
            0x20,
        ]
        let signature = try test.signature(Mechanism(CKM_RSA_PKCS), key.privateKey, prefix + digest)
        try test.verify(Mechanism(CKM_RSA_PKCS), key.publicKey, prefix + digest, signature)
        for wrong in [digest, prefix + digest + [0], Array((prefix + digest).dropLast()), []] {
            expect(CKR_DATA_INVALID) { _ = try test.signature(Mechanism(CKM_RSA_PKCS), key.privateKey, wrong) }
        }
        for mechanism in [CKM_SHA1_RSA_PKCS, CKM_SHA256_RSA_PKCS, CKM_SHA384_RSA_PKCS, CKM_SHA512_RSA_PKCS] {
            try test.verify(
                Mechanism(mechanism), key.publicKey, [1], try test.signature(Mechanism(mechanism), key.privateKey, [1]))
        }
        let fitting = Mechanism.Parameter.pss(hash: CKM_SHA256, mask: CKG_MGF1_SHA256, saltLength: 32)
        for (mechanism, data) in [(CKM_RSA_PKCS_PSS, digest), (CKM_SHA256_RSA_PKCS_PSS, [1, 2])] {
            let pss = Mechanism(mechanism, fitting)
            try test.verify(pss, key.publicKey, data, try test.signature(pss, key.privateKey, data))
        }
        let unfitting: [Mechanism] = [
            Mechanism(CKM_RSA_PKCS_PSS), Mechanism(CKM_SHA384_RSA_PKCS_PSS, fitting),
            Mechanism(CKM_RSA_PKCS_PSS, .pss(hash: CKM_SHA256, mask: CKG_MGF1_SHA1, saltLength: 32)),
            Mechanism(CKM_RSA_PKCS_PSS, .pss(hash: CKM_SHA256, mask: CKG_MGF1_SHA256, saltLength: 20)),
            Mechanism(CKM_RSA_PKCS_PSS, .pss(hash: 0x255, mask: CKG_MGF1_SHA256, saltLength: 28)),
            Mechanism(CKM_SHA256_RSA_PKCS, .unknown),
        ]
        for mechanism in unfitting {
            expect(CKR_MECHANISM_PARAM_INVALID) { _ = try test.signature(mechanism, key.privateKey, digest) }
        }
        expect(CKR_DATA_LEN_RANGE) {
            _ = try test.signature(Mechanism(CKM_RSA_PKCS_PSS, fitting), key.privateKey, [1])
        }
    }

    @Test func `a signature in parts is that of the whole, and is not mixed with one in one part`() throws {
        let key = try test.generate()
        let mechanism = Mechanism(CKM_ECDSA_SHA256)
        try module.beginSigning(session, mechanism, key.privateKey)
        for part in [[1, 2], [], [3]] as [[UInt8]] { try module.appendToSign(session, part) }
        expect(CKR_OPERATION_ACTIVE) { _ = try module.sign(session, [4], room: 64) }
        guard case .length(64) = try module.finishSigning(session, room: nil),
            case .tooSmall(64) = try module.finishSigning(session, room: 63),
            case .bytes(let signature) = try module.finishSigning(session, room: 64)
        else {
            Issue.record("the length is not 64")
            return
        }
        expect(CKR_OPERATION_NOT_INITIALIZED) { _ = try module.finishSigning(session, room: 64) }
        try module.beginVerifying(session, mechanism, key.publicKey)
        try module.appendToVerify(session, [1])
        try module.appendToVerify(session, [2, 3])
        try module.finishVerifying(session, signature: signature)
        // A null mechanism, and C_SessionCancel, end an operation.
        try module.beginSigning(session, mechanism, key.privateKey)
        expect(CKR_OPERATION_ACTIVE) { try module.beginSigning(session, mechanism, key.privateKey) }
        try module.beginSigning(session, nil, key.privateKey)
        try module.beginSigning(session, mechanism, key.privateKey)
        try module.cancel(session)
        expect(CKR_OPERATION_NOT_INITIALIZED) { try module.appendToSign(session, [1]) }
    }

    @Test func `keys are used with their own mechanisms, halves and permissions`() throws {
        let key = try test.generate(CKM_EC_KEY_PAIR_GEN, nil, [CKA_SIGN: TestModule.no])
        expect(CKR_KEY_FUNCTION_NOT_PERMITTED) { _ = try test.signature(Mechanism(CKM_ECDSA), key.privateKey, [1]) }
        let other = try test.generate()
        expect(CKR_KEY_TYPE_INCONSISTENT) { _ = try test.signature(Mechanism(CKM_ECDSA), other.publicKey, [1]) }
        expect(CKR_KEY_TYPE_INCONSISTENT) {
            _ = try test.signature(Mechanism(CKM_SHA256_RSA_PKCS), other.privateKey, [1])
        }
        expect(CKR_MECHANISM_INVALID) { _ = try test.signature(Mechanism(CKM_ECDH1_DERIVE), other.privateKey, [1]) }
        expect(CKR_KEY_HANDLE_INVALID) { _ = try test.signature(Mechanism(CKM_ECDSA), 9999, [1]) }
    }

    @Test func `RSA decrypts what the public half encrypts, and keeps a plaintext for which there was no room`() throws
    {
        let key = try test.generate(CKM_RSA_PKCS_KEY_PAIR_GEN, rsa)
        let oaep = Mechanism(
            CKM_RSA_PKCS_OAEP, .oaep(hash: CKM_SHA256, mask: CKG_MGF1_SHA256, source: CKZ_DATA_SPECIFIED, label: []))
        for mechanism in [Mechanism(CKM_RSA_PKCS), oaep] {
            try module.beginEncrypting(session, mechanism, key.publicKey)
            guard case .bytes(let sealed) = try module.encrypt(session, [5, 6, 7], room: 256) else {
                Issue.record("no ciphertext")
                return
            }
            try module.beginDecrypting(session, mechanism, key.privateKey)
            guard case .length(256) = try module.decrypt(session, sealed, room: nil),
                case .tooSmall(3) = try module.decrypt(session, sealed, room: 2),
                case .bytes([5, 6, 7]) = try module.decrypt(session, sealed, room: 3)
            else {
                Issue.record("another plaintext")
                return
            }
            expect(CKR_OPERATION_NOT_INITIALIZED) { _ = try module.decrypt(session, sealed, room: 256) }
            try module.beginDecrypting(session, mechanism, key.privateKey)
            expect(CKR_ENCRYPTED_DATA_LEN_RANGE) { _ = try module.decrypt(session, [1], room: 256) }
            try module.beginDecrypting(session, mechanism, key.privateKey)
            expect(CKR_ENCRYPTED_DATA_INVALID) {
                _ = try module.decrypt(session, [UInt8](repeating: 1, count: 256), room: 256)
            }
        }
        let labelled = Mechanism(
            CKM_RSA_PKCS_OAEP, .oaep(hash: CKM_SHA256, mask: CKG_MGF1_SHA256, source: CKZ_DATA_SPECIFIED, label: [1]))
        expect(CKR_MECHANISM_PARAM_INVALID) { try module.beginDecrypting(session, labelled, key.privateKey) }
    }

    @Test func `two curves agree on one secret, with and without a derivation`() throws {
        let key = try test.generate()
        let peer = try PrivateKey(generating: .ellipticCurve, sizeInBits: 256)
        let point = Array(peer.publicKey.externalRepresentation)
        let ours = try PublicKey(
            type: .ellipticCurve,
            externalRepresentation: try #require(try test.value(key.publicKey, CKA_EC_POINT)).dropFirst(2))
        let plain = Array(try peer.agree(with: ours, using: .keyExchange(.standard, nil), KeyExchangeParameters()))
        for (wrapped, size) in [(false, nil), (true, 32), (false, 16)] as [(Bool, CK_ULONG?)] {
            let mechanism = Mechanism(
                CKM_ECDH1_DERIVE,
                .agreement(derivation: CKD_NULL, sharedInfo: [], publicKey: (wrapped ? [0x04, 0x41] : []) + point))
            let secret = try module.derive(
                session, mechanism, key.privateKey,
                try TestModule.template(size.map { [CKA_VALUE_LEN: $0.bytes] } ?? [:]))
            #expect(try test.value(secret, CKA_VALUE) == plain.suffix(Int(size ?? 32)))
        }
        let derived = try module.derive(
            session,
            Mechanism(CKM_ECDH1_DERIVE, .agreement(derivation: CKD_SHA256_KDF, sharedInfo: [1, 2], publicKey: point)),
            key.privateKey, try TestModule.template([CKA_VALUE_LEN: CK_ULONG(48).bytes, CKA_SENSITIVE: TestModule.yes]))
        #expect(try test.value(derived, CKA_VALUE) == nil)
        #expect(try test.value(derived, CKA_VALUE_LEN) == CK_ULONG(48).bytes)
        let wrong: [(CK_ULONG, [UInt8], [UInt8])] = [
            (CKD_NULL, [], [4, 5, 6]), (CKD_NULL, [1], point), (0x99, [], point), (CKD_NULL, [], []),
            (CKD_NULL, [], point.dropLast() + [point[64] ^ 1]),
        ]
        for (derivation, info, key1) in wrong {
            expect(CKR_MECHANISM_PARAM_INVALID) {
                _ = try module.derive(
                    session,
                    Mechanism(CKM_ECDH1_DERIVE, .agreement(derivation: derivation, sharedInfo: info, publicKey: key1)),
                    key.privateKey, try TestModule.template([:]))
            }
        }
        // Secrets are objects of the session alone.
        #expect(try test.find([CKA_CLASS: CKO_SECRET_KEY.bytes]).count == 4)
        try module.closeSession(session)
        let next = try module.openSession(0, CKF_SERIAL_SESSION)
        expect(CKR_OBJECT_HANDLE_INVALID) { _ = try module.attributes(next, derived) }
    }

    @Test func `templates of new keys are refused for what the keychain does not do`() throws {
        let cases: [(CK_RV, CK_MECHANISM_TYPE, [CK_ATTRIBUTE_TYPE: [UInt8]], [CK_ATTRIBUTE_TYPE: [UInt8]])] = [
            (
                CKR_TEMPLATE_INCONSISTENT, CKM_EC_KEY_PAIR_GEN, [CKA_EC_PARAMS: TestModule.p256],
                [CKA_TOKEN: TestModule.no]
            ),
            (
                CKR_TEMPLATE_INCONSISTENT, CKM_EC_KEY_PAIR_GEN, [CKA_EC_PARAMS: TestModule.p256],
                [CKA_EXTRACTABLE: TestModule.yes]
            ),
            (
                CKR_TEMPLATE_INCONSISTENT, CKM_EC_KEY_PAIR_GEN, [CKA_EC_PARAMS: TestModule.p256],
                [CKA_CLASS: CKO_PUBLIC_KEY.bytes]
            ),
            (
                CKR_TEMPLATE_INCONSISTENT, CKM_EC_KEY_PAIR_GEN, [CKA_EC_PARAMS: TestModule.p256],
                [CKA_KEY_TYPE: CKK_RSA.bytes]
            ),
            (CKR_TEMPLATE_INCOMPLETE, CKM_EC_KEY_PAIR_GEN, [:], [:]),
            (CKR_CURVE_NOT_SUPPORTED, CKM_EC_KEY_PAIR_GEN, [CKA_EC_PARAMS: [6, 1, 1]], [:]),
            (CKR_CURVE_NOT_SUPPORTED, CKM_EC_EDWARDS_KEY_PAIR_GEN, [CKA_EC_PARAMS: TestModule.p256], [:]),
            (CKR_TEMPLATE_INCOMPLETE, CKM_RSA_PKCS_KEY_PAIR_GEN, [:], [:]),
            (CKR_KEY_SIZE_RANGE, CKM_RSA_PKCS_KEY_PAIR_GEN, [CKA_MODULUS_BITS: CK_ULONG(512).bytes], [:]),
            (CKR_KEY_SIZE_RANGE, CKM_RSA_PKCS_KEY_PAIR_GEN, [CKA_MODULUS_BITS: CK_ULONG(2049).bytes], [:]),
            (CKR_ATTRIBUTE_VALUE_INVALID, CKM_RSA_PKCS_KEY_PAIR_GEN, [CKA_MODULUS_BITS: [1]], [:]),
            (
                CKR_ATTRIBUTE_VALUE_INVALID, CKM_RSA_PKCS_KEY_PAIR_GEN,
                [CKA_MODULUS_BITS: CK_ULONG(2048).bytes, CKA_PUBLIC_EXPONENT: [3]], [:]
            ),
            (CKR_ATTRIBUTE_VALUE_INVALID, CKM_EC_KEY_PAIR_GEN, [CKA_EC_PARAMS: TestModule.p256], [CKA_LABEL: [0xFF]]),
            (CKR_ATTRIBUTE_VALUE_INVALID, CKM_EC_KEY_PAIR_GEN, [CKA_EC_PARAMS: TestModule.p256], [CKA_SIGN: [2]]),
            (CKR_MECHANISM_INVALID, CKM_ECDSA, [CKA_EC_PARAMS: TestModule.p256], [:]),
        ]
        for (code, mechanism, publicHalf, privateHalf) in cases {
            expect(code) { _ = try test.generate(mechanism, publicHalf, privateHalf) }
        }
        #expect(try test.find().isEmpty)
    }

    @Test func `a private key of a template is stored and used, and other bytes are refused`() throws {
        let key = try PrivateKey(generating: .ellipticCurve, sizeInBits: 256)
        let scalar = Array(key.externalRepresentation.suffix(32))
        func template(_ value: [UInt8]) -> [CK_ATTRIBUTE_TYPE: [UInt8]] {
            [
                CKA_CLASS: CKO_PRIVATE_KEY.bytes, CKA_TOKEN: TestModule.yes, CKA_KEY_TYPE: CKK_EC.bytes,
                CKA_EC_PARAMS: TestModule.p256, CKA_VALUE: value, CKA_ID: [1, 2],
            ]
        }
        let stored = try module.create(session, try TestModule.template(template(scalar)))
        let signature = try test.signature(Mechanism(CKM_ECDSA_SHA256), stored, [1])
        try key.publicKey.verify(signature, for: [1], using: .ecdsa(.rfc4754, .message, .sha256))
        #expect(try test.value(stored, CKA_ID) == [1, 2])
        #expect(try test.value(stored, CKA_VALUE) == nil)
        // A public key of a session, which verifies the signature.
        let point = Array(key.publicKey.externalRepresentation)
        let half = try module.create(
            session,
            try TestModule.template([
                CKA_CLASS: CKO_PUBLIC_KEY.bytes, CKA_KEY_TYPE: CKK_EC.bytes, CKA_EC_PARAMS: TestModule.p256,
                CKA_EC_POINT: [0x04, 0x41] + point,
            ]))
        try test.verify(Mechanism(CKM_ECDSA_SHA256), half, [1], signature)
        for wrong in [[], [UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 32), scalar + scalar] {
            expect(CKR_ATTRIBUTE_VALUE_INVALID) {
                _ = try module.create(session, try TestModule.template(template(wrong)))
            }
        }
        for missing in [CKA_VALUE, CKA_EC_PARAMS, CKA_KEY_TYPE] {
            var entries = template(scalar)
            entries[missing] = nil
            expect(CKR_TEMPLATE_INCOMPLETE) { _ = try module.create(session, try TestModule.template(entries)) }
        }
        expect(CKR_TEMPLATE_INCONSISTENT) {
            _ = try module.create(session, try TestModule.template([CKA_CLASS: CKO_SECRET_KEY.bytes]))
        }
    }
}
