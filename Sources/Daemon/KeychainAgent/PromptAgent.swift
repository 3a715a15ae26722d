// SPDX-License-Identifier: Apache-2.0

public import KeychainEndpoint
internal import KeychainHelperWire
public import KeychainModel
public import KeychainPrompting
internal import KeychainWire
internal import SecretMemory

/// Shows the prompts of the system service to its user, over one connection (Documentation/Protocols/client.md,
/// "Agents").
public struct PromptAgent: Sendable {
    /// The reason why the agent shows no more prompts.
    public enum End: Error, Hashable, Sendable {
        /// The service does not accept this program as an agent.
        case refused(Refusal)
        /// Newer agents of the same user have replaced it.
        case gaveWay
        case lost(EndpointError)
        /// The service does not speak the protocol.
        case protocolViolation
    }

    private let programs: PromptPrograms

    /// Creates an agent.
    ///
    /// - Parameter programs: the programs that show prompts.
    public init(_ programs: PromptPrograms) { self.programs = programs }

    private static let helloTimeout: Duration = .seconds(10)

    /// Shows prompts until the connection ends, and returns the reason. A prompt that is shown then is withdrawn.
    ///
    /// - Parameters:
    ///   - socket: a new connection to the service.
    ///   - isAccepted: called when the service has accepted this agent.
    public func serve(_ socket: EndpointSocket, isAccepted: () -> Void) -> End {
        var frames = ServiceFrames(socket)
        do throws(End) {
            let nonce = try begin(socket, &frames)
            isAccepted()
            guard let desk = PromptDesk(programs, socket, nonce: nonce) else {
                return .lost(.system(SystemCallError(call: "eventfd", code: 0)))
            }
            defer { desk.close() }
            var gaveWay = false
            while !gaveWay {
                try frames.next { frame throws(WireError) in
                    switch frame.kind {
                    case .prompt:
                        let question = try AgentQuestion(frame)
                        guard let request = try? PromptRequest(question.prompt),
                            desk.take(request, number: question.number)
                        else { throw .malformed }
                    case .promptWithdrawal: desk.withdraw(try AgentWithdrawal(frame).number)
                    case .reply:
                        _ = try Self.refusal(frame)
                        gaveWay = true
                    default: throw .unexpected(frame.kind)
                    }
                }
            }
            return .gaveWay
        } catch {
            return error
        }
    }

    /// Begins the connection.
    ///
    /// - Returns: the connection's nonce.
    private func begin(_ socket: EndpointSocket, _ frames: inout ServiceFrames) throws(End) -> [UInt8] {
        do throws(EndpointError) { try socket.setReceiveTimeout(Self.helloTimeout) } catch { throw .lost(error) }
        var nonce: [UInt8] = []
        var refusal: Refusal?
        try frames.next { frame throws(WireError) in
            // The service may send a refusal instead of a hello.
            guard frame.kind == .reply else { return nonce = try Hello(frame).nonce }
            refusal = try Self.refusal(frame)
        }
        if let refusal { throw .refused(refusal) }
        do throws(EndpointError) {
            try socket.sendGreeting(Greeting.frame(nonce: nonce).span)
            try socket.send(Request<[UInt8]>.agent.frame(nonce: nonce).span)
        } catch {
            throw .lost(error)
        }
        try frames.next { frame throws(WireError) in refusal = try ReplyPart<Void>(frame) { _ in }.refusal }
        if let refusal { throw .refused(refusal) }
        // From now on the service may send no prompt for days.
        do throws(EndpointError) { try socket.setReceiveTimeout(nil) } catch { throw .lost(error) }
        return nonce
    }
}

extension PromptAgent {
    /// Returns the refusal in a frame that arrives while no answer is expected.
    fileprivate static func refusal(_ frame: Frame) throws(WireError) -> Refusal {
        let answer = try ReplyPart<Void>(frame) { _ in }
        guard let refusal = answer.refusal else { throw .malformed }
        return refusal
    }
}

/// The frames from the service.
private struct ServiceFrames: ~Copyable {
    private let socket: EndpointSocket
    private var reader = FrameReader()

    init(_ socket: EndpointSocket) { self.socket = socket }

    private static let receiveBytes = 16 * 1024

    mutating func next(_ read: (Frame) throws(WireError) -> Void) throws(PromptAgent.End) {
        while try isIncomplete() { try receive() }
        defer { reader.discard { wipe(&$0) } }
        do throws(WireError) {
            try read(try reader.frame(mayHaveMore: true))
        } catch {
            throw .protocolViolation
        }
    }

    private func isIncomplete() throws(PromptAgent.End) -> Bool {
        do throws(WireError) { return try reader.missing != nil } catch { throw .protocolViolation }
    }

    private mutating func receive() throws(PromptAgent.End) {
        let count: Int
        do throws(EndpointError) {
            // The next read detects an invalid header again.
            count = try socket.receive(atMost: Self.receiveBytes) { try? reader.receive($0) }
        } catch {
            throw .lost(error)
        }
        guard count > 0 else { throw .lost(.closed) }
    }
}
