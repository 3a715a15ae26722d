// SPDX-License-Identifier: Apache-2.0

public import DBus
public import DBusMessages
public import SecretService

/// The Secret Service of another program, as a client reads it. For one thread.
///
/// All calls go to the connection that owned the name at the start, so that a provider which takes the name over
/// meanwhile does not mix its items with those of the first one. Each call is bounded in time.
public final class ProviderReader {
    /// A collection of the provider.
    public struct Collection: Hashable, Sendable {
        public let path: ObjectPath
        public let label: String
        public let isLocked: Bool
        public let items: [ObjectPath]
        /// Whether its items are only in memory: the collection with the alias `session`.
        public let isTemporary: Bool
    }

    /// An item of the provider without its secret.
    public struct Item: Hashable, Sendable {
        public let path: ObjectPath
        public let label: String
        public let attributes: [String: String]
        public let isLocked: Bool
        /// Seconds since 1970.
        public let created: UInt64
        /// Seconds since 1970.
        public let modified: UInt64
    }

    private static let service: InterfaceName = "org.freedesktop.Secret.Service"
    private static let collection: InterfaceName = "org.freedesktop.Secret.Collection"
    private static let item: InterfaceName = "org.freedesktop.Secret.Item"
    private static let prompt: InterfaceName = "org.freedesktop.Secret.Prompt"
    private static let session: InterfaceName = "org.freedesktop.Secret.Session"
    private static let properties: InterfaceName = "org.freedesktop.DBus.Properties"

    private let bus: BusConnection
    private let provider: BusName
    /// The time for one call. The default of libdbus.
    private let patience: Duration
    /// The session for secrets.
    private let sessionPath: ObjectPath
    private let cipher: SessionCipher

    /// Opens a session: encrypted if the provider supports this, otherwise plain.
    ///
    /// - Parameters:
    ///   - provider: the unique name of the connection that owns the name.
    ///   - bus: the connection for all calls. Its interruption ends every wait.
    ///   - patience: the time for each call except prompts.
    ///   - randomBytes: returns the given number of random bytes.
    /// - Throws: every ``ProviderError``.
    public init(
        _ provider: BusName, on bus: BusConnection, patience: Duration = .seconds(25),
        randomBytes: (Int) -> [UInt8]
    ) throws(ProviderError) {
        self.bus = bus
        self.provider = provider
        self.patience = patience
        let encrypted: SessionOffer
        do throws(SessionError) {
            encrypted = try .encrypted(randomBytes: randomBytes)
        } catch {
            throw .session(error)
        }
        do throws(ProviderError) {
            (sessionPath, cipher) = try Self.open(encrypted, provider, bus, patience)
        } catch .bus(.refused("org.freedesktop.DBus.Error.NotSupported", _)) {
            (sessionPath, cipher) = try Self.open(.plain, provider, bus, patience)
        }
    }

    private static func open(
        _ offer: SessionOffer, _ provider: BusName, _ bus: BusConnection, _ patience: Duration
    ) throws(ProviderError) -> (ObjectPath, SessionCipher) {
        let answer = try call(
            "OpenSession", of: service, at: ObjectName.root, [.string(offer.algorithm), .variant(offer.input)],
            provider, bus, patience)
        guard answer.count == 2, let path = answer[1].objectPath else { throw .malformed }
        do throws(SessionError) {
            return (path, try offer.cipher(for: answer[0]))
        } catch {
            throw .session(error)
        }
    }

    /// Ends the session. A provider that has ended needs no answer.
    public func close() { _ = try? call("Close", of: Self.session, at: sessionPath) }

    // MARK: Collections and items

    /// Lists the collections, in the provider's order. Throws every ``ProviderError``.
    public func collections() throws(ProviderError) -> [Collection] {
        guard let paths = try property("Collections", of: Self.service, at: ObjectName.root).elements else {
            throw .malformed
        }
        let temporary = try temporaryCollection()
        var collections: [Collection] = []
        for path in paths.compactMap(\.objectPath) { collections.append(try collection(path, temporary)) }
        return collections
    }

    /// Not every provider knows aliases.
    private func temporaryCollection() throws(ProviderError) -> ObjectPath? {
        do throws(ProviderError) {
            return try call("ReadAlias", of: Self.service, at: ObjectName.root, [.string("session")]).first?.objectPath
        } catch .bus(.refused) {
            return nil
        }
    }

    private func collection(
        _ path: ObjectPath, _ temporary: ObjectPath?
    ) throws(ProviderError) -> Collection {
        let values = try properties(of: Self.collection, at: path)
        guard let label = values["Label"]?.unwrapped.string, let isLocked = values["Locked"]?.unwrapped.bool,
            let items = values["Items"]?.unwrapped.elements
        else { throw .malformed }
        return Collection(
            path: path, label: label, isLocked: isLocked, items: items.compactMap(\.objectPath),
            isTemporary: path == temporary)
    }

    /// Reads an item. Throws every ``ProviderError``.
    public func item(at path: ObjectPath) throws(ProviderError) -> Item {
        let values = try properties(of: Self.item, at: path)
        guard let label = values["Label"]?.unwrapped.string, let isLocked = values["Locked"]?.unwrapped.bool,
            case .dictionary(.string, .string, let entries)? = values["Attributes"]?.unwrapped
        else { throw .malformed }
        var attributes: [String: String] = [:]
        for entry in entries {
            guard let name = entry.key.string, attributes.updateValue(entry.value.string ?? "", forKey: name) == nil
            else { throw .malformed }
        }
        func seconds(_ name: String) -> UInt64 {
            if case .uint64(let seconds)? = values[name]?.unwrapped { seconds } else { 0 }
        }
        return Item(
            path: path, label: label, attributes: attributes, isLocked: isLocked, created: seconds("Created"),
            modified: seconds("Modified"))
    }

