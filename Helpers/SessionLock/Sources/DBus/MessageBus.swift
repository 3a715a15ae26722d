// SPDX-License-Identifier: Apache-2.0

public import DBusMessages

/// The bus itself, as a program on the bus (D-Bus Specification, "Message Bus Messages").
public enum MessageBus {
    public static let name: BusName = "org.freedesktop.DBus"
    public static let path: ObjectPath = "/org/freedesktop/DBus"
    public static let interface: InterfaceName = "org.freedesktop.DBus"
}

extension BusConnection {
    /// Asks for signals. Throws every ``BusFailure``.
    public func add(_ rule: MatchRule) throws(BusFailure) {
        try call(.bus("AddMatch", [.string(rule.text)]))
    }

    /// The unique name of whoever has a well-known name; nil when nobody has it. Throws every ``BusFailure``.
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
    /// A call of the bus itself. The arguments are texts of ours, so none is refused.
    static func bus(_ member: MemberName, _ arguments: [Value] = []) throws(BusFailure) -> Message {
        do throws(CodingFailure) {
            return try .call(member, of: MessageBus.interface, at: MessageBus.path, on: MessageBus.name, arguments)
        } catch {
            throw .protocolViolation(error)
        }
    }
}
