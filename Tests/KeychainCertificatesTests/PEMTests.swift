// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCertificates
import Testing

struct PEMTests {
    private let bytes = CertificateDER().encoded

    private func failure(_ text: String) -> String? {
        do throws(CertificateError) {
            _ = try Certificate.certificates(inPEM: text.utf8)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func `a written block is read`() throws {
        for vector in CertificateVector.all {
            let certificate = try Certificate(vector.bytes)
            #expect(try Certificate.certificates(inPEM: certificate.pem.utf8) == [certificate])
        }
    }

    @Test func `lines have 64 characters`() throws {
        let lines = try Certificate(bytes).pem.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "-----BEGIN CERTIFICATE-----")
        #expect(lines.suffix(2) == ["-----END CERTIFICATE-----", ""])
        #expect(lines.dropFirst().dropLast(3).allSatisfy { $0.count == 64 })
    }

    @Test func `a bundle is read in its order, whatever stands between`() throws {
        let certificates = try CertificateVector.all.prefix(3).map { try Certificate($0.bytes) }
        let other = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
        let text = "subject=one\n\n" + certificates.map { $0.pem + "# and\n" + other }.joined() + "-----no\n"
        #expect(try Certificate.certificates(inPEM: text.utf8) == certificates)
        #expect(
            try PEM.blocks(in: text.utf8).map(\.label)
                == Array(repeatElement(["CERTIFICATE", "PRIVATE KEY"], count: 3).joined()))
    }

    @Test func `line ends, line lengths and blanks are free`() throws {
        let certificate = try Certificate(bytes)
        let lines = certificate.pem.split(separator: "\n").map(String.init)
        let long = [lines[0], lines.dropFirst().dropLast().joined(), lines.last!].joined(separator: "\n")
        let texts = [
            "\u{FEFF}" + certificate.pem, certificate.pem.replacing("\n", with: "\r\n"),
            certificate.pem.replacing("\n", with: " \t\n"),
            certificate.pem.replacing("\n", with: "\n\n"), long,
            certificate.pem.replacing("CERTIFICATE", with: "X509 CERTIFICATE"),
            certificate.pem.replacing("BEGIN CERTIFICATE-----\n", with: "BEGIN CERTIFICATE-----\nX-Note: a\n b\n\n"),
        ]
        for text in texts { #expect(try Certificate.certificates(inPEM: text.utf8) == [certificate]) }
    }

    @Test func `headers of encrypted keys are kept`() throws {
        let text =
            "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAAEC\n-----END RSA PRIVATE KEY-----\n"
        let block = try #require(try PEM.blocks(in: text.utf8).first)
        #expect(block.headers == ["Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,00"])
        #expect(block.bytes == [0, 1, 2])
        #expect(block.line == 1)
    }

    @Test func `text without a certificate is no PEM of certificates`() {
        for text in ["", "MIIB", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"] {
            #expect(failure(text) == "the text contains no certificate")
        }
    }

    @Test func `an error says the line`() throws {
        #expect(failure("a\n-----BEGIN CERTIFICATE-----\nAAAA\n") == "line 2: a block that begins here has no end")
        #expect(
            failure("-----BEGIN CERTIFICATE-----\nAAAA\n-----END PRIVATE KEY-----\n")
                == "line 3: the end of a block does not match its beginning")
        #expect(
            failure("-----BEGIN CERTIFICATE-----\nAAAA\nAA*A\n-----END CERTIFICATE-----\n")
                == "line 3: the text is not base64")
        #expect(
            failure("-----BEGIN CERTIFICATE-----\nAA==\nAAAA\n-----END CERTIFICATE-----\n")
                == "line 3: the text is not base64")
        #expect(
            failure("\n\n-----BEGIN CERTIFICATE-----\nAAA\n-----END CERTIFICATE-----\n")
                == "line 3: the base64 text of the block that begins here is incomplete")
        #expect(
            failure("\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
                == "line 2: the certificate: the bytes are not a single DER value")
        #expect(
            failure("-----BEGIN CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n")
                == "line 2: the text is not base64")
    }

    @Test func `DER is not taken for PEM`() throws {
        #expect(!PEM.isPresent(in: bytes))
        #expect(PEM.isPresent(in: try Certificate(bytes).pem.utf8))
    }

    @Test func `a bundle of 150 certificates is read in less than a second`() throws {
        let certificates = try CertificateVector.all.filter { $0.bytes.count < 4096 }.map { try Certificate($0.bytes) }
        let bundle = (0..<150).map { certificates[$0 % certificates.count] }
        let text = Array(bundle.map(\.pem).joined().utf8)
        let clock = ContinuousClock()
        var read: [Certificate] = []
        let time = try clock.measure { read = try Certificate.certificates(inPEM: text) }
        #expect(read == bundle)
        // A clock proves nothing on a busy machine.
        if isLong { #expect(time < .seconds(1)) }
    }

    /// A copy of the earlier input at each line would copy a terabyte, which takes minutes.
    @Test(.timeLimit(.minutes(isLong ? 1 : 60))) func `a block of a million lines is read in the time of its length`()
        throws
    {
        let count = 1_000_000
        let text = Array("-----BEGIN A-----\n".utf8) + Array(repeating: [0x41, 0x0A], count: count).joined()
        let error = #expect(throws: CertificateError.self) { try PEM.blocks(in: text) }
        #expect(error?.reason == "line 1: a block that begins here has no end")
    }
}

/// Whether the tests may take long and may look at the clock: `make test-all` sets CHATELAINE_LONG to 1.
private let isLong = ProcessInfo.processInfo.environment["CHATELAINE_LONG"] == "1"
