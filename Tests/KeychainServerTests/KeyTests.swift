// SPDX-License-Identifier: Apache-2.0

import Foundation

import Keychain
import KeychainBytes
import KeychainKeys
import KeychainModel
import KeychainTesting
import Synchronization
import Testing

@testable import KeychainClient
@testable import KeychainWire

/// Private keys that the service uses and never gives out, through the whole pipeline.
struct KeyTests {
    private let keychain: InMemoryKeychain
    private let answers = Answers()
    private let client: KeychainClient

    init() throws {
        keychain = try InMemoryKeychain()
        client = KeychainClient(Overhearing(keychain.client.transport, answers))
    }

    // MARK: Making keys

    @Test(arguments: [
        (KeyType.ellipticCurve, 256), (.ellipticCurve, 521), (.ed25519, 256), (.x25519, 256), (.rsa, 2048),
    ])
    func `a key that is made in the service has its attributes and works`(type: KeyType, size: Int) throws {
        let item = try generate(type, size, [.label: .string("L")])
        let publicKey = try publicHalf(item)
        #expect(publicKey.sizeInBits == size)
        let attributes = try #require(item.attributes)
        let expected: [AttributeKey: AttributeValue] = [
            .keyClass: .number(1), .type: .number(type.code), .keySizeInBits: .number(Int64(size)),
            .effectiveKeySize: .number(Int64(size)), .applicationLabel: .data(publicKey.hash.bytes),
            .isExtractable: .number(0), .wasNeverExtractable: .number(1), .isSensitive: .number(0),
            .wasAlwaysSensitive: .number(0), .label: .string("L"), .canSign: .number(1), .canVerify: .number(0),
            .canDerive: .number(type == .rsa ? 0 : 1), .accessGroup: .string("tests"), .isPermanent: .number(1),
        ]
        for (key, value) in expected { #expect(attributes[key] == value, "\(key)") }
        let found = try #require(
            try client.copyMatching(query(), limit: .one, returning: .reference) { Array($0) }.first)
        #expect(found.reference == item.reference)
        #expect(found.secret == Array(publicKey.externalRepresentation))
        #expect(found.attributes == item.attributes)
        try use(item.reference, publicKey)
    }

