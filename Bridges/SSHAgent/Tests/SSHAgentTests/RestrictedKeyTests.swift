// SPDX-License-Identifier: Apache-2.0

import SSHAgentProtocol
import SSHAgentSamples
import Synchronization
import Testing

@testable import SSHAgent

/// Keys with destinations, security keys, and keys of the keychain.
@Suite struct RestrictedKeyTests {
    private static let ed25519 = RecordedKeys.publicKey_ed25519
    private static let toHost1 = binding(
        RecordedKeys.publicKey_host1, RecordedKeys.sessionID1, RecordedKeys.session1_host1)
    private static let throughHost1 = binding(
        RecordedKeys.publicKey_host1, RecordedKeys.sessionID1, RecordedKeys.session1_host1, isForwarding: true)
    private static let throughHost3 = binding(
        RecordedKeys.publicKey_host3, RecordedKeys.sessionID1, RecordedKeys.session1_host3, isForwarding: true)
    private static let toHost2 = binding(
        RecordedKeys.publicKey_host2, RecordedKeys.sessionID2, RecordedKeys.session2_host2)

    private func login(_ user: String, _ sessionID: [UInt8], _ hostKey: [UInt8]?) -> [UInt8] {
        TestAgent.signing(
            authentication(
                as: user, sessionID, key: Self.ed25519, algorithm: "ssh-ed25519", hostKey: hostKey), Self.ed25519)
    }

    /// Connects through sessions.
    private func connect(_ test: TestAgent, _ sessions: [UInt8]...) -> AgentConnection {
        var connection = test.connect()
        for session in sessions {
            #expect(test.agent.reply(to: TestAgent.session(session), on: &connection) == .success)
        }
        return connection
    }

    // MARK: Destinations

    @Test func `a restricted key signs a login to its host and nothing else`() throws {
        let test = TestAgent()
        #expect(test.reply(RecordedMessages.addWithDestinations) == .success)
        #expect(test.listed() == [Self.ed25519])
        let request = login("ann", RecordedKeys.sessionID1, RecordedKeys.publicKey_host1)
        // Without a session.
        #expect(test.reply(request) == .failure)

        var connection = connect(test, Self.toHost1)
        guard case .signature = test.agent.reply(to: request, on: &connection) else {
            Issue.record("the login is not signed: \(test.reports)")
            return
        }
        let others = [
            login("ben", RecordedKeys.sessionID1, RecordedKeys.publicKey_host1),
            login("ann", RecordedKeys.sessionID2, RecordedKeys.publicKey_host1),
            login("ann", RecordedKeys.sessionID1, RecordedKeys.publicKey_host2),
            TestAgent.signing([1], Self.ed25519), RecordedMessages.signCommit,
        ]
        for other in others { #expect(test.agent.reply(to: other, on: &connection) == .failure) }
    }

    @Test func `a forwarded connection signs for the host behind its host`() throws {
        let test = TestAgent()
        #expect(test.reply(RecordedMessages.addWithDestinations) == .success)
        var connection = connect(test, Self.throughHost1, Self.toHost2)
        let request = login("ben", RecordedKeys.sessionID2, RecordedKeys.publicKey_host2)
        guard case .signature = test.agent.reply(to: request, on: &connection) else {
            Issue.record("the login is not signed: \(test.reports)")
            return
        }
        // The request must name the host key there.
        let unnamed = login("ben", RecordedKeys.sessionID2, nil)
        #expect(test.agent.reply(to: unnamed, on: &connection) == .failure)
    }

    @Test func `a restricted key is neither seen nor changed through a host that it is not for`() {
        let test = TestAgent()
        #expect(test.reply(RecordedMessages.addWithDestinations) == .success)
        var connection = connect(test, Self.throughHost3)
        #expect(test.listed(connection) == [])
        #expect(test.agent.reply(to: RecordedMessages.add_ed25519, on: &connection) == .failure)
        #expect(test.agent.reply(to: [18, 0, 0, 0, 51] + Self.ed25519, on: &connection) == .failure)
        #expect(test.listed() == [Self.ed25519])
    }

    @Test func `after a failed binding a connection has no use of restricted keys`() {
        let test = TestAgent()
        #expect(test.reply(RecordedMessages.addWithDestinations) == .success)
        var connection = test.connect()
        let wrong = binding(RecordedKeys.publicKey_host1, RecordedKeys.sessionID2, RecordedKeys.session1_host1)
        #expect(test.agent.reply(to: TestAgent.session(wrong), on: &connection) == .extensionFailure)
        #expect(test.listed(connection) == [])
    }

    // MARK: Security keys

    @Test func `a security key signs through its helper`() {
        let test = TestAgent()
        #expect(test.reply(RecordedMessages.add_securityEd25519) == .success)
        #expect(
            test.reply(TestAgent.signing([9], RecordedKeys.publicKey_securityEd25519)) == .signature([1, 2, 3]))
        let work = test.world.state.withLock(\.securityKeyWork)
        #expect(work.map(\.data) == [[9]] && work.map(\.provider) == ["/usr/lib/sk.so"])
    }

