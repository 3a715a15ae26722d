// SPDX-License-Identifier: Apache-2.0

import Crypto
public import KeychainModel
import Synchronization

/// The keys of a keychain that are in memory while the service runs.
///
/// Item keys are not among them; each is unwrapped for one sealing or opening and released. A lock takes effect between
/// two of these: an operation in progress gets `.keyNotAvailable` at the next item.
public final class KeyRing: Sendable {
    private struct State {
        /// Indexed by the number of the class: every opening reads it, and hashing would take longer than the access.
        var classKeys: [ClassKeys?]
        var lockState: LockState
        /// The number of locks so far.
        var epoch: UInt64 = 0
    }

    private let indexKey: IndexKey
    /// The class whose metadata key seals all attributes; nil: each item's attributes are sealed under the metadata key
    /// of its own class.
    private let attributesClass: Accessibility?
    private let state: Mutex<State>
    /// For items' own passwords.
    let stretching: StretchingTurn
    /// For item keys and nonces.
    let random: RandomBytes
    /// For items' own passwords.
    let passwordSalt: [UInt8]

    /// Creates a key ring.
    ///
    /// - Parameter salt: the keybag's.
    init(
        indexKey: IndexKey, lockState: LockState, salt: [UInt8], attributesClass: Accessibility?, random: RandomBytes,
        stretching: StretchingTurn
    ) {
        let size = 1 + Int(Accessibility.allCases.map(\.rawValue).max() ?? 0)
        self.indexKey = indexKey
        self.attributesClass = attributesClass
        self.random = random
        self.stretching = stretching
        passwordSalt = Array(SealingConstants.applicationPasswordLabel.utf8) + salt
        state = Mutex(State(classKeys: Array(repeating: nil, count: size), lockState: lockState))
    }

    /// Returns the index column's content for an attribute's value.
    public func digest(of value: AttributeValue, for key: AttributeKey, in itemClass: ItemClass) -> IndexDigest {
        indexKey.digest(of: value, for: key, in: itemClass)
    }

    public var lockState: LockState { state.withLock(\.lockState) }

    /// Identifies the time between two locks; see ``unlock(with:since:)``.
    public var epoch: UInt64 { state.withLock(\.epoch) }

    /// Returns whether items of the class can be sealed and opened now.
    public func isAvailable(_ accessibility: Accessibility) -> Bool {
        state.withLock { $0.classKeys[Int(accessibility.rawValue)] != nil }
    }

    func keys(for accessibility: Accessibility) throws(SealingError) -> ClassKeys {
        guard let keys = state.withLock({ $0.classKeys[Int(accessibility.rawValue)] }) else {
            throw .keyNotAvailable(accessibility)
        }
        return keys
    }

    /// Returns the key of an item's attributes.
    func metadataKey(for accessibility: Accessibility) throws(SealingError) -> any StoredKey {
        try keys(for: attributesClass ?? accessibility).metadataKey
    }

    func put(_ keys: [Accessibility: ClassKeys]) {
        state.withLock { state in
            for (accessibility, keys) in keys { state.classKeys[Int(accessibility.rawValue)] = keys }
        }
    }

    /// Stores all class keys, which unlocks the keychain.
    ///
    /// - Parameter epoch: the value of ``epoch`` when the unlock began.
    /// - Returns: false, without a change, if the keychain was locked since then, because the later lock counts.
    public func unlock(with keys: UnlockedClassKeys, since epoch: UInt64) -> Bool {
        state.withLock { state in
            guard state.epoch == epoch else { return false }
            for (accessibility, keys) in keys.keys { state.classKeys[Int(accessibility.rawValue)] = keys }
            state.lockState = .unlocked
            return true
        }
    }

    /// Drops the keys of the classes that require an unlocked keychain. When this returns they are wiped, except keys
    /// that another thread is using for an item at that moment.
    ///
    /// - Returns: whether it was unlocked. Without a passcode nothing is locked.
    @discardableResult
    public func lock() -> Bool {
        state.withLock { state in
            state.epoch += 1
            guard state.lockState == .unlocked else { return false }
            for accessibility in Accessibility.allCases where accessibility.needsUnlocked {
                state.classKeys[Int(accessibility.rawValue)] = nil
            }
            state.lockState = .locked
            return true
        }
    }

    /// Removes the class that requires a passcode, after the passcode is removed; all other keys are available from now
    /// on.
    public func stayOpen(with keys: UnlockedClassKeys) {
        state.withLock { state in
            for (accessibility, keys) in keys.keys { state.classKeys[Int(accessibility.rawValue)] = keys }
            state.classKeys[Int(Accessibility.whenPasscodeSetThisDeviceOnly.rawValue)] = nil
            state.lockState = .noPasscode
        }
    }
}

extension KeyRing: CustomStringConvertible, CustomReflectable {
    public var description: String { "KeyRing(redacted)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Accessibility {
    /// Whether the key is wiped when the keychain is locked.
    fileprivate var needsUnlocked: Bool {
        switch self {
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: true
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly, .always, .alwaysThisDeviceOnly: false
        }
    }
}

/// Class keys to be stored in a ``KeyRing``.
public struct UnlockedClassKeys: Sendable {
    let keys: [Accessibility: ClassKeys]
}

extension UnlockedClassKeys: CustomStringConvertible, CustomReflectable {
    public var description: String { "UnlockedClassKeys(redacted)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The two keys of one data-protection class.
struct ClassKeys: Sendable {
    /// Wraps item keys.
    let classKey: any StoredKey
    /// Encrypts attributes.
    let metadataKey: any StoredKey
}
