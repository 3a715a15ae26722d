// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// A request to the helper that reads another provider of the Secret Service (Documentation/Protocols/helper.md,
/// "Providers").
public enum ProviderRequest: Hashable, Sendable {
    /// Connects to a message bus, and names the owner of `org.freedesktop.secrets`: the first request of a session.
    ///
    /// - Parameter bus: the list of addresses in the form of `DBUS_SESSION_BUS_ADDRESS`.
    case connect(bus: String)
    /// Names the current owner.
    case owner
    /// Lists the collections of the provider, which the bus starts if it does not run.
    case collections
    /// Lists items of a collection.
    ///
    /// - Parameters:
    ///   - collection: its index in the list of collections.
    ///   - first: the index of the first item.
    case items(collection: UInt32, first: UInt32)
    /// Unlocks a collection; the provider may prompt the user.
    case unlock(collection: UInt32)
    /// Reads the secret of an item that was listed.
    case secret(collection: UInt32, item: UInt32)
    /// Has the bus read its service files again. Then names the current owner.
    case reload

    private enum Operation: UInt8 {
        case connect = 1
        case owner = 2
        case collections = 3
        case items = 4
        case unlock = 5
        case secret = 6
        case reload = 7
    }

    public var frame: [UInt8] {
        var writer = HelperWriter(.providerRequest)
        switch self {
        case .connect(let bus):
            writer.u8(Operation.connect.rawValue)
            writer.block(bus)
        case .owner: writer.u8(Operation.owner.rawValue)
        case .collections: writer.u8(Operation.collections.rawValue)
        case .items(let collection, let first):
            writer.u8(Operation.items.rawValue)
            writer.u32(collection)
            writer.u32(first)
        case .unlock(let collection):
            writer.u8(Operation.unlock.rawValue)
            writer.u32(collection)
        case .secret(let collection, let item):
            writer.u8(Operation.secret.rawValue)
            writer.u32(collection)
            writer.u32(item)
        case .reload: writer.u8(Operation.reload.rawValue)
        }
        return writer.frame()
    }

    /// Reads a request.
    ///
    /// - Parameter frame: a complete frame.
    /// - Throws: the errors of ``HelperFrameHeader/init(_:)``; `.malformed`, `.tooLarge`, `.truncated`,
    ///   `.trailingBytes`, and `.unexpected` for a frame of another kind.
    public init(_ frame: [UInt8]) throws(HelperWireError) {
        var reader = try HelperReader(frame, [.providerRequest])
        switch try reader.value(Operation.self) {
        case .connect: self = .connect(bus: try reader.text(atMost: ProviderLimits.addressBytes))
        case .owner: self = .owner
        case .collections: self = .collections
        case .items: self = .items(collection: try reader.u32(), first: try reader.u32())
        case .unlock: self = .unlock(collection: try reader.u32())
        case .secret: self = .secret(collection: try reader.u32(), item: try reader.u32())
        case .reload: self = .reload
        }
        try reader.finish()
    }
}

/// The limits of the messages about providers.
public enum ProviderLimits {
    /// The addresses of the bus.
    public static let addressBytes = 4096
    /// The collections of a provider.
    public static let collections = 1024
    /// The items of one reply.
    public static let items = 64
    /// The label of a collection or an item, in UTF-8.
    public static let labelBytes = 4096
    /// The attributes of an item.
    public static let attributes = 256
    /// A name or a value of an attribute, in UTF-8.
    public static let attributeBytes = 8192
    /// All names and values of an item together, in UTF-8. With these limits a reply is below
    /// ``HelperLimits/payloadBytes``.
    public static let allAttributeBytes = 65_536
    /// The value of a secret.
    public static let secretBytes = HelperLimits.payloadBytes - 4096
    /// The content type of a secret, in UTF-8.
    public static let contentTypeBytes = 1024
}