    /// Does all that a key can do, and holds it against the public half.
    private func use(_ key: PersistentReference, _ publicKey: PublicKey) throws {
        let message = Array("a message".utf8)
        for algorithm in KeyAlgorithm.all where publicKey.canVerify(using: algorithm) {
            let isDigest = algorithm.identifier.contains("digest") || algorithm == .ecdsaRFC4754
            let input = isDigest ? [UInt8](repeating: 7, count: algorithm.digestSize) : message
            let signature = try client.use(KeyWork(key, algorithm: algorithm.identifier, .sign(input))) { Array($0) }
            #expect(throws: Never.self) { try publicKey.verify(signature, for: input, using: algorithm) }
        }
        for algorithm in KeyAlgorithm.all where publicKey.canEncrypt(using: algorithm) {
            let encrypted = Array(try publicKey.encrypt(message, using: algorithm))
            #expect(
                try client.use(KeyWork(key, algorithm: algorithm.identifier, .decrypt(encrypted))) { Array($0) }
                    == message)
        }
        let peer = try PrivateKey(
            generating: publicKey.type == .rsa ? .ellipticCurve : publicKey.type,
            sizeInBits: publicKey.type == .rsa ? 256 : publicKey.sizeInBits)
        for algorithm in KeyAlgorithm.all where publicKey.privateHalfCanAgree(using: algorithm) {
            let agreement = KeyAgreement(
                publicKey: Array(peer.publicKey.externalRepresentation), requestedSize: 40, sharedInfo: [1, 2])
            let work = KeyWork<[UInt8]>(key, algorithm: algorithm.identifier, .agree(agreement))
            let secret = try client.use(work) { Array($0) }
            let parameters = KeyExchangeParameters(requestedSize: 40, sharedInfo: Data([1, 2]))
            #expect(try secret == Array(peer.agree(with: publicKey, using: algorithm, parameters)))
        }
    }

    @Test func `a key that is not there is not made`() throws {
        let refusals: [([AttributeKey: AttributeValue], Refusal)] = [
            ([.keySizeInBits: .number(257)], Refusal(.keySizeNotAllowed, .unusableKeyInput)),
            ([.keySizeInBits: .number(.min)], Refusal(.keySizeNotAllowed, .unusableKeyInput)),
            ([.keySizeInBits: .string("x")], Refusal(.parameter, .unusableKeyInput)),
            ([.type: .number(43)], Refusal(.parameter, .unusableKeyInput)),
            ([.type: .string("EC")], Refusal(.parameter, .unusableKeyInput)),
            ([.isExtractable: .number(7)], Refusal(.parameter, .none)),
            ([.accessGroup: .string("foreign")], Refusal(.missingEntitlement, .foreignAccessGroup)),
            ([.accessible: .string("akpu")], Refusal(.authenticationFailed, .noPasscode)),
        ]
        for (entries, expected) in refusals {
            #expect(try refusal { _ = try generate(.ellipticCurve, 256, entries) } == expected, "\(entries)")
        }
        #expect(try keys().isEmpty)
    }

    @Test func `an extractable key that is made in the service can be read out`() throws {
        let item = try generate(.ellipticCurve, 256, [.isExtractable: .number(1)])
        #expect(item.attributes?[.wasNeverExtractable] == .number(0))
        let read = try #require(
            try client.copyMatching(query(), limit: .one, returning: .data) { Array($0) }.first?.secret)
        let key = try PrivateKey(type: .ellipticCurve, externalRepresentation: read)
        #expect(key.publicKey == (try publicHalf(item)))
    }

    // MARK: Keeping them

    @Test(arguments: [
        [AttributeKey.isExtractable: AttributeValue.number(0)], [.isSensitive: .number(1)],
        [.isExtractable: .number(0), .isSensitive: .number(1)],
    ])
    func `whatever is asked, the private half of a held key is in no answer`(
        protection: [AttributeKey: AttributeValue]
    ) throws {
        let key = try PrivateKey(generating: .ellipticCurve, sizeInBits: 256)
        let reference = try add(key, protection)
        let parts = (0...15).map { ReturnedParts(rawValue: $0) }
        for parts in parts {
            for limit in [MatchLimit.one, .all] {
                _ = try? client.copyMatching(query(), limit: limit, returning: parts) { Array($0) }
                _ = try? client.copyMatching(ItemQuery(reference), limit: limit, returning: parts) { Array($0) }
                _ = try? keychain.administrationClient().copyMatching(query(), limit: limit, returning: parts) {
                    Array($0)
                }
            }
            var other = protection
            other[.applicationTag] = .string("\(parts.rawValue)")
            _ = try? client.add(try keyAttributes(other), secret: key.externalRepresentation, returning: parts) {
                Array($0)
            }
        }
        let changes: [[AttributeKey: AttributeValue]] = [
            [.isExtractable: .number(1)], [.isSensitive: .number(0)],
            [.isExtractable: .number(1), .isSensitive: .number(0)],
            [.keyClass: .number(0)], [.type: .number(42)], [.isExtractable: .string("1 ")],
        ]
        for changes in changes {
            try? client.update(query(), changes: try keyAttributes(changes, for: .update), secret: [UInt8]?.none)
            _ = try? client.copyMatching(query(), limit: .all, returning: .all) { Array($0) }
            _ = try? client.copyMatching(query(), limit: .all, returning: .reference) { Array($0) }
        }
        _ = try? client.explainSearch(query())
        let algorithms = KeyAlgorithm.all.map(\.identifier) + ["", "algid:export"]
        for algorithm in algorithms {
            _ = try? client.use(KeyWork(reference, algorithm: algorithm, .sign([UInt8](repeating: 1, count: 32)))) {
                Array($0)
            }
            _ = try? client.use(KeyWork(reference, algorithm: algorithm, .decrypt([1, 2, 3] as [UInt8]))) { Array($0) }
        }
        let secret = Array(key.externalRepresentation.suffix(32))
        #expect(answers.count > 100)
        #expect(!answers.contain(secret))
        // The positive control of the test: the answers contain the public half.
        #expect(answers.contain(Array(key.publicKey.externalRepresentation)))
        #expect(try keys().allSatisfy { $0.attributes?.isHeldKey == true })
    }

    @Test func `data of a held key is refused before anything of the others is handed out`() throws {
        try add(try PrivateKey(generating: .ellipticCurve, sizeInBits: 256), [.label: .string("open")])
        try add(try PrivateKey(generating: .ellipticCurve, sizeInBits: 384), [.isExtractable: .number(0)])
        answers.forget()
        for parts in [ReturnedParts.data, [.data, .attributes], [.data, .reference], .all] {
            #expect(
                try refusal { _ = try client.copyMatching(query(), limit: .all, returning: parts) { _ in } }
                    == Refusal(.dataNotAvailable, .heldKey))
        }
        #expect(answers.count == 4)
        #expect(try keys().count == 2)
        #expect(
            try client.copyMatching(query([.label: .string("open")]), limit: .one, returning: .data) { $0.count }.first?
                .secret
                == 97)
    }

    @Test func `a sensitive key says that it would leave encrypted`() throws {
        try add(try PrivateKey(generating: .ellipticCurve, sizeInBits: 256), [.isSensitive: .number(1)])
        #expect(
            try refusal { _ = try client.copyMatching(query(), limit: .one, returning: .data) { _ in } }
                == Refusal(.keyIsSensitive, .heldKey))
    }

    @Test func `foreign key material can be given to the service to hold`() throws {
        for (type, size) in [(KeyType.ellipticCurve, 384), (.ed25519, 256)] {
            let key = try PrivateKey(generating: type, sizeInBits: size)
            let reference = try add(key, [.isExtractable: .number(0), .type: .number(type.code)])
            try use(reference, key.publicKey)
            let stored = try #require(try keys().first { $0.reference == reference }?.attributes)
            #expect(stored[.applicationLabel] == .data(key.publicKey.hash.bytes))
            #expect(stored[.keySizeInBits] == .number(Int64(size)))
            #expect(stored[.wasNeverExtractable] == .number(0))
        }
    }

    @Test func `data that is not a private key of the named type is not held`() throws {
        let key = try PrivateKey(generating: .ellipticCurve, sizeInBits: 256)
        let good = Array(key.externalRepresentation)
        let held: [AttributeKey: AttributeValue] = [
            .keyClass: .number(1), .type: .number(73), .isExtractable: .number(0),
        ]
        func refused(_ secret: [UInt8]?, _ changes: [AttributeKey: AttributeValue?] = [:]) throws -> Refusal {
            var entries = held
            for (key, value) in changes { entries[key] = value }
            return try refusal {
                _ = try client.add(
                    try ItemAttributes(.key, for: .add, entries.map { .init($0.key, $0.value) }), secret: secret
                ) { _ in }
            }
        }
        let unusable = Refusal(.parameter, .unusableKey)
        #expect(try refused([1, 2, 3]) == unusable)
        #expect(try refused(nil) == unusable)
        #expect(try refused(good + [0]) == unusable)
        #expect(try refused(Array(key.publicKey.externalRepresentation)) == unusable)
        #expect(try refused(good, [.type: .number(42)]) == unusable)
        #expect(try refused(good, [.type: AttributeValue?.none]) == unusable)
        #expect(try refused(good, [.keyClass: .number(0)]) == Refusal(.unimplemented, .notSupportedYet))
        #expect(try refused(good, [.keyClass: .number(2)]) == Refusal(.unimplemented, .notSupportedYet))
        #expect(try keys().isEmpty)
    }

    @Test func `a held key keeps its data, and cannot be let go`() throws {
        let reference = try add(
            try PrivateKey(generating: .ellipticCurve, sizeInBits: 256), [.isExtractable: .number(0)])
        func update(_ changes: [AttributeKey: AttributeValue], _ secret: [UInt8]? = nil) throws -> Refusal {
            let changes = try keyAttributes(changes, for: .update)
            return try refusal { try client.update(query(), changes: changes, secret: secret) }
        }
        #expect(try update([.isExtractable: .number(1)]) == Refusal(.parameter, .heldKey))
        #expect(try update([.keyClass: .number(2)]) == Refusal(.parameter, .heldKey))
        #expect(try update([:], [1]) == Refusal(.dataNotModifiable, .heldKey))
        #expect(try update([.label: .string("other")]) == Refusal(.success, .none))
        #expect(try update([.canSign: .number(0)]) == Refusal(.success, .none))
        #expect(try sign(reference) == Refusal(.keyUsageIncorrect, .keyUseNotAllowed))
        #expect(try update([.canSign: .number(1)]) == Refusal(.success, .none))
        #expect(try sign(reference) == Refusal(.success, .none))
    }

    @Test func `a stored key that shall be held from now on is`() throws {
        let key = try PrivateKey(generating: .ellipticCurve, sizeInBits: 256)
        let reference = try add(key, [:])
        #expect(try client.copyMatching(query(), limit: .one, returning: .reference) { $0.count }.first?.secret == 97)
        try client.update(
            query(), changes: try keyAttributes([.isExtractable: .number(0)], for: .update), secret: [UInt8]?.none)
        #expect(try client.copyMatching(query(), limit: .one, returning: .reference) { $0.count }.first?.secret == 65)
        try use(reference, key.publicKey)
    }

    // MARK: Who may use them, and how

    @Test func `another program cannot use a key, nor learn that it is there`() throws {
        let reference = try generate(.ellipticCurve, 256).reference
        let other = keychain.client(accessGroups: ["other"])
        #expect(try sign(reference, by: other) == Refusal(.itemNotFound, .none))
        let nobody = keychain.client(accessGroups: [])
        #expect(try sign(reference, by: nobody) == Refusal(.missingEntitlement, .unidentifiedCaller))
        let friend = keychain.client(accessGroups: ["other", "tests"])
        #expect(try sign(reference, by: friend) == Refusal(.success, .none))
    }

    @Test func `the command does not use a program's key without a person`() throws {
        let reference = try generate(.ellipticCurve, 256).reference
        #expect(
            try sign(reference, by: keychain.administrationClient())
                == Refusal(.interactionNotAllowed, .otherProgramsItem))
    }

    @Test func `a key that is locked by its class is not used, and an unlocked key is`() async throws {
        try await keychain.setPasscode(SecretData(utf8: "1234"))
        let locked = try generate(.ellipticCurve, 256).reference
        let open = try generate(.ed25519, 256, [.accessible: .string("ck")]).reference
        try await keychain.keychain.administration.lock()
        #expect(try sign(locked) == Refusal(.interactionNotAllowed, .locked))
        #expect(try sign(open, .ed25519) == Refusal(.success, .none))
        #expect(try refusal { _ = try generate(.ellipticCurve, 256) } == Refusal(.interactionNotAllowed, .locked))
    }

    @Test func `a key is used for what it is for`() throws {
        let uses: [(AttributeKey, KeyWork<[UInt8]>.Input, KeyAlgorithm)] = [
            (.canSign, .sign([UInt8](repeating: 1, count: 32)), .ecdsa(.x962, .digest, .sha256)),
            (.canDecrypt, .decrypt([1]), .ecies(.standard, .sha256, initializationVector: .zero)),
            (
                .canDerive, .agree(KeyAgreement(publicKey: [], requestedSize: nil, sharedInfo: [])),
                .keyExchange(.standard, nil)
            ),
        ]
        for (permission, input, algorithm) in uses {
            let reference = try generate(.ellipticCurve, 256, [permission: .number(0)]).reference
            let work = KeyWork(reference, algorithm: algorithm.identifier, input)
            #expect(
                try refusal { try client.use(work) { _ in } } == Refusal(.keyUsageIncorrect, .keyUseNotAllowed))
        }
    }

    @Test func `what cannot be done is refused with the reason`() throws {
        let item = try generate(.ellipticCurve, 256)
        let key = item.reference
        let point = Array(try publicHalf(item).externalRepresentation)
        let other = try PrivateKey(generating: .ellipticCurve, sizeInBits: 384).publicKey
        func agreement(_ publicKey: [UInt8], _ size: UInt32? = nil) -> KeyWork<[UInt8]>.Input {
            .agree(KeyAgreement(publicKey: publicKey, requestedSize: size, sharedInfo: []))
        }
        let derived = KeyAlgorithm.keyExchange(.standard, .sha256).identifier
        let works: [(String, KeyWork<[UInt8]>.Input)] = [
            ("nonsense", .sign([1])), (KeyAlgorithm.ed25519.identifier, .sign([1])),
            (KeyAlgorithm.ecdsa(.x962, .digest, .sha256).identifier, .sign([1])),
            (KeyAlgorithm.ecdsa(.x962, .digest, .sha256).identifier, .decrypt([1])),
            (KeyAlgorithm.ecies(.standard, .sha256, initializationVector: .zero).identifier, .decrypt([1, 2])),
            (KeyAlgorithm.keyExchange(.standard, nil).identifier, agreement([4, 5])),
            (KeyAlgorithm.keyExchange(.standard, nil).identifier, agreement(Array(other.externalRepresentation))),
            (derived, agreement(point)), (derived, agreement(point, 0)), (derived, agreement(point, .max)),
        ]
        for (algorithm, input) in works {
            #expect(
                try refusal { try client.use(KeyWork(key, algorithm: algorithm, input)) { _ in } }
                    == Refusal(.parameter, .unusableKeyInput), "\(algorithm)")
        }
        let publicKey = try client.add(
            try keyAttributes([.keyClass: .number(0), .type: .number(73)]), secret: point
        ) { _ in }.reference
        #expect(try sign(publicKey) == Refusal(.parameter, .unusableKey))
        let garbage = try client.add(try keyAttributes([.label: .string("x")]), secret: [1, 2]) { _ in }.reference
        #expect(try sign(garbage) == Refusal(.parameter, .unusableKey))
        try client.delete(ItemQuery(key))
        #expect(try sign(key) == Refusal(.itemNotFound, .none))
    }

    @Test func `inputs beyond the limits do not even leave the client`() throws {
        let key = try generate(.ellipticCurve, 256).reference
        answers.forget()
        let work = KeyWork(key, algorithm: String(repeating: "a", count: 129), .sign([1] as [UInt8]))
        #expect(try refusal { try client.use(work) { _ in } } == Refusal(.dataTooLarge, .none))
        let password = try keychain.client.addPassword()
        #expect(try sign(password) == Refusal(.parameter, .unusableKey))
        #expect(answers.count == 0)
    }

    @Test func `every use leaves one line, which names the key and nothing of what was done with it`() throws {
        func lines(_ body: () throws -> Void) throws -> [[String: String]] {
            let before = keychain.auditLog.count
            do { try body() } catch is ClientError {}
            return try keychain.auditLog[before...].map(fields)
        }
        var made: ReturnedItem<[UInt8]>?
        let making = try lines { made = try generate(.ellipticCurve, 256) }
        #expect(making.map { $0["action"] } == ["generate-key"])
        #expect(making.first?["outcome"] == "granted" && making.first?["class"] == "keys")
        let key = try #require(made?.reference)
        let digest = [UInt8](repeating: 0xC3, count: 32)
        let works: [(String, String, KeyWork<[UInt8]>)] = [
            ("sign-with-key", "granted", KeyWork(key, algorithm: "algid:sign:ECDSA:digest-X962:SHA256", .sign(digest))),
            ("sign-with-key", "refused", KeyWork(key, algorithm: "algid:sign:RSA:raw", .sign(digest))),
            ("decrypt-with-key", "refused", KeyWork(key, algorithm: "algid:encrypt:RSA:raw", .decrypt(digest))),
            (
                "agree-with-key", "granted",
                KeyWork(
                    key, algorithm: "algid:keyexchange:ECDH",
                    .agree(KeyAgreement(publicKey: made?.secret ?? [], requestedSize: nil, sharedInfo: [])))
            ),
        ]
        for (action, outcome, work) in works {
            let lines = try lines { try client.use(work) { _ in } }
            #expect(lines.count == 1)
            #expect(lines.first?["action"] == action)
            #expect(lines.first?["outcome"] == outcome)
            #expect(lines.first?["class"] == "keys")
            #expect(lines.first?["items"] == "1")
            #expect(lines.first?["references"]?.contains(hexadecimal(Array(key.bytes.dropFirst(4)))) == true)
        }
        let referring = try lines { _ = try client.copyMatching(query(), limit: .one, returning: .reference) { _ in } }
        #expect(referring.map { $0["action"] } == ["read-key"])
        #expect(!keychain.auditLog.contains { $0.contains("algid") || $0.contains("c3c3") })
    }

    @Test func `those who watch are told of a new key`() throws {
        let stream = try keychain.client.watch()
        defer { stream.cancel() }
        let reference = try generate(.ellipticCurve, 256).reference
        #expect(try stream.next() == .item(ItemChange(.added, reference)))
    }

    // MARK: Support

    private func keyAttributes(
        _ entries: [AttributeKey: AttributeValue], for use: AttributeUse = .add
    ) throws -> ItemAttributes {
        var entries = entries
        if use == .add {
            entries[.keyClass] = entries[.keyClass] ?? .number(1)
            entries[.type] = entries[.type] ?? .number(73)
        }
        return try ItemAttributes(.key, for: use, entries.map { .init($0.key, $0.value) })
    }

    private func generate(
        _ type: KeyType, _ size: Int, _ entries: [AttributeKey: AttributeValue] = [:]
    ) throws -> ReturnedItem<[UInt8]> {
        let own: [AttributeKey: AttributeValue] = [
            .type: .number(type.code), .keySizeInBits: .number(Int64(size)), .isExtractable: .number(0),
        ]
        return try client.generateKey(try keyAttributes(own.merging(entries) { $1 }))
    }

    @discardableResult
    private func add(_ key: PrivateKey, _ entries: [AttributeKey: AttributeValue]) throws -> PersistentReference {
        var entries = entries
        if entries[.applicationLabel] == nil, entries[.isExtractable] == nil, entries[.isSensitive] == nil {
            entries[.applicationLabel] = .data(key.publicKey.hash.bytes)
        }
        return try client.add(try keyAttributes(entries), secret: key.externalRepresentation) { _ in }.reference
    }

    private func query(_ entries: [AttributeKey: AttributeValue] = [:]) throws -> ItemQuery {
        var query = ItemQuery(.key)
        query.attributes = try keyAttributes(entries, for: .query)
        return query
    }

    private func keys() throws -> [ReturnedItem<[UInt8]>] {
        do {
            return try client.copyMatching(query(), limit: .all, returning: .attributes) { Array($0) }
        } catch ClientError.refused(Refusal(.itemNotFound, .none)) {
            return []
        }
    }

    private func publicHalf(_ item: ReturnedItem<[UInt8]>) throws -> PublicKey {
        guard case .number(let code) = item.attributes?[.type] else { throw KeyError(.invalid, "no type") }
        return try PublicKey(
            type: try #require(KeyType(code: code)), externalRepresentation: try #require(item.secret))
    }

    /// Returns the result of a signature.
    private func sign(
        _ key: PersistentReference, _ algorithm: KeyAlgorithm = .ecdsa(.x962, .digest, .sha256),
        by client: KeychainClient? = nil
    ) throws -> Refusal {
        try refusal {
            let digest = [UInt8](repeating: 1, count: 32)
            try (client ?? self.client).use(KeyWork(key, algorithm: algorithm.identifier, .sign(digest))) { _ in }
        }
    }
}

