// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
public import KeychainModel

// The replies to `backup` and `restore`: `reply` frames without items, followed by these fields.

/// The reply to the start of a backup.
public struct BackupBegun: Hashable, Sendable {
    public let token: JobToken
    public let form: BackupForm
    /// The approximate number of items, for a progress display.
    public let itemCount: UInt64

    public init(token: JobToken, form: BackupForm, itemCount: UInt64) {
        self.token = token
        self.form = form
        self.itemCount = itemCount
    }

    public init(_ frame: Frame) throws(WireError) {
        var reader = try frame.answer()
        token = JobToken(bytes: Array(try reader.take(JobToken.size)))
        form = try reader.value(BackupForm.self)
        itemCount = try reader.u64()
        try reader.finish()
    }

    public var frame: [UInt8] {
        var writer = WireWriter.answer(reserving: 64)
        writer.raw(token.bytes)
        writer.u8(form.rawValue)
        writer.u64(itemCount)
        return writer.frame()
    }
}

/// A piece of a backup's file.
public struct BackupPiece: Sendable {
    public let bytes: [UInt8]
    /// The counts of all pieces so far.
    public let counts: BackupCounts
    /// The items omitted since the last piece.
    public let omitted: [OmittedItem]
    /// Whether the job is complete.
    public let isLast: Bool

    public init(bytes: [UInt8], counts: BackupCounts, omitted: [OmittedItem], isLast: Bool) {
        self.bytes = bytes
        self.counts = counts
        self.omitted = omitted
        self.isLast = isLast
    }

    public init(_ frame: Frame) throws(WireError) {
        var reader = try frame.answer()
        isLast = try reader.flag()
        counts = try reader.backupCounts()
        var omitted: [OmittedItem] = []
        for _ in 0..<(try reader.u32()) {
            let reason = try reader.value(BackupOmission.self)
            let (itemClass, names) = try reader.named()
            omitted.append(OmittedItem(reason, itemClass, names))
        }
        self.omitted = omitted
        bytes = Array(try reader.block(atMost: WireLimits.payloadBytes))
        try reader.finish()
    }

    public var frame: [UInt8] {
        var writer = WireWriter.answer(reserving: bytes.count + omitted.count * 128 + 64)
        writer.u8(isLast ? 1 : 0)
        writer.backupCounts(counts)
        writer.u32(UInt32(omitted.count))
        for item in omitted {
            writer.u8(item.reason.rawValue)
            writer.named(item.itemClass, item.names)
        }
        writer.block(bytes)
        return writer.frame()
    }
}

/// The reply to the start of a restore.
public struct RestoreBegun: Hashable, Sendable {
    public let token: JobToken
    public let facts: BackupFacts

    public init(token: JobToken, facts: BackupFacts) {
        self.token = token
        self.facts = facts
    }

    public init(_ frame: Frame) throws(WireError) {
        var reader = try frame.answer()
        token = JobToken(bytes: Array(try reader.take(JobToken.size)))
        let backup = Array(try reader.take(16))
        let date = Timestamp(secondsSinceReferenceDate: Double(bitPattern: try reader.u64()))
        let form = try reader.value(BackupForm.self)
        let kind = try reader.value(BackupSecretKind.self)
        let isOfThisDevice = try reader.flag()
        facts = BackupFacts(
            backup: backup, date: date, form: form, secretKind: kind, isOfThisDevice: isOfThisDevice,
            isOfThisKeychain: try reader.flag())
        try reader.finish()
    }

    public var frame: [UInt8] {
        var writer = WireWriter.answer(reserving: 96)
        writer.raw(token.bytes)
        writer.raw(facts.backup)
        writer.u64(facts.date.secondsSinceReferenceDate.bitPattern)
        writer.u8(facts.form.rawValue)
        writer.u8(facts.secretKind.rawValue)
        writer.u8(facts.isOfThisDevice ? 1 : 0)
        writer.u8(facts.isOfThisKeychain ? 1 : 0)
        return writer.frame()
    }
}

/// The progress of a restore, or its end.
public struct RestoreProgress: Hashable, Sendable {
    /// The counts of all requests so far.
    public let counts: RestoreCounts
    /// The items of this request that were not simply added, replaced or found unchanged.
    public let notable: [RestoredItem]
    /// The counts in the file's last record, once it was read.
    public let end: BackupCounts?

    public init(counts: RestoreCounts, notable: [RestoredItem], end: BackupCounts?) {
        self.counts = counts
        self.notable = notable
        self.end = end
    }

    public init(_ frame: Frame) throws(WireError) {
        var reader = try frame.answer()
        var counts = RestoreCounts()
        for outcome in RestoreOutcome.allCases { counts[outcome] = try reader.u64() }
        self.counts = counts
        var notable: [RestoredItem] = []
        for _ in 0..<(try reader.u32()) {
            let outcome = try reader.value(RestoreOutcome.self)
            let (itemClass, names) = try reader.named()
            notable.append(RestoredItem(outcome, itemClass, names))
        }
        self.notable = notable
        end = try reader.optional { reader throws(WireError) in try reader.backupCounts() }
        try reader.finish()
    }

    public var frame: [UInt8] {
        var writer = WireWriter.answer(reserving: notable.count * 128 + 128)
        for outcome in RestoreOutcome.allCases { writer.u64(counts[outcome]) }
        writer.u32(UInt32(notable.count))
        for item in notable {
            writer.u8(item.outcome.rawValue)
            writer.named(item.itemClass, item.names)
        }
        writer.optional(end) { $0.backupCounts($1) }
        return writer.frame()
    }
}

extension WireWriter {
    fileprivate mutating func backupCounts(_ counts: BackupCounts) {
        u64(counts.portable)
        u64(counts.deviceBound)
        u64(counts.leftOut)
    }

    mutating func named(_ itemClass: ItemClass, _ names: ItemNames?) {
        u8(itemClass.rawValue)
        optional(names) { writer, names in
            writer.block(names.label)
            writer.block(names.place)
            writer.block(names.account)
        }
    }
}

extension WireReader {
    fileprivate mutating func backupCounts() throws(WireError) -> BackupCounts {
        let portable = try u64()
        let deviceBound = try u64()
        return BackupCounts(portable: portable, deviceBound: deviceBound, leftOut: try u64())
    }

    mutating func named() throws(WireError) -> (ItemClass, ItemNames?) {
        let itemClass = try value(ItemClass.self)
        let names = try optional { reader throws(WireError) in
            let label = try reader.text(atMost: ItemNames.textBytes)
            let place = try reader.text(atMost: ItemNames.textBytes)
            return ItemNames(
                itemClass: itemClass, label: label, place: place, account: try reader.text(atMost: ItemNames.textBytes))
        }
        return (itemClass, names)
    }
}
