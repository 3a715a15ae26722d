// SPDX-License-Identifier: Apache-2.0

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
