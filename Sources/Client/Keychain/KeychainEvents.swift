// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import KeychainClient
internal import KeychainModel

extension UserKeychain {
    /// What happens in the user's keychains, in those that are files as well, from the moment iteration starts.
    ///
    /// ```swift
    /// for try await event in keychain.events([.locked, .passwordChanged]) {
    ///     print(event.kind, event.keychain?.description ?? "no keychain")
    /// }
    /// ```
    ///
    /// A program is told what it could find out by searching: of items in its own access groups, and of all that happens in keychains that
    /// are files.
    ///
    /// - Parameter kinds: the others are not told.
    public func events(_ kinds: Set<KeychainEvent.Kind> = Set(KeychainEvent.Kind.allCases)) -> KeychainEvents {
        KeychainEvents(currentClient, kinds)
    }
}

/// Something that happened in one of the user's keychains, or to their lists.
public struct KeychainEvent: Hashable, Sendable {
    public enum Kind: Hashable, Sendable, CaseIterable {
        case locked
        case unlocked
        case itemAdded
        /// Attributes or the secret of an item: one event, where Apple's callbacks get two, for an item that is deleted and one that is
        /// added.
        case itemChanged
        /// Who may use an item of a file, and nothing else of it.
        case itemAccessChanged
        case itemDeleted
        /// The password of a file, or the passcode: set, changed or removed.
        case passwordChanged
        /// Another keychain is the default one, or none is.
        case defaultKeychainChanged
        case searchListChanged
    }

    /// A keychain of the user.
    public enum Place: Hashable, Sendable, CustomStringConvertible {
        /// The one that ``UserKeychain`` is about.
        case dataProtection
        /// A keychain that is a file, by its absolute path.
        case file(String)

        public var description: String {
            switch self {
            case .dataProtection: "data-protection keychain"
            case .file(let path): path
            }
        }
    }

    public let kind: Kind
    /// Nil when the search list was changed, and when there is no default keychain any more.
    public let keychain: Place?
    /// The process that caused it; 0 for the service, such as when a keychain was not used for so long that it is locked.
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

    /// The item that is concerned, if it is one of that class in the data-protection keychain.
    public func item<Item: KeychainItem>(of itemClass: Item.Type) -> ItemReference<Item>? {
        guard keychain == .dataProtection, let item, item.itemClass == Item.itemClass else { return nil }
        return ItemReference(item)
    }

    /// What names the item that is concerned, as `kSecValuePersistentRef` takes it; nil where there is none. It holds nothing
    /// secret.
    public var persistentReference: [UInt8]? {
        guard let item else { return nil }
        guard case .file(let path) = keychain else { return item.bytes }
        // Documentation/FileKeychains.md, "Persistent references".
        return Array("file".utf8) + item.bytes + Array(path.utf8)
    }
}

/// What happens in the user's keychains, as it happens. Made by ``UserKeychain/events(_:)``.
///
/// Iteration ends with an error when the service stops, and when so many events were not taken that the service could not
/// send another; a new iteration starts anew, and what happened in between is not reported. The errors:
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
        /// Reading waits without end, so each iteration waits on a thread of its own.
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
                throw KeychainError("watch the keychains", error)
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
