// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainKeys
internal import SwiftASN1

extension PKCS12 {
    /// Returns the file: certificates and keys encrypted with AES-256 in CBC and PBKDF2 over HMAC with SHA-256,
    /// authenticated by HMAC with SHA-256, with 100,000 repetitions each. OpenSSL 1.0 and later, Java, Windows 10 and
    /// macOS 12 and later can read it.
    ///
    /// Keys without a `localKeyId`, and certificates for their public halves, get one: the public key's hash.
    public func encoded(
        passphrase: Passphrase, using generator: inout some RandomNumberGenerator
    ) -> [UInt8] {
        let derivation = WrittenDerivation.pbkdf2
        var parts: [[UInt8]] = []
        if !certificates.isEmpty {
            let hashes = Set(keys.map(\.content.publicKey.hash))
            let bags = certificates.map { entry in
                let hash = entry.content.publicKeyInfo.hash
                return bag(
                    .certificateBag,
                    Encoded.sequence(
                        Encoded.oid(.x509Certificate), Encoded.tagged(0, Encoded.octets(entry.content.encoded))),
                    name: entry.name, keyID: entry.keyID ?? (hashes.contains(hash) ? hash.bytes : nil))
            }
            let (algorithm, ciphertext) = derivation.encrypt(
                Encoded.sequence(of: bags), with: passphrase, using: &generator)
            let content = Encoded.sequence(Encoded.oid(.data), algorithm, Encoded.taggedOctets(0, ciphertext))
            parts.append(
                Encoded.sequence(
                    Encoded.oid(.encryptedData),
                    Encoded.tagged(0, Encoded.sequence(Encoded.number(0), content))))
        }
        if !keys.isEmpty {
            var bags: [[UInt8]] = []
            for entry in keys {
                let key = entry.content.encryptedPKCS8(
                    passphrase: passphrase, derivation: derivation, using: &generator)
                bags.append(
                    bag(
                        .shroudedKeyBag, key, name: entry.name, keyID: entry.keyID ?? entry.content.publicKey.hash.bytes
                    ))
            }
            parts.append(data(Encoded.sequence(of: bags)))
        }
        let contents = Encoded.sequence(of: parts)
        let authentication = FileAuthentication.encoded(
            contents, passphrase, salt: generator.bytes(16), repetitions: WrittenDerivation.repetitions)
        return Encoded.sequence(Encoded.number(3), data(contents), authentication)
    }
}

/// Returns a ContentInfo of bytes in clear.
private func data(_ bytes: [UInt8]) -> [UInt8] {
    Encoded.sequence(Encoded.oid(.data), Encoded.tagged(0, Encoded.octets(bytes)))
}

private func bag(_ type: ASN1ObjectIdentifier, _ value: [UInt8], name: String?, keyID: [UInt8]?) -> [UInt8] {
    var attributes: [[UInt8]] = []
    if let name { attributes.append(attribute(.friendlyName, Encoded.wideText(name))) }
    if let keyID { attributes.append(attribute(.localKeyID, Encoded.octets(keyID))) }
    // The elements of a set are in the order of their bytes (X.690, 11.6).
    attributes.sort { $0.lexicographicallyPrecedes($1) }
    return Encoded.sequence(
        Encoded.oid(type), Encoded.tagged(0, value), attributes.isEmpty ? [] : Encoded.set(of: attributes))
}

private func attribute(_ type: ASN1ObjectIdentifier, _ value: [UInt8]) -> [UInt8] {
    Encoded.sequence(Encoded.oid(type), Encoded.set(of: [value]))
}
