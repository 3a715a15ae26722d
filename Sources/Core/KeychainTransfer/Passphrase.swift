// SPDX-License-Identifier: Apache-2.0

/// What a file is encrypted with. Its bytes are in the program's memory, as the caller's are.
public struct Passphrase: Sendable, CustomStringConvertible, CustomReflectable {
    /// As it was given: UTF-8 for texts.
    let bytes: [UInt8]

    /// - Parameter bytes: UTF-8; other bytes are taken as they are.
    public init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes) }

    public init(_ text: String) { self.init(text.utf8) }

    public var isEmpty: Bool { bytes.isEmpty }

    /// Nothing of it.
    public var description: String { "passphrase" }

    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The text as PKCS #12 has it in its own derivation: UTF-16, the high byte first, and a zero behind it (RFC 7292, B.1). Bytes that are
    /// not UTF-8 count as characters each, as in OpenSSL.
    var wide: [UInt8] {
        let units = String(validating: bytes, as: UTF8.self).map { Array($0.utf16) } ?? bytes.map(UInt16.init)
        return (units + [0]).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }
}

extension Array where Element == UInt8 {
    /// Overwrites the bytes. Other copies stay.
    ///
    /// Not inlined, so that no compiler sees that nobody reads the zeros.
    @inline(never)
    mutating func wipe() {
        for index in indices { self[index] = 0 }
    }
}
