// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
import SSHAgentSamples
import Testing

@testable import SSHAgentProtocol

@Suite struct SessionTests {
    private static let first = RecordedKeys.sessionID1
    private static let second = RecordedKeys.sessionID2
    /// In the validity of the certificate.
    private static let time: UInt64 = 1_800_000_000

    private static let toHost1 = binding(RecordedKeys.publicKey_host1, first, RecordedKeys.session1_host1)
    private static let throughHost1 = binding(
        RecordedKeys.publicKey_host1, first, RecordedKeys.session1_host1, isForwarding: true)
    private static let toHost2 = binding(RecordedKeys.publicKey_host2, second, RecordedKeys.session2_host2)

    private func sessions(_ contents: [UInt8]...) throws -> ConnectionSessions {
        var sessions = ConnectionSessions()
        for content in contents { try sessions.bind(content) }
        return sessions
    }

    /// `ann@host1.example`, `host1.example>b*@host2.example`, `x.c.example`
    private func destinations() throws -> [DestinationConstraint] {
        guard case .add(let identity) = try AgentRequest(RecordedMessages.addWithDestinations) else { return [] }
        return try #require(identity.constraints.destinations)
    }

    // MARK: Bindings

    @Test func `a connection is bound to the session of a host key`() throws {
        let sessions = try sessions(Self.throughHost1, Self.toHost2)
        #expect(sessions.bindings.map(\.hostKey.blob) == [RecordedKeys.publicKey_host1, RecordedKeys.publicKey_host2])
        #expect(sessions.bindings.map(\.isForwarding) == [true, false])
        #expect(sessions.isRemote)
    }

    @Test func `an RSA host key and certificates of hosts bind a connection`() throws {
        let certified = binding(RecordedKeys.certificate_hostc, Self.first, RecordedKeys.session1_hostc)
        #expect(try sessions(certified).bindings.count == 1)
        let rsa = binding(RecordedKeys.certificate_hostrsa, Self.first, RecordedKeys.session1_hostrsa)
        #expect(try sessions(rsa).bindings.count == 1)
    }

    @Test func `a host key with a certificate above 8 KiB binds nothing`() {
        let large = RecordedKeys.certificate_hostc + [UInt8](repeating: 0, count: 8 << 10)
        var sessions = ConnectionSessions()
        #expect(throws: MessageError.tooLarge) {
            try sessions.bind(binding(large, Self.first, RecordedKeys.session1_hostc))
        }
        #expect(sessions.wasBindingAttempted)
    }

    @Test func `a signature of another host or session binds nothing, and the attempt is remembered`() {
        let wrong = [
            binding(RecordedKeys.publicKey_host1, Self.first, RecordedKeys.session1_host2),
            binding(RecordedKeys.publicKey_host1, Self.second, RecordedKeys.session1_host1),
            Array(Self.toHost1.dropLast()), Self.toHost1 + [0], [],
            binding(RecordedKeys.publicKey_host1, [], RecordedKeys.session1_host1),
        ]
        for contents in wrong {
            var sessions = ConnectionSessions()
            #expect(throws: MessageError.self) { try sessions.bind(contents) }
            #expect(sessions.bindings.isEmpty)
            #expect(sessions.wasBindingAttempted)
        }
    }

    @Test func `a connection that authenticates a user cannot be bound again`() throws {
        var sessions = try sessions(Self.toHost1)
        #expect(throws: MessageError.invalid("the connection is bound to a session that authenticates a user")) {
            try sessions.bind(Self.toHost2)
        }
        #expect(sessions.bindings.count == 1)
    }

    @Test func `a session that is bound again is bound once, and not to another host key`() throws {
        var sessions = try sessions(Self.throughHost1, Self.throughHost1)
        #expect(sessions.bindings.count == 1)
        let other = binding(
            RecordedKeys.publicKey_host2, Self.first, RecordedKeys.session1_host2, isForwarding: true)
        #expect(throws: MessageError.invalid("the session is bound to another host key")) { try sessions.bind(other) }
    }

    // MARK: Destinations

    @Test func `a local connection without sessions may see a restricted key`() throws {
        #expect(try destinations().admit(ConnectionSessions(), user: nil, at: Self.time) == nil)
    }

    @Test func `after a failed binding a restricted key is of no use`() throws {
        var sessions = ConnectionSessions()
        #expect(throws: MessageError.self) { try sessions.bind([]) }
        #expect(throws: MessageError.self) { try destinations().admit(sessions, user: nil, at: Self.time) }
    }

    @Test func `a restricted key authenticates its user to its host`() throws {
        let sessions = try sessions(Self.toHost1)
        #expect(try destinations().admit(sessions, user: "ann", at: Self.time) == "host1.example")
        #expect(throws: MessageError.self) { try destinations().admit(sessions, user: "ben", at: Self.time) }
    }

    @Test func `a restricted key authenticates to no other host`() throws {
        let sessions = try sessions(Self.toHost2)
        #expect(throws: MessageError.self) { try destinations().admit(sessions, user: "ben", at: Self.time) }
    }

    @Test func `a key for a host behind another is of use through that host alone`() throws {
        let forwarded = try sessions(Self.throughHost1, Self.toHost2)
        #expect(try destinations().admit(forwarded, user: "ben", at: Self.time) == "host2.example")
        #expect(throws: MessageError.self) { try destinations().admit(forwarded, user: "ann", at: Self.time) }
        let third = binding(RecordedKeys.publicKey_host3, Self.first, RecordedKeys.session1_host3, isForwarding: true)
        let through3 = try sessions(third, Self.toHost2)
        #expect(throws: MessageError.self) { try destinations().admit(through3, user: "ben", at: Self.time) }
    }

    @Test func `a session that forwards cannot authenticate`() throws {
        let sessions = try sessions(Self.throughHost1)
        #expect(throws: MessageError.self) { try destinations().admit(sessions, user: "ann", at: Self.time) }
        #expect(try destinations().admit(sessions, user: nil, at: Self.time) == "host1.example")
    }

    @Test func `a host does not see keys that are of use to it only`() throws {
        // Without the constraint for a host behind it.
        let direct = [try destinations()[0]]
        let sessions = try sessions(Self.throughHost1)
        #expect(throws: MessageError.invalid("the constraints of the key do not allow its use beyond this host")) {
            try direct.admit(sessions, user: nil, at: Self.time)
        }
    }

    @Test func `a certificate of a host counts while it is valid, and its plain key does not`() throws {
        let certified = try sessions(
            binding(RecordedKeys.certificate_hostc, Self.first, RecordedKeys.session1_hostc))
        #expect(try destinations().admit(certified, user: "any", at: Self.time) == "x.c.example")
        #expect(throws: MessageError.self) { try destinations().admit(certified, user: "any", at: 1_900_000_000) }
        let plain = try sessions(binding(RecordedKeys.publicKey_hostc, Self.first, RecordedKeys.session1_hostc))
        #expect(throws: MessageError.self) { try destinations().admit(plain, user: "any", at: Self.time) }
    }

    @Test func `an empty list of destinations admits no session`() throws {
        let sessions = try sessions(Self.toHost1)
        #expect(throws: MessageError.self) { try [DestinationConstraint]().admit(sessions, user: "ann", at: Self.time) }
    }
}

