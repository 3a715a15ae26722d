// SPDX-License-Identifier: Apache-2.0

/// What can open a keychain: one wrap of its keybag key. Each of them also needs the device key.
///
/// The raw value is the kind's number in the keybag and on the wire; it never changes.
public enum ProtectorKind: UInt8, CaseIterable, Hashable, Sendable {
    /// The device key alone: no passcode is set, and there is no other protector.
    case deviceKey = 1
    /// What a person types. The first protector besides the device key; all others are added to it.
    case passcode = 2
    /// 128 random bits that somebody wrote down, for when the passcode is forgotten.
    case recoveryKey = 3
    /// The password with which the user logs in, handed over by whoever checked it.
    case loginPassword = 4
    /// 256 random bits in a file, for a machine where nobody types anything.
    case credential = 5

    /// The word for it in the command line and in the audit log.
    public var name: String {
        switch self {
        case .deviceKey: "device-key"
        case .passcode: "passcode"
        case .recoveryKey: "recovery-key"
        case .loginPassword: "login-password"
        case .credential: "credential"
        }
    }

    /// Whether people choose the secret, so that it can be guessed: it is stretched, and wrong entries are counted.
    public var isChosenByPeople: Bool {
        switch self {
        case .passcode, .loginPassword: true
        case .deviceKey, .recoveryKey, .credential: false
        }
    }

    /// How many protectors of the kind a keychain may have.
    public var limit: Int { self == .credential ? 8 : 1 }

    /// How many bytes the secret may have: UTF-8 text that people choose, or exactly as many random bytes.
    public var secretSizes: ClosedRange<Int> {
        switch self {
        case .deviceKey: 0...0
        case .passcode, .loginPassword: 1...1024
        case .recoveryKey: 16...16
        case .credential: 32...32
        }
    }

    /// What a keybag takes: the password of a keychain file may be empty as well.
    public var sealableSizes: ClosedRange<Int> { isChosenByPeople ? 0...secretSizes.upperBound : secretSizes }
}

/// A secret that opens a protector. `Bytes` is the type in which each side holds it; it is never a `String`, which nobody
/// can wipe.
public struct ProtectorSecret<Bytes> {
    public let kind: ProtectorKind
    public let bytes: Bytes

    public init(_ kind: ProtectorKind, _ bytes: Bytes) {
        self.kind = kind
        self.bytes = bytes
    }
}

extension ProtectorSecret: Sendable where Bytes: Sendable {}

extension ProtectorSecret: CustomStringConvertible, CustomReflectable {
    public var description: String { "ProtectorSecret(\(kind.name), redacted)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What may be told of a protector. Nothing in it is secret.
public struct ProtectorDescription: Hashable, Sendable {
    /// Names it among the protectors that its keychain has now.
    public let number: UInt32
    public let kind: ProtectorKind
    /// When its secret was set.
    public let added: Timestamp
    /// What whoever added it called it, at most ``labelBytes`` bytes of UTF-8; may be empty.
    public let label: String

    public static let labelBytes = 64

    public init(number: UInt32, kind: ProtectorKind, added: Timestamp, label: String) {
        self.number = number
        self.kind = kind
        self.added = added
        self.label = label
    }
}

/// The protectors of a keychain and how attempts to open it went.
public struct ProtectorReport: Hashable, Sendable {
    public let protectors: [ProtectorDescription]
    /// Wrong entries of passcodes and login passwords since the last right one.
    public let failedAttempts: UInt32
    /// How long until the next entry is looked at, in whole seconds rounded up; 0 if it may come now.
    public let retryAfterSeconds: UInt32

    public init(protectors: [ProtectorDescription], failedAttempts: UInt32, retryAfterSeconds: UInt32) {
        self.protectors = protectors
        self.failedAttempts = failedAttempts
        self.retryAfterSeconds = retryAfterSeconds
    }
}
