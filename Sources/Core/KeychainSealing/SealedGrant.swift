// SPDX-License-Identifier: Apache-2.0

package import Crypto
public import FoundationEssentials
import KeychainBytes
public import KeychainModel

/// The key that seals a keychain's remembered grants. A program that can write the database therefore cannot forge a
/// grant, change one, or move one to another number or item. It is derived from the device key and available in every
/// lock state, because revoking a grant must not require a passcode. Documentation/Formats/database.md, "Table grants".
public struct GrantKey: Sendable {
    private let key: any StoredKey
    private let keybagIdentifier: [UInt8]
    private let random: RandomBytes

    /// Derives the key.
    ///
    /// - Parameter keybagIdentifier: the identifier of the keybag in the same database, so that no other database's
    ///   grants open.
    /// - Throws: `.noKeyStorage`.
    public init(
        deviceKey: DeviceKey, keybagIdentifier: [UInt8], in storage: some SecretKeyStorage
    ) throws(SealingError) {
        key = try storage.store(
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: deviceKey.key.copy(), salt: keybagIdentifier,
                info: Array(SealingConstants.grantLabel.utf8), outputByteCount: SealingConstants.keySize))
        self.keybagIdentifier = keybagIdentifier
        random = storage.random
    }

    /// Seals a grant.
    ///
    /// - Returns: version (u8), nonce (12), AES-256-GCM of the grant, tag (16).
    /// - Throws: `.damaged` for a text longer than 65,535 bytes, and for an unidentified program, which has no grants.
    public func seal(_ grant: RememberedGrant) throws(SealingError) -> Data {
        try seal(grant, nonce: random.nonce())
    }

    package func seal(_ grant: RememberedGrant, nonce: AES.GCM.Nonce) throws(SealingError) -> Data {
        let box: Data?
        do {
            box = try AES.GCM.seal(
                try grant.encoded(), using: key.copy(), nonce: nonce,
                authenticating: authenticatedData(grant.number, grant.item)
            ).combined
        } catch {
            throw .damaged
        }
        // Nil only for nonces of another size.
        guard let box else { throw .damaged }
        return Data([SealingConstants.grantVersion]) + box
    }

    /// Opens a sealed grant.
    ///
    /// - Parameters:
    ///   - number: the number of the row.
    ///   - item: the item in the same row.
    /// - Throws: `.damaged` for anything that was not sealed for this keychain, number and item; `.unsupportedVersion`.
    public func open(
        _ sealed: Data, number: UInt64, item: ItemIdentifier
    ) throws(SealingError) -> RememberedGrant {
        guard let version = sealed.first else { throw .damaged }
        guard version == SealingConstants.grantVersion else { throw .unsupportedVersion }
        let plaintext: Data
        do {
            plaintext = try AES.GCM.open(
                AES.GCM.SealedBox(combined: sealed.dropFirst()), using: key.copy(),
                authenticating: authenticatedData(number, item))
        } catch {
            throw .damaged
        }
        return try RememberedGrant(decoding: plaintext, number: number, item: item)
    }

    private func authenticatedData(_ number: UInt64, _ item: ItemIdentifier) -> [UInt8] {
        var bytes = Array(SealingConstants.grantLabel.utf8) + [SealingConstants.grantVersion] + keybagIdentifier
        bytes.append(bigEndian: number)
        bytes.append(bigEndian: item.value)
        return bytes
    }
}

extension GrantKey: CustomStringConvertible, CustomReflectable {
    public var description: String { "GrantKey(redacted)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension RememberedGrant {
    fileprivate func encoded() throws(SealingError) -> [UInt8] {
        var bytes = [itemClass.rawValue, operation.rawValue, tier.rawValue]
        bytes.append(bigEndian: date.secondsSinceReferenceDate.bitPattern)
        switch identity {
        // Neither has lasting grants.
        case .unidentified, .application: throw .damaged
        case .command: bytes.append(1)
        case .signed(let team, let identifier):
            bytes.append(2)
            try bytes.append(text: team)
            try bytes.append(text: identifier)
        case .installed(let path):
            bytes.append(3)
            try bytes.append(text: path)
        case .unsigned(let digest):
            bytes.append(4)
            guard digest.count == SHA256.byteCount else { throw .damaged }
            bytes += digest
        }
        return bytes
    }

    fileprivate init(decoding bytes: Data, number: UInt64, item: ItemIdentifier) throws(SealingError) {
        var reader = SealedReader(bytes)
        guard let itemClass = ItemClass(rawValue: try reader.u8()),
            let operation = GrantableOperation(rawValue: try reader.u8()),
            let tier = CallerTier(rawValue: try reader.u8())
        else { throw .damaged }
        let date = Timestamp(secondsSinceReferenceDate: Double(bitPattern: try reader.u64()))
        let identity: ProgramIdentity
        switch try reader.u8() {
        case 1: identity = .command
        case 2:
            let team = try reader.text()
            identity = .signed(team: team, identifier: try reader.text())
        case 3: identity = .installed(path: try reader.text())
        case 4: identity = .unsigned(digest: try reader.bytes(SHA256.byteCount))
        default: throw .damaged
        }
        try reader.finish()
        self.init(
            number: number, identity: identity, tier: tier, operation: operation, itemClass: itemClass, item: item,
            date: date)
    }
}

extension SealedReader {
    /// Reads a 16-bit length and as many bytes of UTF-8.
    fileprivate mutating func text() throws(SealingError) -> String {
        try text(count: Int(try u16()))
    }
}

extension [UInt8] {
    fileprivate mutating func append(text: String) throws(SealingError) {
        guard let count = UInt16(exactly: text.utf8.count) else { throw .damaged }
        append(bigEndian: count)
        append(contentsOf: text.utf8)
    }
}
