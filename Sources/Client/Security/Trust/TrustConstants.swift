// SPDX-License-Identifier: Apache-2.0

public import CFTypes

/// What came of an evaluation. Apple's names and numbers.
public enum SecTrustResultType: UInt32, Sendable {
    /// There was no evaluation, or something was changed since.
    case invalid = 0
    /// Trusted, because the user or the program said so (``SecTrustSetExceptions(_:_:)``).
    case proceed = 1
    /// Not used any more.
    case confirm = 2
    /// The user said that it is not to be trusted. Does not occur here.
    case deny = 3
    /// Trusted, and nobody had to say so.
    case unspecified = 4
    /// Not trusted, but somebody could decide otherwise.
    case recoverableTrustFailure = 5
    /// Not trusted, and nothing should change that.
    case fatalTrustFailure = 6
    /// The evaluation did not come to an end.
    case otherError = 7
}

/// What an evaluation overlooks. Apple's names and bits.
public struct SecTrustOptionFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Dates.
    public static let allowExpired = Self(rawValue: 1)
    /// That the certificate is an authority's: allowed without this flag too.
    public static let leafIsCA = Self(rawValue: 2)
    /// Issuers may be fetched. None are here.
    public static let fetchIssuerFromNet = Self(rawValue: 4)
    /// The dates of anchors and of certificates that signed themselves.
    public static let allowExpiredRoot = Self(rawValue: 8)
    /// A proof for each certificate that it was not revoked; ``kSecRevocationRequirePositiveResponse`` is the policy for that.
    public static let requireRevPerCert = Self(rawValue: 0x10)
    /// There are no trust settings here.
    public static let useTrustSettings = Self(rawValue: 0x20)
    /// Certificates that signed themselves are anchors, as far as they were given.
    public static let implicitAnchors = Self(rawValue: 0x40)
}

/// Called with the result of ``SecTrustEvaluateAsync(_:_:_:)``.
public typealias SecTrustCallback = (SecTrust, SecTrustResultType) -> Void
/// Called with the result of ``SecTrustEvaluateAsyncWithError(_:_:_:)``: whether the certificate is trusted, and why not.
public typealias SecTrustWithErrorCallback = (SecTrust, Bool, CFError?) -> Void

// What ``SecPolicyCreateRevocation(_:)`` takes. Apple's bits.

/// Ask by OCSP.
public let kSecRevocationOCSPMethod: CFOptionFlags = 1
/// Ask for a list of revoked certificates.
public let kSecRevocationCRLMethod: CFOptionFlags = 2
/// Prefer such a list to OCSP.
public let kSecRevocationPreferCRL: CFOptionFlags = 4
/// Trust nothing that nobody vouches for.
public let kSecRevocationRequirePositiveResponse: CFOptionFlags = 8
/// Use only what is known already.
public let kSecRevocationNetworkAccessDisabled: CFOptionFlags = 16
/// Either method.
public let kSecRevocationUseAnyAvailableMethod: CFOptionFlags = 3
