// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// Reads the data types of SSH (RFC 4251, 5).
typealias MessageReader = ByteReader<MessageError>

extension ByteReader where Failure == MessageError {
    /// Reads a string: any bytes.
    mutating func string(atMost limit: Int = MessageLimits.message) throws(MessageError) -> [UInt8] {
        try bytes(atMost: limit)
    }

    /// Reads a string with further fields.
    mutating func fields() throws(MessageError) -> MessageReader { MessageReader(try string()) }

    /// Reads the name of a type, an algorithm or an extension.
    mutating func name() throws(MessageError) -> String { try text(atMost: MessageLimits.name) }

    /// Reads a boolean: each value except 0 is true.
    mutating func boolean() throws(MessageError) -> Bool { try u8() != 0 }

    /// Reads a non-negative number without its leading zeros.
    ///
    /// - Parameter isCanonical: whether only the shortest form is accepted. In a public key it is the only form, so
    ///   that keys are equal if their bytes are.
    /// - Throws: `.malformed` for a negative number, and for an unnecessary zero.
    mutating func magnitude(isCanonical: Bool = false) throws(MessageError) -> [UInt8] {
        let digits = try string()
        guard let first = digits.first else { return digits }
        guard first < 0x80 else { throw .malformed }
        if isCanonical, first == 0, digits.count == 1 || digits[1] < 0x80 { throw .malformed }
        return Array(digits.drop { $0 == 0 })
    }
}

extension ByteWriter {
    /// Writes a non-negative number in its shortest form.
    mutating func magnitude(_ magnitude: some Collection<UInt8>) {
        let digits = Array(magnitude.drop { $0 == 0 })
        block((digits.first.map { $0 >= 0x80 } ?? false ? [0] : []) + digits)
    }
}

extension [UInt8] {
    /// The number with zeros in front; nil if it has more digits.
    func padded(to count: Int) -> [UInt8]? {
        self.count > count ? nil : [UInt8](repeating: 0, count: count - self.count) + self
    }
}
