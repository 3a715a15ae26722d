// SPDX-License-Identifier: Apache-2.0

public import DBusMessages

/// A request to the bus itself, with the type of its result: for ``BusConnection/perform(_:timeout:)`` and
/// ``BusServer/perform(_:timeout:)``.
public struct BusRequest<Success: Sendable>: Sendable {
    let member: MemberName
    let arguments: [Value]
    private let decode: @Sendable (Answer) throws(BusError) -> Success
    /// The result that an error of this name stands for.
    private var substitute: (error: InterfaceName, result: Success)?

    init(
        _ member: MemberName, _ arguments: [Value],
        _ decode: @escaping @Sendable (Answer) throws(BusError) -> Success
    ) {
        self.member = member
        self.arguments = arguments
        self.decode = decode
    }

    func message() throws(BusError) -> Message {
        do throws(CodingError) {
            return try .call(member, of: MessageBus.interface, at: MessageBus.path, on: MessageBus.name, arguments)
        } catch {
            throw .protocolViolation(error)
        }
    }

    func result(_ answer: Result<Answer, BusError>) throws(BusError) -> Success {
        do throws(BusError) {
            return try decode(try answer.get())
        } catch {
            if let substitute, case .refused(substitute.error, _) = error { return substitute.result }
            throw error
        }
    }
}

extension BusRequest where Success == Void {
    /// Subscribes to signals.
    public static func addMatch(_ rule: MatchRule) -> BusRequest {
        BusRequest("AddMatch", [.string(rule.text)]) { _ in }
    }

    /// Ends a subscription.
    public static func removeMatch(_ rule: MatchRule) -> BusRequest {
        BusRequest("RemoveMatch", [.string(rule.text)]) { _ in }
    }
}

extension BusRequest where Success == BusName {
    /// Registers the connection; its first message. The result is its unique name.
    static var hello: BusRequest {
        BusRequest("Hello", []) { answer throws(BusError) in
            guard let name = try answer.argument().string.flatMap(BusName.init(rawValue:)), name.isUnique else {
                throw .unexpectedAnswer
            }
            return name
        }
    }
}

extension BusRequest where Success == BusName? {
    /// Requests the unique name of a name's owner; the result is nil if the name has no owner.
    public static func owner(of name: BusName) -> BusRequest {
        var request = BusRequest("GetNameOwner", [.string(name.rawValue)]) { answer throws(BusError) in
            guard let owner = try answer.argument().string.flatMap(BusName.init(rawValue:)) else {
                throw .unexpectedAnswer
            }
            return owner
        }
        request.substitute = ("org.freedesktop.DBus.Error.NameHasNoOwner", nil)
        return request
    }
}

extension BusRequest where Success == Bool {
    /// Requests whether a name has an owner.
    public static func hasOwner(_ name: BusName) -> BusRequest {
        BusRequest("NameHasOwner", [.string(name.rawValue)]) { answer throws(BusError) in
            guard let has = try answer.argument().bool else { throw .unexpectedAnswer }
            return has
        }
    }
}

extension BusRequest where Success == [BusName] {
    /// Requests the names of all connections, and the well-known names that have an owner.
    static var names: BusRequest {
        BusRequest("ListNames", []) { answer throws(BusError) in
            guard let names = try answer.argument().elements else { throw .unexpectedAnswer }
            return names.compactMap { $0.string.flatMap(BusName.init(rawValue:)) }
        }
    }

    /// Requests the unique names of the connections that wait for a name, its owner first. Names without an owner are
    /// refused with `org.freedesktop.DBus.Error.NameHasNoOwner`.
    public static func queuedOwners(of name: BusName) -> BusRequest {
        BusRequest("ListQueuedOwners", [.string(name.rawValue)]) { answer throws(BusError) in
            guard let names = try answer.argument().elements else { throw .unexpectedAnswer }
            return names.compactMap { $0.string.flatMap(BusName.init(rawValue:)) }
        }
    }
}

