// SPDX-License-Identifier: Apache-2.0

import KeychainCertificates
import KeychainKeys
import KeychainTransfer
import Testing

@Suite struct WritingTests {
    private static let families = ["RSA", "P-256", "P-384", "P-521", "Ed25519", "X25519"]

    private static func key(_ family: String) throws -> PrivateKey {
        try TransferVector.privateKey("PKCS #8 of \(family)")
    }

    @Test(arguments: families)
    func `a key that is written is read as the same key`(_ family: String) throws {
        let key = try Self.key(family)
        var generator = SteadyGenerator(seed: 1)
        var files = [KeyFile.openSSL(key), .pkcs8(key)]
        if let file = KeyFile.openSSH(key, using: &generator) { files.append(file) }
        #expect(files.count == (family == "X25519" ? 2 : 3))
        for file in files {
            #expect(try TransferReader().contents(of: file.text.utf8).items == [.privateKey(key)])
        }
        let publicFiles: [KeyFile?] = [
            KeyFile.openSSL(key.publicKey), KeyFile.pkcs1(key.publicKey), KeyFile.openSSH(key.publicKey),
        ]
        for file in publicFiles.compactMap({ $0 }) {
            let contents = try TransferReader().contents(of: file.text.utf8)
            #expect(contents.items == [.publicKey(key.publicKey)])
            #expect(try TransferReader().contents(of: file.bytes).items == contents.items)
        }
        #expect((KeyFile.pkcs1(key.publicKey) == nil) == (family != "RSA"))
    }

    @Test func `the bytes are those that other programs write`() throws {
        for family in Self.families {
            let key = try Self.key(family)
            #expect(key.pkcs8 == TransferVector.about("PKCS #8 of \(family)").bytes)
            #expect(
                key.publicKey.subjectPublicKeyInfo == TransferVector.about("SubjectPublicKeyInfo of \(family)").bytes)
            if let line = key.publicKey.openSSHLine {
                #expect(TransferVector.about("a line of OpenSSH for \(family)").bytes.starts(with: line.utf8))
            }
        }
        for family in ["RSA", "P-256", "P-521"] {
            #expect(try Self.key(family).traditional == TransferVector.about("the traditional form of \(family)").bytes)
        }
        let bag = try TransferVector.contents("a bag of PKCS #7")
        #expect(
            CertificateBag.pkcs7(bag.items.compactMap(\.certificate)) == TransferVector.about("a bag of PKCS #7").bytes)
        let sequence = TransferVector.about("a sequence of certificates of Netscape's")
        let certificates = try sequence.reader.contents(of: sequence.bytes).items.compactMap(\.certificate)
        #expect(CertificateBag.netscapeSequence(certificates) == sequence.bytes)
    }

    @Test(arguments: [WrittenDerivation.pbkdf2, .scrypt])
    func `an encrypted key opens with its passphrase and no other`(_ derivation: WrittenDerivation) throws {
        let key = try Self.key("P-256")
        var generator = SteadyGenerator(seed: 2)
        let bytes = key.encryptedPKCS8(
            passphrase: Passphrase("sésame"), derivation: derivation, using: &generator)
        #expect(try PrivateKey.pkcs8(decrypting: bytes, passphrase: Passphrase("sésame")) == key.pkcs8)
        #expect(try PrivateKey(encryptedPKCS8: bytes, passphrase: Passphrase("sésame")) == key)
        let error = #expect(throws: TransferError.self) {
            try PrivateKey(encryptedPKCS8: bytes, passphrase: Passphrase("sesame"))
        }
        #expect(error?.kind == .wrongPassphrase)
        let again = key.encryptedPKCS8(
            passphrase: Passphrase("sésame"), derivation: derivation, using: &generator)
        #expect(bytes.suffix(16) != again.suffix(16), "salt and vector are new each time")
    }

    @Test(arguments: ["sésame 😀", ""])
    func `a PKCS #12 file that is written is read as the same`(_ passphrase: String) throws {
        let source = try #require(try TransferVector.contents("PKCS #12 as OpenSSL 3 writes it").pkcs12)
        var generator = SteadyGenerator(seed: 3)
        let passphrase = Passphrase(passphrase)
        let bytes = source.encoded(passphrase: passphrase, using: &generator)
        let read = try PKCS12(bytes, passphrase: passphrase)
        #expect(read.keys == source.keys)
        #expect(read.certificates == source.certificates)
        let error = #expect(throws: TransferError.self) { try PKCS12(bytes, passphrase: Passphrase("other")) }
        #expect(error?.kind == .wrongPassphrase)
    }

    @Test func `a key and its certificate get an identifier where they have none`() throws {
        let source = try #require(try TransferVector.contents("PKCS #12 authenticated with sha1").pkcs12)
        let bare = PKCS12(
            keys: source.keys.map { .init($0.content) }, certificates: source.certificates.map { .init($0.content) })
        var generator = SteadyGenerator(seed: 4)
        let read = try PKCS12(bare.encoded(passphrase: Passphrase("p"), using: &generator), passphrase: Passphrase("p"))
        let hash = source.keys[0].content.publicKey.hash.bytes
        #expect(read.keys.map(\.keyID) == [hash])
        #expect(read.certificates.map(\.keyID) == [hash])
    }

    @Test func `a file with nothing in it is a file`() throws {
        var generator = SteadyGenerator(seed: 5)
        let bytes = PKCS12(keys: [], certificates: []).encoded(passphrase: Passphrase("p"), using: &generator)
        let read = try PKCS12(bytes, passphrase: Passphrase("p"))
        #expect(read.keys.isEmpty && read.certificates.isEmpty)
        #expect(try CertificateBag.certificates(inPKCS7: CertificateBag.pkcs7([])).isEmpty)
    }
}

extension TransferContents.Item {
    var certificate: Certificate? {
        if case .certificate(let certificate) = self { certificate } else { nil }
    }
}
