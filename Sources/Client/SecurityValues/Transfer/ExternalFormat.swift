// SPDX-License-Identifier: Apache-2.0

internal import KeychainTransfer

/// A file format of keys and certificates, with the numbers of `SecExternalFormat`, which has their descriptions.
package enum ExternalFormat: UInt32, CaseIterable, Sendable {
    case unknown = 0
    case openSSL = 1
    case ssh = 2
    case bsafe = 3
    case rawKey = 4
    case wrappedPKCS8 = 5
    case wrappedOpenSSL = 6
    case wrappedSSH = 7
    case wrappedLSH = 8
    case x509 = 9
    case pemSequence = 10
    case pkcs7 = 11
    case pkcs12 = 12
    case netscapeSequence = 13
    case sshv2 = 14
}

/// The kind of contents of a file, with the numbers of `SecExternalItemType`.
package enum ExternalItemType: UInt32, CaseIterable, Sendable {
    case unknown = 0
    case privateKey = 1
    case publicKey = 2
    case sessionKey = 3
    case certificate = 4
    case aggregate = 5
}

extension TransferContents {
    var externalFormat: ExternalFormat {
        switch format {
        case .openSSL: .openSSL
        case .openSSH: .sshv2
        case .wrappedPKCS8: .wrappedPKCS8
        case .wrappedOpenSSL: .wrappedOpenSSL
        case .certificate: .x509
        case .pemSequence: .pemSequence
        case .pkcs7: .pkcs7
        case .pkcs12: .pkcs12
        case .netscapeSequence: .netscapeSequence
        }
    }

    var externalType: ExternalItemType {
        switch format {
        case .pemSequence, .pkcs7, .pkcs12, .netscapeSequence: .aggregate
        case .certificate: .certificate
        case .openSSL, .openSSH, .wrappedPKCS8, .wrappedOpenSSL:
            switch items.first {
            case .privateKey: .privateKey
            case .publicKey, .certificate, nil: .publicKey
            }
        }
    }

    /// Whether the detected format or kind equals the expected one.
    func fits(_ expected: ExternalFormat) -> Bool {
        switch expected {
        case .unknown: true
        case .pemSequence: isPEM
        case .bsafe: format == .openSSL
        case .openSSL, .ssh, .rawKey, .wrappedPKCS8, .wrappedOpenSSL, .wrappedSSH, .wrappedLSH, .x509, .pkcs7, .pkcs12,
            .netscapeSequence, .sshv2:
            externalFormat == expected
        }
    }
}
