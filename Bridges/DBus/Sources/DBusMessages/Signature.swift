// SPDX-License-Identifier: Apache-2.0

/// A single complete type.
public indirect enum CompleteType: Hashable, Sendable {
    case byte, boolean, int16, uint16, int32, uint32, int64, uint64, double
    case string, objectPath, signature
    /// `h`: an index into the descriptors that come with a message.
    case descriptor
    case variant
    case array(CompleteType)
    case structure([CompleteType])
    /// `a{kv}`; keys are basic types.
    case dictionary(key: CompleteType, value: CompleteType)

    /// Whether the type is neither a container nor a variant.
    public var isBasic: Bool {
        switch self {
        case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath,
            .signature, .descriptor:
            true
        case .variant, .array, .structure, .dictionary: false
        }
    }

    /// The alignment of values of the type, in bytes.
    var alignment: Int {
        switch self {
        case .byte, .signature, .variant: 1
        case .int16, .uint16: 2
        case .boolean, .int32, .uint32, .string, .objectPath, .descriptor, .array, .dictionary: 4
        case .int64, .uint64, .double, .structure: 8
        }
    }
}

/// A sequence of complete types, such as `a(susso)` or the empty sequence.
public struct Signature: Hashable, Sendable {
    public let types: [CompleteType]
    /// The type codes.
    public let text: String

    public static let empty = Signature(types: [], text: "")

    /// Throws `.invalidSignature`, `.tooDeep` and, beyond 255 bytes, `.tooLarge`.
    public init(_ text: String) throws(CodingError) {
        try self.init(bytes: Array(text.utf8)[...])
    }

    /// Creates the signature of values. Throws `.typeMismatch` for a structure without members and for a dictionary
    /// with containers as keys, which no signature can express; `.tooDeep` and `.tooLarge`.
    public init(of types: [CompleteType]) throws(CodingError) {
        var text = ""
        for type in types { try type.write(to: &text, arrays: 0, structures: 0) }
        guard text.utf8.count <= CodingLimits.signatureBytes else { throw .tooLarge }
        self.init(types: types, text: text)
    }

    init(bytes: ArraySlice<UInt8>) throws(CodingError) {
        guard bytes.count <= CodingLimits.signatureBytes else { throw .tooLarge }
        var parser = SignatureParser(rest: bytes)
        var types: [CompleteType] = []
        while !parser.rest.isEmpty { types.append(try parser.completeType(arrays: 0, structures: 0)) }
        // All bytes are type codes, which are ASCII.
        self.init(types: types, text: String(decoding: bytes, as: UTF8.self))
    }

    private init(types: [CompleteType], text: String) {
        self.types = types
        self.text = text
    }
}

extension CompleteType: CustomStringConvertible {
    /// The type codes.
    public var description: String { (try? Signature(of: [self]).text) ?? "?" }
}

extension CompleteType: ExpressibleByStringLiteral {
    /// Creates a type from its codes in the source, such as `a{sv}`. A literal that is not one complete type is a
    /// programming error and traps.
    public init(stringLiteral codes: String) {
        guard let signature = try? Signature(codes), signature.types.count == 1 else {
            preconditionFailure("not one complete type: \(codes)")
        }
        self = signature.types[0]
    }
}

private struct SignatureParser {
    var rest: ArraySlice<UInt8>

    mutating func completeType(arrays: Int, structures: Int) throws(CodingError) -> CompleteType {
        guard let code = rest.popFirst() else { throw .invalidSignature }
        switch code {
        case UInt8(ascii: "y"): return .byte
        case UInt8(ascii: "b"): return .boolean
        case UInt8(ascii: "n"): return .int16
        case UInt8(ascii: "q"): return .uint16
        case UInt8(ascii: "i"): return .int32
        case UInt8(ascii: "u"): return .uint32
        case UInt8(ascii: "x"): return .int64
        case UInt8(ascii: "t"): return .uint64
        case UInt8(ascii: "d"): return .double
        case UInt8(ascii: "s"): return .string
        case UInt8(ascii: "o"): return .objectPath
        case UInt8(ascii: "g"): return .signature
        case UInt8(ascii: "h"): return .descriptor
        case UInt8(ascii: "v"): return .variant
        case UInt8(ascii: "a"): return try arrayOrDictionary(arrays: arrays, structures: structures)
        case UInt8(ascii: "("): return try structure(arrays: arrays, structures: structures)
        default: throw .invalidSignature
        }
    }

    private mutating func arrayOrDictionary(arrays: Int, structures: Int) throws(CodingError) -> CompleteType {
        guard arrays < CodingLimits.signatureDepth else { throw .tooDeep }
        guard rest.first == UInt8(ascii: "{") else {
            return .array(try completeType(arrays: arrays + 1, structures: structures))
        }
        guard structures < CodingLimits.signatureDepth else { throw .tooDeep }
        rest.removeFirst()
        let key = try completeType(arrays: arrays + 1, structures: structures + 1)
        let value = try completeType(arrays: arrays + 1, structures: structures + 1)
        guard key.isBasic, rest.popFirst() == UInt8(ascii: "}") else { throw .invalidSignature }
        return .dictionary(key: key, value: value)
    }

    private mutating func structure(arrays: Int, structures: Int) throws(CodingError) -> CompleteType {
        guard structures < CodingLimits.signatureDepth else { throw .tooDeep }
        var members: [CompleteType] = []
        while rest.first != UInt8(ascii: ")") {
            members.append(try completeType(arrays: arrays, structures: structures + 1))
        }
        rest.removeFirst()
        guard !members.isEmpty else { throw .invalidSignature }
        return .structure(members)
    }
}

extension CompleteType {
    fileprivate func write(to text: inout String, arrays: Int, structures: Int) throws(CodingError) {
        guard arrays <= CodingLimits.signatureDepth, structures <= CodingLimits.signatureDepth else { throw .tooDeep }
        switch self {
        case .byte: text += "y"
        case .boolean: text += "b"
        case .int16: text += "n"
        case .uint16: text += "q"
        case .int32: text += "i"
        case .uint32: text += "u"
        case .int64: text += "x"
        case .uint64: text += "t"
        case .double: text += "d"
        case .string: text += "s"
        case .objectPath: text += "o"
        case .signature: text += "g"
        case .descriptor: text += "h"
        case .variant: text += "v"
        case .array(let element):
            text += "a"
            try element.write(to: &text, arrays: arrays + 1, structures: structures)
        case .structure(let members):
            guard !members.isEmpty else { throw .typeMismatch }
            text += "("
            for member in members { try member.write(to: &text, arrays: arrays, structures: structures + 1) }
            text += ")"
        case .dictionary(let key, let value):
            guard key.isBasic else { throw .typeMismatch }
            text += "a{"
            try key.write(to: &text, arrays: arrays + 1, structures: structures + 1)
            try value.write(to: &text, arrays: arrays + 1, structures: structures + 1)
            text += "}"
        }
    }
}