    /// Reads the secret of an item that is unlocked. Throws every ``ProviderError``.
    public func secret(of path: ObjectPath) throws(ProviderError) -> Secret {
        let answer = try call("GetSecret", of: Self.item, at: path, [.objectPath(sessionPath)])
        guard answer.count == 1, let members = answer[0].members, members.count == 4,
            case .bytes(let parameters) = members[1], case .bytes(let value) = members[2],
            let contentType = members[3].string
        else { throw .malformed }
        do throws(SessionError) {
            return Secret(
                try cipher.decrypt(.init(parameters: parameters, value: value)), contentType: contentType)
        } catch {
            throw .session(error)
        }
    }

    // MARK: Unlocking

    /// Unlocks a collection or an item. The provider may prompt the user.
    ///
    /// - Parameter timeout: for the prompt, which is dismissed afterwards.
    /// - Returns: whether it is unlocked now; false if the prompt was dismissed.
    /// - Throws: every ``ProviderError``.
    public func unlock(_ path: ObjectPath, timeout: Duration) throws(ProviderError) -> Bool {
        let answer = try call(
            "Unlock", of: Self.service, at: ObjectName.root, [.array(of: .objectPath, [.objectPath(path)])])
        guard answer.count == 2, let unlocked = answer[0].elements, let prompt = answer[1].objectPath else {
            throw .malformed
        }
        if prompt == ObjectName.none { return unlocked.contains(.objectPath(path)) }
        return try complete(prompt, of: path, until: .now + timeout)
    }

    private func complete(
        _ prompt: ObjectPath, of path: ObjectPath, until deadline: ContinuousClock.Instant
    ) throws(ProviderError) -> Bool {
        let rule = MatchRule(sender: provider, path: prompt, interface: Self.prompt, member: "Completed")
        try perform(.addMatch(rule))
        defer { try? perform(.removeMatch(rule)) }
        _ = try call("Prompt", of: Self.prompt, at: prompt, [.string("")])
        var isCompleted = false
        defer { if !isCompleted { dismiss(prompt) } }
        while let message = try next(until: deadline) {
            guard message.kind == .signal, message.sender == provider, message.path == prompt,
                message.member == "Completed"
            else { continue }
            isCompleted = true
            guard let arguments = try? message.arguments(), arguments.count == 2, let isDismissed = arguments[0].bool
            else { throw .malformed }
            return !isDismissed && arguments[1].unwrapped.elements?.contains(.objectPath(path)) == true
        }
        throw .bus(.timedOut)
    }

    /// Withdraws a prompt without waiting for the answer, because the wait may just have been interrupted.
    private func dismiss(_ prompt: ObjectPath) {
        guard
            let call = try? Message.call(
                "Dismiss", of: Self.prompt, at: prompt, on: provider, flags: [.noAutoStart, .noReplyExpected])
        else { return }
        _ = try? bus.send(call)
    }

    private func next(until deadline: ContinuousClock.Instant) throws(ProviderError) -> Message? {
        do throws(BusError) {
            return try bus.next(until: deadline, or: nil)?.message
        } catch {
            throw .bus(error)
        }
    }

    private func perform(_ request: BusRequest<Void>) throws(ProviderError) {
        do throws(BusError) { try bus.perform(request) } catch { throw .bus(error) }
    }

    // MARK: Calls

    private func property(
        _ name: String, of interface: InterfaceName, at path: ObjectPath
    ) throws(ProviderError) -> Value {
        let answer = try call(
            "Get", of: Self.properties, at: path, [.string(interface.rawValue), .string(name)])
        guard answer.count == 1 else { throw .malformed }
        return answer[0].unwrapped
    }

    private func properties(of interface: InterfaceName, at path: ObjectPath) throws(ProviderError) -> Value {
        let answer = try call("GetAll", of: Self.properties, at: path, [.string(interface.rawValue)])
        guard answer.count == 1 else { throw .malformed }
        return answer[0]
    }

    private func call(
        _ member: MemberName, of interface: InterfaceName, at path: ObjectPath, _ arguments: [Value] = []
    ) throws(ProviderError) -> [Value] {
        try Self.call(member, of: interface, at: path, arguments, provider, bus, patience)
    }

    private static func call(
        _ member: MemberName, of interface: InterfaceName, at path: ObjectPath, _ arguments: [Value],
        _ provider: BusName, _ bus: BusConnection, _ patience: Duration
    ) throws(ProviderError) -> [Value] {
        let message: Message
        do throws(CodingError) {
            message = try .call(member, of: interface, at: path, on: provider, arguments, flags: .noAutoStart)
        } catch {
            throw .bus(.protocolViolation(error))
        }
        do throws(BusError) {
            let answer = try bus.call(message, timeout: patience)
            // Any program of the user may send a message that looks like the provider's answer.
            guard answer.message.sender == provider else { throw .unexpectedAnswer }
            return try answer.arguments()
        } catch {
            throw .bus(error)
        }
    }
}
