// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Keychain
import KeychainTesting
import Testing

/// Private keys in the typed API.
struct KeyTests {
    private let memory: InMemoryKeychain
    private var keychain: UserKeychain { memory.keychain }
    private let message = Array("a message".utf8)

    init() throws { memory = try InMemoryKeychain() }

    @Test(arguments: [(KeyKind.p256, true), (.p256, false), (.p384, false), (.p521, true), (.ed25519, false)])
    func `a key is made, found by its tag, signs and is deleted`(kind: KeyKind, isExtractable: Bool) async throws {
        let made = try await keychain.generatePrivateKey(kind, tag: "t", label: "L", isExtractable: isExtractable)
        let found = try #require(try await keychain.privateKey(tag: "t"))
        for key in [made, found] {
            #expect(key == made && key.kind == kind && key.label == "L" && key.tag == Array("t".utf8))
            #expect(key.isExtractable == isExtractable && key.accessGroup == "tests")
            #expect(key.accessibility == .whenUnlocked)
            #expect(key.publicKey == made.publicKey)
        }
        let algorithm: KeyAlgorithm = kind == .ed25519 ? .ed25519 : .ecdsa(.x962, .message, .sha256)
        let signature = try await keychain.signature(for: message, by: found, using: algorithm)
        #expect(isValid(signature, made.publicKey))
        #expect(try await keychain.privateKey(tag: "other") == nil)
        #expect(try await keychain.privateKeys() == [made])
        #expect(try await keychain.deletePrivateKey(made))
        #expect(try await !keychain.deletePrivateKey(made))
        #expect(try await keychain.privateKeys().isEmpty)
        await #expect(throws: KeychainError.self) {
            try await keychain.signature(for: message, by: found, using: algorithm)
        }
    }

    private func isValid(_ signature: [UInt8], _ key: KeychainPublicKey) -> Bool {
        if let key = P256.Signing.PublicKey(key),
            let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
        {
            return key.isValidSignature(signature, for: SHA256.hash(data: message))
        }
        if let key = P384.Signing.PublicKey(key),
            let signature = try? P384.Signing.ECDSASignature(derRepresentation: signature)
        {
            return key.isValidSignature(signature, for: SHA256.hash(data: message))
        }
        if let key = P521.Signing.PublicKey(key),
            let signature = try? P521.Signing.ECDSASignature(derRepresentation: signature)
        {
            return key.isValidSignature(signature, for: SHA256.hash(data: message))
        }
        return Curve25519.Signing.PublicKey(key)?.isValidSignature(signature, for: message) ?? false
    }

    @Test func `RSA keys sign and decrypt`() async throws {
        let key = try await keychain.generatePrivateKey(.rsa(bits: 1024), tag: "r")
        #expect(key.kind == .rsa(bits: 1024))
        let signature = try await keychain.signature(
            for: message, by: key, using: .rsaSignature(.pkcs1v15, .message, .sha256))
        #expect(signature.count == 128)
        await #expect(throws: KeychainError.self) {
            try await keychain.decrypt([1, 2, 3], with: key, using: .rsaEncryptionOAEP(.sha256))
        }
        do {
            _ = try await keychain.generatePrivateKey(.rsa(bits: 512), tag: "r")
            Issue.record("there are no such keys")
        } catch {
            #expect(error.code == .keySizeNotAllowed)
        }
    }

    @Test func `keys of swift-crypto go in and come out`() async throws {
        try await goesInAndOut(P256.Signing.PrivateKey(), "key 1") { Array($0.rawRepresentation) }
        try await goesInAndOut(P256.KeyAgreement.PrivateKey(), "key 2") { Array($0.rawRepresentation) }
        try await goesInAndOut(P384.Signing.PrivateKey(), "key 3") { Array($0.rawRepresentation) }
        try await goesInAndOut(P384.KeyAgreement.PrivateKey(), "key 4") { Array($0.rawRepresentation) }
        try await goesInAndOut(P521.Signing.PrivateKey(), "key 5") { Array($0.rawRepresentation) }
        try await goesInAndOut(P521.KeyAgreement.PrivateKey(), "key 6") { Array($0.rawRepresentation) }
        try await goesInAndOut(Curve25519.Signing.PrivateKey(), "key 7") { Array($0.rawRepresentation) }
        try await goesInAndOut(Curve25519.KeyAgreement.PrivateKey(), "key 8") { Array($0.rawRepresentation) }
        #expect(try await keychain.privateKeys().count == 8)
    }

    private func goesInAndOut<Key: StorablePrivateKey>(_ key: Key, _ tag: String, _ bytes: (Key) -> [UInt8])
        async throws
    {
        let stored = try await keychain.add(key, tag: tag, isExtractable: true)
        #expect(stored.kind == Key.keyKind)
        let extracted = try await keychain.extract(stored, as: Key.self)
        #expect(bytes(extracted) == bytes(key))
        let found = try await keychain.privateKey(tag: tag)
        #expect(found == stored && found?.publicKey == stored.publicKey)
        do {
            _ = try await keychain.add(key, tag: tag)
            Issue.record("it is stored already")
        } catch {
            #expect(error.code == .duplicateItem)
        }
    }

    @Test func `a key that is not extractable stays, and one of another kind is not read`() async throws {
        let key = P256.Signing.PrivateKey()
        let held = try await keychain.add(key, tag: "held")
        #expect(!held.isExtractable)
        #expect(held.publicKey.externalRepresentation == Array(key.publicKey.x963Representation))
        do {
            _ = try await keychain.extract(held, as: P256.Signing.PrivateKey.self)
            Issue.record("it was read out")
        } catch {
            #expect(error.code == .dataNotAvailable)
            #expect(error.description.contains("never leaves the keychain service"))
        }
        let open = try await keychain.add(key, tag: "open", isExtractable: true)
        do {
            _ = try await keychain.extract(open, as: P384.Signing.PrivateKey.self)
            Issue.record("it is of another kind")
        } catch {
            #expect(error.code == .invalidParameter)
        }
        // A curve's key serves both purposes.
        _ = try await keychain.extract(open, as: P256.KeyAgreement.PrivateKey.self)
    }

    @Test func `both sides agree on a secret`() async throws {
        let mine = try await keychain.generatePrivateKey(.x25519, tag: "mine")
        let theirs = Curve25519.KeyAgreement.PrivateKey()
        let peer = try #require(
            KeychainPublicKey(.x25519, externalRepresentation: theirs.publicKey.rawRepresentation))
        let secret = try await keychain.sharedSecret(
            of: mine, with: peer, using: .keyExchange(.standard, .sha256), size: 40, sharedInfo: [1])
        let own = try theirs.sharedSecretFromKeyAgreement(
            with: try #require(Curve25519.KeyAgreement.PublicKey(mine.publicKey)))
        let expected = own.x963DerivedSymmetricKey(using: SHA256.self, sharedInfo: [1 as UInt8], outputByteCount: 40)
        let expectedBytes = expected.withUnsafeBytes { Array($0) }
        #expect(secret.withSpan { span in span.indices.map { span[$0] } } == expectedBytes)
        do {
            _ = try await keychain.sharedSecret(of: mine, with: peer, using: .keyExchange(.standard, .sha256))
            Issue.record("no size")
        } catch {
            #expect(error.code == .invalidParameter)
        }
    }

    @Test func `bytes that are not a public key give nil`() {
        let point = P256.Signing.PrivateKey().publicKey.x963Representation
        #expect(KeychainPublicKey(.p256, externalRepresentation: point) != nil)
        #expect(KeychainPublicKey(.p384, externalRepresentation: point) == nil)
        #expect(KeychainPublicKey(.p256, externalRepresentation: point + [0]) == nil)
        #expect(KeychainPublicKey(.ed25519, externalRepresentation: point) == nil)
        let key = KeychainPublicKey(.p256, externalRepresentation: point)
        #expect(key.flatMap { P384.Signing.PublicKey($0) } == nil)
        #expect(key.flatMap { Curve25519.Signing.PublicKey($0) } == nil)
    }

    @Test func `another program finds and uses nothing`() async throws {
        let key = try await keychain.generatePrivateKey(.p256, tag: "t")
        let other = memory.keychain(accessGroups: ["other"])
        #expect(try await other.privateKeys().isEmpty)
        do {
            _ = try await other.signature(for: message, by: key, using: .ecdsa(.x962, .message, .sha256))
            Issue.record("another program signed")
        } catch {
            #expect(error.code == .itemNotFound)
        }
        #expect(try await !other.deletePrivateKey(key))
    }
}
