// SPDX-License-Identifier: Apache-2.0

/// The bus itself, as a program on the bus (D-Bus Specification, "Message Bus Messages").
public enum MessageBus {
    public static let name: BusName = "org.freedesktop.DBus"
    public static let path: ObjectPath = "/org/freedesktop/DBus"
    public static let interface: InterfaceName = "org.freedesktop.DBus"

    /// The flags of a request for a name.
    public struct NameFlags: OptionSet, Hashable, Sendable {
        public let rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Another connection may take the name over with ``replaceExisting``.
        public static let allowReplacement = NameFlags(rawValue: 1)
        /// Take the name from an owner that allows it.
        public static let replaceExisting = NameFlags(rawValue: 2)
        /// Do not wait in the queue for the name, and leave the queue if the name is taken over.
        public static let doNotQueue = NameFlags(rawValue: 4)
    }

    /// The result of a request for a name.
    public enum NameRequestResult: UInt32, Hashable, Sendable {
        case primaryOwner = 1
        /// The connection becomes the owner when those before it release the name.
        case inQueue = 2
        /// The name has another owner, and the connection does not wait.
        case exists = 3
        case alreadyOwner = 4
    }

    /// The result of the release of a name.
    public enum NameReleaseResult: UInt32, Hashable, Sendable {
        case released = 1
        /// The name has no owner.
        case nonExistent = 2
        /// The connection neither owns the name nor waits for it.
        case notOwner = 3
    }
}

/// A change of this connection's own names, as the bus reports it to the connection alone.
public enum NameEvent: Hashable, Sendable {
    case acquired(BusName)
    case lost(BusName)

    /// Takes a signal; nil if it is another one or does not come from the bus.
    public init?(_ signal: Message) {
        guard signal.isFromBus, let arguments = try? signal.arguments(), arguments.count == 1,
            let name = arguments[0].string.flatMap(BusName.init(rawValue:))
        else { return nil }
        switch signal.member {
        case "NameAcquired": self = .acquired(name)
        case "NameLost": self = .lost(name)
        default: return nil
        }
    }
}

/// A change of the owner of any name, as the bus reports it to the subscribers of `NameOwnerChanged`.
public struct NameOwnerChange: Hashable, Sendable {
    public let name: BusName
    /// Nil if the name had no owner.
    public let oldOwner: BusName?
    /// Nil if the name has no owner any more. A unique name then belonged to a connection that has ended.
    public let newOwner: BusName?

    /// Takes a signal; nil if it is another one or does not come from the bus.
    public init?(_ signal: Message) {
        guard signal.isFromBus, signal.member == "NameOwnerChanged", let arguments = try? signal.arguments(),
            arguments.count == 3, let name = arguments[0].string.flatMap(BusName.init(rawValue:)),
            let old = arguments[1].string, let new = arguments[2].string
        else { return nil }
        self.name = name
        oldOwner = BusName(rawValue: old)
        newOwner = BusName(rawValue: new)
    }
}

extension Message {
    /// Whether the message is a signal of the bus. The bus verifies the senders of all messages.
    fileprivate var isFromBus: Bool {
        kind == .signal && sender == MessageBus.name && interface == MessageBus.interface
    }
}
