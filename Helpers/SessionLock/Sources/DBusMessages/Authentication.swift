// SPDX-License-Identifier: Apache-2.0

/// The client's side of what comes before the first message: SASL with the mechanism EXTERNAL, by which the other side
/// asks the kernel who connected (D-Bus Specification, "Authentication Protocol").
///
/// Each line of the other side is answered at once; ``isFinished`` says when messages may follow.
public struct Authentication: Sendable {
    public enum Failure: Error, Hashable, Sendable {
        /// The other side does not let this user in.
        case rejected
        /// A line that the protocol does not have at this place, or one that is too long.
        case unexpected
    }

    private enum State {
        case waitingForOK
        case waitingForAgreement
        case finished
    }

    /// The longest line that is taken; those that occur have less than a hundred bytes.
    public static let lineBytes = 16384

    private var state = State.waitingForOK
    private var line: [UInt8] = []
    /// Whether descriptors may be sent and received.
    public private(set) var passesDescriptors = false

    public init() {}

    public var isFinished: Bool { if case .finished = state { true } else { false } }

    /// What the client says first. The zero in front carries the credentials on systems that need one.
    public static func opening(user: UInt32) -> [UInt8] {
        // The number's decimal digits, each of them as two hexadecimal ones.
        let identity = String(user).utf8.map { String($0, radix: 16) }.joined()
        return [0] + Array("AUTH EXTERNAL \(identity)\r\n".utf8)
    }

    /// Takes bytes of the other side up to and including the end of one line; the answer to it, if the line is complete.
    /// Bytes beyond it stay in the slice.
    public mutating func receive(_ bytes: inout ArraySlice<UInt8>) throws(Failure) -> [UInt8]? {
        while let byte = bytes.popFirst() {
            line.append(byte)
            guard line.count <= Self.lineBytes else { throw .unexpected }
            if byte == 0x0A, line.dropLast().last == 0x0D {
                let text = String(decoding: line.dropLast(2), as: UTF8.self)
                line = []
                return try answer(to: text)
            }
        }
        return nil
    }

    private mutating func answer(to line: String) throws(Failure) -> [UInt8] {
        let command = line.prefix { $0 != " " }
        switch (state, command) {
        case (.waitingForOK, "OK"):
            state = .waitingForAgreement
            return Array("NEGOTIATE_UNIX_FD\r\n".utf8)
        case (.waitingForOK, "REJECTED"), (.waitingForOK, "ERROR"): throw .rejected
        case (.waitingForAgreement, "AGREE_UNIX_FD"):
            passesDescriptors = true
            fallthrough
        case (.waitingForAgreement, "ERROR"):
            state = .finished
            return Array("BEGIN\r\n".utf8)
        default: throw .unexpected
        }
    }
}
