// SPDX-License-Identifier: Apache-2.0

public import DBusMessages

/// A service on a message bus for one request, identified by the unique name of the connection that owns its name.
///
/// Calls go to that connection, and answers count only if they come from it, because any user may send any connection a
/// message that looks like the service's. Every wait ends at a deadline or on an interruption.
public final class RemoteService {
    public enum Error: Swift.Error, Hashable, Sendable {
        case interrupted
        /// The deadline has passed.
        case timedOut
        /// The socket of the bus does not exist.
        case noBus
        /// The bus rejects the connection or this user, or closes the connection.
        case unreachable
        /// No connection owns the name, and the bus knows no program to start for it.
        case unknown
        /// The bus cannot start the program.
        case notStarted
        /// The service answered with one of its own errors.
        case refused(InterfaceName)
        /// Any other violation of the interfaces, or the end of the bus or of the service.
        case broken
    }

    /// The connection that owned the name when this object was created.
    public let owner: BusName
    private let bus: BusConnection
    private let end: Wakeup

    /// Connects to a bus, which starts the service if it does not run.
    ///
    /// - Parameters:
    ///   - addresses: the addresses of the bus.
    ///   - messageLimit: the longest message that is accepted, in bytes.
    ///   - end: interrupts every wait.
    /// - Throws: every ``Error``.
    public init(
        _ name: BusName, on addresses: [ServerAddress], messageLimit: Int, until deadline: ContinuousClock.Instant,
        or end: Wakeup
    ) throws(Error) {
        self.end = end
        do throws(BusError) {
            bus = try BusConnection(
                to: addresses, timeout: deadline - .now, messageLimit: messageLimit, acceptsDescriptors: false)
        } catch {
            switch error {
            case .timedOut: throw .timedOut
            case _ where error.isMissingSocket: throw .noBus
            case .system, .rejected, .closed: throw .unreachable
            default: throw .broken
            }
        }
        owner = try Self.owner(of: name, bus, until: deadline, or: end)
    }

    /// Returns the owner of the name. The bus starts the service if it does not run.
    private static func owner(
        of name: BusName, _ bus: BusConnection, until deadline: ContinuousClock.Instant, or end: Wakeup
    ) throws(Error) -> BusName {
        if let running = try ownerIfRunning(name, bus, until: deadline, or: end) { return running }
        // Checked first, because not every bus has a separate error for an unknown name.
        guard try canStart(name, bus, until: deadline, or: end) else { throw .unknown }
        do throws(Error) {
            _ = try call(
                "StartServiceByName", of: MessageBus.interface, at: MessageBus.path, on: MessageBus.name,
                [.string(name.rawValue), .uint32(0)], bus, until: deadline, or: end)
        } catch .refused {
            throw .notStarted
        } catch {
            throw error
        }
        guard let started = try ownerIfRunning(name, bus, until: deadline, or: end) else { throw .notStarted }
        return started
    }

    private static func ownerIfRunning(
        _ name: BusName, _ bus: BusConnection, until deadline: ContinuousClock.Instant, or end: Wakeup
    ) throws(Error) -> BusName? {
        let answer: [Value]
        do throws(Error) {
            answer = try call(
                "GetNameOwner", of: MessageBus.interface, at: MessageBus.path, on: MessageBus.name,
                [.string(name.rawValue)], bus, until: deadline, or: end)
        } catch .refused("org.freedesktop.DBus.Error.NameHasNoOwner") {
            return nil
        } catch {
            throw error
        }
        guard answer.count == 1, let owner = answer[0].string.flatMap(BusName.init(rawValue:)), owner.isUnique else {
            throw .broken
        }
        return owner
    }

    private static func canStart(
        _ name: BusName, _ bus: BusConnection, until deadline: ContinuousClock.Instant, or end: Wakeup
    ) throws(Error) -> Bool {
        let answer = try call(
            "ListActivatableNames", of: MessageBus.interface, at: MessageBus.path, on: MessageBus.name, [], bus,
            until: deadline, or: end)
        guard answer.count == 1, answer[0].type == .array(.string), let names = answer[0].elements else {
            throw .broken
        }
        return names.contains(.string(name.rawValue))
    }

    // MARK: Calls

    /// Subscribes to signals.
    ///
    /// - Throws: every ``Error``.
    public func add(_ rule: MatchRule, until deadline: ContinuousClock.Instant) throws(Error) {
        _ = try Self.call(
            "AddMatch", of: MessageBus.interface, at: MessageBus.path, on: MessageBus.name, [.string(rule.text)], bus,
            until: deadline, or: end)
    }

    /// Calls a method of the service and waits for its answer. The call does not start a service.
    ///
    /// - Parameter isInterruptible: false for a call that handles the interruption itself.
    /// - Returns: the answer's arguments.
    /// - Throws: every ``Error``.
    public func call(
        _ member: MemberName, of interface: InterfaceName, at path: ObjectPath, _ arguments: [Value],
        until deadline: ContinuousClock.Instant, isInterruptible: Bool = true
    ) throws(Error) -> [Value] {
        try Self.call(
            member, of: interface, at: path, on: owner, arguments, bus, until: deadline,
            or: isInterruptible ? end : nil)
    }

    /// Returns the next message, from any sender.
    ///
    /// - Throws: every ``Error`` but `.refused`.
    public func next(until deadline: ContinuousClock.Instant) throws(Error) -> Message {
        try Self.next(bus, until: deadline, or: end)
    }

    private static func call(
        _ member: MemberName, of interface: InterfaceName, at path: ObjectPath, on destination: BusName,
        _ arguments: [Value], _ bus: BusConnection, until deadline: ContinuousClock.Instant, or end: Wakeup?
    ) throws(Error) -> [Value] {
        let serial: UInt32
        do throws(BusError) {
            let message: Message
            do throws(CodingError) {
                message = try .call(member, of: interface, at: path, on: destination, arguments, flags: .noAutoStart)
            } catch {
                throw .protocolViolation(error)
            }
            serial = try bus.send(message, timeout: deadline - .now)
        } catch {
            throw error == .timedOut ? .timedOut : .broken
        }
        while true {
            let message = try next(bus, until: deadline, or: end)
            guard message.replySerial == serial, message.sender == destination || message.sender == MessageBus.name
            else { continue }
            switch message.kind {
            case .methodReturn:
                guard message.sender == destination, let arguments = try? message.arguments() else { throw .broken }
                return arguments
            case .error:
                // If the service has ended, the bus answers with an error instead.
                guard message.sender == destination, let name = message.errorName else { throw .broken }
                throw .refused(name)
            case .methodCall, .signal: continue
            }
        }
    }

    private static func next(
        _ bus: BusConnection, until deadline: ContinuousClock.Instant, or end: Wakeup?
    ) throws(Error) -> Message {
        // Checked here as well, because other connections may send messages without a pause.
        if let end, end.wait(until: .now, interruption: nil) == .woken { throw .interrupted }
        guard ContinuousClock.now < deadline else { throw .timedOut }
        do throws(BusError) {
            if let received = try bus.next(until: deadline, or: end) { return received.message }
        } catch {
            throw .broken
        }
        throw end?.wait(until: .now, interruption: nil) == .woken ? .interrupted : .timedOut
    }
}
