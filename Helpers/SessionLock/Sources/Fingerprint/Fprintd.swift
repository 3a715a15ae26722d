// SPDX-License-Identifier: Apache-2.0

internal import DBus
internal import DBusMessages

/// fprintd on the bus, by the unique name of whoever is fprintd now, for one question.
///
/// Calls go to that name, and answers and signals count only from it: any user may send anybody a signal that looks like
/// fprintd's. Every wait ends at a deadline, and when it is interrupted. The source is fprintd's own description of its interfaces
/// (net.reactivated.Fprint.Manager.xml and net.reactivated.Fprint.Device.xml of fprintd 1.94).
final class Fprintd {
    /// Whose fingers are meant.
    struct FingerOwner {
        /// As fprintd has it: empty for whoever asks.
        let name: String

        static let ownUser = FingerOwner(name: "")

        private init(name: String) { self.name = name }

        /// Nil for the empty name, which would mean somebody else.
        init?(named name: String) {
            guard !name.isEmpty else { return nil }
            self.name = name
        }
    }

    static let name: BusName = "net.reactivated.Fprint"
    static let path: ObjectPath = "/net/reactivated/Fprint/Manager"
    static let manager: InterfaceName = "net.reactivated.Fprint.Manager"
    static let device: InterfaceName = "net.reactivated.Fprint.Device"

    enum Failure: Error, Hashable {
        case interrupted
        /// The deadline has passed.
        case timedOut
        /// No bus, or no fprintd that could be started.
        case noService
        /// It answered with an error of its own.
        case refused(InterfaceName)
        /// Anything that is not as fprintd's interfaces say, or the end of the bus or of fprintd.
        case broken
    }

    private let bus: BusConnection
    private let end: Wakeup
    private let owner: BusName

    /// The longest message that is kept: a list of fingers and its like have a few hundred bytes.
    private static let messageBytes = 64 << 10

    /// Connects, and has the bus start fprintd where it does not run.
    ///
    /// - Parameter end: interrupts every wait.
    init(
        on addresses: [ServerAddress], until deadline: ContinuousClock.Instant, or end: Wakeup
    ) throws(Failure) {
        self.end = end
        do throws(BusFailure) {
            bus = try BusConnection(
                to: addresses, timeout: deadline - .now, messageLimit: Self.messageBytes)
        } catch {
            switch error {
            case .timedOut: throw .timedOut
            // Nobody listens there, or somebody who does not let this user in.
            case .system, .rejected, .closed: throw .noService
            default: throw .broken
            }
        }
        owner = try Self.owner(on: bus, until: deadline, or: end)
    }

    /// Who is fprintd now. The bus starts it where it does not run.
    private static func owner(
        on bus: BusConnection, until deadline: ContinuousClock.Instant, or end: Wakeup
    ) throws(Failure) -> BusName {
        if let running = try ownerIfRunning(on: bus, until: deadline, or: end) { return running }
        do throws(Failure) {
            _ = try call(
                "StartServiceByName", of: MessageBus.interface, at: MessageBus.path, on: MessageBus.name,
                [.string(name.rawValue), .uint32(0)], bus, until: deadline, or: end)
        } catch .refused {
            // The bus knows no such service, or cannot start it.
            throw .noService
        } catch {
            throw error
        }
        guard let started = try ownerIfRunning(on: bus, until: deadline, or: end) else { throw .noService }
        return started
    }

