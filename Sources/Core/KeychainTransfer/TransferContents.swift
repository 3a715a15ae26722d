// SPDX-License-Identifier: Apache-2.0

public import KeychainCertificates
public import KeychainKeys

/// A format of files with keys and certificates, by Apple's distinction.
public enum TransferFormat: Hashable, Sendable, CaseIterable {
    /// Keys in clear: PKCS #1, SEC 1, PKCS #8 and SubjectPublicKeyInfo.
    case openSSL
    /// The key files of OpenSSH, and its lines of public keys.
    case openSSH
    /// PKCS #8, encrypted.
    case wrappedPKCS8
    /// PKCS #1 and SEC 1, encrypted inside PEM.
    case wrappedOpenSSL
    /// One certificate.
    case certificate
    /// Several blocks of PEM.
    case pemSequence
    case pkcs7
    case pkcs12
    case netscapeSequence
}

/// The contents of a file.
public struct TransferContents: Sendable {
    public enum Item: Sendable, Equatable {
        case certificate(Certificate)
        case publicKey(PublicKey)
        case privateKey(PrivateKey)
    }

    public let format: TransferFormat
    /// In the order of the file; in PKCS #12 the keys come first.
    public let items: [Item]
    /// The contents of a PKCS #12 file, with more details of its keys and certificates.
    public let pkcs12: PKCS12?
    public let isPEM: Bool
}
