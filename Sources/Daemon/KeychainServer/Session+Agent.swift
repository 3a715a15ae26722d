// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPlatform
internal import KeychainPolicy
internal import KeychainWire
internal import SecretMemory

// The connection of the agent that shows the service's prompts. It uses no keychain: an agent neither creates its
// user's keychain nor keeps it open.
extension Session {
    /// Serves an agent until either side ends the connection, as any violation of the protocol does.
    func serve(_ identified: IdentifiedCaller, askingFor agents: PromptAgents) throws(ConnectionLostError) {
        var hello = Hello(nonce: nonce).frame
        try send(&hello)
        guard try isGreeted(by: identified) else {
            var refusal = ReplyWriter.refusal(Self.notGreeted)
            return try send(&refusal)
        }
        var reader = FrameReader()
        let sender = try receiveFrame(&reader)
        guard identified.stillIs(sender), Self.isRequestToAsk(reader, nonce) else {
            var refusal = ReplyWriter.refusal(Refusal(.missingEntitlement, .agentOnly))
            return try send(&refusal)
        }
        reader.discard { wipe(&$0) }
        let user = identified.caller.caller.userID
        let link = AgentLink(connection, place: identified.place)
        agents.add(link, of: user)
        defer {
            agents.remove(link, of: user)
            link.end()
        }
        // The session must not be ended in favour of others because it is idle.
        activity.watch()
        var writer = ReplyWriter()
        guard link.open(writer.finish()) else { return }
        while true {
            let sender = try receiveFrame(&reader)
            // The answer to a prompt that was just withdrawn may be followed by the next one at once.
            repeat {
                guard identified.stillIs(sender), Self.take(&reader, link, nonce) else { return }
            } while try isComplete(reader)
            ProgramMemory.wipeStackAndRegisters()
        }
    }

    private static func isRequestToAsk(_ reader: FrameReader, _ nonce: [UInt8]) -> Bool {
        guard let frame = try? reader.frame(),
            case .agent = try? Request(consume frame, nonce: nonce, secret: { _ in () })
        else { return false }
        return true
    }

    private static func take(_ reader: inout FrameReader, _ link: AgentLink, _ nonce: [UInt8]) -> Bool {
        defer { reader.discard { wipe(&$0) } }
        guard let frame = try? reader.frame(mayHaveMore: true) else { return false }
        // Passed on, so that the reader's buffer is the only copy when it is wiped.
        return link.take(consume frame, nonce: nonce)
    }
}
