// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import SSHAgent
import SSHAgentProtocol

/// Fuzzes the input of the agent for SSH. The first byte selects the kind: the messages of a client in pieces, which an
/// agent answers; a public key or a certificate; the tag of a key in the keychain.
func fuzzSSH(_ bytes: [UInt8]) {
    let input = Array(bytes.dropFirst())
    switch bytes.first {
    case 0: converse(input)
    case 1: readKey(input)
    case 2: readTag(String(decoding: input, as: UTF8.self))
    default: break
    }
}

private func newAgent() -> Agent {
    Agent(
        Agent.Dependencies(
            uptime: { 5_000_000 }, time: { 1_800_000_000 }, randomBytes: { [UInt8](repeating: 7, count: $0) },
            confirm: { _ in true },
            signInSecurityKey: { _ throws(AgentError) in throw AgentError("there is no security key") },
            absolutePath: { $0 }, knownHosts: { [] }, report: { _ in }))
}

/// The first byte of a piece is its length.
private func converse(_ bytes: [UInt8]) {
    let agent = newAgent()
    var connection = AgentConnection(client: "client", program: "/usr/bin/ssh")
    var stream = MessageStream()
    var rest = bytes[...]
    while let first = rest.first {
        let piece = rest.prefix(Int(first) % 61 + 2)
        rest = rest.dropFirst(piece.count)
        stream.receive(piece.dropFirst())
        do throws(MessageError) {
            while let message = try stream.next() { answer(message, agent, &connection) }
        } catch {
            return
        }
    }
}

private func answer(_ message: [UInt8], _ agent: Agent, _ connection: inout AgentConnection) {
    let before = listed(agent, connection)
    let reply = agent.reply(to: message, on: &connection)
    let frame = reply.frame
    guard frame.count >= 5, frame.count <= 4 + MessageLimits.message else { finding("a reply has a wrong size") }
    let after = listed(agent, connection)
    // A refused message changes nothing. A session that cannot be verified hides keys, and is refused as an extension.
    if reply == .failure, before != after { finding("a refused request changed the keys") }
    guard case .signature(let signature) = reply else { return }
    guard case .sign(let request)? = try? AgentRequest(message), let key = try? SSHPublicKey(blob: request.key),
        before.contains(request.key)
    else { finding("the agent signed without a key") }
    do throws(MessageError) {
        try key.verify(signature, of: request.data)
    } catch {
        finding("the agent made a wrong signature")
    }
}

private func listed(_ agent: Agent, _ connection: AgentConnection) -> [[UInt8]] {
    var connection = connection
    guard case .identities(let identities) = agent.reply(to: [11], on: &connection) else { finding("no list") }
    return identities.map(\.key)
}

private func readKey(_ bytes: [UInt8]) {
    guard let key = try? SSHPublicKey(blob: bytes) else { return }
    guard key.blob == bytes, let plain = try? SSHPublicKey(blob: key.plainBlob), plain.key == key.key,
        plain.fingerprint() == key.fingerprint()
    else { finding("a key has two forms") }
    if key.certificate == nil, key.plainBlob != bytes { finding("a key has further fields") }
}

private func readTag(_ text: String) {
    guard let tag = SSHKeyTag(text) else { return }
    guard tag.text == text, SSHKeyTag(tag.text) == tag else { finding("a tag has two forms") }
    let isRestricted = tag.needsConfirmation || !tag.programs.isEmpty || !tag.hosts.isEmpty
    if isRestricted != tag.isRestricted { finding("a tag forgets its rules") }
}
