// SPDX-License-Identifier: Apache-2.0

import Crypto
public import FoundationEssentials
import KeychainBytes
public import KeychainModel
import Synchronization

/// The constraints that a constrained item is sealed for, stored before the wrapped key in its row
/// (Documentation/Formats/sealed-item.md, "Version 2"). They are readable without a key, and every box of the item
/// authenticates them.
public struct ItemAccess: Hashable, Sendable {
    /// Not empty.
    public let flags: AccessControl.Flags
    /// The cost of stretching the item's own password; present exactly if the flags require the password.
    let passwordCost: ScryptCost?

    /// Creates the constraints of a new version of an item; nil for flags without requirements.
    public init?(_ flags: AccessControl.Flags) {
        guard !flags.isEmpty else { return nil }
        self.flags = flags
        passwordCost = flags.contains(.applicationPassword) ? SealingConstants.applicationPasswordCost : nil
    }

    fileprivate init(_ flags: AccessControl.Flags, _ passwordCost: ScryptCost?) {
        self.flags = flags
        self.passwordCost = passwordCost
    }

    var encoded: [UInt8] {
        var bytes = [SealingConstants.constrainedItemVersion]
        bytes.append(bigEndian: flags.rawValue)
        if let cost = passwordCost {
            bytes.append(cost.logN)
            bytes.append(bigEndian: cost.blockSize)
            bytes.append(bigEndian: cost.parallelism)
        }
        return bytes
    }

    /// Whether opening requires more than the class key.
    public var needsMaterial: Bool { passwordCost != nil || needsEnrolment }
    public var needsPassword: Bool { passwordCost != nil }
    var needsEnrolment: Bool { flags.contains(.biometryCurrentSet) }
}

/// The column with the wrapped key of an item.
public struct ItemKeyColumn: Hashable, Sendable {
    /// Nil for an item without constraints, and for bytes that are neither.
    public let access: ItemAccess?
    public let wrappedKey: Data

    /// Reads any bytes: a column that ``KeyRing/seal(_:data:to:material:)`` did not write does not open.
    public init(_ column: Data) {
        // This runs for every row that is read, and nearly all rows are of items without constraints.
        let constrained = column.count > SealingConstants.wrappedKeySize ? try? Self.constrained(column) : nil
        (access, wrappedKey) = constrained ?? (nil, column)
    }

    private static func constrained(_ column: Data) throws(SealingError) -> (ItemAccess?, Data) {
        var reader = SealedReader(column)
        let access = try access(&reader)
        let wrappedKey = Data(try reader.take(SealingConstants.wrappedKeySize))
        try reader.finish()
        return (access, wrappedKey)
    }

    private static func access(_ reader: inout SealedReader) throws(SealingError) -> ItemAccess {
        guard try reader.u8() == SealingConstants.constrainedItemVersion else { throw .unsupportedVersion }
        let flags = AccessControl.Flags(rawValue: try reader.u32())
        // Flags that no access control object has were not written here. Another column has the protection.
        guard !flags.isEmpty, AccessControl(protection: .whenUnlocked, flags: flags) != nil else { throw .damaged }
        guard flags.contains(.applicationPassword) else { return ItemAccess(flags, nil) }
        let logN = try reader.u8()
        let blockSize = try reader.u32()
        guard
            let cost = ScryptCost(
                logN: logN, blockSize: blockSize, parallelism: try reader.u32()),
            cost.work <= SealingConstants.applicationPasswordWorkLimit
        else { throw .damaged }
        return ItemAccess(flags, cost)
    }
}

/// The additional key material of constrained items besides their class key, for one request.
public final class ItemKeyMaterial: Sendable {
    private let password: (any StoredKey)?
    let enrolment: EnrolmentSecret?
    /// Each password is stretched once per cost.
    private let stretched = Mutex<[ScryptCost: SymmetricKey]>([:])

