// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// The reply to a ``ProviderRequest``.
public enum ProviderReply: Hashable, Sendable {
    /// The reply to `connect`, `owner`, `release` and `reload`.
    case owner(ProviderOwner)
    case collections([ProvidedCollection])
    /// The next items of a collection; none after the last one.
    case items([ListedProvidedItem])
    /// The reply to `unlock`: whether the collection is unlocked now. Otherwise its prompt was dismissed.
    case unlocked(Bool)
    case secret(ProvidedSecret)
    /// The request failed, for the given reason.
    case refusal(HelperRefusal)

    /// The frame. That of a secret contains it: the caller wipes it.
    public var frame: [UInt8] {
        switch self {
        case .refusal(let refusal): return refusal.frame
        case .owner(let owner):
            var writer = HelperWriter(.providerOwner)
            writer.optional(owner.process) { $0.u32($1) }
            writer.u8(owner.canStart ? 1 : 0)
            return writer.frame()
        case .collections(let collections):
            var writer = HelperWriter(.providerCollections)
            writer.list(collections) { writer, collection in
                writer.block(collection.label)
                writer.u8(collection.isLocked ? 1 : 0)
                writer.u8(collection.isTemporary ? 1 : 0)
                writer.u32(collection.itemCount)
            }
            return writer.frame()
        case .items(let items):
            var writer = HelperWriter(.providerItems)
            writer.list(items) { writer, item in
                switch item {
                case .unreadable(let reason):
                    writer.u8(0)
                    writer.block(reason)
                case .item(let item):
                    writer.u8(1)
                    writer.block(item.label)
                    writer.list(item.attributes.sorted { $0.key < $1.key }) { writer, attribute in
                        writer.block(attribute.key)
                        writer.block(attribute.value)
                    }
                    writer.u64(item.modified)
                }
            }
            return writer.frame()
        case .unlocked(let isUnlocked):
            var writer = HelperWriter(.providerUnlocked)
            writer.u8(isUnlocked ? 1 : 0)
            return writer.frame()
        case .secret(let secret):
            let size = HelperFrameHeader.size + 8 + secret.value.count + secret.contentType.utf8.count
            var writer = HelperWriter(.providerSecret, capacity: size)
            writer.block(secret.contentType)
            writer.block(secret.value)
            return writer.frame()
        }
    }

    /// Reads a reply.
    ///
    /// - Parameter frame: a complete frame.
    /// - Throws: the errors of ``HelperFrameHeader/init(_:)``; `.malformed`, `.tooLarge`, `.truncated`,
    ///   `.trailingBytes`, and `.unexpected` for a frame of another kind.
    public init(_ frame: [UInt8]) throws(HelperWireError) {
        var reader = try HelperReader(
            frame,
            [.providerOwner, .providerCollections, .providerItems, .providerUnlocked, .providerSecret, .refusal])
        switch try HelperFrameHeader(frame).kind {
        case .providerOwner:
            let process = try reader.optional { reader throws(HelperWireError) in try reader.u32() }
            self = .owner(ProviderOwner(process: process, canStart: try reader.flag()))
        case .providerCollections:
            self = .collections(
                try reader.list(atMost: ProviderLimits.collections) { reader throws(HelperWireError) in
                    ProvidedCollection(
                        label: try reader.text(atMost: ProviderLimits.labelBytes), isLocked: try reader.flag(),
                        isTemporary: try reader.flag(), itemCount: try reader.u32())
                })
        case .providerItems:
            self = .items(
                try reader.list(atMost: ProviderLimits.items) { reader throws(HelperWireError) in
                    guard try reader.flag() else {
                        return .unreadable(try reader.text(atMost: HelperLimits.reasonBytes))
                    }
                    return .item(try ProvidedItem(&reader))
                })
        case .providerUnlocked: self = .unlocked(try reader.flag())
        case .providerSecret:
            let contentType = try reader.text(atMost: ProviderLimits.contentTypeBytes)
            self = .secret(
                ProvidedSecret(value: try reader.bytes(atMost: ProviderLimits.secretBytes), contentType: contentType))
        default: self = .refusal(try HelperRefusal(&reader))
        }
        try reader.finish()
    }
}

/// The owner of `org.freedesktop.secrets` on a message bus.
public struct ProviderOwner: Hashable, Sendable {
    /// The number of the process that owns the name, 0 if the bus does not know it; nil if the name has no owner.
    public let process: UInt32?
    /// Whether the bus can start a program for the name.
    public let canStart: Bool

    public init(process: UInt32?, canStart: Bool) {
        self.process = process
        self.canStart = canStart
    }
}

/// A collection of another provider.
public struct ProvidedCollection: Hashable, Sendable {
    public let label: String
    public let isLocked: Bool
    /// Whether its items are only in the memory of the provider.
    public let isTemporary: Bool
    public let itemCount: UInt32

    public init(label: String, isLocked: Bool, isTemporary: Bool, itemCount: UInt32) {
        self.label = label
        self.isLocked = isLocked
        self.isTemporary = isTemporary
        self.itemCount = itemCount
    }
}

/// An item of another provider, or the reason why it cannot be read.
public enum ListedProvidedItem: Hashable, Sendable {
    case item(ProvidedItem)
    /// A sentence without a full stop.
    case unreadable(String)
}

/// An item of another provider without its secret.
public struct ProvidedItem: Hashable, Sendable {
    public let label: String
    public let attributes: [String: String]
    /// When it was last changed, in seconds since 1970.
    public let modified: UInt64

    /// Creates an item; nil if a value exceeds ``ProviderLimits``.
    public init?(label: String, attributes: [String: String], modified: UInt64) {
        guard label.utf8.count <= ProviderLimits.labelBytes, attributes.count <= ProviderLimits.attributes else {
            return nil
        }
        var byteCount = 0
        for (name, value) in attributes {
            let counts = [name.utf8.count, value.utf8.count]
            guard counts.allSatisfy({ $0 <= ProviderLimits.attributeBytes }) else { return nil }
            byteCount += counts[0] + counts[1]
        }
        guard byteCount <= ProviderLimits.allAttributeBytes else { return nil }
        self.label = label
        self.attributes = attributes
        self.modified = modified
    }

    fileprivate init(_ reader: inout HelperReader) throws(HelperWireError) {
        let label = try reader.text(atMost: ProviderLimits.labelBytes)
        let list = try reader.list(atMost: ProviderLimits.attributes) { reader throws(HelperWireError) in
            (
                name: try reader.text(atMost: ProviderLimits.attributeBytes),
                value: try reader.text(atMost: ProviderLimits.attributeBytes)
            )
        }
        // Ascending, so that a set of attributes has one form and each name occurs once.
        guard zip(list, list.dropFirst()).allSatisfy({ $0.name < $1.name }) else { throw .malformed }
        let attributes = Dictionary(uniqueKeysWithValues: list.map { ($0.name, $0.value) })
        guard let item = ProvidedItem(label: label, attributes: attributes, modified: try reader.u64()) else {
            throw .tooLarge
        }
        self = item
    }
}

/// The secret of an item of another provider.
public struct ProvidedSecret: Hashable, Sendable {
    public let value: [UInt8]
    public let contentType: String

    /// - Precondition: the values are within ``ProviderLimits``; the reader of the frame refuses others.
    public init(value: [UInt8], contentType: String) {
        self.value = value
        self.contentType = contentType
    }
}
