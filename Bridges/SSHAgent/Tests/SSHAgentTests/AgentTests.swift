// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeychainBytes
import KeychainKeys
import SSHAgentProtocol
import SSHAgentSamples
import Synchronization
import Testing

@testable import SSHAgent

@Suite struct AgentTests {
    private static let ed25519 = RecordedKeys.publicKey_ed25519

    // MARK: ssh-add and ssh-keygen

    @Test func `a new agent has no keys, and replies as OpenSSH does`() {
        #expect(TestAgent().reply([11]).frame.dropFirst(4).elementsEqual(RecordedMessages.emptyList))
    }

    @Test func `keys and certificates that ssh-add adds are listed as by OpenSSH`() {
        let test = TestAgent()
        for sample in Sample.software {
            #expect(test.reply(sample.add) == .success)
            #expect(test.reply(sample.addCertificate) == .success)
        }
        #expect(test.reply([11]).frame.dropFirst(4).elementsEqual(RecordedMessages.list))
    }

    @Test func `the agent signs what ssh-keygen requests`() throws {
        let test = TestAgent()
        #expect(test.reply(RecordedMessages.add_ed25519) == .success)
        guard case .sign(let request) = try AgentRequest(RecordedMessages.signCommit) else { return }
        try expectSignature(test.reply(RecordedMessages.signCommit), of: request.data, by: Self.ed25519)
    }

    @Test(arguments: Sample.software) func `a key and its certificate sign`(_ sample: Sample) throws {
        let test = TestAgent()
        #expect(test.reply(sample.add) == .success)
        #expect(test.reply(sample.addCertificate) == .success)
        for key in [sample.publicKey, sample.certificate] {
            let reply = test.reply(TestAgent.signing([1, 2], key, flags: 4))
            try expectSignature(reply, of: [1, 2], by: sample.publicKey)
        }
    }

    @Test func `a key that was removed is gone, and others stay`() {
        let test = TestAgent()
        #expect(test.reply(RecordedMessages.add_ecdsa384) == .success)
        #expect(test.reply(RecordedMessages.add_ed25519) == .success)
        #expect(test.reply(RecordedMessages.remove) == .success)
        #expect(test.reply(RecordedMessages.remove) == .failure)
        #expect(test.listed() == [Self.ed25519])
        #expect(test.reply(TestAgent.signing([1], RecordedKeys.publicKey_ecdsa384)) == .failure)
        #expect(test.reply(RecordedMessages.removeAll) == .success)
        #expect(test.listed() == [])
    }

    @Test func `a key that is added again has the last comment and constraints`() {
        let test = TestAgent()
        #expect(test.reply(RecordedMessages.addWithLifetimeAndConfirmation) == .success)
        #expect(test.reply(RecordedMessages.add_ed25519) == .success)
        #expect(test.listed() == [Self.ed25519])
        test.advance(bySeconds: 4000)
        #expect(test.listed() == [Self.ed25519])
    }

    @Test func `an RSA signature with SHA-1 is refused, and the log says why`() {
        let test = TestAgent()
        #expect(test.reply(RecordedMessages.add_rsa) == .success)
        #expect(test.reply(TestAgent.signing([1], RecordedKeys.publicKey_rsa)) == .failure)
        #expect(test.reports.last?.contains("SHA-1") == true)
    }

    @Test func `an option allows SHA-1 for keys in memory`() throws {
        var options = Agent.Options()
        options.allowsSHA1 = true
        let test = TestAgent(options)
        #expect(test.reply(RecordedMessages.add_rsa) == .success)
        // RSA signatures of PKCS #1 are deterministic, so OpenSSH makes the same.
        let request = TestAgent.signing(Array("message to sign".utf8), RecordedKeys.publicKey_rsa)
        #expect(test.reply(request) == .signature(RecordedKeys.signature_rsasha1))
    }

