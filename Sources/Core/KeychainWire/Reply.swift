// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
public import KeychainModel

/// Writes a reply: `items` frames while it grows past ``WireLimits/batchBytes``, then one `reply`.
public struct ReplyWriter {
    private var batch = WireWriter()
    private var count: UInt32 = 0

    /// The position of the count of the frame's items: after the header, the status and the reason.
    private static let countOffset = FrameHeader.size + 5

    public init() {}

    /// Adds an item. Returns a frame to send first if the batch is full.
    public mutating func append(_ item: ReturnedItem<some Collection<UInt8>>) -> [UInt8]? {
        let size = 64 + (item.attributes.map(WireWriter.size(of:)) ?? 0) + (item.secret?.count ?? 0)
        var full: [UInt8]?
        if count == 0 {
            batch = Self.emptyBatch(.items, reserving: size)
        } else if batch.bytes.count + size > batch.bytes.capacity {
            // The first item of a reply gets a frame of its own size; a second one means that there may be many.
            full = finishBatch(.items, .success, .none)
            batch = Self.emptyBatch(.items, reserving: max(size, WireLimits.batchBytes))
        }
        count += 1
        batch.persistentReference(item.reference)
        batch.optional(item.attributes) { $0.attributes($1) }
        if item.needsApproval, item.secret == nil {
            batch.u8(DataField.needsApproval.rawValue)
        } else {
            batch.optional(item.secret) { $0.block($1) }
        }
        return full
    }

    /// Returns the last frame of the reply.
    public mutating func finish() -> [UInt8] {
        finishBatch(.reply, .success, .none)
    }

    /// Returns the only frame of a refusal.
    public static func refusal(_ refusal: Refusal) -> [UInt8] {
        var writer = ReplyWriter()
        return writer.finishBatch(.reply, refusal.status, refusal.reason)
    }

    private static func emptyBatch(_ kind: FrameKind, reserving size: Int) -> WireWriter {
        var writer = WireWriter(kind, reserving: size + 16)
        writer.u32(0)
        writer.u8(0)
        writer.u32(0)
        return writer
    }

    private mutating func finishBatch(
        _ kind: FrameKind, _ status: StatusCode, _ reason: Refusal.Reason
    ) -> [UInt8] {
        // Swapped out, not copied, because changing a second reference would leave an unwiped copy of the items behind.
        var full = count == 0 ? Self.emptyBatch(kind, reserving: 0) : WireWriter()
        if count > 0 { swap(&full, &batch) }
        var frame = (consume full).frame()
        frame[1] = kind.rawValue
        let status = UInt32(bitPattern: status.rawValue)
        for index in 0..<4 {
            let shift = 24 - 8 * UInt32(index)
            frame[FrameHeader.size + index] = UInt8(truncatingIfNeeded: status >> shift)
            frame[Self.countOffset + index] = UInt8(truncatingIfNeeded: count >> shift)
        }
        frame[FrameHeader.size + 4] = reason.rawValue
        count = 0
        return frame
    }
}

/// The byte before the data of an item.
private enum DataField: UInt8 {
    case absent = 0
    case present = 1
    /// No data follows, and reading it now would require an approval.
    case needsApproval = 2
}

/// One frame of a reply, as a client reads it.
public struct ReplyPart<Secret> {
    public let refusal: Refusal?
    public let items: [ReturnedItem<Secret>]
    /// Whether no more frames follow.
    public let isLast: Bool

    /// Reads a frame.
    ///
    /// - Parameter secret: copies an item's data out of the frame.
    public init(_ frame: consuming Frame, secret: (ArraySlice<UInt8>) -> Secret) throws(WireError) {
        let kind = frame.kind
        guard kind == .items || kind == .reply else { throw .unexpected(kind) }
        var reader = frame.reader
        let status = StatusCode(rawValue: Int32(bitPattern: try reader.u32()))
        let reason = try reader.value(Refusal.Reason.self)
        guard kind == .reply || status == .success else { throw .malformed }
        refusal = status == .success ? nil : Refusal(status, reason)
        let count = Int(try reader.u32())
        var items: [ReturnedItem<Secret>] = []
        for _ in 0..<count {
            let reference = try reader.persistentReference()
            let attributes = try reader.optional { reader throws(WireError) in try reader.attributes(for: []) }
            let field = try reader.value(DataField.self)
            let data = field == .present ? secret(try reader.block(atMost: ItemLimits.secretBytes)) : nil
            items.append(
                ReturnedItem(
                    reference: reference, attributes: attributes, secret: data, needsApproval: field == .needsApproval))
        }
        try reader.finish()
        self.items = items
        isLast = kind == .reply
    }
}

extension Refusal {
    /// Reads the refusal in a reply; nil if the reply is not a refusal.
    public init?(answer frame: Frame) throws(WireError) {
        guard frame.kind == .reply else { throw .unexpected(frame.kind) }
        var reader = frame.reader
        let status = StatusCode(rawValue: Int32(bitPattern: try reader.u32()))
        guard status != .success else { return nil }
        self.init(status, try reader.value(Refusal.Reason.self))
        guard try reader.u32() == 0 else { throw .malformed }
        try reader.finish()
    }
}

extension ItemChange {
    public init(_ frame: Frame) throws(WireError) {
        guard frame.kind == .change else { throw .unexpected(frame.kind) }
        var reader = frame.reader
        let kind = try reader.value(ItemChange.Kind.self)
        self.init(kind, try reader.persistentReference())
        try reader.finish()
    }

    public var frame: [UInt8] {
        var writer = WireWriter(.change, reserving: 32)
        writer.u8(kind.rawValue)
        writer.persistentReference(item)
        return writer.frame()
    }
}
