// SPDX-License-Identifier: Apache-2.0

/// What keeps private keys that never come to the service, and where the device key is.
public struct TokenReport: Hashable, Sendable {
    /// Best first: the first one makes new keys. None: there are no such keys here.
    public var tokens: [Token]
    public var deviceKey: DeviceKeyPlace

    public init(tokens: [Token], deviceKey: DeviceKeyPlace) {
        self.tokens = tokens
        self.deviceKey = deviceKey
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
}