    private static func ownerIfRunning(
        on bus: BusConnection, until deadline: ContinuousClock.Instant, or end: Wakeup
    ) throws(Failure) -> BusName? {
        let answer: [Value]
        do throws(Failure) {
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

    // MARK: Readers

    /// The readers, the default one first.
    func devices(until deadline: ContinuousClock.Instant) throws(Failure) -> [ObjectPath] {
        guard let first = try call("GetDefaultDevice", of: Self.manager, at: Self.path, [], until: deadline).first,
            let preferred = first.objectPath,
            let list = try call("GetDevices", of: Self.manager, at: Self.path, [], until: deadline).first,
            list.type == .array(.objectPath)
        else { throw .broken }
        return [preferred] + (list.elements ?? []).compactMap(\.objectPath).filter { $0 != preferred }
    }

    /// What a reader is called, and how a finger is shown to it.
    func properties(
        of device: ObjectPath, until deadline: ContinuousClock.Instant
    ) throws(Failure) -> (name: String, scan: String?) {
        let answer = try call(
            "GetAll", of: "org.freedesktop.DBus.Properties", at: device, [.string(Self.device.rawValue)],
            until: deadline)
        guard let properties = answer.first, let name = properties["name"]?.unwrapped.string else { throw .broken }
        return (name, properties["scan-type"]?.unwrapped.string)
    }

    /// The fingers of a user that a reader knows. Any user but this process's own takes polkit's permission.
    func fingers(
        of user: FingerOwner, on device: ObjectPath, until deadline: ContinuousClock.Instant
    ) throws(Failure) -> [String] {
        let answer: [Value]
        do throws(Failure) {
            answer = try call(
                "ListEnrolledFingers", of: Self.device, at: device, [.string(user.name)], until: deadline)
        } catch .refused("net.reactivated.Fprint.Error.NoEnrolledPrints") {
            return []
        } catch {
            throw error
        }
        guard let list = answer.first, list.type == .array(.string) else { throw .broken }
        return (list.elements ?? []).compactMap(\.string)
    }

    // MARK: A look at a finger

    /// What fprintd says of a finger.
    struct Status: Hashable {
        let result: String
        /// Whether fprintd has stopped looking.
        let isDone: Bool
    }

    /// Asks for the signals that tell of the finger, and of fprintd's end.
    func listen(to device: ObjectPath, until deadline: ContinuousClock.Instant) throws(Failure) {
        let rules = [
            MatchRule(sender: owner, path: device, interface: Self.device, member: "VerifyStatus"),
            MatchRule(
                sender: MessageBus.name, interface: MessageBus.interface, member: "NameOwnerChanged",
                firstArgument: owner.rawValue),
        ]
        for rule in rules {
            _ = try Self.call(
                "AddMatch", of: MessageBus.interface, at: MessageBus.path, on: MessageBus.name, [.string(rule.text)],
                bus, until: deadline, or: end)
        }
    }

    /// Takes the reader for looks at the fingers of one user.
    func claim(
        _ device: ObjectPath, for user: FingerOwner, until deadline: ContinuousClock.Instant
    ) throws(Failure) {
        _ = try call("Claim", of: Self.device, at: device, [.string(user.name)], until: deadline)
    }

    /// Begins to look for any finger that is enrolled. What was said before this returns was said to somebody else, and is
    /// forgotten.
    func startVerification(on device: ObjectPath, until deadline: ContinuousClock.Instant) throws(Failure) {
        _ = try call("VerifyStart", of: Self.device, at: device, [.string("any")], until: deadline)
    }

    func stopVerification(on device: ObjectPath, until deadline: ContinuousClock.Instant) throws(Failure) {
        _ = try call("VerifyStop", of: Self.device, at: device, [], until: deadline)
    }

    /// The next thing that fprintd says of the finger.
    func status(of device: ObjectPath, until deadline: ContinuousClock.Instant) throws(Failure) -> Status {
        while true {
            let message = try Self.next(bus, until: deadline, or: end)
            guard message.kind == .signal else { continue }
            if message.sender == MessageBus.name, message.member == "NameOwnerChanged",
                (try? message.arguments().first?.string) == owner.rawValue
            {
                throw .broken
            }
            guard message.sender == owner, message.path == device, message.interface == Self.device,
                message.member == "VerifyStatus"
            else { continue }
            guard let arguments = try? message.arguments(), arguments.count == 2, let result = arguments[0].string,
                let isDone = arguments[1].bool
            else { throw .broken }
            return Status(result: result, isDone: isDone)
        }
    }

    /// Ends a look, if one has begun, and gives the reader back, whatever became of it, and whether interrupted or not. The end of the
    /// connection has the same effect, as soon as fprintd sees it.
    func giveBack(_ device: ObjectPath, isLooking: Bool, until deadline: ContinuousClock.Instant) {
        for member: MemberName in isLooking ? ["VerifyStop", "Release"] : ["Release"] {
            _ = try? Self.call(
                member, of: Self.device, at: device, on: owner, [], bus, until: deadline, or: nil)
        }
    }

    // MARK: Calls

    private func call(
        _ member: MemberName, of interface: InterfaceName, at path: ObjectPath, _ arguments: [Value],
        until deadline: ContinuousClock.Instant
    ) throws(Failure) -> [Value] {
        try Self.call(member, of: interface, at: path, on: owner, arguments, bus, until: deadline, or: end)
    }

    private static func call(
        _ member: MemberName, of interface: InterfaceName, at path: ObjectPath, on destination: BusName,
        _ arguments: [Value], _ bus: BusConnection, until deadline: ContinuousClock.Instant, or end: Wakeup?
    ) throws(Failure) -> [Value] {
        let serial: UInt32
        do throws(BusFailure) {
            let message: Message
            do throws(CodingFailure) {
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
                // In the called one's place the bus says that it has ended.
                guard message.sender == destination, let name = message.errorName else { throw .broken }
                throw .refused(name)
            case .methodCall, .signal: continue
            }
        }
    }

    private static func next(
        _ bus: BusConnection, until deadline: ContinuousClock.Instant, or end: Wakeup?
    ) throws(Failure) -> Message {
        // Also where somebody sends so much that there is always a next one.
        if let end, end.wait(until: .now, interruption: nil) == .woken { throw .interrupted }
        guard ContinuousClock.now < deadline else { throw .timedOut }
        do throws(BusFailure) {
            if let received = try bus.next(until: deadline, or: end) { return received.message }
        } catch {
            throw .broken
        }
        throw end?.wait(until: .now, interruption: nil) == .woken ? .interrupted : .timedOut
    }
}
