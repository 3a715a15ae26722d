// SPDX-License-Identifier: Apache-2.0

internal import DBus
internal import DBusMessages

/// logind on the bus (org.freedesktop.login1(5)), identified by the unique name of the current owner of its name.
///
/// Calls go to that unique name, so that they do not start logind, and signals count only from it, because any user may
/// send any connection a signal that looks like logind's.
struct Logind {
    static let name: BusName = "org.freedesktop.login1"
    static let path: ObjectPath = "/org/freedesktop/login1"
    static let manager: InterfaceName = "org.freedesktop.login1.Manager"
    static let session: InterfaceName = "org.freedesktop.login1.Session"

    let owner: BusName
    let user: UInt32

    /// All match rules of a connection.
    static let rules: [MatchRule] = [
        MatchRule(
            sender: MessageBus.name, interface: MessageBus.interface, member: "NameOwnerChanged",
            firstArgument: name.rawValue),
        MatchRule(sender: name, path: path, interface: manager),
        MatchRule(sender: name, interface: session, member: "Lock"),
        MatchRule(sender: name, interface: session, member: "Unlock"),
    ]

    /// Returns the new owner of logind's name if the message reports a change; the inner nil means that there is no
    /// owner.
    static func ownerChange(_ message: Message) -> BusName?? {
        guard message.kind == .signal, message.sender == MessageBus.name, message.interface == MessageBus.interface,
            message.member == "NameOwnerChanged", let arguments = try? message.arguments(), arguments.count == 3,
            arguments[0].string == name.rawValue, let owner = arguments[2].string
        else { return nil }
        return .some(BusName(rawValue: owner))
    }

    /// Returns the event that a signal stands for; nil for a signal without relevance for the keychain.
    func event(_ message: Message) -> LockDirector.Event? {
        guard message.kind == .signal, message.sender == owner, let path = message.path else { return nil }
        switch (message.interface, message.member) {
        case (Self.session, "Lock"): return .sessionLocked(path)
        case (Self.session, "Unlock"): return .sessionUnlocked(path)
        case (Self.manager, "SessionNew"), (Self.manager, "SessionRemoved"): return .sessionsChanged
        case (Self.manager, "UserRemoved"):
            guard let first = try? message.arguments().first, first.uint32 == user else { return nil }
            return .userRemoved
        case (Self.manager, "PrepareForSleep"):
            return (try? message.arguments().first?.bool).map { .preparingForSleep($0) }
        default: return nil
        }
    }

    // MARK: Calls

    /// Returns the user's sessions. Throws every ``BusError``.
    func sessions(_ bus: BusConnection) throws(BusError) -> [Session] {
        let list = try call("ListSessions", of: Self.manager, at: Self.path, [], bus).argument()
        guard list.type == .array(.structure([.string, .uint32, .string, .string, .objectPath])) else {
            throw .unexpectedAnswer
        }
        var sessions: [Session] = []
        for entry in list.elements ?? [] {
            guard let members = entry.members, members[1].uint32 == user, let path = members[4].objectPath,
                let session = try session(path, bus)
            else { continue }
            sessions.append(session)
        }
        return sessions
    }

    /// Returns a session; nil if it has ended meanwhile.
    private func session(_ path: ObjectPath, _ bus: BusConnection) throws(BusError) -> Session? {
        let properties: Value
        do throws(BusError) {
            properties = try call(
                "GetAll", of: "org.freedesktop.DBus.Properties", at: path, [.string(Self.session.rawValue)], bus
            ).argument()
        } catch {
            guard case .refused = error else { throw error }
            return nil
        }
        let kind = properties["Class"]?.unwrapped.string ?? "user"
        return Session(
            path: path, hasPerson: !kind.hasPrefix("background") && !kind.hasPrefix("manager"),
            isLocked: properties["LockedHint"]?.unwrapped.bool ?? false)
    }

    /// Returns whether the machine is about to sleep. Throws every ``BusError``.
    func isPreparingForSleep(_ bus: BusConnection) throws(BusError) -> Bool {
        let arguments = [Value.string(Self.manager.rawValue), .string("PreparingForSleep")]
        let value = try call("Get", of: "org.freedesktop.DBus.Properties", at: Self.path, arguments, bus).argument()
        guard let flag = value.unwrapped.bool else { throw .unexpectedAnswer }
        return flag
    }

    /// Delays sleep for as long as the descriptor is open, within logind's limit (InhibitDelayMaxSec=, five seconds by
    /// default). Throws every ``BusError``.
    func inhibitSleep(_ bus: BusConnection) throws(BusError) -> Descriptor {
        let arguments: [Value] = [
            .string("sleep"), .string("chatelaine"), .string("Locking the keychain"), .string("delay"),
        ]
        return try call("Inhibit", of: Self.manager, at: Self.path, arguments, bus).descriptor()
    }

    private func call(
        _ member: MemberName, of interface: InterfaceName, at path: ObjectPath, _ arguments: [Value],
        _ bus: BusConnection
    ) throws(BusError) -> Answer {
        let message: Message
        do throws(CodingError) {
            message = try .call(member, of: interface, at: path, on: owner, arguments, flags: .noAutoStart)
        } catch {
            throw .protocolViolation(error)
        }
        return try bus.call(message)
    }
}
