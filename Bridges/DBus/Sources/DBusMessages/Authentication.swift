// SPDX-License-Identifier: Apache-2.0

/// The client's side of the authentication before the first message: SASL with the mechanism EXTERNAL, where the server
/// gets the client's identity from the kernel (D-Bus Specification, "Authentication Protocol").
///
/// Each line of the server is answered at once; ``isFinished`` is true when messages may follow.
public struct Authentication: Sendable {
    public enum Error: Swift.Error, Hashable, Sendable {
        /// The server rejects this user.
        case rejected
        /// A line that the protocol does not allow in this state, or a line that is too long.
        case unexpected
    }

    private enum State {
        case waitingForOK
        case waitingForAgreement
        case finished
    }

    /// The longest line that is accepted; real lines have less than a hundred bytes.
    public static let lineBytes = 16384

    private var state = State.waitingForOK
    private var line: [UInt8] = []
    private let requestsDescriptors: Bool
    /// Whether the connection can send and receive descriptors.
    public private(set) var passesDescriptors = false

    /// - Parameter requestsDescriptors: whether the client asks for the passing of descriptors.
    public init(requestsDescriptors: Bool = true) {
        self.requestsDescriptors = requestsDescriptors
    }

    public var isFinished: Bool { if case .finished = state { true } else { false } }

    /// Returns the client's first bytes. The leading zero carries the credentials on systems that need one.
    public static func opening(user: UInt32) -> [UInt8] {
        // The number's decimal digits, each of them as two hexadecimal ones.
        let identity = String(user).utf8.map { String($0, radix: 16) }.joined()
        return [0] + Array("AUTH EXTERNAL \(identity)\r\n".utf8)
    }

    /// Takes the server's bytes up to and including the end of one line, and returns the answer if the line is
    /// complete. Bytes after the line stay in the slice.
    public mutating func receive(_ bytes: inout ArraySlice<UInt8>) throws(Error) -> [UInt8]? {
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

    private mutating func answer(to line: String) throws(Error) -> [UInt8] {
        let command = line.prefix { $0 != " " }
        switch (state, command) {
        case (.waitingForOK, "OK") where !requestsDescriptors:
            state = .finished
            return Array("BEGIN\r\n".utf8)
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
