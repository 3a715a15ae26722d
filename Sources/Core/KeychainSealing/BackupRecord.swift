// SPDX-License-Identifier: Apache-2.0

import Crypto
public import FoundationEssentials
public import KeychainModel

/// An item as a backup contains it.
public struct BackupItem: Sendable {
    public let identifier: ItemIdentifier
    public let attributes: ItemAttributes
    /// The secret; nil for an item without one. The owner of the item wipes it.
    public var data: Data?

    public init(identifier: ItemIdentifier, attributes: ItemAttributes, data: Data?) {
        self.identifier = identifier
        self.attributes = attributes
        self.data = data
    }
}

/// A record after the header of a backup.
public enum BackupRecord: Sendable {
    case item(BackupItem, isDeviceBound: Bool)
    /// An item that only the device that made the backup can read.
    case otherDevice(ItemClass, ItemIdentifier)
    /// The last record.
    case end(BackupCounts)
}

/// The kind of a record: its first byte.
enum RecordKind: UInt8 {
    case item = 1
    case deviceBoundItem = 2
    case end = 3
}

/// The ciphers of one backup. Each record is sealed under the backup's key with its number as nonce. So a record that
/// is removed, exchanged, moved or taken from another backup is detected (STREAM: Hoang, Reyhanitabar, Rogaway, Vizár,
/// "Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance", 2015).
struct RecordCipher: Sendable {
    private let key: any StoredKey
    private let deviceItemKey: any StoredKey
    private let headerHash: [UInt8]

    init(
        _ header: BackupHeader, _ key: SymmetricKey, _ deviceKey: DeviceKey, in storage: some SecretKeyStorage
    ) throws(SealingError) {
        self.key = try storage.store(key)
        deviceItemKey = try storage.store(header.deviceItemKey(deviceKey))
        headerHash = Array(SHA256.hash(data: header.encoded))
    }

    func seal(_ plaintext: Data, _ kind: RecordKind, _ number: UInt64) -> Data {
        seal(plaintext, key, number, authenticating: context(kind, number))
    }

    func open(_ box: ArraySlice<UInt8>, _ kind: RecordKind, _ number: UInt64) throws(BackupError) -> Data {
        guard let opened = open(Data(box), key, number, authenticating: context(kind, number)) else { throw .damaged }
        return opened
    }

    /// Seals under the key that only this device can derive, for the record with this number and head.
    func sealForDevice(_ plaintext: Data, _ head: Data, _ number: UInt64) -> Data {
        seal(plaintext, deviceItemKey, number, authenticating: deviceContext(head, number))
    }

    /// Opens the box; nil if another device sealed it.
    func openForDevice(_ box: Data, _ head: Data, _ number: UInt64) -> Data? {
        open(box, deviceItemKey, number, authenticating: deviceContext(head, number))
    }

    private func context(_ kind: RecordKind, _ number: UInt64) -> [UInt8] {
        var bytes = Array(SealingConstants.backupRecordLabel.utf8)
        bytes.append(SealingConstants.backupVersion)
        bytes.append(kind.rawValue)
        bytes.append(bigEndian: number)
        return bytes + headerHash
    }

    private func deviceContext(_ head: Data, _ number: UInt64) -> [UInt8] {
        var bytes = Array(SealingConstants.backupDeviceItemLabel.utf8)
        bytes.append(SealingConstants.backupVersion)
        bytes.append(bigEndian: number)
        return bytes + head
    }

    private func nonce(_ number: UInt64) -> AES.GCM.Nonce {
        var bytes: [UInt8] = [0, 0, 0, 0]
        bytes.append(bigEndian: number)
        // Only nonces of less than twelve bytes are refused.
        return try! AES.GCM.Nonce(data: bytes)
    }

    private func seal(_ plaintext: Data, _ key: any StoredKey, _ number: UInt64, authenticating context: [UInt8])
        -> Data
    {
        // Only a plaintext beyond GCM's limit is refused, and records have at most some megabytes.
        let box = try! AES.GCM.seal(plaintext, using: key.copy(), nonce: nonce(number), authenticating: context)
        return box.ciphertext + box.tag
    }

    private func open(
        _ box: Data, _ key: any StoredKey, _ number: UInt64, authenticating context: [UInt8]
    ) -> Data? {
        guard box.count >= SealingConstants.tagSize else { return nil }
        let (text, tag) = (box.dropLast(SealingConstants.tagSize), box.suffix(SealingConstants.tagSize))
        return try? AES.GCM.open(
            AES.GCM.SealedBox(nonce: nonce(number), ciphertext: text, tag: tag), using: key.copy(),
            authenticating: context)
    }
}

// MARK: - Writing

