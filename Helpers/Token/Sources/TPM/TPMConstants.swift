// SPDX-License-Identifier: Apache-2.0

// Numbers of the TPM 2.0 Library specification, part 2, that this module uses.

/// Command codes (6.5.2).
enum TPMCommand: UInt32 {
    case createPrimary = 0x0000_0131
    case create = 0x0000_0153
    case load = 0x0000_0157
    case unseal = 0x0000_015E
    case sign = 0x0000_015D
    case ecdhZGen = 0x0000_0154
    case flushContext = 0x0000_0165
    case startAuthSession = 0x0000_0176
    case getCapability = 0x0000_017A
}

/// Structure tags (6.9).
enum TPMTag {
    static let noSessions: UInt16 = 0x8001
    static let sessions: UInt16 = 0x8002
    static let hashCheckTicket: UInt16 = 0x8024
}

/// Algorithms (6.3).
enum TPMAlgorithm {
    static let aes: UInt16 = 0x0006
    static let keyedHash: UInt16 = 0x0008
    static let sha256: UInt16 = 0x000B
    static let null: UInt16 = 0x0010
    static let ecdsa: UInt16 = 0x0018
    static let ecc: UInt16 = 0x0023
    static let cfb: UInt16 = 0x0043
}

/// Curves (6.4).
enum TPMCurve {
    static let p256: UInt16 = 0x0003
}

/// Permanent handles (7.4).
enum TPMHandle {
    static let owner: UInt32 = 0x4000_0001
    static let null: UInt32 = 0x4000_0007
    /// Authorization by a password, which is always empty here.
    static let password: UInt32 = 0x4000_0009
}

/// Attributes of objects (8.3).
struct ObjectAttributes: OptionSet {
    let rawValue: UInt32

    static let fixedTPM = Self(rawValue: 1 << 1)
    static let fixedParent = Self(rawValue: 1 << 4)
    static let sensitiveDataOrigin = Self(rawValue: 1 << 5)
    static let userWithAuth = Self(rawValue: 1 << 6)
    static let noDictionaryAttackProtection = Self(rawValue: 1 << 10)
    static let restricted = Self(rawValue: 1 << 16)
    static let decrypt = Self(rawValue: 1 << 17)
    static let sign = Self(rawValue: 1 << 18)
}

/// Attributes of sessions (8.4).
struct SessionAttributes: OptionSet {
    let rawValue: UInt8

    static let continueSession = Self(rawValue: 1 << 0)
    /// The first parameter of the command is encrypted.
    static let decrypt = Self(rawValue: 1 << 5)
    /// The first parameter of the response is encrypted.
    static let encrypt = Self(rawValue: 1 << 6)
}

/// Capabilities (6.12) and properties (6.13).
enum TPMCapability {
    static let handles: UInt32 = 1
    static let properties: UInt32 = 6
    static let transientHandles: UInt32 = 0x8000_0000
    static let loadedSessions: UInt32 = 0x0200_0000

    static let manufacturer: UInt32 = 0x105
    static let firmwareVersion1: UInt32 = 0x10B
    static let firmwareVersion2: UInt32 = 0x10C
    static let lockoutCounter: UInt32 = 0x20E
    static let maximumFailures: UInt32 = 0x20F
    static let lockoutInterval: UInt32 = 0x210
}

/// The error code in a TPM's response (6.6).
public struct ResponseCode: Error, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let success = Self(rawValue: 0)
    /// The TPM rejects authorizations for a time after too many wrong ones.
    public static let lockout = Self(rawValue: 0x921)
    /// The TPM is busy; the same command may be sent again.
    static let retry = Self(rawValue: 0x922)
    static let yielded = Self(rawValue: 0x908)
    static let testing = Self(rawValue: 0x90A)

    /// The number of the error without the number of its handle, parameter or session.
    var error: Self { Self(rawValue: isNumbered ? rawValue & 0xBF : rawValue) }

    /// Whether the error identifies a handle, parameter or session.
    private var isNumbered: Bool { rawValue & 0x80 != 0 }

    /// Whether the error concerns a parameter of the command.
    var isAboutParameter: Bool { isNumbered && rawValue & 0x40 != 0 }

    /// A password is wrong.
    static let badAuth = Self(rawValue: 0x0A2)
    static let authFail = Self(rawValue: 0x08E)
    /// The TPM has not been started.
    static let notStarted = Self(rawValue: 0x100)

    /// Whether the command should be sent again.
    var asksForPatience: Bool { [.retry, .yielded, .testing].contains(self) }

    public var description: String { "TPM response code 0x" + String(rawValue, radix: 16) }
}
