// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
import KeychainBytes
public import KeychainModel

/// The wrapped keys of one keychain, as its database stores them. None of them can be used without the device key.
///
/// Documentation/Formats/keybag.md has the byte table and a diagram of the wraps. Every byte of the encoding is either
/// checked when decoding or takes part in unwrapping, so a changed keybag never opens.
public struct Keybag: Sendable {
    /// 16 random bytes that identify this keybag.
    public let identifier: [UInt8]
    let salt: [UInt8]
    /// In ascending order of kind and number.
    var protectors: [Protector]
    /// In ascending order of the class's number.
    var classKeys: [ClassKey]
    let wrappedIndexKey: [UInt8]

    /// One wrap of the keybag key.
    struct Protector: Sendable {
        let description: ProtectorDescription
        /// Present for a secret that the user chooses.
        let stretching: Stretching?
        let wrappedKeybagKey: [UInt8]

        struct Stretching: Sendable {
            let cost: ScryptCost
            let salt: [UInt8]
        }

        var kind: ProtectorKind { description.kind }
    }

    struct ClassKey: Sendable {
        let accessibility: Accessibility
        /// Wrapped under a key derived by `KeyDerivation.classWrappingKey`.
        let wrappedKey: [UInt8]
        /// Wrapped under the class key.
        let wrappedMetadataKey: [UInt8]
    }

    /// The classes of a keychain without a passcode. A passcode adds `whenPasscodeSetThisDeviceOnly`.
    static let classes: [Accessibility] = [
        .whenUnlocked, .afterFirstUnlock, .always, .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly,
        .alwaysThisDeviceOnly,
    ]

    /// Whether a passcode is set.
    public var isProtected: Bool { protectors.first?.kind != .deviceKey }

    /// The protectors, passcode first. Without a passcode, the device key alone.
    public var protectorDescriptions: [ProtectorDescription] { protectors.map(\.description) }

    /// Returns the cost of one guess at the protector; nil for a random secret, which cannot be guessed.
    public func cost(of kind: ProtectorKind) -> ScryptCost? {
        protectors.first { $0.kind == kind }?.stretching?.cost
    }
}

// MARK: - Bytes

extension Keybag {
    public var encoded: Data {
        var bytes = Data(SealingConstants.keybagMagic + identifier + salt)
        bytes.append(UInt8(protectors.count))
        for protector in protectors {
            bytes.append(contentsOf: Self.head(protector.description, protector.stretching))
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

    /// Returns a protector's entry up to its wrapped key. All of it takes part in wrapping.
    static func head(_ description: ProtectorDescription, _ stretching: Protector.Stretching?) -> [UInt8] {
        var bytes: [UInt8] = [description.kind.rawValue]
        bytes.append(bigEndian: description.number)
        bytes.append(bigEndian: description.added.secondsSinceReferenceDate.bitPattern)
        bytes.append(UInt8(description.label.utf8.count))
        bytes.append(contentsOf: description.label.utf8)
        if let stretching {
            bytes.append(stretching.cost.logN)
            bytes.append(bigEndian: stretching.cost.blockSize)
            bytes.append(bigEndian: stretching.cost.parallelism)
            bytes.append(contentsOf: stretching.salt)
        }
        return bytes
    }

    /// Reads a keybag. A keybag has either the device key as its only protector and the first six classes, or a
    /// passcode, its additional protectors, and all seven classes, in ascending order. Anything else is refused.
    ///
    /// - Throws: `.damaged`, `.unsupportedVersion`.
    public init(decoding bytes: some Sequence<UInt8>) throws(SealingError) {
        var reader = SealedReader(bytes)
        try reader.magic(SealingConstants.keybagMagic)
        identifier = try reader.bytes(SealingConstants.keybagIdentifierSize)
        salt = try reader.bytes(SealingConstants.saltSize)
        var protectors: [Protector] = []
        for _ in 0..<(try reader.u8()) { protectors.append(try Protector(from: &reader)) }
        guard Self.isLegal(protectors.map(\.description)) else { throw .damaged }
        self.protectors = protectors
        let classes = protectors[0].kind == .deviceKey ? Self.classes : Self.classes + [.whenPasscodeSetThisDeviceOnly]
        guard try reader.u8() == UInt8(classes.count) else { throw .damaged }
        var classKeys: [ClassKey] = []
        for accessibility in classes {
            guard try reader.u8() == accessibility.rawValue else { throw .damaged }
            classKeys.append(
                ClassKey(
                    accessibility: accessibility,
                    wrappedKey: try reader.bytes(SealingConstants.wrappedKeySize),
                    wrappedMetadataKey: try reader.bytes(SealingConstants.wrappedKeySize)))
        }
        self.classKeys = classKeys
        wrappedIndexKey = try reader.bytes(SealingConstants.wrappedKeySize)
        try reader.finish()
    }

    /// Returns whether the protectors are the device key alone, or a passcode and not too many others; each number
    /// once; ascending.
    private static func isLegal(_ protectors: [ProtectorDescription]) -> Bool {
        guard let first = protectors.first else { return false }
        if first.kind == .deviceKey { return protectors.count == 1 }
        let places = protectors.map { UInt64($0.kind.rawValue) << 32 | UInt64($0.number) }
        return first.kind == .passcode && zip(places, places.dropFirst()).allSatisfy(<)
            && Set(protectors.map(\.number)).count == protectors.count
            && ProtectorKind.allCases.allSatisfy { kind in protectors.count { $0.kind == kind } <= kind.limit }
    }
}

extension Keybag.Protector {
    fileprivate init(from reader: inout SealedReader) throws(SealingError) {
        guard let kind = ProtectorKind(rawValue: try reader.u8()) else { throw .damaged }
        let number = try reader.u32()
        let added = Double(bitPattern: try reader.u64())
        let labelSize = Int(try reader.u8())
        let labelBytes = try reader.bytes(labelSize)
        guard added.isFinite, labelSize <= ProtectorDescription.labelBytes,
            let label = String(validating: labelBytes, as: UTF8.self)
        else { throw .damaged }
        description = ProtectorDescription(
            number: number, kind: kind, added: Timestamp(secondsSinceReferenceDate: added), label: label)
        if kind.isChosenByPeople {
            let (logN, blockSize) = (try reader.u8(), try reader.u32())
            let parallelism = try reader.u32()
            guard let cost = ScryptCost(logN: logN, blockSize: blockSize, parallelism: parallelism) else {
                throw .damaged
            }
            stretching = Stretching(cost: cost, salt: try reader.bytes(SealingConstants.saltSize))
        } else {
            stretching = nil
        }
        wrappedKeybagKey = try reader.bytes(SealingConstants.wrappedKeySize)
    }
}
