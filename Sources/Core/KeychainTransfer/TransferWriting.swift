// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
public import KeychainKeys

/// One key as a file: its bytes, and its PEM label. OpenSSH's lines have no label, because they are text already.
public struct KeyFile: Sendable {
    public let bytes: [UInt8]
    public let label: String?

    /// Returns PKCS #1 or SEC 1; PKCS #8 for keys on Curve25519, which have no other form. The caller wipes it.
    public static func openSSL(_ key: PrivateKey) -> KeyFile {
        switch key.type {
        case .rsa: KeyFile(bytes: key.traditional ?? [], label: "RSA PRIVATE KEY")
        case .ellipticCurve: KeyFile(bytes: key.traditional ?? [], label: "EC PRIVATE KEY")
        case .ed25519, .x25519: pkcs8(key)
        }
    }

    /// Returns a SubjectPublicKeyInfo.
    public static func openSSL(_ key: PublicKey) -> KeyFile {
        KeyFile(bytes: key.subjectPublicKeyInfo, label: "PUBLIC KEY")
    }

    public static func pkcs8(_ key: PrivateKey) -> KeyFile { KeyFile(bytes: key.pkcs8, label: "PRIVATE KEY") }

    /// Returns PKCS #8 encrypted with AES-256, see ``PrivateKey/encryptedPKCS8(passphrase:derivation:using:)``.
    public static func wrappedPKCS8(
        _ key: PrivateKey, passphrase: Passphrase, using generator: inout some RandomNumberGenerator
    ) -> KeyFile {
        KeyFile(
            bytes: key.encryptedPKCS8(passphrase: passphrase, using: &generator), label: "ENCRYPTED PRIVATE KEY")
    }

    /// Returns PKCS #1. Nil for keys other than RSA.
    public static func pkcs1(_ key: PublicKey) -> KeyFile? {
        key.type == .rsa ? KeyFile(bytes: Array(key.externalRepresentation), label: "RSA PUBLIC KEY") : nil
    }

    /// Returns a key file of OpenSSH, not encrypted. Nil for X25519.
    public static func openSSH(_ key: PrivateKey, using generator: inout some RandomNumberGenerator) -> KeyFile? {
        key.openSSH(check: generator.next()).map { KeyFile(bytes: $0, label: "OPENSSH PRIVATE KEY") }
    }

    /// Returns OpenSSH's line with its end. Nil for X25519.
    public static func openSSH(_ key: PublicKey) -> KeyFile? {
        key.openSSHLine.map { KeyFile(bytes: Array("\($0)\n".utf8), label: nil) }
    }

    /// The text in PEM, if there is a label.
    public var text: String {
        label.map { PEM.text(label: $0, bytes: bytes) } ?? String(decoding: bytes, as: UTF8.self)
    }
}
