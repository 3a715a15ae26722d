// SPDX-License-Identifier: Apache-2.0

/// The reason why bytes are not a message, or why values cannot be encoded. The rules are those of the D-Bus
/// Specification 0.43.
public enum CodingError: Error, Hashable, Sendable {
    /// The bytes end inside a value.
    case truncated
    /// Bytes follow the last value.
    case trailingBytes
    /// Alignment padding that is not zero.
    case nonZeroPadding
    /// A boolean that is neither 0 nor 1.
    case invalidBoolean
    /// Text that is not UTF-8, contains a zero, or is not terminated by one.
    case invalidText
    /// An object path, or a name of an interface, a member, an error or a bus, that violates its rules.
    case invalidName
    /// The text is not a sequence of complete types.
    case invalidSignature
    /// Containers nested beyond ``CodingLimits``.
    case tooDeep
    /// Sizes beyond ``CodingLimits``.
    case tooLarge
    /// The first bytes are not the start of a message of version 1.
    case notAMessage
    /// A header field is missing, repeated or of the wrong type.
    case invalidHeader
    /// An array with an element of another type than its element type, or a dictionary with containers as keys.
    case typeMismatch
    /// The index of a descriptor is beyond the descriptors that came with the message.
    case noSuchDescriptor
}

extension CodingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .truncated: "the bytes end inside a value"
        case .trailingBytes: "bytes follow the last value"
        case .nonZeroPadding: "padding is not zero"
        case .invalidBoolean: "a boolean is neither 0 nor 1"
        case .invalidText: "a text is not UTF-8 that ends with its only zero"
        case .invalidName: "a name violates the rules of its kind"
        case .invalidSignature: "a signature is not a sequence of complete types"
        case .tooDeep: "containers are nested too deep"
        case .tooLarge: "a size exceeds its limit"
        case .notAMessage: "the bytes are not a message of version 1"
        case .invalidHeader: "a header field is missing, repeated or of a wrong type"
        case .typeMismatch: "a value has another type than its container declares"
        case .noSuchDescriptor: "a descriptor did not come with the message"
        }
    }
}

/// The bounds of the D-Bus Specification, chapters "Type System" and "Message Protocol".
public enum CodingLimits {
    /// Bytes of a message, header included.
    public static let messageBytes = 1 << 27
    /// Bytes of an array.
    public static let arrayBytes = 1 << 26
    /// Bytes of a signature.
    public static let signatureBytes = 255
    /// Bytes of a name of a bus, an interface, a member or an error.
    public static let nameBytes = 255
    /// Arrays within arrays of one signature, and structures within structures.
    public static let signatureDepth = 32
    /// Containers within containers of a message, variants included.
    public static let valueDepth = 64
    /// Descriptors that come with one message; the bus has a lower limit, 16 by default.
    public static let descriptors = 253
}
