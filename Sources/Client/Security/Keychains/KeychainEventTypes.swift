// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import KeychainModel

// What a program is told of keychains that are files. Names and values are Apple's.

/// Something that happened in a keychain that is a file, or to the lists of those.
public enum SecKeychainEvent: UInt32, Sendable {
    /// A keychain was locked.
    case lockEvent = 1
    /// A keychain was unlocked.
    case unlockEvent = 2
    /// An item was added.
    case addEvent = 3
    /// An item was deleted. An item that is changed is deleted and added: two events.
    case deleteEvent = 4
    /// Who may use an item was changed, and nothing else of it.
    case updateEvent = 5
    /// A keychain has another password.
    case passwordChangedEvent = 6
    /// Another keychain is the default one, or none is.
    case defaultChangedEvent = 9
    /// Not posted, as Apple's systems do not post it any more.
    case dataAccessEvent = 10
    /// The search list is another one.
    case keychainListChangedEvent = 11
    /// Not posted: there are no trust settings here.
    case trustSettingsChangedEvent = 12
}

/// Which events a callback is for.
public struct SecKeychainEventMask: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(_ event: SecKeychainEvent) { rawValue = 1 << event.rawValue }

    public static let lockEventMask = Self(.lockEvent)
    public static let unlockEventMask = Self(.unlockEvent)
    public static let addEventMask = Self(.addEvent)
    public static let deleteEventMask = Self(.deleteEvent)
    public static let updateEventMask = Self(.updateEvent)
    public static let passwordChangedEventMask = Self(.passwordChangedEvent)
    public static let defaultChangedEventMask = Self(.defaultChangedEvent)
    public static let dataAccessEventMask = Self(.dataAccessEvent)
    public static let keychainListChangedMask = Self(.keychainListChangedEvent)
    public static let trustSettingsChangedEventMask = Self(.trustSettingsChangedEvent)
    /// Every event.
    public static let everyEventMask = Self(rawValue: 0xFFFF_FFFF)

    func contains(_ event: SecKeychainEvent) -> Bool { contains(Self(event)) }
}

/// What a callback is told of an event. Item and keychain are there as long as the call takes: who keeps them retains them.
@unsafe public struct SecKeychainCallbackInfo {
    /// 0.
    public var version: UInt32
    /// Nil where no item is concerned.
    public var item: Unmanaged<SecKeychainItem>!
    /// Nil when the search list was changed, and when there is no default keychain any more.
    public var keychain: Unmanaged<SecKeychain>!
    /// The process that caused it; 0 for the service, such as when a keychain was not used for so long that it is locked.
    public var pid: Int32

    /// All zero, as in C.
    public init() { unsafe self.init(version: 0, item: nil, keychain: nil, pid: 0) }

    public init(
        version: UInt32, item: Unmanaged<SecKeychainItem>!, keychain: Unmanaged<SecKeychain>!, pid: Int32
    ) {
        unsafe self.version = version
        unsafe self.item = item
        unsafe self.keychain = keychain
        unsafe self.pid = pid
    }
}

/// A function that is told of events. What it returns is not looked at.
///
/// Swift's types are none of C, so that this is a function of Swift. It is known again by being the same value: a global function, or a
/// closure that is kept.
public typealias SecKeychainCallback =
    @Sendable (
        _ keychainEvent: SecKeychainEvent, _ info: UnsafeMutablePointer<SecKeychainCallbackInfo>,
        _ context: UnsafeMutableRawPointer?
    ) -> OSStatus

extension SecKeychainEvent {
    /// What a notice of the service is in Apple's words, in order.
    static func all(of kind: KeychainNotice.Kind) -> [SecKeychainEvent] {
        switch kind {
        case .locked: [.lockEvent]
        case .unlocked: [.unlockEvent]
        case .added: [.addEvent]
        case .deleted: [.deleteEvent]
        case .accessChanged: [.updateEvent]
        case .passwordChanged: [.passwordChangedEvent]
        case .defaultChanged: [.defaultChangedEvent]
        case .listChanged: [.keychainListChangedEvent]
        case .modified: [.deleteEvent, .addEvent]
        }
    }
}

extension SecKeychainEventMask {
    /// What the service has to tell.
    var filter: KeychainNoticeFilter {
        KeychainNoticeFilter(
            KeychainNotice.Kind.allCases.filter { SecKeychainEvent.all(of: $0).contains(where: contains) },
            places: .files)
    }
}