@Suite struct SignedDataTests {
    private static let sessionID = RecordedKeys.sessionID1

    private func key() throws -> SSHPublicKey { try SSHPublicKey(blob: RecordedKeys.publicKey_ed25519) }

    private func request(
        _ hostKey: [UInt8]? = nil, key: [UInt8] = RecordedKeys.publicKey_ed25519, algorithm: String = "ssh-ed25519",
        service: String = "ssh-connection"
    ) -> [UInt8] {
        authentication(
            as: "ann", Self.sessionID, key: key, algorithm: algorithm, hostKey: hostKey, service: service)
    }

    @Test func `a signature of ssh-keygen is a message with its namespace`() throws {
        guard case .sign(let request) = try AgentRequest(RecordedMessages.signCommit) else {
            Issue.record("no request for a signature")
            return
        }
        #expect(request.key == RecordedKeys.publicKey_ed25519)
        #expect(SignedData(request.data, by: try key()) == .message(namespace: "git"))
        #expect(SignedData(request.data + [0], by: try key()) == .other)
        #expect(SignedData(request.data.dropLast(), by: try key()) == .other)
    }

    @Test func `a request for authentication names the user, and the host key if it has one`() throws {
        guard case .authentication(let plain) = SignedData(request(), by: try key()) else {
            Issue.record("not recognized")
            return
        }
        #expect(plain.user == "ann" && plain.sessionID == Self.sessionID && plain.hostKey == nil)
        guard case .authentication(let bound) = SignedData(request(RecordedKeys.publicKey_host1), by: try key()) else {
            Issue.record("not recognized")
            return
        }
        #expect(bound.hostKey == RecordedKeys.publicKey_host1)
    }

    @Test func `a request with another key, service or algorithm is no authentication with this key`() throws {
        let others = [
            request(key: RecordedKeys.publicKey_host1), request(algorithm: "ssh-rsa"), request(service: "other"),
            request() + [0], Array(request().dropLast()),
        ]
        for data in others { #expect(SignedData(data, by: try key()) == .other) }
    }

    @Test func `an RSA key may authenticate with the names of its signatures`() throws {
        let rsa = try SSHPublicKey(blob: RecordedKeys.publicKey_rsa)
        let certificate = try SSHPublicKey(blob: RecordedKeys.certificate_rsa)
        let plain = request(key: rsa.blob, algorithm: "rsa-sha2-512")
        let certified = request(key: certificate.blob, algorithm: "rsa-sha2-256-cert-v01@openssh.com")
        for (data, key) in [(plain, rsa), (certified, certificate)] {
            guard case .authentication = SignedData(data, by: key) else {
                Issue.record("not recognized")
                continue
            }
        }
        #expect(SignedData(request(key: rsa.blob, algorithm: "ssh-ed25519"), by: rsa) == .other)
    }

    @Test func `a request belongs to the last session of its connection and names its host key`() throws {
        let key = try key()
        let forwarding = binding(
            RecordedKeys.publicKey_host2, RecordedKeys.sessionID2, RecordedKeys.session2_host2, isForwarding: true)
        let last = binding(RecordedKeys.publicKey_host1, Self.sessionID, RecordedKeys.session1_host1)
        var direct = ConnectionSessions()
        try direct.bind(last)
        var forwarded = ConnectionSessions()
        try forwarded.bind(forwarding)
        try forwarded.bind(last)

        let plain = try UserAuthentication(request(), by: key)
        let bound = try UserAuthentication(request(RecordedKeys.publicKey_host1), by: key)
        let other = try UserAuthentication(request(RecordedKeys.publicKey_host2), by: key)
        try plain.verify(direct)
        try bound.verify(direct)
        try bound.verify(forwarded)
        #expect(throws: MessageError.self) { try plain.verify(forwarded) }
        #expect(throws: MessageError.self) { try other.verify(direct) }
        #expect(throws: MessageError.self) { try plain.verify(ConnectionSessions()) }
        var elsewhere = ConnectionSessions()
        try elsewhere.bind(forwarding)
        #expect(throws: MessageError.self) { try plain.verify(elsewhere) }
    }
}
