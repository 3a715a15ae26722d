// SPDX-License-Identifier: Apache-2.0

/// The tokens that keep private keys outside the service, and the location of the device key.
public struct TokenReport: Hashable, Sendable {
    /// The tokens, best first: the first one makes new keys. Empty: no token is available.
    public var tokens: [Token]
    public var deviceKey: DeviceKeyLocation
    /// The attempts to enter the device key's PIN; nil if it has none.
    public var pin: PIN?

    public init(tokens: [Token], deviceKey: DeviceKeyLocation, pin: PIN? = nil) {
        self.tokens = tokens
        self.deviceKey = deviceKey
        self.pin = pin
    }

    /// The attempts to enter the device key's PIN.
    public struct PIN: Hashable, Sendable {
        /// Wrong PINs since the last correct one.
        public var failedAttempts: UInt32
        /// Seconds until the next attempt is checked, rounded up; 0 if it may be made now. The token may have its own
        /// delay (``Lockout``).
        public var retryAfterSeconds: UInt32

        public init(failedAttempts: UInt32 = 0, retryAfterSeconds: UInt32 = 0) {
            self.failedAttempts = failedAttempts
            self.retryAfterSeconds = retryAfterSeconds
        }
    }

    public struct Token: Hashable, Sendable {
        /// The raw value is the number on the wire.
        public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
            /// A separate process with its own file: no hardware.
            case software = 1
            /// A TPM 2.0.
            case tpm = 2
        }

        public enum State: Hashable, Sendable {
            case available(Facts)
            /// The reason; a sentence without a full stop.
            case unavailable(String)
        }

        public var kind: Kind
        public var state: State

        public init(_ kind: Kind, _ state: State) {
            self.kind = kind
            self.state = state
        }
    }

    /// Facts that a token reports about itself.
    public struct Facts: Hashable, Sendable {
        /// The manufacturer, such as `IBM` or `INTC`; empty if unknown.
        public var manufacturer: String
        public var firmware: String
        /// The file or device of the token.
        public var place: String
        public var lockout: Lockout?

        public init(manufacturer: String, firmware: String, place: String, lockout: Lockout?) {
            self.manufacturer = manufacturer
            self.firmware = firmware
            self.place = place
            self.lockout = lockout
        }
    }

    /// The token's counter of wrong passwords.
    public struct Lockout: Hashable, Sendable {
        public var failures: UInt32
        /// The number that locks it.
        public var limit: UInt32
        /// Seconds until one wrong password is forgotten.
        public var interval: UInt32

        public init(failures: UInt32, limit: UInt32, interval: UInt32) {
            self.failures = failures
            self.limit = limit
            self.interval = interval
        }
    }
}

/// The location of the key that binds a keychain to its device. The raw value is the number on the wire.
public enum DeviceKeyLocation: UInt8, CaseIterable, Hashable, Sendable {
    /// Unsealed, in a file that only the service can read.
    case file = 1
    /// In such a file, sealed to the machine's TPM.
    case tpm = 2
    /// In such a file, sealed to the token without hardware; only with a PIN.
    case software = 3
}

/// The new location of the device key, and its PINs. `Secret` as in ``ProtectorSecret``.
public struct DeviceKeyMove<Secret> {
    public var place: DeviceKeyLocation
    /// The current PIN; nil if it has none.
    public var pin: Secret?
    /// The new PIN; nil for none.
    public var newPIN: Secret?

    public init(to place: DeviceKeyLocation, pin: Secret? = nil, newPIN: Secret? = nil) {
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
