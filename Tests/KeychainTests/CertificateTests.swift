// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Keychain
import KeychainTesting
import Security
import Testing

struct CertificateTests {
    private let memory: InMemoryKeychain
    private let authority: KeychainCertificate
    private let server: KeychainCertificate
    private let serverKey: P256.Signing.PrivateKey

    init() throws {
        memory = try InMemoryKeychain()
        let certificates = try KeychainCertificate.certificates(pemRepresentation: Self.pem)
        (authority, server) = (certificates[0], certificates[1])
        serverKey = try P256.Signing.PrivateKey(pemRepresentation: Self.key)
    }

    @Test func `the contents of a certificate are available`() throws {
        #expect(server.commonName == "server.example.com" && server.subjectSummary == "server.example.com")
        #expect(server.dnsNames == ["server.example.com"] && server.emailAddresses == ["ops@example.com"])
        #expect(server.serialNumber == [0x12, 0x67])
        #expect(server.notValidBefore < server.notValidAfter)
        #expect(
            server.publicKey.flatMap(P256.Signing.PublicKey.init)?.rawRepresentation
                == serverKey.publicKey.rawRepresentation)
        #expect(server.sha256Fingerprint == Array(SHA256.hash(data: server.derRepresentation)))
        #expect(try KeychainCertificate(derRepresentation: server.derRepresentation) == server)
        #expect(try KeychainCertificate.certificates(pemRepresentation: server.pemRepresentation) == [server])
    }

    @Test func `bytes that are not a certificate are refused with the error`() {
        #expect(throws: CertificateError.self) { try KeychainCertificate(derRepresentation: [0x30, 0]) }
        #expect(throws: CertificateError.self) {
            try KeychainCertificate(derRepresentation: server.derRepresentation + [0])
        }
        #expect(throws: CertificateError.self) { try KeychainCertificate.certificates(pemRepresentation: "text") }
    }

    @Test func `a certificate is added, found by each condition, and deleted`() async throws {
        let added = try await memory.keychain.add(server)
        try await memory.keychain.add(authority, label: "the authority")
        #expect(
            added.certificate == server && added.label == "server.example.com" && added.commonName == server.commonName)
        let queries = [
            CertificateQuery(label: "server.example.com"), CertificateQuery(emailAddress: "ops@example.com"),
            CertificateQuery(publicKey: server.publicKey), CertificateQuery(label: added.label, issuer: authority),
        ]
        for query in queries { #expect(try await memory.keychain.certificates(matching: query) == [added]) }
        // An authority signs itself.
        #expect(try await memory.keychain.certificates(matching: CertificateQuery(issuer: authority)).count == 2)
        #expect(try await memory.keychain.certificates(matching: CertificateQuery(label: "nobody")).isEmpty)
        #expect(try await memory.keychain.deleteCertificate(added))
        #expect(try await !memory.keychain.deleteCertificate(added))
        #expect(try await memory.keychain.certificates().map(\.certificate) == [authority])
    }

    @Test func `a certificate is there once`() async throws {
        try await memory.keychain.add(server)
        await expectError(.duplicateItem) { () throws(KeychainError) in
            try await memory.keychain.add(server, label: "again")
        }
    }

    @Test(arguments: [true, false])
    func `a key and its certificate are an identity while both are there`(isExtractable: Bool) async throws {
        let keychain = memory.keychain
        let certificate = try await keychain.add(server)
        try await keychain.add(authority)
        #expect(try await keychain.identities().isEmpty)
        let key = try await keychain.add(serverKey, tag: "server", isExtractable: isExtractable)
        for query in [
            CertificateQuery(), CertificateQuery(publicKey: key.publicKey), CertificateQuery(issuer: authority),
        ] {
            let identities = try await keychain.identities(matching: query)
            #expect(identities.map(\.certificate) == [certificate] && identities.map(\.privateKey) == [key])
        }
        let identity = try #require(try await keychain.identities().first)
        let message = Data("message".utf8)
        let signature = try await keychain.signature(
            for: message, by: identity.privateKey, using: .ecdsa(.x962, .message, .sha256))
        #expect(
            serverKey.publicKey.isValidSignature(
                try P256.Signing.ECDSASignature(derRepresentation: signature), for: message))
        try await keychain.deletePrivateKey(key)
        #expect(try await keychain.identities().isEmpty)
        #expect(try await keychain.certificates(matching: CertificateQuery(publicKey: key.publicKey)) == [certificate])
    }

    @Test func `Apple's functions find what was added here, and the other way round`() async throws {
        try await memory.keychain.add(server)
        let search: [CFString: Any] = [kSecClass: kSecClassCertificate, kSecReturnRef: true]
        var result: CFTypeRef?
        #expect(memory.run { SecItemCopyMatching(search as CFDictionary, &result) } == errSecSuccess)
        let found = try #require(result as? SecCertificate)
        #expect(Array(SecCertificateCopyData(found) as Data) == server.derRepresentation)

        let other = try #require(SecCertificateCreateWithData(nil, Data(authority.derRepresentation) as CFData))
        #expect(memory.run { SecItemAdd([kSecValueRef: other] as CFDictionary, nil) } == errSecSuccess)
        let stored = try await memory.keychain.certificates(matching: CertificateQuery(publicKey: authority.publicKey))
        #expect(stored.map(\.certificate) == [authority])
        await expectError(.duplicateItem) { () throws(KeychainError) in try await memory.keychain.add(authority) }
    }

    // A key that was generated for this test.
    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgodx3dk1GWLQOB2+H
        ItnsZ0pY2NGB2cuUXZheLu8SR4ChRANCAARmJgOwhUHYOXQjPLaKMQRvRFFcTCWo
        DLsDys2Owoj/RE/ZWTWY31ehkBKN7K7C89BKsqhoyKqa4Dr6WmGar5Kn
        -----END PRIVATE KEY-----
        """

    private static let pem = """
        -----BEGIN CERTIFICATE-----
        MIIBdzCCARygAwIBAgIBATAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA5UZXN0IEF1
        dGhvcml0eTAgFw0yNjExMjExOTA4MDBaGA8yMTI2MTAyODE5MDgwMFowGTEXMBUG
        A1UEAwwOVGVzdCBBdXRob3JpdHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQh
        jMaxIymecL1jE4v7URvrVyQRcmPW/w+EG9owS6D048M9dnpo/f0bZbicRJdB+QEV
        3YtO4zvQm/PhEYAeT/wxo1MwUTAdBgNVHQ4EFgQUdflR+P3nnD5h1Ns/fY3qIg2G
        NLAwHwYDVR0jBBgwFoAUdflR+P3nnD5h1Ns/fY3qIg2GNLAwDwYDVR0TAQH/BAUw
        AwEB/zAKBggqhkjOPQQDAgNJADBGAiEAvxNrrAJ3V0N5zn2SrGSZqVVRIjxBz1hG
        x8syy5u13MoCIQDq7miKpTNNp3tl7hfnTf/B+eATOsVBmJctTpiyZJHO+g==
        -----END CERTIFICATE-----
        -----BEGIN CERTIFICATE-----
        MIIBrTCCAVKgAwIBAgICEmcwCgYIKoZIzj0EAwIwGTEXMBUGA1UEAwwOVGVzdCBB
        dXRob3JpdHkwIBcNMjYxMTIxMTkwODAwWhgPMjEyNjEwMjgxOTA4MDBaMC8xEDAO
        BgNVBAoMB0V4YW1wbGUxGzAZBgNVBAMMEnNlcnZlci5leGFtcGxlLmNvbTBZMBMG
        ByqGSM49AgEGCCqGSM49AwEHA0IABGYmA7CFQdg5dCM8tooxBG9EUVxMJagMuwPK
        zY7CiP9ET9lZNZjfV6GQEo3srsLz0EqyqGjIqprgOvpaYZqvkqejcjBwMC4GA1Ud
        EQQnMCWCEnNlcnZlci5leGFtcGxlLmNvbYEPb3BzQGV4YW1wbGUuY29tMB0GA1Ud
        DgQWBBRPyQLGyihRJR4q/W2mkNqeRShcTzAfBgNVHSMEGDAWgBR1+VH4/eecPmHU
        2z99jeoiDYY0sDAKBggqhkjOPQQDAgNJADBGAiEAwL+5wUsKvzgnCfIWPXIcrDyX
        M3PV3SC/gfcp+Q3UlNYCIQCcmrJzNAWATglA4jhZKh91A9nVV8xKu7w1Tmt5xze+
        EQ==
        -----END CERTIFICATE-----
        """
}
