// SPDX-License-Identifier: Apache-2.0

public import DBus
internal import DBusMessages
internal import KeychainHelperWire
internal import SecretService

/// The work of the helper that reads another provider for `chatelaine setup desktop`: a session of requests and replies
/// (Documentation/Protocols/helper.md, "Providers"). For one thread.
public final class ProviderConversation {
    private static let name: BusName = "org.freedesktop.secrets"
    /// The time for the connection to the bus.
    private static let connectPatience = Duration.seconds(5)
    /// The time for the start of a provider by the bus, which is that of dbus-daemon.
    private static let startPatience = Duration.seconds(25)
    /// The time that the user has for a prompt of the provider.
    private static let promptPatience = Duration.seconds(300)
    /// The longest message: a list of several 100,000 items.
    private static let messageLimit = 32 << 20

    private let end: Wakeup
    private let randomBytes: (Int) -> [UInt8]
    private var bus: BusConnection?
    private var reader: ProviderReader?
    private var collections: [ProviderReader.Collection] = []

    /// - Parameters:
    ///   - end: ends every wait.
    ///   - randomBytes: returns the given number of random bytes.
    public init(until end: Wakeup, randomBytes: @escaping (Int) -> [UInt8]) {
        self.end = end
        self.randomBytes = randomBytes
    }

    deinit { reader?.close() }

    /// Answers a request.
    ///
    /// - Parameter request: a complete frame.
    /// - Returns: a frame, which the caller wipes.
    public func answer(_ request: [UInt8]) -> [UInt8] {
        do throws(Refusal) {
            return try reply(to: request).frame
        } catch {
            return HelperRefusal(reason: error.reason).frame
        }
    }

