// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import KeychainClient
internal import KeychainModel

extension UserKeychain {
    /// The events in the user's keychains, including keychain files, from the start of the iteration.
    ///
    /// ```swift
    /// for try await event in keychain.events([.locked, .passwordChanged]) {
    ///     print(event.kind, event.keychain?.description ?? "no keychain")
    /// }
    /// ```
    ///
    /// A program receives the events that it could detect by searching: those of items in its own access groups, and
    /// all events of keychain files.
    ///
    /// - Parameter kinds: the events to report; others are ignored.
    public func events(_ kinds: Set<KeychainEvent.Kind> = Set(KeychainEvent.Kind.allCases)) -> KeychainEvents {
        KeychainEvents(baseClient, kinds)
    }
}

/// An event in one of the user's keychains, or a change of their lists.
public struct KeychainEvent: Hashable, Sendable {
    public enum Kind: Hashable, Sendable, CaseIterable {
        case locked
        case unlocked
        case itemAdded
        /// The attributes or the secret of an item have changed. One event; Apple's callbacks report a deletion and an
        /// addition.
        case itemChanged
        /// The access object of an item in a keychain file has changed, and nothing else of the item.
        case itemAccessChanged
        case itemDeleted
        /// The password of a keychain file, or the passcode, was set, changed or removed.
        case passwordChanged
        /// The default keychain is another one, or is no longer set.
        case defaultKeychainChanged
        case searchListChanged
    }

    /// A keychain of the user.
    public enum Place: Hashable, Sendable, CustomStringConvertible {
        /// The data-protection keychain, which ``UserKeychain`` uses.
        case dataProtection
        /// A keychain file, by its absolute path.
        case file(String)

        public var description: String {
            switch self {
            case .dataProtection: "data-protection keychain"
            case .file(let path): path
            }
        }
    }

    public let kind: Kind
    /// The keychain of the event. Nil when the search list was changed, and when the default keychain is no longer set.
    public let keychain: Place?
    /// The process that caused the event; 0 for the service itself, for example when an unused keychain locks after its
    /// timeout.
    public let processIdentifier: Int32
    private let item: PersistentReference?

    init(_ notice: KeychainNotice) {
        kind = Kind(notice.kind)
        keychain =
            switch notice.kind {
            case .defaultChanged, .listChanged: notice.keychain.map(Place.file)
            default: notice.keychain.map(Place.file) ?? .dataProtection
            }
        processIdentifier = notice.processID
        item = notice.item
    }

    /// Returns the item of the event, if it has that class and is in the data-protection keychain.
    public func item<Item: KeychainItem>(of itemClass: Item.Type) -> ItemReference<Item>? {
        guard keychain == .dataProtection, let item, item.itemClass == Item.itemClass else { return nil }
        return ItemReference(item)
    }

    /// The persistent reference of the item of the event, for `kSecValuePersistentRef`; nil when the event has no item.
    /// Contains no secret.
    public var persistentReference: [UInt8]? {
        guard let item else { return nil }
        guard case .file(let path) = keychain else { return item.bytes }
        // Documentation/FileKeychains.md, "Persistent references".
        return Array("file".utf8) + item.bytes + Array(path.utf8)
    }
}

/// The events in the user's keychains, as they happen. Created by ``UserKeychain/events(_:)``.
///
/// Iteration ends with an error when the service stops, and when so many events are unread that the service cannot send
/// another. A new iteration starts from the current state: events in between are not reported. The errors:
/// `.missingEntitlement` for a program that cannot be identified, `.notAvailable` when the service cannot be reached.
public struct KeychainEvents: AsyncSequence, Sendable {
    public typealias Failure = KeychainError
    public typealias Element = KeychainEvent

    private let client: KeychainClient
    private let filter: KeychainNoticeFilter

    init(_ client: KeychainClient, _ kinds: Set<KeychainEvent.Kind>) {
        self.client = client
        filter = KeychainNoticeFilter(KeychainNotice.Kind.allCases.filter { kinds.contains(KeychainEvent.Kind($0)) })
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(client, filter)
    }

    public struct Iterator: AsyncIteratorProtocol {
        private let client: KeychainClient
        private let filter: KeychainNoticeFilter
        private var stream: OpenStream<KeychainNotice>?
        /// A read can wait without limit, so each iteration has a thread of its own.
        private let queue = DispatchQueue(label: "org.chatelaine.keychain.events")

        init(_ client: KeychainClient, _ filter: KeychainNoticeFilter) {
            self.client = client
            self.filter = filter
        }

        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(KeychainError) -> Element? {
            let (client, filter, queue, opened) = (client, filter, queue, stream)
            do throws(ClientError) {
                let stream: OpenStream<KeychainNotice>
                if let opened {
                    stream = opened
                } else {
                    stream = try await queue.run { () throws(ClientError) in
                        OpenStream(try client.watchKeychains(filter))
                    }
                    self.stream = stream
                }
                return try await stream.next(on: queue).map(KeychainEvent.init)
            } catch {
                throw KeychainError("observe the keychains", error)
            }
        }

        public mutating func next() async throws(KeychainError) -> Element? {
            try await next(isolation: nil)
        }
    }
}

extension KeychainEvent.Kind {
    fileprivate init(_ kind: KeychainNotice.Kind) {
        self =
            switch kind {
            case .locked: .locked
            case .unlocked: .unlocked
            case .added: .itemAdded
            case .deleted: .itemDeleted
            case .accessChanged: .itemAccessChanged
            case .passwordChanged: .passwordChanged
            case .defaultChanged: .defaultKeychainChanged
            case .listChanged: .searchListChanged
            case .modified: .itemChanged
            }
    }
}
