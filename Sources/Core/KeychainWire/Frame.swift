// SPDX-License-Identifier: Apache-2.0

public import KeychainBytes
public import KeychainModel

/// The kinds of frames, by direction. The raw value is the second byte of a frame.
public enum FrameKind: UInt8, CaseIterable, Hashable, Sendable {
    // Frames from the service.

    /// The first frame of a connection: the nonce that every request must repeat.
    case hello = 0x01
    /// Some items of a reply; more frames follow.
    case items = 0x02
    /// The end of a reply: the status and the last items.
    case reply = 0x03
    /// An item changed; only after `watch`.
    case change = 0x04
    /// The keychain was locked or unlocked; only after `watch`.
    case lockState = 0x05
    /// A new line of the audit log; only after a request to follow it.
    case logLine = 0x06
    /// A proof of an owner authentication, valid for later requests; sent before the frames of the reply.
    case proof = 0x07
    /// An event in one of the user's keychains; only after `watchKeychains`.
    case keychainNotice = 0x08
    /// A prompt for the user; only after `agent`.
    case prompt = 0x0A
    /// The withdrawal of a prompt; only after `agent`.
    case promptWithdrawal = 0x0B

    // Frames from the client.

    /// The reply to the hello: proves that the program itself is at the other end.
    case greeting = 0x10
    case add = 0x11
    case copyMatching = 0x12
    case update = 0x13
    case delete = 0x14
    case status = 0x15
    /// Turns the connection into a stream of changes.
    case watch = 0x16
    /// Explains why a search finds nothing or an item cannot be added. Changes nothing.
    case explain = 0x17
    /// A request for the keychain as a whole: unlock, lock, protectors, settings.
    case administer = 0x18
    /// Returns the identity of a program: the caller, a process, or a file.
    case identity = 0x19
    /// Lists or revokes remembered grants. Only for the administration tool.
    case grants = 0x1A

    /// Reads, verifies or follows the audit log. Only for the administration tool.
    case log = 0x1B

    /// Makes a backup, piece by piece. Only for the administration tool.
    case backup = 0x1C
    /// Checks a backup or restores it, piece by piece. Only for the administration tool.
    case restore = 0x1D
    /// From now on, programs without entitlements have no access group on this connection.
    case requireEntitlements = 0x1E
    /// Uses a private key that stays in the service, or makes a new one there.
    case key = 0x1F
    /// A request together with the data for owner authentication.
    case authenticated = 0x20
    /// Requests owner authentication, or the available methods.
    case authentication = 0x21
    /// A request for a file keychain: create, unlock, lock, delete, add to the search list.
    case keychainFile = 0x22
    /// A request for the items of a file keychain.
    case inKeychain = 0x23
    /// Turns the connection into a stream of events in the user's keychains.
    case watchKeychains = 0x24
    /// The first request of a bridge, with a pidfd: from now on the connection serves the process that it names.
    case behalf = 0x25
    /// Declares that the client can show prompts to its user. Turns the connection into a stream of prompts and
    /// answers.
    case agent = 0x28
    /// The user's answer to a prompt; only after `agent`.
    case promptAnswer = 0x29

    public var isRequest: Bool { rawValue > FrameKind.greeting.rawValue }
}

/// The eight bytes before each payload (Documentation/Protocols/client.md): version, kind, two zero bytes, and the
/// payload's length as a 32-bit big-endian number.
public struct FrameHeader: Hashable, Sendable {
    public static let size = 8
    /// The protocol version, the first byte of every frame.
    public static let version: UInt8 = 1

    public let kind: FrameKind
    public let payloadSize: Int

    /// Reads a header.
    ///
    /// - Throws: `.truncated` below eight bytes, `.version` for another version, `.malformed` for an unknown kind or
    ///   non-zero reserved bytes, `.tooLarge` beyond ``WireLimits/payloadBytes``.
    public init(_ bytes: some Collection<UInt8>) throws(WireError) {
        try self.init(Array(bytes.prefix(Self.size)).span)
    }

