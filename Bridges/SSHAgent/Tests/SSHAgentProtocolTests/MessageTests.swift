// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
import SSHAgentSamples
import Testing

@testable import SSHAgentProtocol

@Suite struct MessageTests {
    @Test func `the requests of ssh-add are read`() throws {
        guard case .remove(RecordedKeys.publicKey_ecdsa384) = try AgentRequest(RecordedMessages.remove),
            case .removeAll = try AgentRequest(RecordedMessages.removeAll),
            case .listIdentities = try AgentRequest([11]),
            case .lock(let lock) = try AgentRequest(RecordedMessages.lock),
            case .unlock(let unlock) = try AgentRequest(RecordedMessages.unlock)
        else {
            Issue.record("another request")
            return
        }
        #expect(lock == Array("lock-word".utf8) && unlock == lock)
    }

    @Test func `the requests for tokens are read`() throws {
        guard case .addToken(let plain, let none) = try AgentRequest(RecordedMessages.addToken),
            case .addToken(let constrained, let constraints) = try AgentRequest(RecordedMessages.addConstrainedToken),
            case .removeToken(let removed) = try AgentRequest(RecordedMessages.removeToken)
        else {
            Issue.record("another request")
            return
        }
        for token in [plain, constrained, removed] {
            #expect(token.provider == "/usr/lib/x86_64-linux-gnu/pkcs11/nothing.so")
        }
        #expect(none == KeyConstraints())
        #expect(constraints.lifetime == 9 && constraints.needsConfirmation)
    }

    @Test func `extensions are recognized by name`() throws {
        func request(_ name: String, _ contents: [UInt8]) throws -> AgentRequest {
            var writer = ByteWriter()
            writer.u8(27)
            writer.block(name)
            writer.raw(contents)
            return try AgentRequest(writer.bytes)
        }
        guard case .bindSession([1, 2]) = try request("session-bind@openssh.com", [1, 2]),
            case .query = try request("query", []),
            case .unknownExtension = try request("unknown@example.com", [1])
        else {
            Issue.record("another request")
            return
        }
        #expect(throws: MessageError.trailingBytes) { try request("query", [1]) }
        #expect(throws: MessageError.truncated) { try AgentRequest([27, 0, 0]) }
    }

    @Test(arguments: [0, 1, 9, 10, 12, 16, 24, 28, 29, 255] as [UInt8])
    func `a request of another type is unknown`(_ type: UInt8) throws {
        guard case .unknown = try AgentRequest([type, 1, 2, 3]) else {
            Issue.record("known")
            return
        }
    }

    @Test func `bytes after a request are an error`() {
        let requests = [
            [11], RecordedMessages.remove, RecordedMessages.removeAll, RecordedMessages.lock, RecordedMessages.unlock,
            RecordedMessages.signCommit, RecordedMessages.addToken, RecordedMessages.removeToken,
        ]
        for request in requests {
            #expect(throws: MessageError.trailingBytes) { try AgentRequest(request + [0]) }
            #expect(throws: MessageError.truncated) { try AgentRequest(Array(request.dropLast())) }
        }
    }

    @Test func `replies have the bytes of OpenSSH`() throws {
        #expect(AgentReply.failure.frame == [0, 0, 0, 1, 5])
        #expect(AgentReply.success.frame == [0, 0, 0, 1, 6])
        #expect(AgentReply.extensionFailure.frame == [0, 0, 0, 1, 28])
        #expect(AgentReply.identities([]).frame.dropFirst(4).elementsEqual(RecordedMessages.emptyList))
        let identities = Sample.software.flatMap { sample in
            let comment = Array(sample.comment.utf8)
            return [
                ListedIdentity(key: sample.publicKey, comment: comment),
                ListedIdentity(key: sample.certificate, comment: comment),
            ]
        }
        #expect(AgentReply.identities(identities).frame.dropFirst(4).elementsEqual(RecordedMessages.list))
    }

    @Test func `a signature and the names of the extensions are written as strings`() {
        #expect(AgentReply.signature([7]).frame == [0, 0, 0, 6, 14, 0, 0, 0, 1, 7])
        #expect(
            AgentReply.extensions(["a"]).frame
                == [0, 0, 0, 15, 29, 0, 0, 0, 5] + Array("query".utf8) + [0, 0, 0, 1, 0x61])
    }

    // MARK: Streams

    @Test func `messages are assembled from pieces of any size`() throws {
        let messages: [[UInt8]] = [[11], RecordedMessages.signCommit, RecordedMessages.removeAll]
        let bytes: [UInt8] = messages.flatMap { message in
            [0, 0, UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message
        }
        for size in [1, 3, 64, bytes.count] {
            var stream = MessageStream()
            var received: [[UInt8]] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                stream.receive(bytes[start..<min(start + size, bytes.count)])
                while let message = try stream.next() { received.append(message) }
            }
            #expect(received == messages)
        }
    }

    @Test func `a message without a type and one above the limit are errors before they are received`() throws {
        var empty = MessageStream()
        empty.receive([0, 0, 0, 0])
        #expect(throws: MessageError.truncated) { try empty.next() }
        var large = MessageStream()
        large.receive([0, 4, 0, 1])
        #expect(throws: MessageError.tooLarge) { try large.next() }
        var largest = MessageStream()
        largest.receive([0, 4, 0, 0])
        #expect(try largest.next() == nil)
    }

    // MARK: Patterns

    @Test(arguments: [
        ("", "", true), ("a", "", false), ("", "*", true), ("ann", "ann", true), ("ann", "an", false),
        ("ann", "a?n", true), ("ann", "*n", true), ("ann", "b*", false), ("x.c.example", "*.c.example", true),
        ("c.example", "*.c.example", false), ("aXbXc", "a*b*c", true), ("aaaaaaaaaaaaaaaaaaab", "*a*a*a*a*a*b", true),
        ("aaaaaaaaaaaaaaaaaaaa", "*a*a*a*a*a*b", false), ("a", "?", true), ("", "?", false), ("ab", "**b", true),
    ])
    func `a pattern matches as in OpenSSH`(_ text: String, _ pattern: String, _ matches: Bool) {
        #expect(Pattern.matches(text, pattern) == matches)
    }
}
