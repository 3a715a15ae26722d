// SPDX-License-Identifier: Apache-2.0

/// A file format of keys and certificates. Apple's names and numbers.
public enum SecExternalFormat: UInt32, Sendable {
    /// Determined by the bytes, or by the items.
    case formatUnknown = 0
    /// Keys: PKCS #1 and SEC 1, public keys as SubjectPublicKeyInfo; unencrypted PKCS #8 is read too.
    case formatOpenSSL = 1
    /// The files of OpenSSH's first version. Not supported.
    case formatSSH = 2
    /// RSA keys: public keys as PKCS #1, private keys as PKCS #8.
    case formatBSAFE = 3
    /// The bytes of a symmetric key. Not supported.
    case formatRawKey = 4
    /// Private keys: PKCS #8, encrypted.
    case formatWrappedPKCS8 = 5
    /// Private keys: PKCS #1 and SEC 1, encrypted inside PEM. Read only.
    case formatWrappedOpenSSL = 6
    /// Not supported.
    case formatWrappedSSH = 7
    /// Not supported.
    case formatWrappedLSH = 8
    /// One certificate in DER.
    case formatX509Cert = 9
    /// Several keys and certificates in PEM, one after the other.
    case formatPEMSequence = 10
    /// Certificates: PKCS #7 without signed content.
    case formatPKCS7 = 11
    /// Private keys and certificates, encrypted.
    case formatPKCS12 = 12
    /// Certificates: a Netscape certificate sequence.
    case formatNetscapeCertSequence = 13
    /// The files of OpenSSH; private keys are written without encryption.
    case formatSSHv2 = 14
}

/// The kind of contents of a file. Apple's names and numbers.
public enum SecExternalItemType: UInt32, Sendable {
    /// Determined by the bytes.
    case itemTypeUnknown = 0
    case itemTypePrivateKey = 1
    case itemTypePublicKey = 2
    /// A symmetric key. Not supported.
    case itemTypeSessionKey = 3
    case itemTypeCertificate = 4
    /// Several items, as in PKCS #7, PKCS #12 and sequences.
    case itemTypeAggregate = 5
}
