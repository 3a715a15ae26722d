// SPDX-License-Identifier: Apache-2.0

/// A format of files of keys and certificates. Apple's names and numbers.
public enum SecExternalFormat: UInt32, Sendable {
    /// What the bytes, or the items, call for.
    case formatUnknown = 0
    /// Keys: PKCS #1 and SEC 1, public keys as SubjectPublicKeyInfo; PKCS #8 in clear is read too.
    case formatOpenSSL = 1
    /// The files of OpenSSH's first version. Not there.
    case formatSSH = 2
    /// RSA keys: public ones as PKCS #1, private ones as PKCS #8.
    case formatBSAFE = 3
    /// The bytes of a symmetric key. Not there.
    case formatRawKey = 4
    /// Private keys: PKCS #8, encrypted.
    case formatWrappedPKCS8 = 5
    /// Private keys: PKCS #1 and SEC 1, encrypted inside PEM. Read only.
    case formatWrappedOpenSSL = 6
    /// Not there.
    case formatWrappedSSH = 7
    /// Not there.
    case formatWrappedLSH = 8
    /// One certificate in DER.
    case formatX509Cert = 9
    /// Several keys and certificates, one after the other in PEM.
    case formatPEMSequence = 10
    /// Certificates: PKCS #7 without anything signed.
    case formatPKCS7 = 11
    /// Private keys and certificates, encrypted.
    case formatPKCS12 = 12
    /// Certificates: a sequence of Netscape's.
    case formatNetscapeCertSequence = 13
    /// The files of OpenSSH; private keys are written without encryption.
    case formatSSHv2 = 14
}

/// A kind of what is in a file. Apple's names and numbers.
public enum SecExternalItemType: UInt32, Sendable {
    /// What the bytes call for.
    case itemTypeUnknown = 0
    case itemTypePrivateKey = 1
    case itemTypePublicKey = 2
    /// A symmetric key. Not there.
    case itemTypeSessionKey = 3
    case itemTypeCertificate = 4
    /// Several of them, as in PKCS #7, PKCS #12 and sequences.
    case itemTypeAggregate = 5
}
