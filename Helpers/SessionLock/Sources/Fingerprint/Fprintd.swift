// SPDX-License-Identifier: Apache-2.0

internal import DBus
internal import DBusMessages

/// A connection to fprintd for one request.
///
/// The source is fprintd's own description of its interfaces (net.reactivated.Fprint.Manager.xml and
/// net.reactivated.Fprint.Device.xml of fprintd 1.94).
final class Fprintd {
    /// The owner of the fingers.
    struct FingerOwner {
        /// The name in fprintd's form: empty for the caller itself.
        let name: String

        static let ownUser = FingerOwner(name: "")

        private init(name: String) { self.name = name }

        /// Nil for the empty name, which would identify another user.
        init?(named name: String) {
            guard !name.isEmpty else { return nil }
            self.name = name
        }
    }

    static let name: BusName = "net.reactivated.Fprint"
    static let path: ObjectPath = "/net/reactivated/Fprint/Manager"
    static let manager: InterfaceName = "net.reactivated.Fprint.Manager"
    static let device: InterfaceName = "net.reactivated.Fprint.Device"

    private let service: RemoteService

    /// The longest message that is accepted: a list of fingers and similar messages have a few hundred bytes.
    private static let messageBytes = 64 << 10

    /// Connects, and lets the bus start fprintd if it does not run.
    ///
    /// - Parameter end: interrupts every wait.
    init(
        on addresses: [ServerAddress], until deadline: ContinuousClock.Instant, or end: Wakeup
    ) throws(RemoteService.Error) {
        service = try RemoteService(
            Self.name, on: addresses, messageLimit: Self.messageBytes, until: deadline, or: end)
    }

    // MARK: Readers

    /// Returns the readers, the default one first.
    func devices(until deadline: ContinuousClock.Instant) throws(RemoteService.Error) -> [ObjectPath] {
        guard let first = try call("GetDefaultDevice", of: Self.manager, at: Self.path, [], until: deadline).first,
            let preferred = first.objectPath,
            let list = try call("GetDevices", of: Self.manager, at: Self.path, [], until: deadline).first,
            list.type == .array(.objectPath)
        else { throw .broken }
        return [preferred] + (list.elements ?? []).compactMap(\.objectPath).filter { $0 != preferred }
    }

    /// Returns the name of a reader and how its user presents a finger.
    func properties(
        of device: ObjectPath, until deadline: ContinuousClock.Instant
    ) throws(RemoteService.Error) -> (name: String, scan: String?) {
        let answer = try call(
            "GetAll", of: "org.freedesktop.DBus.Properties", at: device, [.string(Self.device.rawValue)],
            until: deadline)
        guard let properties = answer.first, let name = properties["name"]?.unwrapped.string else { throw .broken }
        return (name, properties["scan-type"]?.unwrapped.string)
    }

    /// Returns the fingers of a user that a reader knows. For any user but this process's own, polkit must permit it.
    func fingers(
        of user: FingerOwner, on device: ObjectPath, until deadline: ContinuousClock.Instant
    ) throws(RemoteService.Error) -> [String] {
        let answer: [Value]
        do throws(RemoteService.Error) {
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

    // MARK: Verification

    /// A result that fprintd reports for a finger.
    struct Status: Hashable {
        let result: String
        /// Whether fprintd has stopped the verification.
        let isDone: Bool
    }

    /// Subscribes to the signals about the finger and about fprintd's end.
    func listen(to device: ObjectPath, until deadline: ContinuousClock.Instant) throws(RemoteService.Error) {
        try service.add(
            MatchRule(sender: service.owner, path: device, interface: Self.device, member: "VerifyStatus"),
            until: deadline)
        try service.add(
            MatchRule(
                sender: MessageBus.name, interface: MessageBus.interface, member: "NameOwnerChanged",
                firstArgument: service.owner.rawValue), until: deadline)
    }

    /// Claims the reader for verifications of one user's fingers.
    func claim(
        _ device: ObjectPath, for user: FingerOwner, until deadline: ContinuousClock.Instant
    ) throws(RemoteService.Error) {
        _ = try call("Claim", of: Self.device, at: device, [.string(user.name)], until: deadline)
    }

    /// Starts a verification of any enrolled finger. Signals that arrived before this function returns belong to
    /// another client and are discarded.
    func startVerification(on device: ObjectPath, until deadline: ContinuousClock.Instant) throws(RemoteService.Error) {
        _ = try call("VerifyStart", of: Self.device, at: device, [.string("any")], until: deadline)
    }

    func stopVerification(on device: ObjectPath, until deadline: ContinuousClock.Instant) throws(RemoteService.Error) {
        _ = try call("VerifyStop", of: Self.device, at: device, [], until: deadline)
    }

    /// Returns fprintd's next result for the finger.
    func status(of device: ObjectPath, until deadline: ContinuousClock.Instant) throws(RemoteService.Error) -> Status {
        while true {
            let message = try service.next(until: deadline)
            guard message.kind == .signal else { continue }
            if message.sender == MessageBus.name, message.member == "NameOwnerChanged",
                (try? message.arguments().first?.string) == service.owner.rawValue
            {
                throw .broken
            }
            guard message.sender == service.owner, message.path == device, message.interface == Self.device,
                message.member == "VerifyStatus"
            else { continue }
            guard let arguments = try? message.arguments(), arguments.count == 2, let result = arguments[0].string,
                let isDone = arguments[1].bool
            else { throw .broken }
            return Status(result: result, isDone: isDone)
        }
    }

    /// Ends a verification, if one has started, and releases the reader, regardless of the result and of an
    /// interruption. Closing the connection has the same effect, as soon as fprintd notices it.
    func giveBack(_ device: ObjectPath, isLooking: Bool, until deadline: ContinuousClock.Instant) {
        for member: MemberName in isLooking ? ["VerifyStop", "Release"] : ["Release"] {
            _ = try? service.call(
                member, of: Self.device, at: device, [], until: deadline, isInterruptible: false)
        }
    }

    private func call(
        _ member: MemberName, of interface: InterfaceName, at path: ObjectPath, _ arguments: [Value],
        until deadline: ContinuousClock.Instant
    ) throws(RemoteService.Error) -> [Value] {
        try service.call(member, of: interface, at: path, arguments, until: deadline)
    }
}
