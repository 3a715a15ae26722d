// SPDX-License-Identifier: Apache-2.0

/// An event in one of a user's keychains, or in the user's lists: the content of a callback of
/// `SecKeychainAddCallback`.
public struct KeychainNotice: Hashable, Sendable {
    /// The raw value is the number on the wire; it never changes. The numbers up to 15 are Apple's.
    public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
        case locked = 1
        case unlocked = 2
        case added = 3
        case deleted = 4
        /// The access object of the item changed, and nothing else.
        case accessChanged = 5
        case passwordChanged = 6
        case defaultChanged = 9
        case listChanged = 11
        /// Attributes or data of an item changed. Apple has no number for it, because there an item is deleted and
        /// added again.
        case modified = 16

        /// The bit of the kind in a ``KeychainNoticeFilter``.
        public var bit: UInt32 { 1 << UInt32(rawValue) }
    }

    public let kind: Kind
    /// The path of the file; nil for the data-protection keychain, when the list changed, and when there is no default
    /// keychain any more.
    public let keychain: String?
    /// Nil if the event concerns no item.
    public let item: PersistentReference?
    /// The process that caused the event; 0 for the service, such as after a timeout.
    public let processID: Int32

    public init(_ kind: Kind, in keychain: String?, _ item: PersistentReference? = nil, by processID: Int32) {
        self.kind = kind
        self.keychain = keychain
        self.item = item
        self.processID = processID
    }

    /// Whether it concerns the data-protection keychain.
    public var isOfDataProtection: Bool {
        switch kind {
        case .defaultChanged, .listChanged: false
        case .locked, .unlocked, .added, .deleted, .accessChanged, .passwordChanged, .modified: keychain == nil
        }
    }
}

/// The events that a watcher subscribes to.
public struct KeychainNoticeFilter: Hashable, Sendable {
    /// The sources of notices. The raw value is the byte on the wire.
    public struct Places: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// File keychains, and the lists of those.
        public static let files = Places(rawValue: 1)
        public static let dataProtection = Places(rawValue: 2)
        public static let all: Places = [.files, .dataProtection]
    }

    /// A bit for each kind. Undefined bits have no meaning.
    public let kinds: UInt32
    public let places: Places

    public init(kinds: UInt32 = .max, places: Places = .all) {
        self.kinds = kinds
        self.places = places
    }

    public init(_ kinds: some Sequence<KeychainNotice.Kind>, places: Places = .all) {
        self.init(kinds: kinds.reduce(0) { $0 | $1.bit }, places: places)
    }

    public func contains(_ notice: KeychainNotice) -> Bool {
        kinds & notice.kind.bit != 0 && places.contains(notice.isOfDataProtection ? .dataProtection : .files)
    }
}
