// SPDX-License-Identifier: Apache-2.0

package import Crypto
public import FoundationEssentials

/// The key that binds a keychain to its device: 32 random bytes, outside the database.
///
/// Without it the database's files reveal neither attributes nor secrets, even to an attacker who knows the passcode.
/// Documentation/Formats/device-key.md describes the file format.
public struct DeviceKey: Sendable {
    let key: any StoredKey
    /// Each user has one device key, so it carries the turn for all stretching of that user.
    let stretching = StretchingTurn()

    /// Creates a key from these 32 bytes.
    package init(key: SymmetricKey, in storage: some SecretKeyStorage) throws(SealingError) {
        guard key.bitCount == SealingConstants.keySize * 8 else { throw .damaged }
        self.key = try storage.store(key)
    }

    /// Returns a new key from the system's generator.
    ///
    /// - Throws: `.noKeyStorage`.
    public static func generate(in storage: some SecretKeyStorage) throws(SealingError) -> DeviceKey {
        try DeviceKey(key: .generate(), in: storage)
    }

    /// Reads the key from the bytes of a device key file.
    ///
    /// - Throws: `.damaged` (wrong length, magic or checksum), `.unsupportedVersion`, `.noKeyStorage`.
    public init(decoding file: some ContiguousBytes, in storage: some SecretKeyStorage) throws(SealingError) {
        var copy = unsafe file.withUnsafeBytes { unsafe Data($0) }  // wiped below
        defer { copy.wipe() }
        let (head, size) = (SealingConstants.deviceKeyMagic, SealingConstants.keySize)
        guard copy.count >= head.count, copy.prefix(head.count - 1) == Data(head.dropLast()) else { throw .damaged }
        guard copy[head.count - 1] == head.last else { throw .unsupportedVersion }
        guard copy.count == head.count + size + SealingConstants.checksumSize,
            SHA256.hash(data: copy.prefix(head.count + size)) == copy.suffix(SealingConstants.checksumSize)
        else { throw .damaged }
        try self.init(key: SymmetricKey(data: copy[head.count..<(head.count + size)]), in: storage)
    }

    /// Returns the bytes of the device key file. The caller writes them to a file that only the service can read, and
    /// wipes them.
    public func encoded() throws(SealingError) -> Data {
        var file = Data(capacity: 72)
        file.append(contentsOf: SealingConstants.deviceKeyMagic)
        // Copied inside the closure only.
        unsafe key.withBytes { unsafe file.append(contentsOf: $0) }
        file.append(contentsOf: SHA256.hash(data: file))
        return file
    }
}

extension DeviceKey: CustomStringConvertible, CustomReflectable {
    public var description: String { "DeviceKey(redacted)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
