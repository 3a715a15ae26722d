// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
import KeychainKeys
import SSHAgentSamples
import Testing

@testable import SSHAgentProtocol

@Suite struct PublicKeyTests {
    @Test(arguments: Sample.all) func `the public keys of OpenSSH are read`(_ sample: Sample) throws {
        let key = try SSHPublicKey(blob: sample.publicKey)
        #expect(key.type == sample.type)
        #expect(key.certificate == nil)
        #expect(key.plainBlob == sample.publicKey)
        #expect(key.application == (sample.type.isSecurityKey ? "ssh:" : nil))
    }

    @Test(arguments: Sample.all) func `the certificates of OpenSSH are read`(_ sample: Sample) throws {
        let key = try SSHPublicKey(blob: sample.certificate)
        let certificate = try #require(key.certificate)
        #expect(key.type == sample.type)
        #expect(key.plainBlob == sample.publicKey)
        #expect(certificate.kind == .user)
        #expect(certificate.authority == RecordedKeys.publicKey_userca)
        #expect(certificate.principals == (sample.type.isSecurityKey ? ["ann"] : ["ann", "ben"]))
        #expect(certificate.serial == (sample.type.isSecurityKey ? 0 : 7))
    }

    @Test func `a certificate states from when and until when a host has its key`() throws {
        let certificate = try #require(try SSHPublicKey(blob: RecordedKeys.certificate_hostc).certificate)
        // 2020-01-01 and 2030-01-01.
        #expect(certificate.validAfter == 1_577_836_800 && certificate.validBefore == 1_893_456_000)
        #expect(certificate.certifies(host: "c.example", at: 1_800_000_000))
        #expect(certificate.certifies(host: "x.c.example", at: 1_577_836_800))
        #expect(!certificate.certifies(host: "c.example", at: 1_577_836_799))
        #expect(!certificate.certifies(host: "c.example", at: 1_893_456_000))
        #expect(!certificate.certifies(host: "d.example", at: 1_800_000_000))
    }

    @Test func `the certificate of a user certifies no host`() throws {
        let certificate = try #require(try SSHPublicKey(blob: RecordedKeys.certificate_ed25519).certificate)
        #expect(!certificate.certifies(host: "ann", at: 1_800_000_000))
    }

    @Test func `an authority may sign with RSA`() throws {
        #expect(try SSHPublicKey(blob: RecordedKeys.certificate_hostrsa).certificate?.kind == .host)
    }

    @Test func `a fingerprint is that of ssh-keygen, also for a certificate`() throws {
        let fingerprint = "SHA256:Rk+DeH2Tr6VhIDcHiZetKHGnRT4R6+wLYWP+4MMAFLY"
        #expect(try SSHPublicKey(blob: RecordedKeys.publicKey_ed25519).fingerprint() == fingerprint)
        #expect(try SSHPublicKey(blob: RecordedKeys.certificate_ed25519).fingerprint() == fingerprint)
    }

    @Test(arguments: Sample.all) func `each changed byte of a certificate is detected`(_ sample: Sample) {
        for index in sample.certificate.indices {
            #expect(throws: MessageError.self, "byte \(index)") {
                try SSHPublicKey(blob: sample.certificate.changing(index))
            }
        }
    }

    @Test(arguments: Sample.all) func `no beginning of a key and no longer key is accepted`(_ sample: Sample) {
        for blob in [sample.publicKey, sample.certificate] {
            for count in 0..<blob.count {
                #expect(throws: MessageError.self) { try SSHPublicKey(blob: blob.prefix(count)) }
            }
            #expect(throws: MessageError.trailingBytes) { try SSHPublicKey(blob: blob + [0]) }
        }
    }

    @Test func `an unnecessary zero in an RSA key is refused, so that a key has one form`() {
        var writer = ByteWriter()
        writer.block("ssh-rsa")
        writer.block([0, 1, 0, 1])
        writer.raw(RecordedKeys.publicKey_rsa.dropFirst(4 + 7 + 4 + 3))
        #expect(throws: MessageError.malformed) { try SSHPublicKey(blob: writer.bytes) }
    }

    @Test func `a key that names another curve than its type is refused`() {
        var blob = RecordedKeys.publicKey_ecdsa256
        let position = 4 + 19 + 4
        blob.replaceSubrange(position..<position + 8, with: Array("nistp384".utf8))
        #expect(throws: MessageError.invalid("the key names another curve than its type")) {
            try SSHPublicKey(blob: blob)
        }
    }

    @Test func `a type that the agent does not support is refused by name`() {
        var writer = ByteWriter()
        writer.block("ssh-dss")
        #expect(throws: MessageError.invalid("the type of the key is not supported")) {
            try SSHPublicKey(blob: writer.bytes)
        }
    }
}