/// Makes a backup: first the header, then a record for each item, then the last record.
public struct BackupWriter: Sendable {
    public let header: BackupHeader
    let cipher: RecordCipher
    private(set) var number: UInt64 = 0
    public private(set) var counts = BackupCounts()

    /// Begins a new backup under new keys from the system's generator.
    ///
    /// - Throws: `.noKeyStorage`.
    /// - Precondition: the secret has a legal size.
    public init(
        secret: BackupSecret<some Collection<UInt8>>, cost: ScryptCost, form: BackupForm, keybag: [UInt8],
        date: Timestamp, deviceKey: DeviceKey, in storage: some SecretKeyStorage
    ) throws(BackupError) {
        try self.init(
            BackupInputs(), secret: secret, cost: cost, form: form, keybag: keybag, date: date, deviceKey: deviceKey,
            in: storage)
    }

    package init(
        _ inputs: BackupInputs, secret: BackupSecret<some Collection<UInt8>>, cost: ScryptCost, form: BackupForm,
        keybag: [UInt8], date: Timestamp, deviceKey: DeviceKey, in storage: some SecretKeyStorage
    ) throws(BackupError) {
        precondition(secret.kind.sizes.contains(secret.bytes.count), "a secret of no legal size")
        header = try BackupHeader(
            inputs, secret: secret, cost: cost, form: form, keybag: keybag, date: date, deviceKey: deviceKey)
        do throws(SealingError) {
            cipher = try RecordCipher(header, inputs.key, deviceKey, in: storage)
        } catch {
            throw BackupError(error)
        }
    }

    /// Returns the record of an item.
    ///
    /// - Parameter isDeviceBound: whether the item is additionally sealed for this device.
    public mutating func record(of item: borrowing BackupItem, isDeviceBound: Bool) -> [UInt8] {
        var head = Data([item.attributes.itemClass.rawValue])
        head.append(contentsOf: item.identifier.bytes)
        head.append(item.attributes.accessibility.rawValue)
        let attributes = AttributeEncoding.encode(item.attributes)
        let size = 9 + attributes.count + (item.data?.count ?? 0)
        // Allocated at once, because growing would leave unwiped copies behind.
        var content = Data(capacity: head.count + size)
        defer { content.wipe() }
        if !isDeviceBound { content.append(head) }
        content.append(contentsOf: UInt32(attributes.count).bigEndianBytes)
        content.append(contentsOf: attributes)
        content.append(item.data == nil ? 0 : 1)
        if let data = item.data {
            content.append(contentsOf: UInt32(data.count).bigEndianBytes)
            content.append(data)
        }
        if isDeviceBound {
            counts.deviceBound += 1
            return seal(head + cipher.sealForDevice(content, head, number), .deviceBoundItem)
        }
        counts.portable += 1
        return seal(content, .item)
    }

    /// Counts an item that does not belong in a backup.
    public mutating func leaveOut() { counts.leftOut += 1 }

    /// Returns the last record. No record may follow it.
    public mutating func end() -> [UInt8] {
        var content = Data()
        for count in [counts.portable, counts.deviceBound, counts.leftOut] {
            content.append(contentsOf: count.bigEndianBytes)
        }
        return seal(content, .end)
    }

    mutating func seal(_ plaintext: Data, _ kind: RecordKind) -> [UInt8] {
        let box = cipher.seal(plaintext, kind, number)
        number += 1
        var record: [UInt8] = []
        record.reserveCapacity(5 + box.count)
        record.append(kind.rawValue)
        record.append(bigEndian: UInt32(box.count))
        record.append(contentsOf: box)
        return record
    }
}

// MARK: - Reading

/// Reads a backup piece by piece. Returns exactly the records that were written, in their order.
public struct BackupReader: Sendable {
    public let header: BackupHeader
    /// Whether this device made the backup.
    public let isOfThisDevice: Bool
    private let cipher: RecordCipher
    private var number: UInt64 = 0
    private var buffer: [UInt8] = []
    private var position = 0
    private var counts = BackupCounts()
    /// The counts of the last record; nil until it was read.
    public private(set) var end: BackupCounts?

    /// Opens a backup.
    ///
    /// - Throws: `.otherDevice`, `.wrongSecret`, `.noKeyStorage`.
    public init(
        _ header: BackupHeader, secret: BackupSecret<some Collection<UInt8>>, deviceKey: DeviceKey,
        in storage: some SecretKeyStorage
    ) throws(BackupError) {
        self.header = header
        isOfThisDevice = header.isMade(with: deviceKey)
        let key = try header.open(secret, deviceKey)
        do throws(SealingError) {
            cipher = try RecordCipher(header, key, deviceKey, in: storage)
        } catch {
            throw BackupError(error)
        }
    }

