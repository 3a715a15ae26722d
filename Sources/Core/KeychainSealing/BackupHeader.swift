// SPDX-License-Identifier: Apache-2.0

package import Crypto
import FoundationEssentials
import KeychainBytes
public import KeychainModel

/// The first bytes of a backup: its kind, the secret that opens it, and its wrapped key.
/// Documentation/Formats/backup.md.
///
/// A checksum covers every byte, so damage differs from a wrong secret. Every byte is also authenticated when the key
/// is unwrapped, so a changed header does not open.
public struct BackupHeader: Hashable, Sendable {
    /// 16 random bytes that identify this backup.
    public let backup: [UInt8]
    /// The identifier of the keychain's keybag.
    public let keybag: [UInt8]
    /// The time when the backup began.
    public let date: Timestamp
    public let form: BackupForm
    public let secretKind: BackupSecretKind
    /// The cost of stretching a passphrase; nil for other secrets.
    public let cost: ScryptCost?
    let salt: [UInt8]
    /// Equal for the device that made the backup, and random for any other.
    let deviceTag: [UInt8]
    private(set) var wrappedKey: [UInt8]

    /// In bytes.
    public static let size = headSize + SealingConstants.wrappedKeySize + SealingConstants.checksumSize
    private static let headSize = 107

    /// All bytes before the wrapped key.
    var head: [UInt8] {
        var bytes = SealingConstants.backupMagic + backup + keybag
        bytes.append(bigEndian: date.secondsSinceReferenceDate.bitPattern)
        bytes.append(form.rawValue)
        bytes.append(secretKind.rawValue)
        bytes.append(cost?.logN ?? 0)
        bytes.append(bigEndian: cost?.blockSize ?? 0)
        bytes.append(bigEndian: cost?.parallelism ?? 0)
        return bytes + salt + deviceTag
    }

    public var encoded: [UInt8] {
        let bytes = head + wrappedKey
        return bytes + Array(SHA256.hash(data: bytes))
    }

    /// Reads a header.
    ///
    /// - Throws: `.damaged` (wrong length, magic, checksum, or a value that this version does not write),
    ///   `.unsupportedVersion`.
    public init(decoding bytes: some Collection<UInt8>) throws(BackupError) {
        do throws(SealingError) {
            var reader = SealedReader(bytes)
            // Checked first, because a later version may have another length.
            try reader.magic(SealingConstants.backupMagic)
            let summed = bytes.dropLast(SealingConstants.checksumSize)
            guard bytes.count == Self.size,
                Array(SHA256.hash(data: Array(summed))) == Array(bytes.dropFirst(summed.count))
            else { throw .damaged }
            backup = try reader.bytes(SealingConstants.backupIdentifierSize)
            keybag = try reader.bytes(SealingConstants.keybagIdentifierSize)
            date = Timestamp(secondsSinceReferenceDate: Double(bitPattern: try reader.u64()))
            guard let form = BackupForm(rawValue: try reader.u8()),
                let secretKind = BackupSecretKind(rawValue: try reader.u8())
            else { throw .damaged }
            self.form = form
            self.secretKind = secretKind
            let (logN, blockSize) = (try reader.u8(), try reader.u32())
            let parallelism = try reader.u32()
            switch secretKind {
            case .passphrase:
                guard let cost = ScryptCost(logN: logN, blockSize: blockSize, parallelism: parallelism) else {
                    throw .damaged
                }
                // The cost is bounded, because a service reads the header for a client, whose file may be forged.
                guard cost.work <= ScryptCost.ofBackups.work else { throw .unsupportedVersion }
                self.cost = cost
            case .recoveryKey:
                guard logN == 0, blockSize == 0, parallelism == 0 else { throw .damaged }
                cost = nil
            }
            salt = try reader.bytes(SealingConstants.saltSize)
            deviceTag = try reader.bytes(SealingConstants.backupTagSize)
            wrappedKey = try reader.bytes(SealingConstants.wrappedKeySize)
        } catch {
            throw BackupError(error)
        }
    }

    /// Wraps a new backup's key.
    init(
        _ inputs: BackupInputs, secret: BackupSecret<some Collection<UInt8>>, cost: ScryptCost, form: BackupForm,
        keybag: [UInt8], date: Timestamp, deviceKey: DeviceKey
    ) throws(BackupError) {
        backup = inputs.backup
        self.keybag = keybag
        self.date = date
        self.form = form
        secretKind = secret.kind
        self.cost = secret.kind == .passphrase ? cost : nil
        salt = inputs.salt
        deviceTag = Self.deviceTag(inputs.backup, inputs.salt, deviceKey)
        wrappedKey = []
        let wrapping = try wrappingKey(secret, deviceKey)
        do throws(SealingError) {
            wrappedKey = Array(try wrapping.wrap(inputs.key))
        } catch {
            throw BackupError(error)
        }
    }

