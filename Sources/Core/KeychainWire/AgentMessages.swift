// SPDX-License-Identifier: Apache-2.0

// What is said on a connection after the request `agent` (Documentation/Protocols/client.md, "Agents"). The questions and answers
// inside are frames of the helper protocol, which this module does not read.

/// A question to the agent's user. The service asks one at a time.
public struct AgentQuestion: Hashable, Sendable {
    /// Counted up from 1 on each connection.
    public let number: UInt32
    /// A frame of the helper protocol: a prompt request.
    public let prompt: [UInt8]

    public init(number: UInt32, prompt: [UInt8]) {
        self.number = number
        self.prompt = prompt
    }

    /// - Throws: `.unexpected` for another kind of frame, and all that reading throws. Never traps.
    public init(_ frame: Frame) throws(WireError) {
        guard frame.kind == .prompt else { throw .unexpected(frame.kind) }
        var reader = frame.reader
        number = try reader.u32()
        prompt = Array(try reader.block(atMost: WireLimits.promptBytes))
        try reader.finish()
    }

    public var frame: [UInt8] {
        var writer = WireWriter(.prompt, reserving: prompt.count + 8)
        writer.u32(number)
        writer.block(prompt)
        return writer.frame()
    }
}

/// A question is taken back: what is shown of it ends. An answer may be under way already, and counts no more.
public struct AgentWithdrawal: Hashable, Sendable {
    public let number: UInt32

    public init(number: UInt32) { self.number = number }

    /// - Throws: `.unexpected` for another kind of frame, and all that reading throws. Never traps.
    public init(_ frame: Frame) throws(WireError) {
        guard frame.kind == .promptWithdrawal else { throw .unexpected(frame.kind) }
        var reader = frame.reader
        number = try reader.u32()
        try reader.finish()
    }

    public var frame: [UInt8] {
        var writer = WireWriter(.promptWithdrawal, reserving: 4)
        writer.u32(number)
        return writer.frame()
    }
}

/// What a person said, which may be a secret. Each question has at most one answer.
public struct AgentAnswer<Reply> {
    public let number: UInt32
    /// A frame of the helper protocol: a prompt reply or a refusal.
    public let reply: Reply

    /// - Parameters:
    ///   - nonce: that of the connection's hello.
    ///   - copy: takes the reply out of the frame, which is wiped afterwards.
    /// - Throws: `.unexpected` for another kind of frame, `.wrongNonce`, and all that reading throws. Never traps.
    public init(
        _ frame: Frame, nonce: [UInt8], copy: (ArraySlice<UInt8>) -> Reply
    ) throws(WireError) {
        guard frame.kind == .promptAnswer else { throw .unexpected(frame.kind) }
        var reader = frame.reader
        guard try reader.take(nonce) else { throw .wrongNonce }
        number = try reader.u32()
        let bytes = try reader.block(atMost: WireLimits.promptBytes)
        try reader.finish()
        reply = copy(bytes)
    }

    /// The frame of an answer. Whoever sends it wipes it.
    public static func frame(to number: UInt32, reply: some Collection<UInt8>, nonce: [UInt8]) -> [UInt8]
    where Reply == [UInt8] {
        var writer = WireWriter(.promptAnswer, reserving: nonce.count + reply.count + 8)
        writer.raw(nonce)
        writer.u32(number)
        writer.block(reply)
        return (consume writer).frame()
    }
}
