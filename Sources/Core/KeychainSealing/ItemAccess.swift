// SPDX-License-Identifier: Apache-2.0

import Crypto
public import FoundationEssentials
public import KeychainModel
import Synchronization

/// What a constrained item is sealed for, as it stands before the wrapped key in its row (Documentation/Formats/sealed-item.md,
/// "Version 2"): open to read before anything is opened, and part of what every box of the item authenticates.
public struct ItemAccess: Hashable, Sendable {
    /// Not empty.
    public let flags: AccessControl.Flags
    /// How the item's own password is stretched; there is one exactly if the flags say so.
    let passwordCost: ScryptCost?

    /// For a new version of an item; nil for flags that ask for nothing.
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

    /// Whether opening takes more than the class key.
    public var needsMaterial: Bool { passwordCost != nil || needsEnrolment }
    public var needsPassword: Bool { passwordCost != nil }
    var needsEnrolment: Bool { flags.contains(.biometryCurrentSet) }
}

/// The column with the wrapped key of an item.
public struct ItemKeyColumn: Hashable, Sendable {
    /// Nil for an item without constraints, and for bytes that are neither.
    public let access: ItemAccess?
    public let wrappedKey: Data

    /// Takes any bytes: what was not written by ``KeyRing/seal(_:data:to:material:)`` does not open.
    public init(_ column: Data) {
        // At every row that is read: nearly all are of items without constraints.
        let constrained = column.count > SealingConstants.wrappedKeySize ? try? Self.constrained(column) : nil
        (access, wrappedKey) = constrained ?? (nil, column)
    }

    private static func constrained(_ column: Data) throws(SealingError) -> (ItemAccess?, Data) {
        var reader = ByteReader(column)
        let access = try access(&reader)
        let wrappedKey = Data(try reader.take(SealingConstants.wrappedKeySize))
        try reader.end()
        return (access, wrappedKey)
    }

    private static func access(_ reader: inout ByteReader) throws(SealingError) -> ItemAccess {
        guard try reader.byte() == SealingConstants.constrainedItemVersion else { throw .unsupportedVersion }
        let flags = AccessControl.Flags(rawValue: try reader.integer(UInt32.self))
        // What cannot be an access control object was not written here. Which protection it has, says another column.
        guard !flags.isEmpty, AccessControl(protection: .whenUnlocked, flags: flags) != nil else { throw .damaged }
        guard flags.contains(.applicationPassword) else { return ItemAccess(flags, nil) }
        let logN = try reader.byte()
        let blockSize = try reader.integer(UInt32.self)
        guard
            let cost = ScryptCost(
                logN: logN, blockSize: blockSize, parallelism: try reader.integer(UInt32.self)),
            cost.work <= SealingConstants.applicationPasswordWorkLimit
        else { throw .damaged }
        return ItemAccess(flags, cost)
    }
}

/// What goes into the keys of constrained items besides their class key, for one request.
public final class ItemKeyMaterial: Sendable {
    private let password: (any StoredKey)?
    let enrolment: EnrolmentSecret?
    /// A password is stretched once for each cost.
    private let stretched = Mutex<[ScryptCost: SymmetricKey]>([:])

    /// - Parameters:
    ///   - password: the items' own, in memory that wipes itself.
    ///   - enrolment: of the fingers that are enrolled now.
    public init(password: (any StoredKey)? = nil, enrolment: EnrolmentSecret? = nil) {
        self.password = password
        self.enrolment = enrolment
    }

    /// For items that need none.
    public static let none = ItemKeyMaterial()

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
    /// What an item's key is wrapped under.
    ///
    /// - Throws: `.passwordNeeded`, `.enrolmentNeeded`, `.keyNotAvailable`, `.noKeyStorage`.
    func wrappingKey(
        for binding: ItemBinding, _ material: ItemKeyMaterial
    ) throws(SealingError) -> SymmetricKey {
        let classKey = try keys(for: binding.accessibility).classKey.copy()
        guard let access = binding.access else { return classKey }
        // HKDF-SHA256 (RFC 5869) of class key ‖ enrolment secret ‖ stretched password, as far as the flags ask for them: they
        // are part of the info, so that no two inputs can be mistaken for each other.
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
        // The bytes live across the call.
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

    /// Stretches the material's password as new items have it, so that nothing waits for it later.
    ///
    /// - Throws: `.passwordNeeded`, `.noKeyStorage`.
    public func prepare(_ material: ItemKeyMaterial) throws(SealingError) {
        _ = try material.stretchedPassword(
            SealingConstants.applicationPasswordCost, salt: passwordSalt, in: stretching)
    }

    /// Whether the material opens the item: nothing of its data is opened.
    ///
    /// - Throws: as ``openData(_:wrappedKey:of:material:)``.
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
            // Nobody can tell a wrong password from a damaged key; the one is usual.
            guard error == .damaged, let access = binding.access, access.needsMaterial else { throw error }
            throw access.needsPassword ? .wrongPassword : .enrolmentChanged
        }
    }
}

/// A secret that lives as long as the fingers that are enrolled stay the same: items for the current set are sealed with it.
/// When another enrolment is seen, it is replaced, and they are lost for good. Documentation/Formats/database.md, "Table
/// enrolment".
public struct EnrolmentSecret: Sendable {
    let key: any StoredKey
}

/// Seals the enrolment that a keychain knows. It comes from the device key, as the key of grants does.
public struct EnrolmentKey: Sendable {
    private let key: any StoredKey
    private let keybagIdentifier: [UInt8]
    private let storage: any SecretKeyStorage

    /// - Parameter keybagIdentifier: of the keybag in the same database.
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

    /// A new secret for an enrolment.
    ///
    /// - Parameter digest: 32 bytes that name the enrolled fingers.
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
        // There is none only for nonces of another size.
        guard let box else { throw .damaged }
        return (EnrolmentSecret(key: try storage.store(new)), Data([SealingConstants.enrolmentVersion]) + box)
    }

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
