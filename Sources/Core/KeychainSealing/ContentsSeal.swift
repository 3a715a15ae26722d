// SPDX-License-Identifier: Apache-2.0

import Crypto
public import FoundationEssentials

/// What a keychain's rows are together: how many there are, and the exclusive or of the code of each.
///
/// The multiset hash MSet-XOR-Hash of Clarke, Devadas, van Dijk, Gassend and Suh (Asiacrypt 2003): the order does not
/// matter, and a row is taken in or out without looking at the others. It is safe only while nobody sees it, since who saw
/// two of them could compute a third; so it is stored sealed (``ContentsKey/seal(_:)``). Documentation/Formats/database.md.
public struct ContentsSum: Hashable, Sendable {
    /// How many rows there are.
    public private(set) var rowCount: Int64
    private(set) var high: UInt128
    private(set) var low: UInt128

    /// Of no rows.
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

/// HMAC-SHA256 over what a row holds, as two numbers.
public struct RowCode: Hashable, Sendable {
    let high: UInt128
    let low: UInt128
}

/// Makes the codes of rows: HMAC's state after taking in the key, which is most of the work for a row.
public struct RowCoder: Sendable {
    private let keyed: HMAC<SHA256>

    fileprivate init(_ key: SymmetricKey) { keyed = HMAC(key: key) }

    /// - Parameter row: the bytes that stand for the row; different rows have different ones.
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

/// The keys that a keychain's contents as a whole are sealed with. They come from the device key and are at hand in every
/// lock state, as are the rows themselves.
public struct ContentsKey: Sendable {
    private let codeKey: any StoredKey
    private let sealKey: any StoredKey
    private let authenticatedData: [UInt8]
    private let random: RandomBytes

    /// - Parameter keybagIdentifier: of the keybag in the same database, so that no other database's seal fits.
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

    /// The 69 bytes that are stored: version (u8), nonce (12), AES-256-GCM of row count (i64) and sum (32), tag (16).
    ///
    /// - Throws: `.damaged`, which it never does for a sum.
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
        // There is none only for nonces of another size.
        guard let box else { throw .damaged }
        var sealed = Data(capacity: 1 + box.count)
        sealed.append(SealingConstants.contentsVersion)
        sealed.append(box)
        return sealed
    }

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
        var reader = ByteReader(plaintext)
        let count = try reader.integer(Int64.self)
        let (high, low) = (try reader.integer(UInt128.self), try reader.integer(UInt128.self))
        try reader.end()
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
