// SPDX-License-Identifier: Apache-2.0

import KeychainCertificates
import KeychainKeys
import KeychainTransfer
import Testing

@Suite struct ReadingTests {
    @Test(arguments: TransferVector.read)
    func `a file of another program is read as that program reads it`(_ vector: TransferVector) throws {
        let contents = try vector.reader.contents(of: vector.bytes)
        #expect("\(contents.format)" == vector.format)
        #expect(contents.items.map(\.hexadecimal) == vector.items.map(\.hexadecimal))
        #expect(contents.pkcs12?.identities.map(\.name) == vector.names)
        #expect(contents.isPEM == vector.bytes.starts(with: "-----BEGIN".utf8) || contents.format == .pemSequence)
    }

    @Test(arguments: TransferVector.refused)
    func `a file that cannot be read says why`(_ vector: TransferVector) {
        let error = #expect(throws: TransferError.self) { try vector.reader.contents(of: vector.bytes) }
        #expect((error?.kind).map { "\($0)" } == vector.outcome)
        #expect(error?.reason.isEmpty == false)
        if let passphrase = vector.passphrase, !passphrase.isEmpty {
            #expect(error?.description.contains(passphrase) == false)
        }
    }

    @Test func `a cipher that is not here comes with a command that helps`() {
        let vector = TransferVector.about("PKCS #12 as OpenSSL wrote it before, with RC2")
        let error = #expect(throws: TransferError.self) { try vector.reader.contents(of: vector.bytes) }
        #expect(error?.reason == "encryption with RC2 is not supported")
        #expect(error?.hint?.contains("openssl pkcs12 -legacy -in OLD -nodes | openssl pkcs12 -export") == true)
    }

    @Test func `keys and certificates may stand in one text in any order`() throws {
        let parts = [
            "a certificate in PEM", "an encrypted key in PEM", "a bag of PKCS #7 in PEM", "a key of OpenSSH for RSA",
        ]
        let text = parts.flatMap { TransferVector.about($0).bytes + Array("\nand then\n".utf8) }
        let contents = try TransferVector.about("an encrypted key in PEM").reader.contents(of: text)
        #expect(contents.format == .pemSequence)
        #expect(
            contents.items.map(\.hexadecimal) == parts.flatMap { TransferVector.about($0).items.map(\.hexadecimal) })
    }

    @Test func `an error in a text of several is reported with its line`() {
        let text =
            TransferVector.about("a certificate in PEM").bytes
            + Array("-----BEGIN PRIVATE KEY-----\nAAEC\n-----END PRIVATE KEY-----\n".utf8)
        let lines = text.count { $0 == 0x0A }
        let error = #expect(throws: TransferError.self) { try TransferReader().contents(of: text) }
        #expect(error?.kind == .malformed)
        #expect(error?.reason.hasPrefix("line \(lines - 2): ") == true)
    }

    @Test func `several lines of OpenSSH are several keys`() throws {
        let names = ["a line of OpenSSH for RSA", "a line of OpenSSH for P-384", "a line of OpenSSH for Ed25519"]
        let text = Array("# keys\n\n".utf8) + names.flatMap { TransferVector.about($0).bytes }
        let contents = try TransferReader().contents(of: Array(text.dropFirst("# keys\n\n".utf8.count)))
        #expect(
            contents.items.map(\.hexadecimal) == names.flatMap { TransferVector.about($0).items.map(\.hexadecimal) })
        #expect(try TransferReader().contents(of: text).items == contents.items)
    }

    @Test func `a chain goes from a certificate to its issuers, whatever the order in the file`() throws {
        for name in ["PKCS #12 as cryptography writes it", "PKCS #12 as OpenSSL 3 writes it"] {
            let file = try #require(try TransferVector.contents(name).pkcs12)
            let leaf = try #require(file.identities.first?.certificate)
            #expect(file.chain(from: leaf).map(\.commonName) == ["Ann", "Middle", "Root"])
        }
        let file = try #require(try TransferVector.contents("PKCS #12 with two identities").pkcs12)
        #expect(file.identities.map { file.chain(from: $0.certificate).map(\.commonName) } == [["Ann"], ["Bob"]])
    }

    @Test func `a chain ends where names go in a circle`() throws {
        let root = try #require(try TransferVector.contents("PKCS #12 as OpenSSL 3 writes it").pkcs12).certificates[2]
        #expect(root.content.commonName == "Root")
        let file = PKCS12(keys: [], certificates: Array(repeating: root, count: 3))
        #expect(file.chain(from: root.content).count == 1)
    }

    @Test func `a file longer than the limit is not looked at`() {
        var reader = TransferReader()
        reader.limits.maximumByteCount = 100
        let error = #expect(throws: TransferError.self) { try reader.contents(of: Array(repeating: 0x30, count: 101)) }
        #expect(error?.kind == .tooLong)
        let file = #expect(throws: TransferError.self) {
            try PKCS12(Array(repeating: 0x30, count: 101), passphrase: Passphrase(""), limits: reader.limits)
        }
        #expect(file?.kind == .tooLong)
    }

    @Test func `the limit of repetitions holds for a file as a whole`() throws {
        let vector = TransferVector.about("PKCS #12 as OpenSSL 3 writes it")
        var reader = vector.reader
        // 2,048 steps for the authentication, which count twice, and 2,048 repetitions for each of two parts.
        reader.limits.maximumRepetitions = 4 * 2048
        #expect(try reader.contents(of: vector.bytes).items.count == 4)
        reader.limits.maximumRepetitions -= 1
        let error = #expect(throws: TransferError.self) { try reader.contents(of: vector.bytes) }
        #expect(error?.kind == .tooExpensive)
    }

    @Test func `a bundle of 150 certificates is read`() throws {
        let text = TransferVector.about("a certificate in PEM").bytes
        let contents = try TransferReader().contents(of: (0..<150).flatMap { _ in text })
        #expect(contents.items.count == 150)
    }
}
