// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import SecurityValues
import Testing

@testable import KeychainCommands

@Suite("security: import and export")
struct SecurityTransferTests {
    let tester = CommandLineTester()
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func security(_ words: String...) -> CommandLineTester.Outcome {
        tester.run(["security"] + words, input: [])
    }

    /// One of TestVectors/transfer-v1.json as a file.
    private func file(_ about: String) throws -> String {
        struct Vector: Decodable {
            let about: String
            let file: String
        }
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let content = try Data(contentsOf: root.appending(path: "TestVectors/transfer-v1.json"))
        let vectors = try JSONDecoder().decode([Vector].self, from: content)
        let digits = try #require(vectors.first { $0.about == about }).file.compactMap(\.hexDigitValue)
        let bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        try Data(bytes).write(to: folder.url("file"))
        return folder.path("file")
    }

    private let imported = "1 identity imported.\n2 certificates imported.\n"

    // MARK: Import

    @Test func `what was imported is counted, and found afterwards`() throws {
        // Today, in the certificates' time.
        tester.secondsSince1970 = 1_795_000_000
        let file = try file("PKCS #12 as OpenSSL 3 writes it")
        #expect(security("import", file, "-P", "correct horse") == .init(status: 0, output: Array(imported.utf8)))
        #expect(security("find-identity", "-v").outputText.hasSuffix("1 valid identities found\n"))
        #expect(security("find-certificate", "-a").outputText.components(separatedBy: "keychain: ").count == 4)
        #expect(security("find-key", "-t", "private", "-l", "Ann's identity").status == 0, "its name in the file")
        let again = security("import", file, "-P", "correct horse")
        #expect(again.status == 1)
        #expect(
            again.errorText
                == "security: SecKeychainItemImport: The specified item already exists in the keychain.\n")
    }

    @Test func `keys and certificates are counted one by one`() throws {
        let key = security("import", try file("PKCS #8 of P-256"), "-t", "priv", "-f", "openssl", "-A", "-T", "/a")
        #expect(key.outputText == "1 key imported.\n")
        #expect(security("find-key", "-t", "private", "-l", "Imported Private Key").status == 0, "it has no name")
        let certificates = security("import", try file("a bag of PKCS #7"), "-a", "name", "value", "-t", "agg")
        #expect(certificates.outputText == "3 certificates imported.\n")
    }

    @Test func `with -x the private key shall not leave the service`() throws {
        let file = try file("PKCS #12 as OpenSSL 3 writes it")
        #expect(security("import", file, "-x", "-P", "correct horse").outputText == imported)
        let key = try #require(tester.keychain.items.first { $0.attributes.itemClass == .key })
        #expect(key.attributes[.isExtractable] == .number(0))
    }

    @Test func `the passphrase is asked for, twice where it was wrong`() throws {
        let file = try file("PKCS #12 as OpenSSL 3 writes it")
        tester.answers = ["wrong horse", "correct horse"]
        let outcome = security("import", file)
        #expect(outcome.outputText == imported)
        #expect(
            outcome.errorText == """
                passphrase of the file: 
                security: the passphrase is wrong, or the file was changed
                passphrase of the file: 

                """)
        tester.answers = ["wrong", "wrong", "correct horse"]
        #expect(security("import", file).status == 1)
        tester.answers = nil
        #expect(tester.run("security", "import", file, typing: "correct horse\n").errorText.contains("already exists"))
    }

    @Test func `what cannot be read says why`() throws {
        let text = security("import", try file("text"))
        #expect(text.status == 1)
        #expect(
            text.errorText == """
                security: SecKeychainItemImport: OSStatus -25257
                security: the file is not in a supported format of keys and certificates

                """)
        let old = try CryptoHelper.$current.withValue(CryptoHelper(ask: nil)) {
            security("import", try file("PKCS #12 as OpenSSL wrote it before, with RC2"), "-P", "correct horse")
        }
        #expect(old.errorText.contains("openssl pkcs12 -legacy -in OLD -nodes | openssl pkcs12 -export -out NEW"))
        #expect(security("import", folder.path("nothing")).status == 1)
        #expect(security("import", try file("a certificate"), "-k", "other.keychain").status == 1)
        #expect(security("import", try file("a certificate"), "-t", "priv").status == 1)
    }

    @Test(arguments: [
        ["import"], ["import", "-P", "p"], ["import", "f", "-t", "frob"], ["import", "f", "-f", "frob"],
        ["import", "f", "-w", "-f", "x509"], ["import", "f", "g"], ["import", "f", "-a", "name"],
        ["export", "f"], ["export", "-t", "frob"], ["export", "-f", "raw"], ["export", "-w", "-f", "x509"],
    ])
    func `wrong usage shows the usage`(_ words: [String]) {
        let outcome = tester.run(["security"] + words, input: [])
        #expect(outcome.status == 2)
        #expect(outcome.errorText.hasPrefix("Usage: \(words[0]) "))
    }

    // MARK: Export

    private func filled() throws {
        #expect(security("import", try file("PKCS #12 as OpenSSL 3 writes it"), "-P", "correct horse").status == 0)
    }

    @Test func `everything is written as PEM, or in the requested format`() throws {
        try filled()
        let all = security("export").outputText
        #expect(all.components(separatedBy: "-----BEGIN CERTIFICATE-----").count == 4)
        #expect(all.components(separatedBy: "-----BEGIN EC PRIVATE KEY-----").count == 2)
        #expect(!security("export", "-t", "certs").outputText.contains("PRIVATE"))
        #expect(security("export", "-t", "certs", "-f", "pkcs7", "-p").outputText.hasPrefix("-----BEGIN PKCS7-----\n"))
        let key = security("export", "-t", "privKeys", "-f", "pkcs8", "-p", "-P", "p").outputText
        #expect(key.hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"))
        #expect(security("export", "-t", "pubKeys").errorText.contains("could not be found"))
        #expect(
            security("export", "-t", "privKeys", "-w").errorText.contains("security: the old encryption of OpenSSL"))
    }

    @Test func `a file is for its owner alone, and comes back`() throws {
        try filled()
        tester.answers = ["p", "p"]
        let outcome = security("export", "-t", "identities", "-f", "pkcs12", "-o", folder.path("out"))
        #expect(outcome.status == 0)
        #expect(outcome.output.isEmpty)
        let count = try folder.bytes("out").count
        #expect(outcome.errorText.hasSuffix("...\(count) bytes written to \(folder.path("out"))\n"))
        #expect(try folder.mode("out") == 0o600)
        let other = CommandLineTester()
        let back = other.run("security", "import", folder.path("out"), "-P", "p")
        #expect(back.outputText == "1 identity imported.\n")
    }

    @Test func `passphrases that differ export nothing`() throws {
        try filled()
        tester.answers = ["p", "q"]
        let outcome = security("export", "-f", "pkcs12", "-o", folder.path("out"))
        #expect(outcome.status == 1)
        #expect(outcome.errorText.hasSuffix("passphrases don't match\n"))
        #expect(try folder.names() == ["file"])
    }
}
