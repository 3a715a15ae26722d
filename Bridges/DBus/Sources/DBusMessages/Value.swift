// SPDX-License-Identifier: Apache-2.0

/// A value of the D-Bus type system.
public indirect enum Value: Hashable, Sendable {
    case byte(UInt8)
    case boolean(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(ObjectPath)
    case signature(Signature)
    /// An index into the descriptors that come with the message.
    case descriptor(UInt32)
    case variant(Value)
    /// `ay`; the only form of an array of bytes.
    case bytes([UInt8])
    case array(of: CompleteType, [Value])
    case structure([Value])
    case dictionary(key: CompleteType, value: CompleteType, [DictionaryEntry])

    public struct DictionaryEntry: Hashable, Sendable {
        public let key: Value
        public let value: Value

        public init(_ key: Value, _ value: Value) {
            self.key = key
            self.value = value
        }
    }

    public var type: CompleteType {
        switch self {
        case .byte: .byte
        case .boolean: .boolean
        case .int16: .int16
        case .uint16: .uint16
        case .int32: .int32
        case .uint32: .uint32
        case .int64: .int64
        case .uint64: .uint64
        case .double: .double
        case .string: .string
        case .objectPath: .objectPath
        case .signature: .signature
        case .descriptor: .descriptor
        case .variant: .variant
        case .bytes: .array(.byte)
        case .array(let element, _): .array(element)
        case .structure(let members): .structure(members.map(\.type))
        case .dictionary(let key, let value, _): .dictionary(key: key, value: value)
        }
    }
}

extension Value {
    /// The content of a variant, with nested variants unwrapped; the value itself if it is not a variant.
    public var unwrapped: Value {
        if case .variant(let value) = self { value.unwrapped } else { self }
    }

    public var bool: Bool? { if case .boolean(let value) = self { value } else { nil } }
    public var uint32: UInt32? { if case .uint32(let value) = self { value } else { nil } }
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var objectPath: ObjectPath? { if case .objectPath(let value) = self { value } else { nil } }
    public var descriptorIndex: UInt32? { if case .descriptor(let value) = self { value } else { nil } }
    public var members: [Value]? { if case .structure(let members) = self { members } else { nil } }
    public var elements: [Value]? { if case .array(_, let elements) = self { elements } else { nil } }

    /// Returns the value for a text key, in a dictionary with text keys; the last one if the sender repeated the key.
    public subscript(key: String) -> Value? {
        guard case .dictionary(.string, _, let entries) = self else { return nil }
        return entries.last { $0.key == .string(key) }?.value
    }
}
