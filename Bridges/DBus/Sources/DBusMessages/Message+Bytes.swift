// SPDX-License-Identifier: Apache-2.0

/// The codes of the header fields (D-Bus Specification, "Header Fields").
private enum HeaderField: UInt8 {
    case path = 1
    case interface = 2
    case member = 3
    case errorName = 4
    case replySerial = 5
    case destination = 6
    case sender = 7
    case signature = 8
    case descriptorCount = 9
}

extension Message {
    /// Returns the encoded message with a serial that its sender has not used before. Throws `.tooLarge`, and
    /// `.typeMismatch` for a message that was received in the other byte order.
    public func bytes(serial: UInt32) throws(CodingError) -> [UInt8] {
        precondition(serial != 0, "a serial is never zero")
        guard order == ByteEncoder.order else { throw .typeMismatch }
        var fields: [(HeaderField, Value)] = []
        if let path { fields.append((.path, .objectPath(path))) }
        if let interface { fields.append((.interface, .string(interface.rawValue))) }
        if let member { fields.append((.member, .string(member.rawValue))) }
        if let errorName { fields.append((.errorName, .string(errorName.rawValue))) }
        if let replySerial { fields.append((.replySerial, .uint32(replySerial))) }
        if let destination { fields.append((.destination, .string(destination.rawValue))) }
        if let sender { fields.append((.sender, .string(sender.rawValue))) }
        if !signature.types.isEmpty { fields.append((.signature, .signature(signature))) }
        if descriptorCount > 0 { fields.append((.descriptorCount, .uint32(descriptorCount))) }

        var encoder = ByteEncoder()
        encoder.append([order.rawValue, kind.rawValue, flags.rawValue, MessageFrame.version])
        // At most CodingLimits.messageBytes: the size was checked when the arguments were encoded or received.
        encoder.integer(UInt32(body.count))
        encoder.integer(serial)
        let values = fields.map { Value.structure([.byte($0.rawValue), .variant($1)]) }
        try encoder.value(.array(of: .structure([.byte, .variant]), values), depth: 0)
        encoder.align(to: 8)
        encoder.append(body)
        guard encoder.bytes.count <= CodingLimits.messageBytes else { throw .tooLarge }
        return encoder.bytes
    }

    /// Decodes a complete message; nil if its type is unknown, because the specification requires that unknown types
    /// are ignored.
    ///
    /// Throws ``CodingError``. ``arguments()`` decodes the body.
    public init?(bytes: [UInt8]) throws(CodingError) {
        guard let frame = try MessageFrame(bytes[...]) else { throw .truncated }
        guard bytes.count >= frame.byteCount else { throw .truncated }
        guard bytes.count == frame.byteCount else { throw .trailingBytes }
        try self.init(header: bytes[..<frame.headerByteCount], frame)
        body = bytes[frame.headerByteCount...]
    }

    /// Decodes the header of a message, without its body; nil if the type of the message is unknown.
    init?(header: ArraySlice<UInt8>, _ frame: MessageFrame) throws(CodingError) {
        var decoder = ByteDecoder(header, frame.order, descriptorCount: CodingLimits.descriptors)
        _ = try decoder.take(1)
        let kind = try decoder.integer(UInt8.self)
        let flags = try decoder.integer(UInt8.self)
        _ = try decoder.take(5)
        let serial = try decoder.integer(UInt32.self)
        guard kind != 0, serial != 0 else { throw .invalidHeader }
        guard let kind = Kind(rawValue: kind) else { return nil }

        self.init(kind: kind, flags: Flags(rawValue: flags))
        self.serial = serial
        order = frame.order
        let fields = try decoder.value(.array(.structure([.byte, .variant])), depth: 0)
        try decoder.align(to: 8)
        try read(fields.elements ?? [])
        guard hasRequiredFields, !signature.types.isEmpty || frame.bodyByteCount == 0 else { throw .invalidHeader }
    }

    private mutating func read(_ fields: [Value]) throws(CodingError) {
        var seen: Set<UInt8> = []
        for field in fields {
            guard let members = field.members, case .byte(let code) = members[0], case .variant(let value) = members[1]
            else { throw .invalidHeader }
            guard code != 0, seen.insert(code).inserted else { throw .invalidHeader }
            // Unknown fields are ignored, as the specification requires.
            guard let field = HeaderField(rawValue: code) else { continue }
            switch field {
            case .path:
                guard let path = value.objectPath else { throw .invalidHeader }
                self.path = path
            case .interface: interface = try Self.name(value)
            case .member: member = try Self.name(value)
            case .errorName: errorName = try Self.name(value)
            case .replySerial:
                guard let number = value.uint32, number != 0 else { throw .invalidHeader }
                replySerial = number
            case .destination: destination = try Self.name(value)
            case .sender: sender = try Self.name(value)
            case .signature:
                guard case .signature(let signature) = value else { throw .invalidHeader }
                self.signature = signature
            case .descriptorCount:
                guard let count = value.uint32 else { throw .invalidHeader }
                guard count <= CodingLimits.descriptors else { throw .tooLarge }
                descriptorCount = count
            }
        }
    }

    private static func name<Name: ValidName>(_ value: Value) throws(CodingError) -> Name {
        guard let text = value.string else { throw .invalidHeader }
        guard let name = Name(rawValue: text) else { throw .invalidName }
        return name
    }

    private var hasRequiredFields: Bool {
        switch kind {
        case .methodCall: path != nil && member != nil
        case .signal: path != nil && interface != nil && member != nil
        case .methodReturn: replySerial != nil
        case .error: replySerial != nil && errorName != nil
        }
    }
}
