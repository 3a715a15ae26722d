// SPDX-License-Identifier: Apache-2.0

import KeychainCertificates
import KeychainKeys

/// Decodes certificates, names and PEM from untrusted sources. The first byte selects the decoder.
func fuzzCertificates(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let input = Array(bytes.dropFirst())
    switch first & 3 {
    case 0: readCertificate(input)
    case 1: readName(input)
    case 2: readText(input)
    default: readTextOf(input)
    }
}

private func readCertificate(_ input: [UInt8]) {
    guard let certificate = try? Certificate(input) else { return }
    check(certificate.encoded == input, "a certificate has other bytes than it was made of")
    checkNormal(certificate.issuer)
    checkNormal(certificate.subject)
    let attributes = CertificateAttributes(certificate)
    check(attributes.label == certificate.subjectSummary, "the label is not the summary")
    _ = (certificate.dnsNames, certificate.ipAddresses, certificate.uris, certificate.extensions.map { "\($0.type)" })
    if let key = try? certificate.publicKey() {
        check(key.hash == certificate.publicKeyInfo.hash, "a key has another hash than its certificate")
    }
    guard (try? Certificate.certificates(inPEM: certificate.pem.utf8)) == [certificate] else {
        finding("a certificate's PEM reads as something else")
    }
}

private func readName(_ input: [UInt8]) {
    guard let name = try? DistinguishedName(input) else {
        return check(DistinguishedName.queryValue(input) == input, "what is no name was changed")
    }
    check(name.encoded == input, "a name has other bytes than it was made of")
    checkNormal(name)
}

private func checkNormal(_ name: DistinguishedName) {
    guard let again = try? DistinguishedName(name.normalizedSequence) else { finding("a normal name is no name") }
    check(again.normalizedContent == name.normalizedContent, "a normal name has another normal form")
    check(again.attributes.count == name.attributes.count, "a normal name has other attributes")
}

private func readText(_ input: [UInt8]) {
    _ = try? Certificate.certificates(inPEM: input)
    guard let blocks = try? PEM.blocks(in: input) else { return }
    check(blocks.isEmpty || PEM.isPresent(in: input), "a text has blocks and none")
}

private func readTextOf(_ input: [UInt8]) {
    let text = PEM.text(label: "CERTIFICATE", bytes: input)
    guard let blocks = try? PEM.blocks(in: text.utf8), blocks.map(\.bytes) == [input] else {
        finding("what is written as PEM reads as something else")
    }
}
