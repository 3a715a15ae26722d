// SPDX-License-Identifier: Apache-2.0

/// A message of version 1 of the protocol.
///
/// Received arguments stay encoded until they are read, because most signals are of no interest to the program.
public struct Message: Hashable, Sendable {
    public enum Kind: UInt8, Hashable, Sendable {
        case methodCall = 1
        case methodReturn = 2
        case error = 3
        case signal = 4
    }

    public struct Flags: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The sender expects neither an answer nor an error.
        public static let noReplyExpected = Flags(rawValue: 1)
        /// The bus must not start a program for this message.
        public static let noAutoStart = Flags(rawValue: 2)
        /// The sender is prepared to wait while the user is prompted.
        public static let allowInteractiveAuthorization = Flags(rawValue: 4)
    }

    public let kind: Kind
    public let flags: Flags
    /// 0 until the message is sent; then unique among the messages of its sender.
    public internal(set) var serial: UInt32 = 0
    public internal(set) var path: ObjectPath?
    public internal(set) var interface: InterfaceName?
    public internal(set) var member: MemberName?
    public internal(set) var errorName: InterfaceName?
    /// The serial of the message that this message answers.
    public internal(set) var replySerial: UInt32?
    public internal(set) var destination: BusName?
    /// The sender, which the bus verifies.
    public internal(set) var sender: BusName?
    public internal(set) var signature = Signature.empty
    /// The number of descriptors that come with the message.
    public internal(set) var descriptorCount: UInt32 = 0

    var body: ArraySlice<UInt8> = []
    var order = ByteEncoder.order

    init(kind: Kind, flags: Flags) {
        self.kind = kind
        self.flags = flags
    }

    /// The size of the encoded arguments, in bytes.
    public var bodyByteCount: Int { body.count }

    /// Decodes the arguments. Throws ``CodingError`` if the body does not match its signature.
    public func arguments() throws(CodingError) -> [Value] {
        var decoder = ByteDecoder(body, order, descriptorCount: Int(descriptorCount))
        var values: [Value] = []
        for type in signature.types { values.append(try decoder.value(type, depth: 0)) }
        try decoder.finish()
        return values
    }
}

extension Message {
    /// Creates a call of a method. Throws `.typeMismatch`, `.invalidText`, `.tooDeep` or `.tooLarge` for arguments that
    /// cannot be encoded.
    public static func call(
        _ member: MemberName, of interface: InterfaceName, at path: ObjectPath, on destination: BusName,
        _ arguments: [Value] = [], flags: Flags = [], descriptorCount: UInt32 = 0
    ) throws(CodingError) -> Message {
        var message = Message(kind: .methodCall, flags: flags)
        message.path = path
        message.interface = interface
        message.member = member
        message.destination = destination
        message.descriptorCount = descriptorCount
        try message.encode(arguments)
        return message
    }

    /// Creates a signal, to one connection or to all subscribers. Throws as
    /// ``call(_:of:at:on:_:flags:descriptorCount:)``.
    public static func signal(
        _ member: MemberName, of interface: InterfaceName, at path: ObjectPath, to destination: BusName? = nil,
        _ arguments: [Value] = []
    ) throws(CodingError) -> Message {
        var message = Message(kind: .signal, flags: .noReplyExpected)
        message.path = path
        message.interface = interface
        message.member = member
        message.destination = destination
        try message.encode(arguments)
        return message
    }

    /// Creates the answer to a call. Throws as ``call(_:of:at:on:_:flags:descriptorCount:)``.
    public static func methodReturn(
        to call: Message, _ arguments: [Value] = [], descriptorCount: UInt32 = 0
    ) throws(CodingError) -> Message {
        var message = Message(kind: .methodReturn, flags: .noReplyExpected)
        message.replySerial = call.serial
        message.destination = call.sender
        message.descriptorCount = descriptorCount
        try message.encode(arguments)
        return message
    }

    /// Creates the error answer to a call, with a readable text. Throws as
    /// ``call(_:of:at:on:_:flags:descriptorCount:)``.
    public static func error(
        _ name: InterfaceName, to call: Message, _ text: String
    ) throws(CodingError) -> Message {
        var message = Message(kind: .error, flags: .noReplyExpected)
        message.errorName = name
        message.replySerial = call.serial
        message.destination = call.sender
        try message.encode([.string(text)])
        return message
    }

    private mutating func encode(_ arguments: [Value]) throws(CodingError) {
        signature = try Signature(of: arguments.map(\.type))
        var encoder = ByteEncoder()
        for argument in arguments { try encoder.value(argument, depth: 0) }
        guard encoder.bytes.count <= CodingLimits.messageBytes else { throw .tooLarge }
        body = encoder.bytes[...]
        order = ByteEncoder.order
    }
}
