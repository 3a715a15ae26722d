// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The passphrase of an encrypted file. Its bytes are in the program's memory, as the caller's are; they are wiped with
/// the last copy of the value.
public struct Passphrase: Sendable, CustomStringConvertible, CustomReflectable {
    private final class Memory: Sendable {
        let bytes: Mutex<[UInt8]>

        init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }

        deinit { bytes.withLock { $0.wipe() } }
    }

    private let memory: Memory
    /// The bytes as they were given: UTF-8 for texts.
    var bytes: [UInt8] { memory.bytes.withLock { $0 } }

    /// Creates a passphrase.
    ///
    /// - Parameter bytes: UTF-8; other bytes are used unchanged.
    public init(_ bytes: some Collection<UInt8>) { memory = Memory(Array(bytes)) }

    public init(_ text: String) { self.init(text.utf8) }

    public var isEmpty: Bool { bytes.isEmpty }

    /// Contains nothing of the passphrase.
    public var description: String { "passphrase" }

    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The text in the form of PKCS #12's own derivation: UTF-16, the high byte first, followed by a zero (RFC 7292,
    /// B.1). Each byte that is not UTF-8 counts as a character, as in OpenSSL.
    var wide: [UInt8] {
        let units = String(validating: bytes, as: UTF8.self).map { Array($0.utf16) } ?? bytes.map(UInt16.init)
        return (units + [0]).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }
}

extension Array where Element == UInt8 {
    /// Overwrites the bytes. Other copies stay.
    ///
    /// Not inlined, because a compiler could otherwise remove the write as unused.
    @inline(never)
    mutating func wipe() {
        for index in indices { self[index] = 0 }
    }
}
