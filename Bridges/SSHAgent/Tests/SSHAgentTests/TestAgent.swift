// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
import SSHAgentProtocol
import SSHAgentSamples
import Synchronization
import Testing

@testable import SSHAgent

/// An agent with a clock, a user and programs that the test controls.
final class TestAgent: Sendable {
    struct World {
        /// Milliseconds.
        var uptime: UInt64 = 5_000_000
        /// In the validity of the certificate of a host.
        var time: UInt64 = 1_800_000_000
        var confirms = true
        var questions: [String] = []
        var reports: [String] = []
        var securityKeyWork: [SecurityKeyWork] = []
        var knownHosts = ""
    }

    let world = Box()
    let agent: Agent

    final class Box: Sendable {
        let state = Mutex(World())
    }

    init(_ options: Agent.Options = Agent.Options(), whileAsking: @escaping @Sendable () -> Void = {}) {
        let world = world
        agent = Agent(
            Agent.Dependencies(
                uptime: { world.state.withLock(\.uptime) }, time: { world.state.withLock(\.time) },
                randomBytes: { [UInt8](repeating: 7, count: $0) },
                confirm: { request in
                    whileAsking()
                    return world.state.withLock { world in
                        world.questions.append(request.text(.sha256))
                        return world.confirms
                    }
                },
                signInSecurityKey: { work in
                    world.state.withLock { $0.securityKeyWork.append(work) }
                    return [1, 2, 3]
                },
                absolutePath: { path in path.hasPrefix("/missing") ? nil : path },
                knownHosts: { [KnownHosts(Array(world.state.withLock(\.knownHosts).utf8))] },
                report: { sentence in world.state.withLock { $0.reports.append(sentence) } }), options)
    }

    /// A connection of a client.
    func connect(_ keptKeys: (any AgentKeys)? = nil) -> AgentConnection {
        AgentConnection(client: "ssh (process 42)", keptKeys: keptKeys)
    }

    func advance(bySeconds seconds: UInt64) { world.state.withLock { $0.uptime += seconds * 1000 } }

    var questions: [String] { world.state.withLock(\.questions) }
    var reports: [String] { world.state.withLock(\.reports) }

    // MARK: Requests

    func reply(_ message: [UInt8]) -> AgentReply {
        var connection = connect()
        return agent.reply(to: message, on: &connection)
    }

    /// The public keys that a new connection sees.
    func listed() -> [[UInt8]] { listed(connect()) }

    func listed(_ connection: AgentConnection) -> [[UInt8]] {
        var connection = connection
        guard case .identities(let identities) = agent.reply(to: [11], on: &connection) else { return [] }
        return identities.map(\.key)
    }

    static func signing(_ data: [UInt8], _ key: [UInt8], flags: UInt32 = 0) -> [UInt8] {
        var writer = ByteWriter()
        writer.u8(13)
        writer.block(key)
        writer.block(data)
        writer.u32(flags)
        return writer.bytes
    }

    static func session(_ contents: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.u8(27)
        writer.block("session-bind@openssh.com")
        writer.raw(contents)
        return writer.bytes
    }

}

/// Verifies that a reply is a signature of the recorded key.
func expectSignature(
    _ reply: AgentReply, of data: [UInt8], by key: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
) throws {
    guard case .signature(let signature) = reply else {
        Issue.record("no signature: \(reply)", sourceLocation: sourceLocation)
        return
    }
    try SSHPublicKey(blob: key).verify(signature, of: data)
}
