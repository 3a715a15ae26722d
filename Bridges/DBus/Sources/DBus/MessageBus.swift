// SPDX-License-Identifier: Apache-2.0

public import DBusMessages

/// The bus itself, as a program on the bus (D-Bus Specification, "Message Bus Messages").
public enum MessageBus {
    public static let name: BusName = "org.freedesktop.DBus"
    public static let path: ObjectPath = "/org/freedesktop/DBus"
    public static let interface: InterfaceName = "org.freedesktop.DBus"
}

extension BusConnection {
    /// Subscribes to signals. Throws every ``BusFailure``.
    public func add(_ rule: MatchRule) throws(BusFailure) {
        try call(.bus("AddMatch", [.string(rule.text)]))
    }

    /// Returns the unique name of a well-known name's owner; nil if the name has no owner. Throws every ``BusFailure``.
    public func owner(of name: BusName) throws(BusFailure) -> BusName? {
        let answer: Answer
        do throws(BusFailure) {
            answer = try call(.bus("GetNameOwner", [.string(name.rawValue)]))
        } catch {
            guard case .refused("org.freedesktop.DBus.Error.NameHasNoOwner", _) = error else { throw error }
            return nil
        }
        guard let owner = try answer.argument().string.flatMap(BusName.init(rawValue:)) else { throw .unexpectedAnswer }
        return owner
    }
}

extension Message {
    /// Creates a call of the bus itself. The arguments are fixed texts, so their encoding does not fail.
    static func bus(_ member: MemberName, _ arguments: [Value] = []) throws(BusFailure) -> Message {
        do throws(CodingFailure) {
            return try .call(member, of: MessageBus.interface, at: MessageBus.path, on: MessageBus.name, arguments)
        } catch {
            throw .protocolViolation(error)
        }
    }
}