    /// A sentence without a full stop.
    private struct Refusal: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
        init(_ error: BusError) { reason = ProviderError.bus(error).description }
        init(_ error: ProviderError) { reason = error.description }
    }

    private func reply(to frame: [UInt8]) throws(Refusal) -> ProviderReply {
        let request: ProviderRequest
        do throws(HelperWireError) {
            request = try ProviderRequest(frame)
        } catch {
            throw Refusal("\(error)")
        }
        switch request {
        case .connect(let addresses):
            let new = try connect(addresses)
            // The session and the collections belong to the earlier bus.
            reader?.close()
            (bus, reader, collections) = (new, nil, [])
            return .owner(try owner())
        case .owner: return .owner(try owner())
        case .collections: return .collections(try listCollections())
        case .items(let collection, let first): return .items(try listItems(try items(of: collection), from: first))
        case .unlock(let collection): return .unlocked(try unlock(collection))
        case .secret(let collection, let item): return .secret(try secret(try items(of: collection), item))
        case .reload:
            try onBus { bus throws(BusError) in
                _ = try bus.call(Self.call("ReloadConfig"))
            }
            return .owner(try owner())
        }
    }

    // MARK: The bus

    private func connect(_ text: String) throws(Refusal) -> BusConnection {
        let addresses: [ServerAddress]
        do throws(ServerAddress.Malformed) {
            addresses = try ServerAddress.list(text)
        } catch {
            throw Refusal("the address of the session bus names no Unix socket")
        }
        do throws(BusError) {
            return try BusConnection(
                to: addresses, timeout: Self.connectPatience, messageLimit: Self.messageLimit, interruption: end)
        } catch {
            throw error.isMissingSocket ? Refusal("there is no session bus at its address") : Refusal(error)
        }
    }

    private func onBus<R>(_ body: (BusConnection) throws(BusError) -> R) throws(Refusal) -> R {
        guard let bus else { throw Refusal("no bus is connected") }
        do throws(BusError) { return try body(bus) } catch { throw Refusal(error) }
    }

    private static func call(_ member: MemberName, _ arguments: [Value] = []) throws(BusError) -> Message {
        do throws(CodingError) {
            return try .call(member, of: MessageBus.interface, at: MessageBus.path, on: MessageBus.name, arguments)
        } catch {
            throw .protocolViolation(error)
        }
    }

    private func owner() throws(Refusal) -> ProviderOwner {
        try onBus { bus throws(BusError) in
            let names = try bus.call(Self.call("ListActivatableNames")).argument().elements ?? []
            let canStart = names.contains(.string(Self.name.rawValue))
            guard let owner = try bus.owner(of: Self.name) else {
                return ProviderOwner(process: nil, canStart: canStart)
            }
            do throws(BusError) {
                return ProviderOwner(
                    process: try bus.perform(.credentials(of: owner)).processID ?? 0, canStart: canStart)
            } catch .refused {
                // The owner has ended since.
                return ProviderOwner(process: nil, canStart: canStart)
            }
        }
    }

    // MARK: The provider

    private func listCollections() throws(Refusal) -> [ProvidedCollection] {
        let reader = if let reader { reader } else { try openReader() }
        self.reader = reader
        let found = try asking { () throws(ProviderError) in try reader.collections() }
        guard found.count <= ProviderLimits.collections else {
            throw Refusal("the provider has more than \(ProviderLimits.collections) collections")
        }
        collections = found
        return found.map { collection in
            ProvidedCollection(
                label: Self.cut(collection.label), isLocked: collection.isLocked, isTemporary: collection.isTemporary,
                itemCount: UInt32(clamping: collection.items.count))
        }
    }

    /// A label of a collection is only shown.
    private static func cut(_ label: String) -> String {
        var label = label
        while label.utf8.count > ProviderLimits.labelBytes { label.removeLast() }
        return label
    }

    private func openReader() throws(Refusal) -> ProviderReader {
        guard let bus else { throw Refusal("no bus is connected") }
        let owner = try onBus { bus throws(BusError) in
            if let owner = try bus.owner(of: Self.name) { return owner as BusName? }
            let start = try Self.call("StartServiceByName", [.string(Self.name.rawValue), .uint32(0)])
            _ = try bus.call(start, timeout: Self.startPatience)
            return try bus.owner(of: Self.name)
        }
        guard let owner else { throw Refusal("no program owns the name \(Self.name)") }
        return try asking { () throws(ProviderError) in
            try ProviderReader(owner, on: bus, randomBytes: randomBytes)
        }
    }

    private func asking<R>(_ body: () throws(ProviderError) -> R) throws(Refusal) -> R {
        do throws(ProviderError) { return try body() } catch { throw Refusal(error) }
    }

    private func items(of collection: UInt32) throws(Refusal) -> [ObjectPath] {
        guard collections.indices.contains(Int(collection)) else { throw Refusal("the collection was not listed") }
        return collections[Int(collection)].items
    }

    private func listItems(_ paths: [ObjectPath], from first: UInt32) throws(Refusal) -> [ListedProvidedItem] {
        guard let reader else { throw Refusal("the collections were not listed") }
        var items: [ListedProvidedItem] = []
        for path in paths.dropFirst(Int(first)).prefix(ProviderLimits.items) {
            do throws(ProviderError) {
                let item = try reader.item(at: path)
                let provided = ProvidedItem(
                    label: item.label, attributes: item.attributes, modified: item.modified)
                items.append(provided.map { .item($0) } ?? .unreadable("its label or its attributes are too large"))
            } catch {
                switch error {
                case .bus(.refused), .malformed, .session: items.append(.unreadable(error.description))
                // All further calls would fail, too.
                case .bus: throw Refusal(error)
                }
            }
        }
        return items
    }

    private func unlock(_ collection: UInt32) throws(Refusal) -> Bool {
        _ = try items(of: collection)
        guard let reader else { throw Refusal("the collections were not listed") }
        let path = collections[Int(collection)].path
        return try asking { () throws(ProviderError) in try reader.unlock(path, timeout: Self.promptPatience) }
    }

    private func secret(_ paths: [ObjectPath], _ item: UInt32) throws(Refusal) -> ProvidedSecret {
        guard let reader, paths.indices.contains(Int(item)) else { throw Refusal("the item was not listed") }
        let path = paths[Int(item)]
        let secret = try asking { () throws(ProviderError) in
            do throws(ProviderError) {
                return try reader.secret(of: path)
            } catch .bus(.refused("org.freedesktop.Secret.Error.IsLocked", _)) {
                // Some providers lock each item.
                guard try reader.unlock(path, timeout: Self.promptPatience) else {
                    throw .bus(.refused("org.freedesktop.Secret.Error.IsLocked", ""))
                }
                return try reader.secret(of: path)
            }
        }
        guard secret.value.count <= ProviderLimits.secretBytes else {
            throw Refusal("its secret is larger than \(ProviderLimits.secretBytes) bytes")
        }
        guard secret.contentType.utf8.count <= ProviderLimits.contentTypeBytes else {
            throw Refusal("the content type of its secret is longer than \(ProviderLimits.contentTypeBytes) bytes")
        }
        return ProvidedSecret(value: secret.value, contentType: secret.contentType)
    }
}
