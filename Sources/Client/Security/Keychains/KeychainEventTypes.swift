// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import KeychainModel

// The events of keychain files for programs. Names and values are Apple's.

/// An event in a keychain file, or a change of the lists of keychain files.
public enum SecKeychainEvent: UInt32, Sendable {
    /// A keychain was locked.
    case lockEvent = 1
    /// A keychain was unlocked.
    case unlockEvent = 2
    /// An item was added.
    case addEvent = 3
    /// An item was deleted. A changed item is deleted and added: two events.
    case deleteEvent = 4
    /// The access object of an item was changed, and nothing else of it.
    case updateEvent = 5
    /// The password of a keychain was changed.
    case passwordChangedEvent = 6
    /// The default keychain is another one, or is no longer set.
    case defaultChangedEvent = 9
    /// Never posted. Apple's systems do not post it any more either.
    case dataAccessEvent = 10
    /// The search list was changed.
    case keychainListChangedEvent = 11
    /// Never posted: trust settings are not supported.
    case trustSettingsChangedEvent = 12
}

/// The events that a callback receives.
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

/// The details of an event for a callback. Item and keychain are valid during the call: a callback that keeps them must
/// retain them.
@unsafe public struct SecKeychainCallbackInfo {
    /// 0.
    public var version: UInt32
    /// Nil for an event without an item.
    public var item: Unmanaged<SecKeychainItem>!
    /// Nil when the search list was changed, and when the default keychain is no longer set.
    public var keychain: Unmanaged<SecKeychain>!
    /// The process that caused the event; 0 for the service itself, for example when an unused keychain locks after its
    /// timeout.
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

/// A function that receives events. Its result is ignored.
///
/// Swift types are not C types, so this is a Swift function. It is identified by being the same value: a global
/// function, or a closure that is kept.
public typealias SecKeychainCallback =
    @Sendable (
        _ keychainEvent: SecKeychainEvent, _ info: UnsafeMutablePointer<SecKeychainCallbackInfo>,
        _ context: UnsafeMutableRawPointer?
    ) -> OSStatus

extension SecKeychainEvent {
    /// Returns Apple's events for a notice of the service, in order.
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
    /// The notices that the service must send.
    var filter: KeychainNoticeFilter {
        KeychainNoticeFilter(
            KeychainNotice.Kind.allCases.filter { SecKeychainEvent.all(of: $0).contains(where: contains) },
            places: .files)
    }
}