@Suite struct SignatureTests {
    private static let message = Array("message to sign".utf8)
    private static let signatures: [(key: [UInt8], signature: [UInt8])] = [
        (RecordedKeys.publicKey_ed25519, RecordedKeys.signature_ed25519),
        (RecordedKeys.publicKey_ecdsa256, RecordedKeys.signature_ecdsa256),
        (RecordedKeys.publicKey_ecdsa384, RecordedKeys.signature_ecdsa384),
        (RecordedKeys.publicKey_ecdsa521, RecordedKeys.signature_ecdsa521),
        (RecordedKeys.publicKey_rsa, RecordedKeys.signature_rsa256),
        (RecordedKeys.publicKey_rsa, RecordedKeys.signature_rsa512),
    ]

    @Test(arguments: 0..<6) func `a signature of OpenSSH is verified`(_ number: Int) throws {
        let (blob, signature) = Self.signatures[number]
        let key = try SSHPublicKey(blob: blob)
        try key.verify(signature, of: Self.message)
        #expect(throws: MessageError.self) { try key.verify(signature, of: Self.message + [0]) }
        for count in 0..<signature.count {
            #expect(throws: MessageError.self) { try key.verify(signature.prefix(count), of: Self.message) }
        }
        #expect(throws: MessageError.self) { try key.verify(signature + [0], of: Self.message) }
    }

    @Test func `a signature of another key is refused`() throws {
        let key = try SSHPublicKey(blob: RecordedKeys.publicKey_host1)
        #expect(throws: MessageError.invalid("the signature does not match the data and the key")) {
            try key.verify(RecordedKeys.signature_ed25519, of: Self.message)
        }
    }

    @Test func `a signature with SHA-1 is neither accepted nor made`() throws {
        let key = try SSHPublicKey(blob: RecordedKeys.publicKey_rsa)
        #expect(throws: MessageError.self) { try key.verify(RecordedKeys.signature_rsasha1, of: Self.message) }
        #expect(throws: MessageError.invalid("the client requests an RSA signature with SHA-1, which is not allowed")) {
            try SignatureAlgorithm(.rsa, [])
        }
    }

    @Test func `if both flags are set, RSA signs with SHA-256 as in OpenSSH`() throws {
        #expect(try SignatureAlgorithm(.rsa, [.rsaSHA256, .rsaSHA512]).name == "rsa-sha2-256")
        #expect(try SignatureAlgorithm(.rsa, .rsaSHA512).name == "rsa-sha2-512")
    }

    @Test(arguments: Sample.software) func `a key signs what its public half verifies`(_ sample: Sample) throws {
        guard case .add(let identity) = try AgentRequest(sample.add), case .key(let key) = identity.privatePart else {
            Issue.record("no key")
            return
        }
        // Several times, because the numbers of ECDSA differ in their lengths.
        for round in UInt8(0)..<32 {
            let algorithm = try SignatureAlgorithm(sample.type, .rsaSHA512)
            let result = try key.signature(for: [round], using: algorithm.operation)
            try identity.publicKey.verify(algorithm.signature(result), of: [round])
        }
    }
}
