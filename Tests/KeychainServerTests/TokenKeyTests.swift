// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Keychain
import KeychainClient
import KeychainKeys
import KeychainModel
import KeychainTesting
import KeychainWire
import Testing

/// Private keys that a token makes and keeps, through the whole pipeline.
struct TokenKeyTests {
    private let keychain: InMemoryKeychain
    private let client: KeychainClient

    init() throws {
        keychain = try InMemoryKeychain()
        client = keychain.client
    }

    private func generate(_ entries: [AttributeKey: AttributeValue] = [:]) throws -> ReturnedItem<[UInt8]> {
        var all: [AttributeKey: AttributeValue] = [
            .type: .number(73), .keySizeInBits: .number(256), .tokenID: .string("com.apple.setoken"),
        ]
        all.merge(entries) { $1 }
        return try client.generateKey(try ItemAttributes(.key, for: .add, all.map { .init($0.key, $0.value) }))
    }

    private func publicHalf(_ item: ReturnedItem<[UInt8]>) throws -> PublicKey {
        try PublicKey(type: .ellipticCurve, externalRepresentation: #require(item.secret))
    }

    private func all() throws -> [ReturnedItem<[UInt8]>] {
        try client.copyMatching(ItemQuery(.key), limit: .all, returning: [.attributes, .reference]) { Array($0) }
    }

    @Test func `a key that a token made says so, and is found with its public half`() throws {
        let made = try generate([.label: .string("L")])
        let attributes = try #require(made.attributes)
        let expected: [AttributeKey: AttributeValue] = [
            .tokenID: .string("com.apple.setoken"), .keyClass: .number(1), .isExtractable: .number(0),
            .wasNeverExtractable: .number(1), .keySizeInBits: .number(256), .label: .string("L"),
            .applicationLabel: .data(try publicHalf(made).hash.bytes), .canSign: .number(1), .canDerive: .number(1),
        ]
        for (key, value) in expected { #expect(attributes[key] == value, "\(key)") }
        let found = try all()
        #expect(found.map(\.secret) == [made.secret] && found.map(\.reference) == [made.reference])
    }

    @Test func `it signs, decrypts and agrees`() throws {
        let made = try generate()
        let publicKey = try publicHalf(made)
        let message = Array("a message".utf8)
        for algorithm in KeyAlgorithm.all where publicKey.canVerify(using: algorithm) {
            guard algorithm.identifier.contains("message") else { continue }
            let signature = try client.use(
                KeyWork(made.reference, algorithm: algorithm.identifier, .sign(message))
            ) { Array($0) }
            #expect(throws: Never.self) { try publicKey.verify(signature, for: message, using: algorithm) }
        }
        for algorithm in KeyAlgorithm.all where publicKey.canEncrypt(using: algorithm) {
            let encrypted = Array(try publicKey.encrypt(message, using: algorithm))
            #expect(
                try client.use(KeyWork(made.reference, algorithm: algorithm.identifier, .decrypt(encrypted))) {
                    Array($0)
                } == message)
        }
        let peer = try PrivateKey(generating: .ellipticCurve, sizeInBits: 256)
        let agreement = KeyAgreement(
            publicKey: Array(peer.publicKey.externalRepresentation), requestedSize: 40, sharedInfo: [1])
        for algorithm in KeyAlgorithm.all where publicKey.privateHalfCanAgree(using: algorithm) {
            let secret = try client.use(
                KeyWork<[UInt8]>(made.reference, algorithm: algorithm.identifier, .agree(agreement))
            ) { Array($0) }
            let parameters = KeyExchangeParameters(requestedSize: 40, sharedInfo: Data([1]))
            #expect(try secret == Array(peer.agree(with: publicKey, using: algorithm, parameters)))
        }
    }

    @Test func `other keys than P-256, and keys that may leave, are not made`() throws {
        let refusals: [([AttributeKey: AttributeValue], Refusal)] = [
            ([.type: .number(42), .keySizeInBits: .number(2048)], Refusal(.parameter, .tokenKey)),
            ([.keySizeInBits: .number(384)], Refusal(.parameter, .tokenKey)),
            ([.isExtractable: .number(1)], Refusal(.parameter, .tokenKey)),
            ([.keyClass: .number(0)], Refusal(.parameter, .tokenKey)),
            ([.synchronizable: .number(1)], Refusal(.parameter, .tokenKey)),
            ([.tokenID: .string("com.example.card")], Refusal(.unimplemented, .notSupportedYet)),
        ]
        for (entries, expected) in refusals {
            #expect(try refusal { _ = try generate(entries) } == expected, "\(entries)")
        }
        #expect(throws: (any Error).self) { try all() }
    }

    @Test func `a key with data of its own is not added to a token, nor put in the place of one`() throws {
        let key = try PrivateKey(generating: .ellipticCurve, sizeInBits: 256)
        let entries: [AttributeKey: AttributeValue] = [
            .type: .number(73), .keySizeInBits: .number(256), .keyClass: .number(1),
        ]
        let token: [AttributeKey: AttributeValue] = [.tokenID: .string("com.apple.setoken")]
        let attributes = try ItemAttributes(
            .key, for: .add, entries.merging(token) { $1 }.map { .init($0.key, $0.value) })
        #expect(
            try refusal {
                _ = try client.add(attributes, secret: Array(key.externalRepresentation), returning: []) { _ in }
            } == Refusal(.parameter, .tokenKey))

        let made = try generate()
        let data = Array(key.externalRepresentation)
        let nothing = try ItemAttributes(.key, for: .update, [])
        #expect(
            try refusal { try client.update(ItemQuery(made.reference), changes: nothing, secret: data) }
                == Refusal(.dataNotModifiable, .heldKey))
    }

    @Test func `its stored blob is never returned, and a search for data returns the other items' data`() throws {
        let made = try generate()
        let key = try PrivateKey(generating: .ellipticCurve, sizeInBits: 256)
        let attributes = try ItemAttributes(
            .key, for: .add, [.init(.type, .number(73)), .init(.keyClass, .number(1))])
        let bytes = Array(key.externalRepresentation)
        let other = try client.add(attributes, secret: bytes, returning: []) { Array($0) }
        let requests: [(ReturnedParts, [UInt8]?)] = [
            (.data, nil), ([.data, .attributes], nil), ([.data, .reference], made.secret),
        ]
        for (parts, expected) in requests {
            let found = try client.copyMatching(ItemQuery(.key), limit: .all, returning: parts) { Array($0) }
            #expect(found.count == 2)
            #expect(found.first { $0.reference == made.reference }?.secret == expected)
            #expect(found.first { $0.reference == other.reference }?.secret == bytes)
        }
    }

    // MARK: Keys that are not stored

    private func generateUnstored(
        _ entries: [AttributeKey: AttributeValue] = [:]
    ) throws -> (key: ReturnedItem<[UInt8]>, sealed: [UInt8]) {
        var all: [AttributeKey: AttributeValue] = [
            .type: .number(73), .keySizeInBits: .number(256), .tokenID: .string("com.apple.setoken"),
        ]
        all.merge(entries) { $1 }
        return try client.generateUnstoredKey(
            try ItemAttributes(.key, for: .add, all.map { .init($0.key, $0.value) }))
    }

    private func sign(_ sealed: [UInt8], by client: KeychainClient? = nil) throws -> [UInt8] {
        let algorithm = KeyAlgorithm.ecdsa(.x962, .message, .sha256).identifier
        let message = Array("a message".utf8)
        return try (client ?? self.client).use(KeyWork(.sealed(sealed), algorithm: algorithm, .sign(message))) {
            Array($0)
        }
    }

    @Test func `a key that is not stored is used from its sealed bytes, and found by no search`() throws {
        let (key, sealed) = try generateUnstored([.label: .string("L")])
        #expect(throws: (any Error).self) { try all() }
        let attributes = try #require(key.attributes)
        #expect(attributes[.isPermanent] == .number(0) && attributes[.label] == .string("L"))
        let signature = try sign(sealed)
        let publicKey = try publicHalf(key)
        #expect(throws: Never.self) {
            try publicKey.verify(
                signature, for: Array("a message".utf8), using: .ecdsa(.x962, .message, .sha256))
        }
        #expect(try refusal { try client.delete(ItemQuery(key.reference)) }.status == .itemNotFound)
        #expect(try sign(sealed).isEmpty == false)
        #expect(keychain.auditLog.contains { $0.contains("generate-key") })
        #expect(keychain.auditLog.contains { $0.contains("sign-with-key") })
    }

    @Test func `a key that is not stored is used by its program alone, and as it was sealed`() throws {
        let (_, sealed) = try generateUnstored()
        let notFound = Refusal(.itemNotFound, .none)
        #expect(try refusal { _ = try sign(sealed, by: keychain.client(accessGroups: ["other"])) } == notFound)
        #expect(try sign(sealed, by: keychain.client(accessGroups: ["other", "tests"])).isEmpty == false)
        let another = try InMemoryKeychain()
        #expect(try refusal { _ = try sign(sealed, by: another.client) } == notFound)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(try refusal { _ = try sign(changed) }.status != .success, "byte \(index)")
        }
        for count in [0, 1, 8, 40, sealed.count - 1] {
            #expect(try refusal { _ = try sign(Array(sealed.prefix(count))) } == notFound)
        }
        #expect(try refusal { _ = try sign(sealed + [0]) } == notFound)
    }

    @Test func `only a token makes keys that are not stored, with attributes of limited size`() throws {
        #expect(
            try refusal { _ = try generateUnstored([.tokenID: .string("")]) }
                == Refusal(.unimplemented, .notSupportedYet))
        let large = AttributeValue.string(String(repeating: "a", count: WireLimits.sealedKeyBytes))
        #expect(try refusal { _ = try generateUnstored([.label: large]) } == Refusal(.dataTooLarge, .none))
    }

    @Test func `the typed interface makes one`() async throws {
        let keychain = keychain.keychain
        let key = try await keychain.generatePrivateKey(.p256, tag: "T", heldBy: .secureElement)
        #expect(key.holder == .secureElement && !key.isExtractable)
        let error = await #expect(throws: KeychainError.self) {
            _ = try await keychain.extract(key, as: P256.Signing.PrivateKey.self)
        }
        #expect(error?.code == .dataNotAvailable)
        let message = Array("hello".utf8)
        let signature = try await keychain.signature(for: message, by: key, using: .ecdsa(.x962, .message, .sha256))
        let publicKey = try PublicKey(
            type: .ellipticCurve, externalRepresentation: key.publicKey.externalRepresentation)
        #expect(throws: Never.self) {
            try publicKey.verify(signature, for: message, using: .ecdsa(.x962, .message, .sha256))
        }
        #expect(try await keychain.privateKey(tag: "T")?.holder == .secureElement)
        let ordinary = try await keychain.generatePrivateKey(.p256, tag: "U")
        #expect(ordinary.holder == .service)
    }
}