    @Test func `a library is loaded from the allowed folders, and not for a client on another machine`() {
        func adding(_ provider: String) -> [UInt8] {
            let message = RecordedMessages.add_securityEd25519
            let path = "/usr/lib/sk.so".utf8.count
            return message.dropLast(4 + path) + [0, 0, 0, UInt8(provider.utf8.count)] + Array(provider.utf8)
        }
        let test = TestAgent()
        for provider in ["/home/sk.so", "/missing.so", "sk.so"] { #expect(test.reply(adding(provider)) == .failure) }
        for provider in ["/usr/lib/sk.so", "/usr/local/lib/sk.so", "internal"] {
            #expect(test.reply(adding(provider)) == .success)
        }
        var remote = connect(test, Self.throughHost1)
        #expect(test.agent.reply(to: adding("/usr/lib/sk.so"), on: &remote) == .failure)
        #expect(test.agent.reply(to: adding("internal"), on: &remote) == .success)

        var options = Agent.Options()
        options.allowsRemoteProviders = true
        options.allowedProviders = "/home/*,!/home/sk2.so"
        let open = TestAgent(options)
        var openRemote = connect(open, Self.throughHost1)
        #expect(open.agent.reply(to: adding("/home/sk.so"), on: &openRemote) == .success)
        #expect(open.agent.reply(to: adding("/home/sk2.so"), on: &openRemote) == .failure)
    }

    @Test func `a security key for the web signs logins and messages of SSH only, or with the option any data`() throws
    {
        // The application `web:` has the length of `ssh:`.
        let web = Array("web:".utf8)
        func replacing(_ message: [UInt8]) -> [UInt8] {
            var message = message
            for index in 0..<message.count - 3 where message[index..<index + 4].elementsEqual("ssh:".utf8) {
                message.replaceSubrange(index..<index + 4, with: web)
            }
            return message
        }
        let key = replacing(RecordedKeys.publicKey_securityEd25519)
        guard case .sign(let commit) = try AgentRequest(RecordedMessages.signCommit) else { return }
        let test = TestAgent()
        #expect(test.reply(replacing(RecordedMessages.add_securityEd25519)) == .success)
        #expect(test.reply(TestAgent.signing([9], key)) == .failure)
        #expect(test.reply(TestAgent.signing(commit.data, key)) == .signature([1, 2, 3]))

        var options = Agent.Options()
        options.restrictsWebSignatures = false
        let open = TestAgent(options)
        #expect(open.reply(replacing(RecordedMessages.add_securityEd25519)) == .success)
        #expect(open.reply(TestAgent.signing([9], key)) == .signature([1, 2, 3]))
    }

    // MARK: Keys of the keychain

    /// A store with the recorded ECDSA key.
    private struct KeptKeys: AgentKeys {
        var failure: AgentError?
        var programs: [String]?

        func keys() throws(AgentError) -> [AgentKey] {
            if let failure { throw failure }
            guard let key = try? SSHPublicKey(blob: RecordedKeys.publicKey_ecdsa256) else { return [] }
            return [
                AgentKey(key, comment: Array("kept".utf8), needsConfirmationIfForwarded: true, programs: programs)
            ]
        }

        func keys(_ blob: [UInt8]) throws(AgentError) -> [AgentKey] {
            try keys().filter { $0.publicKey.blob == blob }
        }

        func signature(
            _ request: SigningRequest, by key: AgentKey, client: Int32?, for purpose: () -> SignaturePurpose
        ) -> [UInt8] { [4, 5] }
    }

    /// A store in which another program has stored keys with the same public key.
    private struct PlantedKeys: AgentKeys {
        let all: [AgentKey]
        /// The comment of the key that signs.
        let working: String

        func keys() throws(AgentError) -> [AgentKey] { all }

        func keys(_ blob: [UInt8]) throws(AgentError) -> [AgentKey] { all.filter { $0.publicKey.blob == blob } }

        func signature(
            _ request: SigningRequest, by key: AgentKey, client: Int32?, for purpose: () -> SignaturePurpose
        ) throws(AgentError) -> [UInt8] {
            guard key.printableComment == working else { throw AgentError("\(key.printableComment) does not sign") }
            return [6, 7]
        }
    }

    private func planted(_ comment: String, programs: [String]? = nil, confirms: Bool = false) throws -> AgentKey {
        AgentKey(
            try SSHPublicKey(blob: RecordedKeys.publicKey_ecdsa256), comment: Array(comment.utf8),
            needsConfirmation: confirms, programs: programs)
    }

    @Test func `of several keys with one public key the working one signs, under its own rules`() throws {
        let test = TestAgent()
        let request = TestAgent.signing([1], RecordedKeys.publicKey_ecdsa256)
        let others = try [planted("first"), planted("second", programs: ["/usr/bin/other"])]
        var connection = test.connect(PlantedKeys(all: try others + [planted("owner")], working: "owner"))
        #expect(test.listed(connection) == [RecordedKeys.publicKey_ecdsa256])
        #expect(test.agent.reply(to: request, on: &connection) == .signature([6, 7]))
        // A key without rules in front of it does not loosen those of the key that signs.
        for rules in try [planted("owner", programs: ["/usr/bin/git"]), planted("owner", confirms: true)] {
            test.world.state.withLock { $0.confirms = false }
            connection = test.connect(PlantedKeys(all: others + [rules], working: "owner"))
            #expect(test.agent.reply(to: request, on: &connection) == .failure)
        }
        #expect(test.questions.count == 1)
    }

    @Test func `the keys of the keychain follow those in memory`() {
        let test = TestAgent()
        #expect(test.reply(RecordedMessages.add_ed25519) == .success)
        var connection = test.connect(KeptKeys())
        #expect(test.listed(connection) == [Self.ed25519, RecordedKeys.publicKey_ecdsa256])
        let request = TestAgent.signing([1], RecordedKeys.publicKey_ecdsa256)
        #expect(test.agent.reply(to: request, on: &connection) == .signature([4, 5]))
        #expect(test.questions == [])
    }

    @Test func `a key is listed once, if it is in memory and in the keychain`() {
        let test = TestAgent()
        #expect(test.reply(RecordedMessages.add_ecdsa256) == .success)
        #expect(test.listed(test.connect(KeptKeys())) == [RecordedKeys.publicKey_ecdsa256])
    }

    @Test func `another machine uses a key of the keychain only with a confirmation`() {
        let test = TestAgent()
        test.world.state.withLock { $0.confirms = false }
        var connection = test.connect(KeptKeys())
        #expect(test.agent.reply(to: TestAgent.session(Self.throughHost1), on: &connection) == .success)
        let request = TestAgent.signing([1], RecordedKeys.publicKey_ecdsa256)
        #expect(test.agent.reply(to: request, on: &connection) == .failure)
        #expect(test.questions.first?.hasPrefix("Allow another machine, through ssh (process 42), to sign") == true)
    }

    @Test func `a key whose rules name programs signs for these alone, and each program sees it`() {
        let test = TestAgent()
        let request = TestAgent.signing([1], RecordedKeys.publicKey_ecdsa256)
        for (program, expected) in [
            ("/usr/bin/ssh", AgentReply.signature([4, 5])), ("/usr/bin/ssh2", .failure), (nil, .failure),
        ] as [(String?, AgentReply)] {
            var connection = AgentConnection(
                client: "client", program: program, keptKeys: KeptKeys(programs: ["/usr/bin/git", "/usr/bin/ssh"]))
            #expect(test.listed(connection) == [RecordedKeys.publicKey_ecdsa256])
            #expect(test.agent.reply(to: request, on: &connection) == expected)
        }
    }

    @Test func `requests of ssh-add remove no key of the keychain`() {
        let test = TestAgent()
        var connection = test.connect(KeptKeys())
        #expect(test.agent.reply(to: RecordedMessages.removeAll, on: &connection) == .success)
        #expect(
            test.agent.reply(to: [18, 0, 0, 0, 104] + RecordedKeys.publicKey_ecdsa256, on: &connection) == .failure)
        #expect(test.listed(connection) == [RecordedKeys.publicKey_ecdsa256])
    }

    @Test func `without the keychain the keys in memory are still listed and used`() throws {
        let test = TestAgent()
        #expect(test.reply(RecordedMessages.add_ed25519) == .success)
        var connection = test.connect(KeptKeys(failure: AgentError("the service does not run")))
        #expect(test.listed(connection) == [Self.ed25519])
        try expectSignature(
            test.agent.reply(to: TestAgent.signing([1], Self.ed25519), on: &connection), of: [1], by: Self.ed25519)
        #expect(test.reports.last?.contains("the service does not run") == true)
    }
}
