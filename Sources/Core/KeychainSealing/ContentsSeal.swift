// SPDX-License-Identifier: Apache-2.0

import Crypto
public import FoundationEssentials
import KeychainBytes

/// A checksum of all rows of a keychain: their number, and the exclusive or of their codes.
///
/// The multiset hash MSet-XOR-Hash of Clarke, Devadas, van Dijk, Gassend and Suh (Asiacrypt 2003): the order does not
/// matter, and a row is added or removed without reading the others. It is safe only while it is secret, because an
/// attacker who knows two sums could compute a third. So it is stored sealed (``ContentsKey/seal(_:)``).
/// Documentation/Formats/database.md.
public struct ContentsSum: Hashable, Sendable {
    /// The number of rows.
    public private(set) var rowCount: Int64
    private(set) var high: UInt128
    private(set) var low: UInt128

    /// Creates the sum of no rows.
    public init() { self.init(rowCount: 0, high: 0, low: 0) }

    init(rowCount: Int64, high: UInt128, low: UInt128) {
        (self.rowCount, self.high, self.low) = (rowCount, high, low)
    }

    public mutating func insert(_ code: RowCode) {
        rowCount &+= 1
        toggle(code)
    }

    public mutating func remove(_ code: RowCode) {
        rowCount &-= 1
        toggle(code)
    }

    private mutating func toggle(_ code: RowCode) {
        high ^= code.high
        low ^= code.low
    }
}

/// HMAC-SHA256 of a row's contents, as two numbers.
public struct RowCode: Hashable, Sendable {
    let high: UInt128
    let low: UInt128
}

/// Computes the codes of rows: HMAC's state after processing the key, which saves most of the work for a row.
public struct RowCoder: Sendable {
    private let keyed: HMAC<SHA256>

    fileprivate init(_ key: SymmetricKey) { keyed = HMAC(key: key) }

    /// Returns the code of a row.
    ///
    /// - Parameter row: the bytes that represent the row; different rows have different bytes.
    public func code(_ row: [UInt8]) -> RowCode {
        var hmac = keyed
        hmac.update(data: row)
        let code = hmac.finalize()
        // Read inside the closure only, within the 32 bytes of a code.
        return unsafe code.withUnsafeBytes { bytes in
            RowCode(
                high: unsafe UInt128(bigEndian: bytes.loadUnaligned(as: UInt128.self)),
                low: unsafe UInt128(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt128.self)))
        }
    }
}

/// The keys that seal a keychain's contents as a whole. They are derived from the device key and available in every
/// lock state, as the rows themselves are.
public struct ContentsKey: Sendable {
    private let codeKey: any StoredKey
    private let sealKey: any StoredKey
    private let authenticatedData: [UInt8]
    private let random: RandomBytes

    /// Derives the keys.
    ///
    /// - Parameter keybagIdentifier: the identifier of the keybag in the same database, so that no other database's
    ///   seal fits.
    /// - Throws: `.noKeyStorage`.
    public init(
        deviceKey: DeviceKey, keybagIdentifier: [UInt8], in storage: some SecretKeyStorage
    ) throws(SealingError) {
        codeKey = try storage.store(deviceKey.contentsKey(SealingConstants.contentsCodeLabel, keybagIdentifier))
        sealKey = try storage.store(deviceKey.contentsKey(SealingConstants.contentsSealLabel, keybagIdentifier))
        authenticatedData =
            Array(SealingConstants.contentsSealLabel.utf8) + [SealingConstants.contentsVersion] + keybagIdentifier
        random = storage.random
    }

    public var coder: RowCoder { RowCoder(codeKey.copy()) }

    /// Returns the 69 bytes that are stored: version (u8), nonce (12), AES-256-GCM of row count (i64) and sum (32), tag
    /// (16).
    ///
    /// - Throws: `.damaged`, which cannot happen for a sum.
    public func seal(_ sum: ContentsSum) throws(SealingError) -> Data {
        let plaintext = [UInt8](capacity: 8 + SealingConstants.codeSize) { bytes in
            bytes.append(bigEndian: sum.rowCount)
            bytes.append(bigEndian: sum.high)
            bytes.append(bigEndian: sum.low)
        }
        let box: Data?
        do {
            box = try AES.GCM.seal(
                plaintext, using: sealKey.copy(), nonce: random.nonce(), authenticating: authenticatedData
            ).combined
        } catch {
            throw .damaged
        }
        // Nil only for nonces of another size.
        guard let box else { throw .damaged }
        var sealed = Data(capacity: 1 + box.count)
        sealed.append(SealingConstants.contentsVersion)
        sealed.append(box)
        return sealed
    }

    /// Opens a sealed sum.
    ///
    /// - Throws: `.damaged` for anything that was not sealed for this keychain, `.unsupportedVersion`.
    public func open(_ sealed: Data) throws(SealingError) -> ContentsSum {
        guard let version = sealed.first else { throw .damaged }
        guard version == SealingConstants.contentsVersion else { throw .unsupportedVersion }
        let plaintext: Data
        do {
            plaintext = try AES.GCM.open(
                AES.GCM.SealedBox(combined: sealed.dropFirst()), using: sealKey.copy(),
                authenticating: authenticatedData)
        } catch {
            throw .damaged
        }
        var reader = SealedReader(plaintext)
        let count = try reader.integer(Int64.self)
        let (high, low) = (try reader.integer(UInt128.self), try reader.integer(UInt128.self))
        try reader.finish()
        return ContentsSum(rowCount: count, high: high, low: low)
    }
}

extension DeviceKey {
    fileprivate func contentsKey(_ label: String, _ keybagIdentifier: [UInt8]) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key.copy(), salt: keybagIdentifier, info: Array(label.utf8),
            outputByteCount: SealingConstants.keySize)
    }
}

extension ContentsKey: CustomStringConvertible, CustomReflectable {
    public var description: String { "ContentsKey(redacted)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