    /// Reads the header at the start of a buffer in place, because every request does this more than once.
    init(_ head: Span<UInt8>) throws(WireError) {
        guard head.count >= Self.size else { throw .truncated }
        guard head[0] == Self.version else { throw .version(head[0]) }
        guard let kind = FrameKind(rawValue: head[1]), head[2] == 0, head[3] == 0 else { throw .malformed }
        let size = (4..<8).reduce(0) { $0 << 8 | Int(head[$1]) }
        guard size <= WireLimits.payloadBytes else { throw .tooLarge }
        self.kind = kind
        payloadSize = size
    }
}

/// A complete frame: its kind, and a reader over its payload.
public struct Frame {
    public let kind: FrameKind
    public var reader: WireReader
}

/// Assembles frames from the pieces in which they arrive. Does no input itself.
///
/// The buffer may contain a secret: the owner calls ``discard(wiping:)`` after using a frame.
public struct FrameReader: Sendable {
    private(set) var buffer: [UInt8] = []

    public init() {}

    /// The number of bytes that the frame in the buffer still needs; nil if it is complete. Before the header is
    /// complete, at least one byte.
    ///
    /// - Throws: the errors of ``FrameHeader/init(_:)``, as soon as the header is complete.
    public var missing: Int? {
        get throws(WireError) {
            guard buffer.count >= FrameHeader.size else { return FrameHeader.size - buffer.count }
            let total = FrameHeader.size + (try FrameHeader(buffer.span).payloadSize)
            return buffer.count >= total ? nil : total - buffer.count
        }
    }

    public var isEmpty: Bool { buffer.isEmpty }

    /// Adds bytes that arrived. Room for the whole frame is reserved as soon as its size is known and before any of its
    /// payload is stored, so that a growing buffer leaves no unwiped copies behind.
    ///
    /// - Throws: the errors of ``FrameHeader/init(_:)``, as soon as the header is complete; ``missing`` and
    ///   ``frame(mayHaveMore:)`` throw them from then on.
    public mutating func receive(_ bytes: some Collection<UInt8>) throws(WireError) {
        guard buffer.count < FrameHeader.size else { return buffer.append(contentsOf: bytes) }
        let header = bytes.prefix(FrameHeader.size - buffer.count)
        let rest = bytes.dropFirst(header.count)
        buffer.append(contentsOf: header)
        guard buffer.count == FrameHeader.size else { return }
        reserve(try FrameHeader(buffer.span), rest.count)
        buffer.append(contentsOf: rest)
    }

    /// Adds bytes as the other ``receive(_:)`` does, for bytes borrowed from a socket.
    public mutating func receive(_ bytes: Span<UInt8>) throws(WireError) {
        guard buffer.count < FrameHeader.size else { return append(bytes) }
        let head = bytes.extracting(first: FrameHeader.size - buffer.count)
        let rest = bytes.extracting(droppingFirst: head.count)
        // Usually the header arrives in one piece. Then all room is reserved at once; an invalid header is reported
        // below.
        if buffer.isEmpty, let header = try? FrameHeader(head) { reserve(header, rest.count) }
        append(head)
        guard buffer.count == FrameHeader.size else { return }
        reserve(try FrameHeader(buffer.span), rest.count)
        append(rest)
    }

    private mutating func reserve(_ header: FrameHeader, _ count: Int) {
        buffer.reserveCapacity(FrameHeader.size + max(header.payloadSize, count))
    }

    private mutating func append(_ bytes: Span<UInt8>) {
        // Adding nothing to an empty array would write a count into the storage that all empty arrays share.
        guard !bytes.isEmpty else { return }
        // The optimiser turns this into one copy loop, without a check for each byte.
        buffer.append(addingCapacity: bytes.count) { output in
            for index in bytes.indices { output.append(bytes[index]) }
        }
    }

