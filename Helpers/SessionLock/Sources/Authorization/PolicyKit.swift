// SPDX-License-Identifier: Apache-2.0

internal import DBus
internal import DBusMessages
internal import KeychainHelperWire

/// A connection to polkit for one request.
///
/// The source is the polkit Reference Manual, "org.freedesktop.PolicyKit1.Authority Interface".
struct PolicyKit {
    static let name: BusName = "org.freedesktop.PolicyKit1"
    static let path: ObjectPath = "/org/freedesktop/PolicyKit1/Authority"
    static let authority: InterfaceName = "org.freedesktop.PolicyKit1.Authority"
    /// The action of Packaging/polkit/org.chatelaine.policy.
    static let action = "org.chatelaine.administer-own-keychain"

    /// polkit's result for an action.
    enum Answer: Hashable {
        case authorized
        case denied
        case dismissed
        case noAgent
    }

    private let service: RemoteService

    /// The longest message that is accepted. An answer takes a few hundred bytes; the bus lists the names of all
    /// services.
    private static let messageBytes = 256 << 10
    /// AllowUserInteraction.
    private static let allowsInteraction: UInt32 = 1
    /// The identifier of the request on this connection, for its cancellation.
    private static let cancellation = "authorization"

    /// Connects, and lets the bus start polkit if it does not run.
    ///
    /// - Parameter end: interrupts every wait.
    init(
        on addresses: [ServerAddress], until deadline: ContinuousClock.Instant, or end: Wakeup
    ) throws(RemoteService.Error) {
        service = try RemoteService(
            Self.name, on: addresses, messageLimit: Self.messageBytes, until: deadline, or: end)
    }

    /// - Throws: if polkit does not answer as its interface requires.
    func checkAnswers(until deadline: ContinuousClock.Instant) throws(RemoteService.Error) {
        let answer = try service.call(
            "Get", of: "org.freedesktop.DBus.Properties", at: Self.path,
            [.string(Self.authority.rawValue), .string("BackendVersion")], until: deadline)
        guard answer.count == 1, answer[0].unwrapped.string != nil else { throw .broken }
    }

    /// Requests authorization of the action for the user of a process; polkit prompts that user with an authentication
    /// agent.
    ///
    /// The process is identified by its number and start time. polkit compares the user with that of the process, so it
    /// never prompts another user instead.
    func authorize(
        _ question: AuthorizationQuestion, until deadline: ContinuousClock.Instant
    ) throws(RemoteService.Error) -> Answer {
        let subject = Value.structure([
            .string("unix-process"),
            .dictionary(
                key: .string, value: .variant,
                [
                    .init(.string("pid"), .variant(.uint32(question.process))),
                    .init(.string("start-time"), .variant(.uint64(question.processStart))),
                    .init(.string("uid"), .variant(.int32(Int32(bitPattern: question.user)))),
                ]),
        ])
        let details = Value.dictionary(
            key: .string, value: .string, [.init(.string("operation"), .string(question.operation))])
        let answer = try service.call(
            "CheckAuthorization", of: Self.authority, at: Self.path,
            [subject, .string(Self.action), details, .uint32(Self.allowsInteraction), .string(Self.cancellation)],
            until: deadline)
        guard answer.count == 1, let members = answer[0].members, members.count == 3,
            let isAuthorized = members[0].bool, let isChallenge = members[1].bool,
            members[2].type == .dictionary(key: .string, value: .string)
        else { throw .broken }
        if isAuthorized { return .authorized }
        if members[2]["polkit.dismissed"] != nil { return .dismissed }
        // polkit requires authentication but could not prompt the user.
        return isChallenge ? .noAgent : .denied
    }

    /// Cancels the request, so that the user is no longer prompted. Closing the connection has the same effect, as soon
    /// as polkit notices it.
    func cancel(until deadline: ContinuousClock.Instant) {
        _ = try? service.call(
            "CancelCheckAuthorization", of: Self.authority, at: Self.path, [.string(Self.cancellation)],
            until: deadline, isInterruptible: false)
    }
}