    /// Returns whether the device with this key made the backup.
    public func isMade(with deviceKey: DeviceKey) -> Bool {
        deviceTag == Self.deviceTag(backup, salt, deviceKey)
    }

    func open(
        _ secret: BackupSecret<some Collection<UInt8>>, _ deviceKey: DeviceKey
    ) throws(BackupError) -> SymmetricKey {
        guard form == .portable || isMade(with: deviceKey) else { throw .otherDevice }
        guard secret.kind == secretKind, secret.kind.sizes.contains(secret.bytes.count) else { throw .wrongSecret }
        let wrapping = try wrappingKey(secret, deviceKey)
        do throws(SealingError) {
            return try wrapping.unwrap(Data(wrappedKey))
        } catch {
            throw .wrongSecret
        }
    }

    /// Returns the key that additionally seals items that may not leave the device.
    func deviceItemKey(_ deviceKey: DeviceKey) -> SymmetricKey {
        Self.derive(Data(), deviceKey, salt: salt, info: Array(SealingConstants.backupDeviceLabel.utf8) + backup)
    }

    private func wrappingKey(
        _ secret: BackupSecret<some Collection<UInt8>>, _ deviceKey: DeviceKey
    ) throws(BackupError) -> SymmetricKey {
        var material = Data(secret.bytes)
        defer { material.wipe() }
        if let cost {
            do throws(SealingError) {
                let stretched = try cost.stretch(material, salt: salt, in: deviceKey.stretching)
                material.wipe()
                material = stretched.copyBytes()
            } catch {
                throw BackupError(error)
            }
        }
        return Self.derive(
            material, form == .deviceBound ? deviceKey : nil, salt: salt,
            info: Array(SealingConstants.backupKeyLabel.utf8) + head)
    }

    private static func deviceTag(_ backup: [UInt8], _ salt: [UInt8], _ deviceKey: DeviceKey) -> [UInt8] {
        let tag = derive(Data(), deviceKey, salt: salt, info: Array(SealingConstants.backupTagLabel.utf8) + backup)
        return Array(tag.copyBytes().prefix(SealingConstants.backupTagSize))
    }

    /// Derives a key: HKDF-SHA256 of material ‖ device key. The label and the header in `info` determine which of them
    /// are used, and their lengths.
    private static func derive(_ material: Data, _ deviceKey: DeviceKey?, salt: [UInt8], info: [UInt8]) -> SymmetricKey
    {
        var input = Data(capacity: 2 * SealingConstants.keySize)
        defer { input.wipe() }
        input.append(material)
        // Copied inside the closure only; wiped on return.
        if let deviceKey { unsafe deviceKey.key.withBytes { unsafe input.append(contentsOf: $0) } }
        return unsafe input.withUnsafeBytes { bytes in
            unsafe HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: bytes), salt: salt, info: info,
                outputByteCount: SealingConstants.keySize)
        }
    }
}

/// The random values of one backup: new ones for each, except in test vectors.
package struct BackupInputs {
    let backup: [UInt8]
    let salt: [UInt8]
    let key: SymmetricKey

    package init(backup: [UInt8], salt: [UInt8], key: SymmetricKey) {
        precondition(
            backup.count == SealingConstants.backupIdentifierSize && salt.count == SealingConstants.saltSize
                && key.bitCount == SealingConstants.keySize * 8)
        self.backup = backup
        self.salt = salt
        self.key = key
    }

    init() {
        self.init(
            backup: Array(SymmetricKey(size: .bits128).copyBytes()), salt: Array(SymmetricKey.generate().copyBytes()),
            key: .generate())
    }
}

/// The reason why a backup could not be made or read. Reveals nothing about its contents.
public enum BackupError: Error, Hashable, Sendable {
    /// The bytes differ from those that were written: damaged, changed, or combined from several backups.
    case damaged
    /// The end of the file is missing.
    case truncated
    /// A version of the format that this code does not know.
    case unsupportedVersion
    /// Another device made the backup, and only that device can open it.
    case otherDevice
    case wrongSecret
    /// No memory for keys is available.
    case noKeyStorage

    init(_ error: SealingError) {
        self = error == .unsupportedVersion ? .unsupportedVersion : error == .noKeyStorage ? .noKeyStorage : .damaged
    }
}