    @Test func `more keys than clients accept in a list are refused`() throws {
        let test = TestAgent()
        for _ in 0..<MemoryKeys.limit { #expect(test.reply(try Self.newKey()) == .success) }
        #expect(test.reply(try Self.newKey()) == .failure)
        #expect(test.listed().count == MemoryKeys.limit)
    }

    private static func newKey() throws -> [UInt8] {
        let key = try PrivateKey(generating: .ed25519, sizeInBits: 256)
        let point = Array(key.publicKey.externalRepresentation)
        var writer = ByteWriter()
        writer.u8(17)
        writer.block("ssh-ed25519")
        writer.block(point)
        writer.block(Array(key.externalRepresentation) + point)
        writer.block("key")
        return writer.bytes
    }

    // MARK: Lifetime and confirmation

    @Test func `a key is removed when its lifetime is over`() {
        let test = TestAgent()
        #expect(test.agent.removeExpiredKeys() == nil)
        #expect(test.reply(RecordedMessages.addWithLifetimeAndConfirmation) == .success)
        test.advance(bySeconds: 3599)
        #expect(test.agent.removeExpiredKeys() == 1)
        #expect(test.listed() == [Self.ed25519])
        test.advance(bySeconds: 1)
        #expect(test.agent.removeExpiredKeys() == nil)
        #expect(test.listed() == [])
        #expect(test.reply(TestAgent.signing([1], Self.ed25519)) == .failure)
    }

    @Test func `keys without a lifetime get that of the command line`() {
        var options = Agent.Options()
        options.lifetime = 60
        let test = TestAgent(options)
        #expect(test.reply(RecordedMessages.add_ed25519) == .success)
        test.advance(bySeconds: 60)
        #expect(test.listed() == [])
    }

    @Test func `a signature needs the confirmation that ssh-add requested`() throws {
        let test = TestAgent()
        #expect(test.reply(RecordedMessages.addWithLifetimeAndConfirmation) == .success)
        try expectSignature(test.reply(TestAgent.signing([1], Self.ed25519)), of: [1], by: Self.ed25519)
        test.world.state.withLock { $0.confirms = false }
        #expect(test.reply(TestAgent.signing([1], Self.ed25519)) == .failure)
        let question = """
            Allow ssh (process 42) to sign data of an unknown kind with the key ‘ed25519 key’?
            Key fingerprint SHA256:Rk+DeH2Tr6VhIDcHiZetKHGnRT4R6+wLYWP+4MMAFLY.
            """
        #expect(test.questions == [question, question])
    }

    @Test func `a prompt distinguishes a login from a signature of a message`() throws {
        let test = TestAgent()
        test.world.state.withLock { $0.knownHosts = Self.knownHosts }
        #expect(test.reply(RecordedMessages.addWithLifetimeAndConfirmation) == .success)
        _ = test.reply(RecordedMessages.signCommit)
        #expect(test.questions.last?.hasPrefix("Allow ssh (process 42) to sign data for ‘git’ with") == true)

        let login = TestAgent.signing(
            authentication(
                as: "ann", RecordedKeys.sessionID1, key: Self.ed25519, algorithm: "ssh-ed25519",
                hostKey: RecordedKeys.publicKey_host1), Self.ed25519)
        _ = test.reply(login)
        #expect(test.questions.last?.contains("to log in as ann on a host that is not verified with") == true)

        var connection = test.connect()
        let session = binding(RecordedKeys.publicKey_host1, RecordedKeys.sessionID1, RecordedKeys.session1_host1)
        #expect(test.agent.reply(to: TestAgent.session(session), on: &connection) == .success)
        _ = test.agent.reply(to: login, on: &connection)
        #expect(test.questions.last?.contains("to log in as ann on host1.example with") == true)
    }

    private static var knownHosts: String {
        guard let key = try? SSHPublicKey(blob: RecordedKeys.publicKey_host1) else { return "" }
        return "host1.example,192.0.2.1 ssh-ed25519 \(Data(key.blob).base64EncodedString())\n"
    }

    @Test func `a key that is removed while the user is asked does not sign`() {
        let box = Removal()
        let test = TestAgent(whileAsking: { box.run() })
        box.set { _ = test.reply(RecordedMessages.removeAll) }
        #expect(test.reply(RecordedMessages.addWithLifetimeAndConfirmation) == .success)
        #expect(test.reply(TestAgent.signing([1], Self.ed25519)) == .failure)
        #expect(test.questions.count == 1)
        box.set {}
    }

    // MARK: Lock

    @Test func `a locked agent lists no keys and answers nothing else`() {
        let test = TestAgent()
        #expect(test.reply(RecordedMessages.add_ed25519) == .success)
        #expect(test.reply(RecordedMessages.lock) == .success)
        #expect(test.reply([11]) == .identities([]))
        let requests = [
            TestAgent.signing([1], Self.ed25519), RecordedMessages.add_rsa, RecordedMessages.removeAll,
            RecordedMessages.lock, [27], [255], [],
        ]
        for request in requests { #expect(test.reply(request) == .failure) }
        #expect(test.reply(RecordedMessages.unlock) == .success)
        #expect(test.listed() == [Self.ed25519])
        #expect(test.reply(RecordedMessages.unlock) == .failure)
    }

    @Test func `an empty passphrase does not lock the agent`() {
        let test = TestAgent()
        #expect(test.reply([22, 0, 0, 0, 0]) == .failure)
        #expect(test.reply(RecordedMessages.unlock) == .failure)
    }

    @Test func `after wrong passphrases the right one has to wait, for at most ten seconds`() {
        let test = TestAgent()
        let wrong: [UInt8] = [23, 0, 0, 0, 1, 0x61]
        #expect(test.reply(RecordedMessages.lock) == .success)
        #expect(test.reply(wrong) == .failure)
        #expect(test.reply(RecordedMessages.unlock) == .failure)
        for _ in 0..<200 {
            test.advance(bySeconds: 10)
            #expect(test.reply(wrong) == .failure)
        }
        test.advance(bySeconds: 9)
        #expect(test.reply(RecordedMessages.unlock) == .failure)
        test.advance(bySeconds: 1)
        #expect(test.reply(RecordedMessages.unlock) == .success)
    }

    // MARK: Other requests

    @Test func `requests that the agent does not have are refused`() {
        let test = TestAgent()
        for message in [[], [9], [1, 2, 3], RecordedMessages.addToken, RecordedMessages.removeToken] as [[UInt8]] {
            #expect(test.reply(message) == .failure)
        }
        #expect(test.reports.count == 5)
    }

    @Test func `the extensions are listed by name`() {
        var writer = ByteWriter()
        writer.u8(27)
        writer.block("query")
        #expect(TestAgent().reply(writer.bytes) == .extensions(["session-bind@openssh.com"]))
    }
}

/// A function that a test sets after it has made the agent that calls it.
final class Removal: Sendable {
    private struct Content {
        var body: @Sendable () -> Void = {}
    }

    private let content = Mutex(Content())

    func set(_ body: @escaping @Sendable () -> Void) { content.withLock { $0.body = body } }

    func run() { content.withLock(\.body)() }
}