    /// Adds the next bytes of the file, after the header.
    public mutating func receive(_ bytes: some Collection<UInt8>) {
        if position > 0 {
            buffer.removeSubrange(..<position)
            position = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next record; nil if it needs more bytes, and after the last one.
    ///
    /// - Throws: `.damaged`.
    public mutating func next() throws(BackupError) -> BackupRecord? {
        guard end == nil else {
            guard position == buffer.count else { throw .damaged }
            return nil
        }
        let rest = buffer[position...]
        guard let first = rest.first else { return nil }
        guard let kind = RecordKind(rawValue: first) else { throw .damaged }
        guard rest.count >= 5 else { return nil }
        let size = rest.dropFirst().prefix(4).reduce(0) { $0 << 8 | Int($1) }
        // Checked before the bytes arrive, so that a forged size cannot make this process buffer more.
        guard size >= SealingConstants.tagSize, size <= SealingConstants.backupRecordLimit else { throw .damaged }
        guard rest.count >= 5 + size else { return nil }
        let box = rest.dropFirst(5).prefix(size)
        var plaintext = try cipher.open(box, kind, number)
        defer { plaintext.wipe() }
        let record = try read(plaintext, kind)
        position += 5 + size
        number += 1
        return record
    }

    /// Ends reading: no more bytes follow.
    ///
    /// - Throws: `.truncated` before the last record; `.damaged` for bytes after it.
    public func finish() throws(BackupError) -> BackupCounts {
        guard let end else { throw .truncated }
        guard position == buffer.count else { throw .damaged }
        return end
    }

    private mutating func read(_ plaintext: Data, _ kind: RecordKind) throws(BackupError) -> BackupRecord {
        switch kind {
        case .item:
            let item = try Self.item(plaintext.prefix(headSize), plaintext.dropFirst(headSize))
            counts.portable += 1
            return .item(item, isDeviceBound: false)
        case .deviceBoundItem:
            let head = plaintext.prefix(headSize)
            let (itemClass, identifier, _) = try Self.head(head)
            counts.deviceBound += 1
            guard var content = cipher.openForDevice(Data(plaintext.dropFirst(headSize)), Data(head), number) else {
                guard !isOfThisDevice else { throw .damaged }
                return .otherDevice(itemClass, identifier)
            }
            defer { content.wipe() }
            return .item(try Self.item(head, content), isDeviceBound: true)
        case .end:
            guard plaintext.count == 24 else { throw .damaged }
            let numbers = [0, 8, 16].map { start in
                plaintext.dropFirst(start).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            }
            let found = BackupCounts(portable: numbers[0], deviceBound: numbers[1], leftOut: numbers[2])
            guard found.portable == counts.portable, found.deviceBound == counts.deviceBound else { throw .damaged }
            end = found
            return .end(found)
        }
    }

    private static func head(
        _ head: Data
    ) throws(BackupError) -> (ItemClass, ItemIdentifier, Accessibility) {
        guard head.count == headSize, let first = head.first, let itemClass = ItemClass(rawValue: first),
            let identifier = ItemIdentifier(bytes: head.dropFirst().prefix(16)),
            let last = head.last, let accessibility = Accessibility(rawValue: last)
        else { throw .damaged }
        return (itemClass, identifier, accessibility)
    }

    /// Parses the bytes in place, so that only the secret itself is copied.
    private static func item(_ head: Data, _ content: Data) throws(BackupError) -> BackupItem {
        let (itemClass, identifier, accessibility) = try Self.head(head)
        var rest = content[...]
        func take(_ count: Int) throws(BackupError) -> Data {
            guard count <= rest.count else { throw .damaged }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        func size() throws(BackupError) -> Int { try take(4).reduce(0) { $0 << 8 | Int($1) } }
        let attributes: ItemAttributes
        let encoded = try take(try size())
        do throws(SealingError) {
            attributes = try AttributeEncoding.decode(encoded, itemClass)
        } catch {
            throw BackupError(error)
        }
        guard attributes.accessibility == accessibility else { throw .damaged }
        let data: Data?
        switch try take(1).first {
        case 0: data = nil
        case 1:
            let count = try size()
            guard count <= ItemLimits.secretBytes else { throw .damaged }
            data = Data(try take(count))
        default: throw .damaged
        }
        guard rest.isEmpty else { throw .damaged }
        return BackupItem(identifier: identifier, attributes: attributes, data: data)
    }
}

/// Class, identifier and accessibility, before an item's content.
private let headSize = 18

extension FixedWidthInteger {
    fileprivate var bigEndianBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: self)
        return bytes
    }
}
