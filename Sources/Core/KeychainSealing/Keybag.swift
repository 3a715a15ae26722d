// SPDX-License-Identifier: Apache-2.0

package import Crypto
public import FoundationEssentials
import KeychainModel

/// The wrapped keys of one keychain, as they lie in its database. Nothing in it can be used without the device key.
///
/// Documentation/Formats/keybag.md has the byte table and the picture of what wraps what. Every byte of the encoding is
/// either checked when decoding or takes part in unwrapping, so a changed keybag is never opened.
public struct Keybag: Sendable {
    /// 16 random bytes that name this keybag.
    public let identifier: [UInt8]
    let salt: [UInt8]
    let protectors: [Protector]
    let classKeys: [ClassKey]
    let wrappedIndexKey: [UInt8]

    /// One way to the keybag key. Several may coexist later; this version has one.
    struct Protector: Sendable {
        enum Kind: UInt8, Sendable {
            /// The device key alone: no passcode is set.
            case deviceKey = 1
        }

        let kind: Kind
        let wrappedKeybagKey: [UInt8]
    }

    struct ClassKey: Sendable {
        let accessibility: Accessibility
        /// Under a key derived as `material(for:)` says.
        let wrappedKey: [UInt8]
        /// Under the class key.
        let wrappedMetadataKey: [UInt8]
    }

    /// The classes of a keychain without a passcode. `whenPasscodeSetThisDeviceOnly` has a key only while there is one.
    static let classes: [Accessibility] = [
        .whenUnlocked, .afterFirstUnlock, .always, .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly,
        .alwaysThisDeviceOnly,
    ]
}

// MARK: - Making and opening

extension Keybag {
    /// A new keybag with new keys from the system's generator, without a passcode.
    ///
    /// - Throws: `.noKeyStorage` when the device key's memory cannot be read.
    public static func generate(for deviceKey: DeviceKey) throws(SealingError) -> Keybag {
        try Keybag(
            identifier: Array(SymmetricKey(size: .bits128).copyBytes()),
            salt: Array(SymmetricKey.generate().copyBytes()),
            deviceKey: deviceKey, nextKey: SymmetricKey.generate)
    }

    /// A keybag of these values. Takes keys from `nextKey` in this order: keybag key, index key, then for each class in
    /// ascending order its class key and its metadata key.
    package init(
        identifier: [UInt8], salt: [UInt8], deviceKey: DeviceKey, nextKey: () -> SymmetricKey
    ) throws(SealingError) {
        precondition(
            identifier.count == SealingConstants.keybagIdentifierSize && salt.count == SealingConstants.saltSize)
        let keybagKey = nextKey()
        let derivation = KeyDerivation(identifier: identifier, salt: salt, deviceKey: deviceKey)
        self.identifier = identifier
        self.salt = salt
        protectors = [
            Protector(
                kind: .deviceKey,
                wrappedKeybagKey: try Array(derivation.protectorKey(.deviceKey).wrap(keybagKey)))
        ]
        wrappedIndexKey = Array(try derivation.indexWrappingKey().wrap(nextKey()))
        var classKeys: [ClassKey] = []
        for accessibility in Self.classes {
            let (classKey, metadataKey) = (nextKey(), nextKey())
            classKeys.append(
                ClassKey(
                    accessibility: accessibility,
                    wrappedKey: Array(try derivation.classWrappingKey(accessibility, keybagKey).wrap(classKey)),
                    wrappedMetadataKey: Array(try classKey.wrap(metadataKey))))
        }
        self.classKeys = classKeys
    }

    /// All keys of a keybag without a passcode.
    ///
    /// - Throws: `.wrongDeviceKey` when nothing opens with this device key; `.damaged` when something does and something
    ///   else does not; `.noKeyStorage`.
    public func unlock(
        with deviceKey: DeviceKey, in storage: some SecretKeyStorage
    ) throws(SealingError) -> UnlockedKeybag {
        let derivation = KeyDerivation(identifier: identifier, salt: salt, deviceKey: deviceKey)
        let indexKey = try? derivation.indexWrappingKey().unwrap(wrappedIndexKey)
        let keybagKey: SymmetricKey?
        do {
            keybagKey = try derivation.protectorKey(.deviceKey).unwrap(protectors[0].wrappedKeybagKey)
        } catch {
            keybagKey = nil
        }
        guard let indexKey, let keybagKey else {
            throw indexKey == nil && keybagKey == nil ? .wrongDeviceKey : .damaged
        }
        var keys: [Accessibility: ClassKeys] = [:]
        for entry in classKeys {
            let classKey = try derivation.classWrappingKey(entry.accessibility, keybagKey).unwrap(entry.wrappedKey)
            let metadataKey = try classKey.unwrap(entry.wrappedMetadataKey)
            keys[entry.accessibility] = ClassKeys(
                classKey: try storage.store(classKey), metadataKey: try storage.store(metadataKey))
        }
        return UnlockedKeybag(classKeys: keys, indexKey: IndexKey(indexKey), random: storage.random)
    }
}