    /// Creates the material.
    ///
    /// - Parameters:
    ///   - password: the items' own password, in memory that wipes itself.
    ///   - enrolment: the secret of the current enrolment.
    public init(password: (any StoredKey)? = nil, enrolment: EnrolmentSecret? = nil) {
        self.password = password
        self.enrolment = enrolment
    }

    /// The material for items without constraints.
    public static let none = ItemKeyMaterial()

    /// Returns the stretched password.
    ///
    /// - Throws: `.passwordNeeded`, `.noKeyStorage`.
    fileprivate func stretchedPassword(
        _ cost: ScryptCost, salt: [UInt8], in turn: StretchingTurn
    ) throws(SealingError) -> SymmetricKey {
        guard let password else { throw .passwordNeeded }
        if let key = stretched.withLock({ $0[cost] }) { return key }
        var bytes = Data()
        defer { bytes.wipe() }
        // Copied inside the closure only.
        unsafe password.withBytes { bytes = unsafe Data($0) }
        let key = try cost.stretch(bytes, salt: salt, in: turn)
        stretched.withLock { $0[cost] = key }
        return key
    }
}

extension ItemKeyMaterial: CustomStringConvertible, CustomReflectable {
    public var description: String { "ItemKeyMaterial(redacted)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension KeyRing {
    /// Returns the key that wraps an item's key.
    ///
    /// - Throws: `.passwordNeeded`, `.enrolmentNeeded`, `.keyNotAvailable`, `.noKeyStorage`.
    func wrappingKey(
        for binding: ItemBinding, _ material: ItemKeyMaterial
    ) throws(SealingError) -> SymmetricKey {
        let classKey = try keys(for: binding.accessibility).classKey.copy()
        guard let access = binding.access else { return classKey }
        // HKDF-SHA256 (RFC 5869) of class key ‖ enrolment secret ‖ stretched password, as far as the flags require
        // them. The flags are part of the info, so two inputs cannot be confused.
        var input = Data(capacity: 3 * SealingConstants.keySize)
        defer { input.wipe() }
        Self.append(classKey, to: &input)
        if access.needsEnrolment {
            guard let enrolment = material.enrolment else { throw .enrolmentNeeded }
            Self.append(enrolment.key.copy(), to: &input)
        }
        if let cost = access.passwordCost {
            Self.append(try material.stretchedPassword(cost, salt: passwordSalt, in: stretching), to: &input)
        }
        var info = Array(SealingConstants.itemAccessLabel.utf8) + access.encoded
        info.append(bigEndian: binding.item.value)
        info.append(bigEndian: binding.rowVersion)
        // The bytes outlive the call.
        return unsafe input.withUnsafeBytes { bytes in
            unsafe HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: bytes), info: info, outputByteCount: SealingConstants.keySize)
        }
    }

    private static func append(_ key: SymmetricKey, to input: inout Data) {
        var bytes = key.copyBytes()
        defer { bytes.wipe() }
        input.append(bytes)
    }

    /// Stretches the material's password with the cost of new items, so that later calls do not wait for it.
    ///
    /// - Throws: `.passwordNeeded`, `.noKeyStorage`.
    public func prepare(_ material: ItemKeyMaterial) throws(SealingError) {
        _ = try material.stretchedPassword(
            SealingConstants.applicationPasswordCost, salt: passwordSalt, in: stretching)
    }

    /// Checks whether the material opens the item, without opening its data.
    ///
    /// - Throws: the errors of ``openData(_:wrappedKey:of:material:)``.
    public func check(
        _ wrappedKey: Data, of binding: ItemBinding, material: ItemKeyMaterial
    ) throws(SealingError) {
        _ = try itemKey(wrappedKey, of: binding, material)
    }

    func itemKey(
        _ wrappedKey: Data, of binding: ItemBinding, _ material: ItemKeyMaterial
    ) throws(SealingError) -> SymmetricKey {
        let wrapping = try wrappingKey(for: binding, material)
        do throws(SealingError) {
            return try wrapping.unwrap(wrappedKey)
        } catch {
            // A wrong password and a damaged key cannot be distinguished; a wrong password is more likely.
            guard error == .damaged, let access = binding.access, access.needsMaterial else { throw error }
            throw access.needsPassword ? .wrongPassword : .enrolmentChanged
        }
    }
}

