// SPDX-License-Identifier: Apache-2.0

/// The kind of a protector: one wrap of the keybag key of a keychain. Each of them also needs the device key.
///
/// The raw value is the kind's number in the keybag and on the wire; it never changes.
public enum ProtectorKind: UInt8, CaseIterable, Hashable, Sendable {
    /// The device key alone: no passcode is set, and no other protector exists.
    case deviceKey = 1
    /// The passcode that the user types. The first protector besides the device key; all others are added to it.
    case passcode = 2
    /// 128 random bits on paper, for when the passcode is forgotten.
    case recoveryKey = 3
    /// The user's login password, passed on by the program that verified it.
    case loginPassword = 4
    /// 256 random bits in a file, for a machine without a user to type a passcode.
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

    /// Whether the user chooses the secret, so that it can be guessed: it is stretched, and failed attempts are
    /// counted.
    public var isChosenByPeople: Bool {
        switch self {
        case .passcode, .loginPassword: true
        case .deviceKey, .recoveryKey, .credential: false
        }
    }

    /// The largest number of protectors of the kind in a keychain.
    public var limit: Int { self == .credential ? 8 : 1 }

    /// The valid lengths of the secret in bytes: UTF-8 text that the user chooses, or exactly as many random bytes.
    public var secretSizes: ClosedRange<Int> {
        switch self {
        case .deviceKey: 0...0
        case .passcode, .loginPassword: 1...1024
        case .recoveryKey: 16...16
        case .credential: 32...32
        }
    }

    /// The lengths that a keybag accepts: the password of a keychain file may also be empty.
    public var sealableSizes: ClosedRange<Int> { isChosenByPeople ? 0...secretSizes.upperBound : secretSizes }
}

/// A secret that opens a protector. `Bytes` is the type in which each side holds it; never a `String`, because a string
/// cannot be wiped.
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

/// The public facts about a protector. Nothing in it is secret.
public struct ProtectorDescription: Hashable, Sendable {
    /// Identifies it among the current protectors of its keychain.
    public let number: UInt32
    public let kind: ProtectorKind
    /// The time when its secret was set.
    public let added: Timestamp
    /// The name that the user gave it, at most ``labelBytes`` bytes of UTF-8; may be empty.
    public let label: String

    public static let labelBytes = 64

    public init(number: UInt32, kind: ProtectorKind, added: Timestamp, label: String) {
        self.number = number
        self.kind = kind
        self.added = added
        self.label = label
    }
}

/// The protectors of a keychain and the failed attempts to open it.
public struct ProtectorReport: Hashable, Sendable {
    public let protectors: [ProtectorDescription]
    /// Wrong passcodes and login passwords since the last correct one.
    public let failedAttempts: UInt32
    /// Seconds until the next attempt is checked, rounded up; 0 if it may be made now.
    public let retryAfterSeconds: UInt32

    public init(protectors: [ProtectorDescription], failedAttempts: UInt32, retryAfterSeconds: UInt32) {
        self.protectors = protectors
        self.failedAttempts = failedAttempts
        self.retryAfterSeconds = retryAfterSeconds
    }
}
