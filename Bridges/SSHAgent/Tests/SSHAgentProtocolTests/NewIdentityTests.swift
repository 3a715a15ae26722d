// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
import SSHAgentSamples
import Testing

@testable import SSHAgentProtocol

@Suite struct NewIdentityTests {
    private func identity(_ message: [UInt8]) throws -> NewIdentity {
        guard case .add(let identity) = try AgentRequest(message) else { throw MessageError.malformed }
        return identity
    }

    @Test(arguments: Sample.all) func `a key that ssh-add adds is read`(_ sample: Sample) throws {
        let identity = try identity(sample.add)
        #expect(identity.publicKey.blob == sample.publicKey)
        #expect(identity.comment == Array(sample.comment.utf8))
        #expect(identity.constraints.lifetime == nil && !identity.constraints.needsConfirmation)
    }

    @Test(arguments: Sample.all) func `a certificate that ssh-add adds is read`(_ sample: Sample) throws {
        let identity = try identity(sample.addCertificate)
        #expect(identity.publicKey.blob == sample.certificate)
        #expect(identity.publicKey.certificate != nil)
    }

    @Test(arguments: Sample.software) func `a private half of another key is refused`(_ sample: Sample) throws {
        // The last byte of the private part is in front of the comment and its length.
        let position = sample.add.count - sample.comment.utf8.count - 4 - 1
        #expect(throws: MessageError.self) { try AgentRequest(sample.add.changing(position)) }
        let certified = sample.addCertificate.count - sample.comment.utf8.count - 4 - 1
        #expect(throws: MessageError.self) { try AgentRequest(sample.addCertificate.changing(certified)) }
    }

    @Test func `a key of a security key is passed to its helper as the client sent it`() throws {
        let identity = try identity(RecordedMessages.add_securityEd25519)
        guard case .securityKey(let handle) = identity.privatePart else {
            Issue.record("no security key")
            return
        }
        #expect(handle.flags == 1 && handle.needsTouch)
        #expect(identity.constraints.securityKeyProvider == "/usr/lib/sk.so")
        var expected = ByteWriter()
        expected.block("sk-ssh-ed25519@openssh.com")
        expected.raw(RecordedKeys.publicKey_securityEd25519.dropFirst(4 + 26))
        expected.u8(1)
        expected.block("HANDLE-HANDLE")
        expected.block([])
        #expect(handle.serializedKey == expected.bytes)
    }

    @Test(arguments: Sample.all) func `no beginning of a request adds a key without constraints`(_ sample: Sample) {
        for message in [sample.add, sample.addCertificate] where message[0] == 17 {
            for count in 0..<message.count {
                #expect(throws: MessageError.self) { try AgentRequest(Array(message.prefix(count))) }
            }
            #expect(throws: MessageError.trailingBytes) { try AgentRequest(message + [0]) }
        }
    }

    @Test func `the certificate of a key of another type is refused`() {
        var writer = ByteWriter()
        writer.u8(17)
        writer.block(SSHKeyType.ecdsaP256.certificateName)
        writer.block(RecordedKeys.certificate_ed25519)
        writer.block([1])
        writer.block("comment")
        #expect(throws: MessageError.invalid("the certificate is of another type than the key")) {
            try AgentRequest(writer.bytes)
        }
    }
}

@Suite struct KeyConstraintsTests {
    /// A request with constraints: the recorded key, and these bytes.
    private func constraints(_ bytes: [UInt8]) throws -> KeyConstraints {
        var message = RecordedMessages.add_ed25519 + bytes
        message[0] = 25
        guard case .add(let identity) = try AgentRequest(message) else { throw MessageError.malformed }
        return identity.constraints
    }

    private func extensionBytes(_ name: String, _ content: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.u8(255)
        writer.block(name)
        writer.raw(content)
        return writer.bytes
    }

    @Test func `the lifetime and the confirmation of ssh-add are read`() throws {
        guard case .add(let identity) = try AgentRequest(RecordedMessages.addWithLifetimeAndConfirmation) else {
            Issue.record("no key")
            return
        }
        #expect(identity.constraints.lifetime == 3600)
        #expect(identity.constraints.needsConfirmation)
        #expect(identity.constraints.destinations == nil)
    }

    @Test func `a constraint that is unknown, cut or given twice is refused, so that no key is less restricted`() {
        let cases: [[UInt8]] = [
            [0], [3, 0, 0, 0, 1], [4], [254], [1], [1, 0, 0, 0], [2, 2], [1, 0, 0, 0, 9, 1, 0, 0, 0, 9], [255],
            extensionBytes("unknown@example.com", []),
            extensionBytes("associated-certs-v00@openssh.com", [0, 0, 0, 0, 0]),
            extensionBytes("restrict-destination-v00@openssh.com", [0, 0, 0, 1]),
            // A provider of security keys for a key that is not in one.
            extensionBytes("sk-provider@openssh.com", [0, 0, 0, 1, 0x61]),
        ]
        for bytes in cases {
            #expect(throws: MessageError.self, "\(bytes)") { try constraints(bytes) }
        }
    }

    @Test func `the destinations of ssh-add are read`() throws {
        guard case .add(let identity) = try AgentRequest(RecordedMessages.addWithDestinations) else {
            Issue.record("no key")
            return
        }
        let destinations = try #require(identity.constraints.destinations)
        #expect(destinations.map(\.origin.host) == ["", "host1.example", ""])
        #expect(destinations.map(\.destination.host) == ["host1.example", "host2.example", "x.c.example"])
        #expect(destinations.map(\.destination.user) == ["ann", "b*", ""])
        #expect(destinations[0].destination.keys.map(\.key.blob) == [RecordedKeys.publicKey_host1])
        #expect(destinations[2].destination.keys.map(\.isAuthority) == [true])
    }

    @Test func `each changed byte of the destinations is refused or read as other destinations`() throws {
        let message = RecordedMessages.addWithDestinations
        guard case .add(let original) = try AgentRequest(message) else { throw MessageError.malformed }
        // From the first constraint on.
        for index in RecordedMessages.add_ed25519.count..<message.count {
            // The last bit, because all other values of a boolean are true.
            guard case .add(let changed)? = try? AgentRequest(message.changing(index, by: 1)) else { continue }
            #expect(changed.constraints != original.constraints, "byte \(index)")
        }
    }
}
