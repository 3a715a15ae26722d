// SPDX-License-Identifier: Apache-2.0

public import CFTypes

/// The result of an evaluation. Apple's names and numbers.
public enum SecTrustResultType: UInt32, Sendable {
    /// No evaluation was made, or a setting was changed since.
    case invalid = 0
    /// Trusted, because the user or the program accepted an exception (``SecTrustSetExceptions(_:_:)``).
    case proceed = 1
    /// No longer used.
    case confirm = 2
    /// The user does not trust it. Does not occur here.
    case deny = 3
    /// Trusted without an exception.
    case unspecified = 4
    /// Not trusted, but an exception is possible.
    case recoverableTrustFailure = 5
    /// Not trusted, and an exception should not be made.
    case fatalTrustFailure = 6
    /// The evaluation was not completed.
    case otherError = 7
}

/// The faults that an evaluation ignores. Apple's names and bits.
public struct SecTrustOptionFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Ignores dates.
    public static let allowExpired = Self(rawValue: 1)
    /// Ignores that the certificate belongs to a certificate authority, which is allowed without this flag too.
    public static let leafIsCA = Self(rawValue: 2)
    /// Issuers may be fetched. Nothing is fetched here.
    public static let fetchIssuerFromNet = Self(rawValue: 4)
    /// Ignores the dates of anchors and of self-signed certificates.
    public static let allowExpiredRoot = Self(rawValue: 8)
    /// Requires a response for each certificate that it was not revoked; ``kSecRevocationRequirePositiveResponse`` is
    /// the policy for that.
    public static let requireRevPerCert = Self(rawValue: 0x10)
    /// Trust settings are not supported here.
    public static let useTrustSettings = Self(rawValue: 0x20)
    /// Self-signed certificates among the given ones are anchors.
    public static let implicitAnchors = Self(rawValue: 0x40)
}

/// Called with the result of ``SecTrustEvaluateAsync(_:_:_:)``.
public typealias SecTrustCallback = (SecTrust, SecTrustResultType) -> Void
/// Called with the result of ``SecTrustEvaluateAsyncWithError(_:_:_:)``: whether the certificate is trusted, and why not.
public typealias SecTrustWithErrorCallback = (SecTrust, Bool, CFError?) -> Void

// The flags of ``SecPolicyCreateRevocation(_:)``. Apple's bits.

/// Use OCSP.
public let kSecRevocationOCSPMethod: CFOptionFlags = 1
/// Use a certificate revocation list.
public let kSecRevocationCRLMethod: CFOptionFlags = 2
/// Prefer a certificate revocation list to OCSP.
public let kSecRevocationPreferCRL: CFOptionFlags = 4
/// Do not trust a certificate without a positive response.
public let kSecRevocationRequirePositiveResponse: CFOptionFlags = 8
/// Use only cached responses.
public let kSecRevocationNetworkAccessDisabled: CFOptionFlags = 16
/// Either method.
public let kSecRevocationUseAnyAvailableMethod: CFOptionFlags = 3
