// SPDX-License-Identifier: Apache-2.0

import KeychainCertificates
import KeychainKeys
import KeychainTransfer

/// Decodes files of keys and certificates from untrusted sources. The first byte selects: an unchanged file, or the
/// contents of a PKCS #12 file without its authentication, so that the code after the authentication is reached.
func fuzzTransfer(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let input = Array(bytes.dropFirst())
    if first & 1 == 0 {
        read(input)
    } else {
        read(pkcs12(input))
    }
}

private let reader: TransferReader = {
    var reader = TransferReader(passphrase: Passphrase("correct horse"))
    // Key derivation takes time and adds no coverage.
    reader.limits.maximumRepetitions = 200
    reader.limits.maximumMemory = 1 << 20
    return reader
}()

private func read(_ input: [UInt8]) {
    guard let contents = try? reader.contents(of: input) else { return }
    for item in contents.items {
        switch item {
        case .certificate(let certificate):
            let bag = CertificateBag.pkcs7([certificate])
            check((try? CertificateBag.certificates(inPKCS7: bag)) == [certificate], "a certificate is lost in a bag")
        case .publicKey(let key):
            check((try? PublicKey(subjectPublicKeyInfo: key.subjectPublicKeyInfo)) == key, "a public key is lost")
            if let line = key.openSSHLine {
                check((try? PublicKey(openSSHLine: line.utf8)) == key, "a line of OpenSSH reads as something else")
            }
        case .privateKey(let key):
            check((try? PrivateKey(pkcs8: key.pkcs8)) == key, "a private key is lost")
        }
    }
    if let file = contents.pkcs12 {
        for identity in file.identities {
            check(identity.key.publicKey.hash == identity.certificate.publicKeyInfo.hash, "an identity of strangers")
            check(file.chain(from: identity.certificate).first == identity.certificate, "a chain of another's")
        }
    }
}

/// Returns a file with these contents, without an authentication.
private func pkcs12(_ contents: [UInt8]) -> [UInt8] {
    let data: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
    let octets = value(0x04, value(0x30, value(0x30, data + value(0xA0, value(0x04, value(0x30, contents))))))
    return value(0x30, [0x02, 0x01, 0x03] + value(0x30, data + value(0xA0, octets)))
}

private func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    [tag, 0x83] + [16, 8, 0].map { UInt8(content.count >> $0 & 0xFF) } + content
}
