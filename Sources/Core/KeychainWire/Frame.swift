// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// The kinds of frames, by direction. The raw value is the second byte of a frame.
public enum FrameKind: UInt8, CaseIterable, Hashable, Sendable {
    // From the service.

    /// The first frame of a connection: the nonce that every request must repeat.
    case hello = 0x01
    /// Some items of an answer; more frames follow.
    case items = 0x02
    /// The end of an answer: the status and the last items.
    case reply = 0x03
    /// Something changed; only after `watch`.
    case change = 0x04
    /// The keychain was locked or unlocked; only after `watch`.
    case lockState = 0x05
    /// A new line of the audit log; only after that was asked for.
    case logLine = 0x06
    /// What the caller's user showed counts for requests to come; before the frames of the answer.
    case proof = 0x07
    /// Something happened in one of the user's keychains; only after `watchKeychains`.
    case keychainNotice = 0x08
    /// A question to a person; only after `agent`.
    case prompt = 0x0A
    /// A question is taken back; only after `agent`.
    case promptWithdrawal = 0x0B

    // From the client.

    /// The answer to the hello: the program itself is at the other end.
    case greeting = 0x10
    case add = 0x11
    case copyMatching = 0x12
    case update = 0x13
    case delete = 0x14
    case status = 0x15
    /// Turns the connection into a stream of changes.
    case watch = 0x16
    /// Asks why a search finds nothing or an item cannot be added. Changes nothing.
    case explain = 0x17
    /// Asks something of the keychain as a whole: unlock, lock, protectors, settings.
    case administer = 0x18
    /// Asks how the service sees a program: the one who asks, a process, a file.
    case identity = 0x19
    /// Lists or takes back what people allowed for good. Only for the administration tool.
    case grants = 0x1A

    /// Reads, verifies or follows the audit log. Only for the administration tool.
    case log = 0x1B

    /// Makes a backup, piece by piece. Only for the administration tool.
    case backup = 0x1C
    /// Checks a backup or restores it, piece by piece. Only for the administration tool.
    case restore = 0x1D
    /// From now on, on this connection, programs without entitlements have no access group.
    case requireEntitlements = 0x1E
    /// Uses a private key that stays in the service, or makes a new one there.
    case key = 0x1F
    /// A request and what goes with it where its caller's user has to show to be there.
    case authenticated = 0x20
    /// Asks the caller's user to show to be there, or what could be shown.
    case authentication = 0x21
    /// Something of a keychain that is a file: make, unlock, lock, delete, put into the search list.
    case keychainFile = 0x22
    /// A request for the items of a keychain that is a file.
    case inKeychain = 0x23
    /// Turns the connection into a stream of what happens in the user's keychains.
    case watchKeychains = 0x24
    /// Says that the client can ask its user. Turns the connection into one of questions and answers.
    case agent = 0x28
    /// What a person said; only after `agent`.
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

    /// - Throws: `.truncated` below eight bytes, `.version` for another version, `.malformed` for an unknown kind or
    ///   non-zero reserved bytes, `.tooLarge` beyond ``WireLimits/payloadBytes``.
    public init(_ bytes: some Collection<UInt8>) throws(WireError) {
        try self.init(Array(bytes.prefix(Self.size)).span)
    }

    /// The header at the beginning of a buffer, read in place: at every request, and more than once.
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

/// The largest things that may travel. Everything on the wire is bounded by these.
public enum WireLimits {
    /// One payload: the largest secret, the largest attributes twice (an update carries a query and changes), and room
    /// for the rest.
    public static let payloadBytes = ItemLimits.secretBytes + 2 * ItemLimits.attributeBytes + 65_536
    /// A longer answer is sent in several frames of about this size, so that no answer has to be held whole.
    public static let batchBytes = 256 * 1024
    /// Bytes of the nonce in the hello.
    public static let nonceBytes = 16
    /// Name of an access group, UTF-8.
    public static let accessGroupBytes = 1024
    /// The host of `kSecMatchHostOrSubdomainOfHost`: longer than any name in the DNS.
    public static let hostBytes = 1024
    /// A passcode or another secret that opens a keychain.
    public static let protectorSecretBytes = 1024
    /// The name of an algorithm for keys; the longest has some sixty.
    public static let algorithmBytes = 128
    /// The public key of somebody to agree with; the longest of a curve has 133.
    public static let publicKeyBytes = 256
    /// A program's words to the person who is asked.
    public static let reasonBytes = 1024
    /// The title of a button.
    public static let promptTitleBytes = 128
    public static let proofs = 8
    public static let proofBytes = 128
    /// The password of an item's own.
    public static let applicationPasswordBytes = 1024
    /// A frame of the helper protocol with a question to a person, or with what they said.
    public static let promptBytes = 64 * 1024
    /// What names the enrolled fingers.
    public static let enrolmentBytes = 32
    /// What is signed or decrypted.
    public static let keyInputBytes = ItemLimits.secretBytes
    /// What else goes into the key derivation after an agreement.
    public static let sharedInfoBytes = 65_536
}

/// Why bytes were refused. Whoever receives such bytes ends the connection.
public enum WireError: Error, Hashable, Sendable {
    /// The bytes end too soon.
    case truncated
    /// Bytes are left over behind a complete message.
    case trailingBytes
    /// The other side speaks another protocol version.
    case version(UInt8)
    case tooLarge
    /// A value that the protocol does not know, or that is out of order.
    case malformed
    /// The frame is not one that may come now.
    case unexpected(FrameKind)
    /// A request without the nonce of this connection's hello.
    case wrongNonce
    /// Attributes that do not fit their item class.
    case attributes(AttributeError)
}
