// SPDX-License-Identifier: Apache-2.0

/// What keeps private keys that never come to the service, and where the device key is.
public struct TokenReport: Hashable, Sendable {
    /// Best first: the first one makes new keys. None: there are no such keys here.
    public var tokens: [Token]
    public var deviceKey: DeviceKeyPlace
    /// How its PIN was entered; nil where it has none.
    public var pin: PIN?

    public init(tokens: [Token], deviceKey: DeviceKeyPlace, pin: PIN? = nil) {
        self.tokens = tokens
        self.deviceKey = deviceKey
        self.pin = pin
    }

    /// How entries of the device key's PIN went.
    public struct PIN: Hashable, Sendable {
        /// Wrong ones since the last right one.
        public var failedAttempts: UInt32
        /// How long until the next one is looked at, in whole seconds rounded up; 0 if it may come now. The token may have a delay of
        /// its own (``Lockout``).
        public var retryAfterSeconds: UInt32

        public init(failedAttempts: UInt32 = 0, retryAfterSeconds: UInt32 = 0) {
            self.failedAttempts = failedAttempts
            self.retryAfterSeconds = retryAfterSeconds
        }
    }

    public struct Token: Hashable, Sendable {
        /// The raw value is the number on the wire.
        public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
            /// A process of its own with a file of its own: no hardware.
            case software = 1
            /// A TPM 2.0.
            case tpm = 2
        }

        public enum State: Hashable, Sendable {
            case available(Facts)
            /// Why not; a sentence without a full stop.
            case unavailable(String)
        }

        public var kind: Kind
        public var state: State

        public init(_ kind: Kind, _ state: State) {
            self.kind = kind
            self.state = state
        }
    }

    /// What a token says of itself.
    public struct Facts: Hashable, Sendable {
        /// Such as `IBM` or `INTC`; empty where there is none.
        public var manufacturer: String
        public var firmware: String
        /// The file or the device in which it is.
        public var place: String
        public var lockout: Lockout?

        public init(manufacturer: String, firmware: String, place: String, lockout: Lockout?) {
            self.manufacturer = manufacturer
            self.firmware = firmware
            self.place = place
            self.lockout = lockout
        }
    }

    /// How a token counts wrong passwords.
    public struct Lockout: Hashable, Sendable {
        public var failures: UInt32
        /// How many lock it.
        public var limit: UInt32
        /// Seconds until one is forgotten.
        public var interval: UInt32

        public init(failures: UInt32, limit: UInt32, interval: UInt32) {
            self.failures = failures
            self.limit = limit
            self.interval = interval
        }
    }
}

/// Where the key is that ties a keychain to its device. The raw value is the number on the wire.
public enum DeviceKeyPlace: UInt8, CaseIterable, Hashable, Sendable {
    /// As it is, in a file that only the service can read.
    case file = 1
    /// In such a file, sealed to the machine's TPM.
    case tpm = 2
    /// In such a file, sealed to the token without hardware; only with a PIN.
    case software = 3
}

/// Where the device key shall be, and what opens it there. `Secret` as in ``ProtectorSecret``.
public struct DeviceKeyMove<Secret> {
    public var place: DeviceKeyPlace
    /// The PIN that it has now; nil where it has none.
    public var pin: Secret?
    /// The one that it shall have; nil for none.
    public var newPIN: Secret?

    public init(to place: DeviceKeyPlace, pin: Secret? = nil, newPIN: Secret? = nil) {
        self.place = place
        self.pin = pin
        self.newPIN = newPIN
    }
}

extension DeviceKeyMove: Sendable where Secret: Sendable {}

extension DeviceKeyMove: CustomStringConvertible, CustomReflectable {
    public var description: String { "DeviceKeyMove(\(place))" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
