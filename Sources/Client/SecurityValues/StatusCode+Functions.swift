// SPDX-License-Identifier: Apache-2.0

package import KeychainKeys
package import KeychainModel

/// Status codes of functions that need no keychain, so the service never returns them.
extension StatusCode {
    /// `errSecTrustNotAvailable`
    package static let trustNotAvailable = Self(rawValue: -25245)
    /// `errSecUnsupportedFormat`
    package static let unsupportedFormat = Self(rawValue: -25256)
    /// `errSecUnknownFormat`
    package static let unknownFormat = Self(rawValue: -25257)
    /// `errSecMultiplePrivKeys`
    package static let multiplePrivateKeys = Self(rawValue: -25259)
    /// `errSecPassphraseRequired`
    package static let passphraseRequired = Self(rawValue: -25260)
    /// `errSecPkcs12VerifyFailure`
    package static let wrongPassphrase = Self(rawValue: -25264)
    /// `errSecVerifyFailed`
    static let verificationFailed = Self(rawValue: -67808)

    // Faults of certificates.

    /// `errSecCreateChainFailed`
    static let chainFailed = Self(rawValue: -25318)
    /// `errSecHostNameMismatch`
    static let hostNameMismatch = Self(rawValue: -67602)
    /// `errSecUnknownCriticalExtensionFlag`
    static let unknownCriticalExtension = Self(rawValue: -67603)
    /// `errSecNoBasicConstraintsCA`
    static let noBasicConstraintsOfAuthority = Self(rawValue: -67605)
    /// `errSecInvalidKeyUsageForPolicy`
    static let invalidKeyUsage = Self(rawValue: -67608)
    /// `errSecInvalidExtendedKeyUsage`
    static let invalidExtendedKeyUsage = Self(rawValue: -67609)
    /// `errSecPathLengthConstraintExceeded`
    static let pathLengthExceeded = Self(rawValue: -67611)
    /// `errSecUnknownCertExtension`
    static let unknownExtension = Self(rawValue: -67618)
    /// `errSecSMIMEEmailAddressesNotFound`
    static let mailAddressNotFound = Self(rawValue: -67623)
    /// `errSecIncompleteCertRevocationCheck`
    static let incompleteRevocationCheck = Self(rawValue: -67635)
    /// `errSecInvalidSubjectName`
    static let invalidSubject = Self(rawValue: -67655)
    /// `errSecInvalidName`
    static let invalidName = Self(rawValue: -67689)
    /// `errSecUnsupportedKeySize`
    static let unsupportedKeySize = Self(rawValue: -67735)
    /// `errSecInvalidDigestAlgorithm`
    static let invalidDigestAlgorithm = Self(rawValue: -67815)
    /// `errSecCertificateExpired`
    static let certificateExpired = Self(rawValue: -67818)
    /// `errSecCertificateNotValidYet`
    static let certificateNotYetValid = Self(rawValue: -67819)
    /// `errSecNotTrusted`
    static let notTrusted = Self(rawValue: -67843)
    /// `errSecCertificateValidityPeriodTooLong`
    static let validityPeriodTooLong = Self(rawValue: -67901)
}

extension KeyError {
    /// The status of a function for keys.
    package var status: StatusCode {
        switch kind {
        case .invalid, .unsupportedAlgorithm: .parameter
        case .sizeNotAllowed: .keySizeNotAllowed
        case .verificationFailed: .verificationFailed
        case .failed: .internalComponent
        }
    }
}
