// SPDX-License-Identifier: Apache-2.0

public import CFTypes

// Apple's names that are exported without being declared. Their texts continue the numbers of Apple's declared types;
// programs compare with the constants and do not use the texts.

/// Ed25519 (RFC 8032), a value of kSecAttrKeyType.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeEd25519: CFString = "2147483681"
/// X25519 (RFC 7748), a value of kSecAttrKeyType.
@safe public nonisolated(unsafe) let kSecAttrKeyTypeX25519: CFString = "2147483682"

/// The operation with a key.
public enum SecKeyOperationType: Int, Sendable {
    case sign = 0
    case verify = 1
    case encrypt = 2
    case decrypt = 3
    case keyExchange = 4
}

/// The parameters of ``SecKeyCopyKeyExchangeResult(_:_:_:_:_:)``.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, Sendable {
    private let name: String

    public init(rawValue: CFString) { name = rawValue as String }

    public init(_ rawValue: CFString) { self.init(rawValue: rawValue) }

    public var rawValue: CFString { name as CFString }

    /// `kSecKeyKeyExchangeParameterRequestedSize`. CFNumber: the number of bytes that a key derivation returns.
    public static let requestedSize = Self("requestedSize" as CFString)
    /// `kSecKeyKeyExchangeParameterSharedInfo`. CFData: additional input of a key derivation.
    public static let sharedInfo = Self("sharedInfo" as CFString)
}

@available(*, unavailable, renamed: "SecKeyKeyExchangeParameter.requestedSize")
public var kSecKeyKeyExchangeParameterRequestedSize: SecKeyKeyExchangeParameter { .requestedSize }
@available(*, unavailable, renamed: "SecKeyKeyExchangeParameter.sharedInfo")
public var kSecKeyKeyExchangeParameterSharedInfo: SecKeyKeyExchangeParameter { .sharedInfo }

/// The paddings of the older functions, ``SecKeyRawSign(_:_:_:_:_:_:)`` and so on. Each is a separate value; the empty
/// set is no padding.
public struct SecPadding: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// `kSecPaddingPKCS1`
    public static let PKCS1 = Self(rawValue: 1)
    /// `kSecPaddingOAEP`
    public static let OAEP = Self(rawValue: 2)
    /// `kSecPaddingSigRaw`: the two numbers of an ECDSA signature, concatenated.
    public static let sigRaw = Self(rawValue: 0x4000)
    /// `kSecPaddingPKCS1MD2`
    public static let PKCS1MD2 = Self(rawValue: 0x8000)
    /// `kSecPaddingPKCS1MD5`
    public static let PKCS1MD5 = Self(rawValue: 0x8001)
    /// `kSecPaddingPKCS1SHA1`
    public static let PKCS1SHA1 = Self(rawValue: 0x8002)
    /// `kSecPaddingPKCS1SHA224`
    public static let PKCS1SHA224 = Self(rawValue: 0x8003)
    /// `kSecPaddingPKCS1SHA256`
    public static let PKCS1SHA256 = Self(rawValue: 0x8004)
    /// `kSecPaddingPKCS1SHA384`
    public static let PKCS1SHA384 = Self(rawValue: 0x8005)
    /// `kSecPaddingPKCS1SHA512`
    public static let PKCS1SHA512 = Self(rawValue: 0x8006)
}
