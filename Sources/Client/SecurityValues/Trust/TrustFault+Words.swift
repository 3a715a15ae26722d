// SPDX-License-Identifier: Apache-2.0

package import KeychainHelperWire
package import KeychainModel

extension TrustAnswer.Fault {
    /// Apple's status code for the fault.
    package var status: StatusCode {
        switch self {
        case .anchorNotTrusted: .notTrusted
        case .missingIssuer, .tooComplex: .chainFailed
        case .expired: .certificateExpired
        case .notYetValid: .certificateNotYetValid
        case .hostName: .hostNameMismatch
        case .mailAddress: .mailAddressNotFound
        case .keyUsage: .invalidKeyUsage
        case .extendedKeyUsage: .invalidExtendedKeyUsage
        case .basicConstraints: .noBasicConstraintsOfAuthority
        case .pathLength: .pathLengthExceeded
        case .nameConstraints: .invalidName
        case .criticalExtension: .unknownCriticalExtension
        case .keySize: .unsupportedKeySize
        case .signatureAlgorithm: .invalidDigestAlgorithm
        case .validityPeriod: .validityPeriodTooLong
        case .revocationUnknown: .incompleteRevocationCheck
        case .malformed: .unknownExtension
        case .emptySubject: .invalidSubject
        }
    }

    /// The error message for a certificate of this name, in Apple's words if Apple has some.
    package func sentence(_ name: String) -> String {
        let certificate = "\u{201C}\(name)\u{201D} certificate"
        return switch self {
        case .anchorNotTrusted, .missingIssuer: "\(certificate) is not trusted"
        case .expired: "\(certificate) is expired"
        case .notYetValid: "\(certificate) is not valid yet"
        case .hostName, .mailAddress: "\(certificate) name does not match input"
        case .keyUsage, .extendedKeyUsage: "\(certificate) is not permitted for this usage"
        case .nameConstraints: "\(certificate) does not meet issuer constraints"
        case .basicConstraints, .pathLength, .criticalExtension, .validityPeriod, .malformed, .emptySubject:
            "\(certificate) is not standards compliant"
        case .keySize: "\(certificate) is using a broken key size"
        case .signatureAlgorithm: "\(certificate) is using a broken signature algorithm"
        case .revocationUnknown: "\(certificate) has an unknown revocation status"
        case .tooComplex: "\(certificate) has too many possible issuers"
        }
    }

    /// The details of the fault, for an administrator who repairs it.
    package var detail: String {
        switch self {
        case .anchorNotTrusted: "Self-signed, but not an anchor"
        case .missingIssuer: "Unable to find the issuer's certificate"
        case .expired: "Certificate has expired"
        case .notYetValid: "Certificate is not valid yet"
        case .hostName: "Alternative names do not contain the host"
        case .mailAddress: "No name matches the mail address"
        case .keyUsage: "Key usage does not allow this use"
        case .extendedKeyUsage: "Extended key usage does not allow this use"
        case .basicConstraints: "Basic constraints do not mark it as an authority"
        case .pathLength: "The chain has more authorities than its path length allows"
        case .nameConstraints: "An issuer's name constraints do not allow its names"
        case .criticalExtension: "A critical extension is unknown"
        case .keySize: "Key is too small"
        case .signatureAlgorithm: "Signature algorithm is weak or unknown"
        case .validityPeriod: "Validity period is too long for a server's certificate"
        case .revocationUnknown: "Revocation status could not be determined"
        case .malformed: "An extension or the encoding is malformed"
        case .tooComplex: "The search for its issuers exceeded a limit"
        case .emptySubject: "Subject is empty, and the certificate has no alternative names"
        }
    }

    /// Whether an exception should not be possible.
    package var isFatal: Bool {
        switch self {
        case .keySize, .signatureAlgorithm, .malformed: true
        case .anchorNotTrusted, .missingIssuer, .expired, .notYetValid, .hostName, .mailAddress, .keyUsage,
            .extendedKeyUsage, .basicConstraints, .pathLength, .nameConstraints, .criticalExtension, .validityPeriod,
            .revocationUnknown, .tooComplex, .emptySubject:
            false
        }
    }

    /// Of several faults, the one with the lowest rank is the error: Apple's order.
    var rank: Int {
        switch self {
        case .revocationUnknown: 0
        case .keySize: 1
        case .signatureAlgorithm: 2
        case .malformed, .criticalExtension, .basicConstraints, .pathLength, .validityPeriod, .emptySubject: 3
        case .expired, .notYetValid: 4
        case .tooComplex, .missingIssuer, .anchorNotTrusted: 5
        case .hostName, .mailAddress: 6
        case .keyUsage, .extendedKeyUsage: 7
        case .nameConstraints: 8
        }
    }
}