/// A secret that is kept as long as the enrolled fingers do not change: items for the current set are sealed with it. A
/// new enrolment replaces it, and those items are lost permanently. Documentation/Formats/database.md, "Table
/// enrolment".
public struct EnrolmentSecret: Sendable {
    let key: any StoredKey
}

/// Seals the known enrolment of a keychain. Derived from the device key, like the key of grants.
public struct EnrolmentKey: Sendable {
    private let key: any StoredKey
    private let keybagIdentifier: [UInt8]
    private let storage: any SecretKeyStorage

    /// Derives the key.
    ///
    /// - Parameter keybagIdentifier: the identifier of the keybag in the same database.
    /// - Throws: `.noKeyStorage`.
    public init(
        deviceKey: DeviceKey, keybagIdentifier: [UInt8], in storage: some SecretKeyStorage
    ) throws(SealingError) {
        key = try storage.store(
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: deviceKey.key.copy(), salt: keybagIdentifier,
                info: Array(SealingConstants.enrolmentLabel.utf8), outputByteCount: SealingConstants.keySize))
        self.keybagIdentifier = keybagIdentifier
        self.storage = storage
    }

    /// Returns a new secret for an enrolment.
    ///
    /// - Parameter digest: the 32 bytes of an ``EnrolmentDigest``.
    public func newSecret(for digest: [UInt8]) throws(SealingError) -> (secret: EnrolmentSecret, sealed: Data) {
        precondition(digest.count == SealingConstants.enrolmentDigestSize)
        let new = SymmetricKey.generate()
        var plaintext = Data(digest)
        defer { plaintext.wipe() }
        var bytes = new.copyBytes()
        defer { bytes.wipe() }
        plaintext.append(bytes)
        let box: Data?
        do {
            box = try AES.GCM.seal(
                plaintext, using: key.copy(), nonce: storage.random.nonce(), authenticating: authenticatedData
            ).combined
        } catch {
            throw .damaged
        }
        // Nil only for nonces of another size.
        guard let box else { throw .damaged }
        return (EnrolmentSecret(key: try storage.store(new)), Data([SealingConstants.enrolmentVersion]) + box)
    }

    /// Opens a sealed enrolment.
    ///
    /// - Throws: `.damaged` for anything that was not sealed for this keychain; `.unsupportedVersion`; `.noKeyStorage`.
    public func open(_ sealed: Data) throws(SealingError) -> (digest: [UInt8], secret: EnrolmentSecret) {
        guard let version = sealed.first else { throw .damaged }
        guard version == SealingConstants.enrolmentVersion else { throw .unsupportedVersion }
        var plaintext: Data
        do {
            plaintext = try AES.GCM.open(
                AES.GCM.SealedBox(combined: sealed.dropFirst()), using: key.copy(), authenticating: authenticatedData)
        } catch {
            throw .damaged
        }
        defer { plaintext.wipe() }
        let digestSize = SealingConstants.enrolmentDigestSize
        guard plaintext.count == digestSize + SealingConstants.keySize else { throw .damaged }
        let secret = SymmetricKey(data: plaintext.dropFirst(digestSize))
        return (Array(plaintext.prefix(digestSize)), EnrolmentSecret(key: try storage.store(secret)))
    }

    private var authenticatedData: [UInt8] {
        Array(SealingConstants.enrolmentLabel.utf8) + [SealingConstants.enrolmentVersion] + keybagIdentifier
    }
}

extension EnrolmentSecret: CustomStringConvertible, CustomReflectable {
    public var description: String { "EnrolmentSecret(redacted)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension EnrolmentKey: CustomStringConvertible, CustomReflectable {
    public var description: String { "EnrolmentKey(redacted)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