extension KeyAlgorithm {
    /// Bytes of the digest that is signed.
    fileprivate var digestSize: Int {
        switch self {
        case .rsaSignature(_, _, let hash): hash.byteCount
        case .ecdsa(_, _, let hash): hash?.byteCount ?? 32
        default: 32
        }
    }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}

/// All bytes of answers that came to a client.
private final class Answers: Sendable {
    private let frames = Mutex<[[UInt8]]>([])

    var count: Int { frames.withLock(\.count) }

    func add(_ frame: [UInt8]) { frames.withLock { $0.append(frame) } }

    func forget() { frames.withLock { $0 = [] } }

    func contain(_ bytes: [UInt8]) -> Bool {
        frames.withLock { frames in
            frames.contains { frame in
                frame.count >= bytes.count
                    && (0...frame.count - bytes.count).contains {
                        frame[$0] == bytes[0] && frame[$0..<$0 + bytes.count].elementsEqual(bytes)
                    }
            }
        }
    }
}

/// A transport that records the answers of another transport.
private struct Overhearing: KeychainTransport {
    let transport: any KeychainTransport
    let answers: Answers

    init(_ transport: any KeychainTransport, _ answers: Answers) {
        self.transport = transport
        self.answers = answers
    }

    func exchange(
        _ request: (_ nonce: [UInt8]) -> [UInt8], isRepeatable: Bool,
        receive: (Frame) throws(WireError) -> AnswerProgress
    ) throws(ClientError) {
        try transport.exchange(request, isRepeatable: isRepeatable) { frame throws(WireError) in
            var reader = frame.reader
            var bytes: [UInt8] = []
            while let byte = try? reader.u8() { bytes.append(byte) }
            answers.add(bytes)
            return try receive(frame)
        }
    }

    func watch() throws(ClientError) -> any ChangeStream { try transport.watch() }

    func watchKeychains(_ filter: KeychainNoticeFilter) throws(ClientError) -> any KeychainNoticeStream {
        try transport.watchKeychains(filter)
    }
    func followLog() throws(ClientError) -> any LogStream { try transport.followLog() }
}