    /// Returns the complete frame in the buffer.
    ///
    /// - Throws: `.truncated` for an incomplete frame; `.trailingBytes` for more than one frame, unless `mayHaveMore`.
    public func frame(mayHaveMore: Bool = false) throws(WireError) -> Frame {
        let header = try FrameHeader(buffer.span)
        let end = FrameHeader.size + header.payloadSize
        guard buffer.count >= end else { throw .truncated }
        guard mayHaveMore || buffer.count == end else { throw .trailingBytes }
        return Frame(kind: header.kind, reader: WireReader(buffer, from: FrameHeader.size, to: end))
    }

    /// Removes the first frame from the buffer. All values read from it must be released before, or `wipe` overwrites a
    /// copy.
    public mutating func discard(wiping wipe: (inout [UInt8]) -> Void) {
        let end = (try? FrameHeader(buffer.span)).map { FrameHeader.size + $0.payloadSize } ?? buffer.count
        var rest = end < buffer.count ? Array(buffer[end...]) : []
        wipe(&buffer)
        buffer = []
        guard !rest.isEmpty else { return }
        // An invalid header is reported again when the caller requests the frame.
        try? receive(rest)
        wipe(&rest)
    }
}

/// The limits of messages. They bound everything on the wire.
public enum WireLimits {
    /// One payload: the largest secret, the largest attributes twice (an update carries a query and changes), and room
    /// for the rest.
    public static let payloadBytes = ItemLimits.secretBytes + 2 * ItemLimits.attributeBytes + 65_536
    /// The approximate size of a frame. A longer reply is sent in several frames, so that no side holds all of it in
    /// memory.
    public static let batchBytes = 256 * 1024
    /// Bytes of the nonce in the hello.
    public static let nonceBytes = 16
    /// Name of an access group, UTF-8.
    public static let accessGroupBytes = 1024
    /// The host of `kSecMatchHostOrSubdomainOfHost`: longer than any name in the DNS.
    public static let hostBytes = 1024
    /// The text that attributes of an item contain.
    public static let containedTextBytes = 1024
    /// A passcode or another secret that opens a keychain.
    public static let protectorSecretBytes = 1024
    /// The name of an algorithm for keys; the longest has about sixty bytes.
    public static let algorithmBytes = 128
    /// The public key of the other party of a key agreement; the longest of a curve has 133 bytes.
    public static let publicKeyBytes = 256
    /// A sealed key that is not stored: its attributes with it.
    public static let sealedKeyBytes = 65_536
    /// A program's reason, shown in a prompt.
    public static let reasonBytes = 1024
    /// The title of a button.
    public static let promptTitleBytes = 128
    public static let proofs = 8
    public static let proofBytes = 128
    /// The item's own password.
    public static let applicationPasswordBytes = 1024
    /// A frame of the helper protocol with a prompt, or with the answer to it.
    public static let promptBytes = 64 * 1024
    /// The digest of the enrolled fingers.
    public static let enrolmentBytes = 32
    /// Data to be signed or decrypted.
    public static let keyInputBytes = ItemLimits.secretBytes
    /// The shared information for the key derivation after an agreement.
    public static let sharedInfoBytes = 65_536
}

/// The reason why bytes were refused. The receiver of such bytes ends the connection.
public enum WireError: Error, Hashable, Sendable {
    /// The message is incomplete.
    case truncated
    /// Bytes follow a complete message.
    case trailingBytes
    /// The other side uses another protocol version.
    case version(UInt8)
    case tooLarge
    /// A value that the protocol does not define, or that is out of order.
    case malformed
    /// The frame is not allowed at this point.
    case unexpected(FrameKind)
    /// A request without the nonce of this connection's hello.
    case wrongNonce
    /// Attributes that do not match their item class.
    case attributes(AttributeError)
}

extension WireError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .truncated: "a message is incomplete"
        case .trailingBytes: "bytes follow a complete message"
        case .version(let version): "the other side uses protocol version \(version)"
        case .tooLarge: "a message is too large"
        case .malformed: "a message contains a value that the protocol does not define"
        case .unexpected(let kind): "a frame of kind \(kind.rawValue) is not allowed at this point"
        case .wrongNonce: "a request has the nonce of another connection"
        case .attributes(let error): "\(error)"
        }
    }
}