extension BusRequest where Success == MessageBus.NameRequestResult {
    /// Requests a well-known name for the connection.
    public static func name(_ name: BusName, _ flags: MessageBus.NameFlags = []) -> BusRequest {
        BusRequest("RequestName", [.string(name.rawValue), .uint32(flags.rawValue)]) { answer throws(BusError) in
            guard let result = try answer.argument().uint32.flatMap(Success.init(rawValue:)) else {
                throw .unexpectedAnswer
            }
            return result
        }
    }
}

extension BusRequest where Success == MessageBus.NameReleaseResult {
    /// Releases a well-known name, or leaves the queue for it.
    public static func releaseName(_ name: BusName) -> BusRequest {
        BusRequest("ReleaseName", [.string(name.rawValue)]) { answer throws(BusError) in
            guard let result = try answer.argument().uint32.flatMap(Success.init(rawValue:)) else {
                throw .unexpectedAnswer
            }
            return result
        }
    }
}

extension BusRequest where Success == UInt32 {
    /// Requests the number of the process that opened a connection.
    ///
    /// The bus stores the number when the connection is made. The kernel may give the number to another process when the
    /// process has ended, and the answer does not show this: ``BusServer/process(of:open:)`` compares times.
    public static func processID(of name: BusName) -> BusRequest {
        BusRequest("GetConnectionUnixProcessID", [.string(name.rawValue)]) { answer throws(BusError) in
            guard let number = try answer.argument().uint32 else { throw .unexpectedAnswer }
            return number
        }
    }
}

extension BusRequest where Success == ConnectionCredentials {
    /// Requests what the bus knows about the process that opened a connection.
    public static func credentials(of name: BusName) -> BusRequest {
        BusRequest("GetConnectionCredentials", [.string(name.rawValue)]) { answer throws(BusError) in
            try ConnectionCredentials(answer)
        }
    }
}

/// What the bus knows about the process that opened a connection. The kernel told the bus when the connection was made.
public struct ConnectionCredentials: Sendable {
    public let userID: UInt32?
    public let groupIDs: [UInt32]?
    /// The number of the process, which the kernel may have given to another process since: ``BusServer/process(of:open:)``.
    public let processID: UInt32?
    /// A pidfd of the process (pidfd_open(2)); nil if the bus does not provide one. It never leads to another process.
    public let process: Descriptor?
    /// The label of the Linux security module, without the zero at its end.
    public let securityLabel: [UInt8]?

    init(_ answer: Answer) throws(BusError) {
        let values = try answer.argument()
        guard values.type == .dictionary(key: .string, value: .variant) else { throw .unexpectedAnswer }
        userID = values["UnixUserID"]?.unwrapped.uint32
        processID = values["ProcessID"]?.unwrapped.uint32
        groupIDs = values["UnixGroupIDs"]?.unwrapped.elements?.compactMap(\.uint32)
        process = values["ProcessFD"]?.unwrapped.descriptorIndex.flatMap { index in
            // The decoder has checked the index.
            Int(index) < answer.descriptors.count ? answer.descriptors[Int(index)] : nil
        }
        if case .bytes(let label)? = values["LinuxSecurityLabel"]?.unwrapped {
            securityLabel = label.last == 0 ? label.dropLast() : label
        } else {
            securityLabel = nil
        }
    }
}

extension BusConnection {
    /// Sends a request to the bus and waits for its answer. Throws every ``BusError``.
    public func perform<Success>(
        _ request: BusRequest<Success>, timeout: Duration = .seconds(5)
    ) throws(BusError) -> Success {
        let message = try request.message()
        let answer: Result<Answer, BusError>
        do throws(BusError) {
            answer = .success(try call(message, timeout: timeout))
        } catch {
            answer = .failure(error)
        }
        return try request.result(answer)
    }

    /// Subscribes to signals. Throws every ``BusError``.
    public func add(_ rule: MatchRule) throws(BusError) {
        try perform(.addMatch(rule))
    }

    /// Returns the unique name of a well-known name's owner; nil if the name has no owner. Throws every ``BusError``.
    public func owner(of name: BusName) throws(BusError) -> BusName? {
        try perform(.owner(of: name))
    }
}
