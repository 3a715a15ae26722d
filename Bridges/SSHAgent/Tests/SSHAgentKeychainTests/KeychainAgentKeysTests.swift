// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeychainBytes
import KeychainClient
import KeychainKeys
import KeychainModel
import KeychainTesting
import SSHAgent
import SSHAgentProtocol
import SSHAgentSamples
import Testing

@testable import SSHAgentKeychain

/// The keys for SSH in a keychain in memory.
@Suite(.timeLimit(.minutes(5))) struct KeychainAgentKeysTests {
    private let memory: InMemoryKeychain
    private let keychain: KeychainClient
    private let keys: KeychainAgentKeys

    init() throws {
        memory = try InMemoryKeychain()
        keychain = memory.run { KeychainClient.current }
        keys = KeychainAgentKeys(keychain)
    }

    private func attributes(_ entries: [ItemAttributes.Entry], _ use: AttributeUse = .add) throws -> ItemAttributes {
        try ItemAttributes(.key, for: use, entries)
    }

    /// Generates a key in the service. Returns its reference and its public key.
    private func generate(_ type: KeyType, bits: Int64) throws -> (item: PersistentReference, key: SSHPublicKey) {
        let made = try keychain.generateKey(
            try attributes([
                .init(.type, .number(type.code)), .init(.keySizeInBits, .number(bits)),
                .init(.label, .string("laptop")),
            ]))
        var writer = ByteWriter()
        let point = made.secret ?? []
        switch type {
        case .ed25519: writer.block("ssh-ed25519")
        default:
            writer.block("ecdsa-sha2-nistp\(bits)")
            writer.block("nistp\(bits)")
        }
        writer.block(point)
        return (made.reference, try SSHPublicKey(blob: writer.bytes))
    }

    private func mark(_ item: PersistentReference, _ key: SSHPublicKey) throws {
        try keychain.update(
            ItemQuery(item),
            changes: try attributes([.init(.applicationTag, .string(try tag(key).text))], .update),
            secret: nil as [UInt8]?)
    }

    private func tag(_ key: SSHPublicKey) throws -> SSHKeyTag { try #require(SSHKeyTag(line: key.line)) }

    private func purpose() -> SignaturePurpose { .message(namespace: "git") }

    private func request(_ key: SSHPublicKey, _ data: [UInt8]) throws -> SigningRequest {
        var writer = ByteWriter()
        writer.u8(13)
        writer.block(key.blob)
        writer.block(data)
        writer.u32(0)
        guard case .sign(let request) = try AgentRequest(writer.bytes) else { throw MessageError.malformed }
        return request
    }

    @Test(arguments: [(KeyType.ed25519, 256), (.ellipticCurve, 256), (.ellipticCurve, 521)] as [(KeyType, Int64)])
    func `a key that the service made is listed by its tag, and signs there`(_ type: KeyType, _ bits: Int64) throws {
        let (item, key) = try generate(type, bits: bits)
        #expect(try keys.keys() == [])
        try mark(item, key)
        let listed = try #require(try keys.keys().first)
        #expect(listed.publicKey == key)
        #expect(listed.comment == Array("laptop".utf8))
        let signature = try keys.signature(try request(key, [1, 2, 3]), by: listed, client: nil, for: purpose)
        try key.verify(signature, of: [1, 2, 3])
    }

    @Test func `a key is found without a list before`() throws {
        let (item, key) = try generate(.ed25519, bits: 256)
        try mark(item, key)
        #expect(try keys.keys(key.blob).map(\.publicKey) == [key])
        #expect(try keys.keys(RecordedKeys.publicKey_ed25519) == [])
    }

    @Test func `a key whose tag names another public key is not listed`() throws {
        let item = try generate(.ed25519, bits: 256).item
        try mark(item, try SSHPublicKey(blob: RecordedKeys.publicKey_ed25519))
        #expect(try keys.keys() == [])
    }

    /// Generates a key whose attributes name another public key.
    private func plant(_ key: SSHPublicKey, creator: Int64, in group: String = "tests") throws {
        _ = try keychain.generateKey(
            try attributes([
                .init(.type, .number(KeyType.ed25519.code)), .init(.keySizeInBits, .number(256)),
                .init(.label, .string("laptop")), .init(.creator, .number(creator)),
                .init(.applicationLabel, .data(key.key.hash.bytes)), .init(.accessGroup, .string(group)),
                .init(.applicationTag, .string(try tag(key).text)),
            ]))
    }

    @Test func `a key whose tag and label name another public key does not sign`() throws {
        let key = try SSHPublicKey(blob: RecordedKeys.publicKey_ed25519)
        try plant(key, creator: 1)
        let listed = try #require(try keys.keys().first)
        #expect(throws: AgentError("the signature does not match the data and the key")) {
            try keys.signature(try request(key, [1]), by: listed, client: nil, for: purpose)
        }
    }

    @Test func `a key signs beside many items that name its public key`() throws {
        let (item, key) = try generate(.ed25519, bits: 256)
        try mark(item, key)
        memory.setTime(to: Date(timeIntervalSinceReferenceDate: 800_000_060))
        for creator in 1...6 as ClosedRange<Int64> { try plant(key, creator: creator) }
        let listed = try keys.keys()
        #expect(listed.map(\.publicKey) == [key])
        let signature = try keys.signature(
            try request(key, [1, 2]), by: try #require(listed.first), client: nil, for: purpose)
        try key.verify(signature, of: [1, 2])
    }

    @Test func `a key that was deleted is no longer listed and does not sign`() throws {
        let (item, key) = try generate(.ed25519, bits: 256)
        try mark(item, key)
        let listed = try #require(try keys.keys().first)
        try keychain.delete(ItemQuery(item))
        #expect(throws: AgentError.self) {
            try keys.signature(try request(key, [1]), by: listed, client: nil, for: purpose)
        }
        #expect(try keys.keys() == [])
    }

    @Test func `the rules of a key, and its certificate, are those of its tag`() throws {
        let sample = try #require(Sample.all.first)
        let (item, key) = try generate(.ed25519, bits: 256)
        let host = try SSHPublicKey(blob: sample.publicKey)
        var tag = try tag(key)
        tag.needsConfirmation = true
        tag.programs = ["/usr/bin/ssh"]
        let hostKey = SSHKeyTag.Host.Key(base64: Data(host.blob).base64EncodedString(), isAuthority: false)
        tag.hosts = [try #require(SSHKeyTag.Host(user: "git", name: "example.org", keys: [hostKey]))]
        // The certificate of another key is not listed.
        tag.certificate = Data(sample.certificate).base64EncodedString()
        func store() throws {
            try keychain.update(
                ItemQuery(item), changes: try attributes([.init(.applicationTag, .string(tag.text))], .update),
                secret: nil as [UInt8]?)
        }
        try store()
        let listed = try #require(try keys.keys().first)
        #expect(try keys.keys().count == 1)
        #expect(listed.needsConfirmation && listed.programs == ["/usr/bin/ssh"])
        #expect(
            listed.destinations
                == [
                    DestinationConstraint(
                        to: "example.org", user: "git",
                        keys: [DestinationConstraint.HostKey(host, isAuthority: false)])
                ])
        // Rules that change after the list count at once.
        tag.needsConfirmation = false
        try store()
        #expect(try keys.keys(key.blob).map(\.needsConfirmation) == [false])
    }

    @Test func `a key with a rule that cannot be applied is not listed`() throws {
        let (item, key) = try generate(.ed25519, bits: 256)
        for rest in [" unknown", " host=git@example.org,AAAA", " confirm confirm", " program=ssh", " host=a@b"] {
            try keychain.update(
                ItemQuery(item),
                changes: try attributes([.init(.applicationTag, .string(try tag(key).text + rest))], .update),
                secret: nil as [UInt8]?)
            #expect(try keys.keys() == [], "\(rest)")
        }
    }

    @Test(arguments: Sample.software) func `a tag has one form, and names a key without a certificate`(
        _ sample: Sample
    ) throws {
        let key = try SSHPublicKey(blob: sample.publicKey)
        let tag = try tag(key)
        #expect(tag.publicKey == key)
        #expect(SSHKeyTag(.string(tag.text)) == tag)
        #expect(SSHKeyTag(.data(Array(tag.text.utf8))) == tag)
        #expect(SSHKeyTag(.string(tag.text + " ")) == nil)
        #expect(SSHKeyTag(.string(String(tag.text.dropFirst()))) == nil)
        #expect(SSHKeyTag(.string(tag.text.replacing("ssh ", with: "ssh  ", maxReplacements: 1))) == nil)
        #expect(SSHKeyTag(line: try SSHPublicKey(blob: sample.certificate).line) == nil)
    }
}
