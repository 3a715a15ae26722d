// SPDX-License-Identifier: Apache-2.0

import KeychainBytes

// Messages on a connection after the request `agent` (Documentation/Protocols/client.md, "Agents"). The prompts and
// replies inside are frames of the helper protocol, which this module does not parse.

/// A prompt for the agent's user. The service sends one at a time.
public struct AgentQuestion: Hashable, Sendable {
    /// Counted from 1 on each connection.
    public let number: UInt32
    /// A frame of the helper protocol: a prompt request.
    public let prompt: [UInt8]

    public init(number: UInt32, prompt: [UInt8]) {
        self.number = number
        self.prompt = prompt
    }

    /// Reads the message.
    ///
    /// - Throws: `.unexpected` for another kind of frame, and all errors of reading. Never traps.
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

/// Withdraws a prompt: the agent removes it from the screen. A reply that is already sent is ignored.
public struct AgentWithdrawal: Hashable, Sendable {
    public let number: UInt32

    public init(number: UInt32) { self.number = number }

    /// Reads the message.
    ///
    /// - Throws: `.unexpected` for another kind of frame, and all errors of reading. Never traps.
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

/// The user's answer to a prompt, which may contain a secret. Each prompt has at most one answer.
public struct AgentAnswer<Reply> {
    public let number: UInt32
    /// A frame of the helper protocol: a prompt reply or a refusal.
    public let reply: Reply

    /// Reads the message.
    ///
    /// - Parameters:
    ///   - nonce: the nonce of the connection's hello.
    ///   - copy: copies the reply out of the frame, which is wiped afterwards.
    /// - Throws: `.unexpected` for another kind of frame, `.wrongNonce`, and all errors of reading. Never traps.
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

    /// Returns the frame of an answer. The sender wipes it.
    public static func frame(to number: UInt32, reply: some Collection<UInt8>, nonce: [UInt8]) -> [UInt8]
    where Reply == [UInt8] {
        var writer = WireWriter(.promptAnswer, reserving: nonce.count + reply.count + 8)
        writer.raw(nonce)
        writer.u32(number)
        writer.block(reply)
        return (consume writer).frame()
    }
}