/// The keys that are derived rather than stored: those that wrap others.
private struct KeyDerivation {
    let identifier: [UInt8]
    let salt: [UInt8]
    let deviceKey: DeviceKey

    /// Wraps the keybag key.
    func protectorKey(_ kind: Keybag.Protector.Kind) throws(SealingError) -> SymmetricKey {
        switch kind {
        case .deviceKey: try derive(SealingConstants.protectorLabel, kind.rawValue, keybagKey: nil, withDevice: true)
        }
    }

    /// Wraps the index key. The device key alone: rows are found and deleted while the keychain is locked.
    func indexWrappingKey() throws(SealingError) -> SymmetricKey {
        try derive(SealingConstants.indexLabel, 0, keybagKey: nil, withDevice: true)
    }

    /// Wraps a class key. Which material goes in decides when the class can be read and whether it can leave the device.
    func classWrappingKey(
        _ accessibility: Accessibility, _ keybagKey: SymmetricKey
    ) throws(SealingError) -> SymmetricKey {
        let (needsKeybagKey, needsDevice) =
            switch accessibility {
            case .whenUnlocked, .afterFirstUnlock: (true, false)
            case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .whenPasscodeSetThisDeviceOnly:
                (true, true)
            case .always, .alwaysThisDeviceOnly: (false, true)
            }
        return try derive(
            SealingConstants.classLabel, accessibility.rawValue, keybagKey: needsKeybagKey ? keybagKey : nil,
            withDevice: needsDevice)
    }

    /// HKDF-SHA256 of keybag key ‖ device key, as far as they are asked for. Both have one fixed length, and which of
    /// them go in follows from label and number, so no two inputs can be mistaken for each other.
    private func derive(
        _ label: String, _ number: UInt8, keybagKey: SymmetricKey?, withDevice: Bool
    ) throws(SealingError) -> SymmetricKey {
        var material = Data(capacity: 2 * SealingConstants.keySize)
        defer { material.wipe() }
        if let keybagKey {
            // Copied inside the closures only, here and below; wiped on return.
            unsafe keybagKey.withUnsafeBytes { unsafe material.append(contentsOf: $0) }
        }
        if withDevice {
            unsafe deviceKey.key.withBytes { unsafe material.append(contentsOf: $0) }
        }
        return unsafe material.withUnsafeBytes { bytes in
            unsafe HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: bytes), salt: salt,
                info: Array(label.utf8) + [number] + identifier, outputByteCount: SealingConstants.keySize)
        }
    }
}

// MARK: - Bytes

extension Keybag {
    public var encoded: Data {
        var bytes = Data(SealingConstants.keybagMagic + identifier + salt)
        bytes.append(UInt8(protectors.count))
        for protector in protectors {
            bytes.append(protector.kind.rawValue)
            bytes.append(contentsOf: protector.wrappedKeybagKey)
        }
        bytes.append(UInt8(classKeys.count))
        for entry in classKeys {
            bytes.append(entry.accessibility.rawValue)
            bytes.append(contentsOf: entry.wrappedKey)
            bytes.append(contentsOf: entry.wrappedMetadataKey)
        }
        bytes.append(contentsOf: wrappedIndexKey)
        return bytes
    }

    /// - Throws: `.damaged`, `.unsupportedVersion`. Version 1 has exactly one protector and the six classes, in order;
    ///   anything else is refused.
    public init(decoding bytes: some Sequence<UInt8>) throws(SealingError) {
        var reader = ByteReader(bytes)
        try reader.magic(SealingConstants.keybagMagic)
        identifier = try reader.bytes(SealingConstants.keybagIdentifierSize)
        salt = try reader.bytes(SealingConstants.saltSize)
        guard try reader.byte() == 1, Protector.Kind(rawValue: try reader.byte()) == .deviceKey else { throw .damaged }
        protectors = [
            Protector(kind: .deviceKey, wrappedKeybagKey: try reader.bytes(SealingConstants.wrappedKeySize))
        ]
        guard try reader.byte() == UInt8(Self.classes.count) else { throw .damaged }
        var classKeys: [ClassKey] = []
        for accessibility in Self.classes {
            guard try reader.byte() == accessibility.rawValue else { throw .damaged }
            classKeys.append(
                ClassKey(
                    accessibility: accessibility,
                    wrappedKey: try reader.bytes(SealingConstants.wrappedKeySize),
                    wrappedMetadataKey: try reader.bytes(SealingConstants.wrappedKeySize)))
        }
        self.classKeys = classKeys
        wrappedIndexKey = try reader.bytes(SealingConstants.wrappedKeySize)
        try reader.end()
    }
}
