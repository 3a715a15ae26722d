// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainTLS
import KeychainX509
import NIOCore
import NIOPosix
import NIOSSL
import Security
import X509

/// Creates an identity whose key never leaves the keychain, serves one TLS connection with it, and deletes it.
@main
struct Main {
    static let tag = "com.example.server-identity"
    static let host = "server.example.com"

    static func main() async throws {
        let keychain = UserKeychain()
        let key = try await keychain.generatePrivateKey(.p256, tag: tag)
        print("made a key; it can be extracted: \(key.isExtractable)")

        let certificate = try await keychain.add(KeychainCertificate(try await selfSigned(key, keychain)))
        print("stored a certificate: \(certificate.commonName ?? "")")

        guard let identity = try await keychain.identities(matching: CertificateQuery(publicKey: key.publicKey)).first,
            let configuration = try TLSConfiguration.server(identity, in: keychain)
        else { throw Failure("there is no identity") }
        print("a client heard: \(try await connect(configuration, certificate.certificate))")

        // The same with Apple's functions.
        var found: CFTypeRef?
        let search: [CFString: Any] = [kSecClass: kSecClassIdentity, kSecAttrLabel: host, kSecReturnRef: true]
        let status = SecItemCopyMatching(search as CFDictionary, &found)
        print("Apple's functions find it: \(status == errSecSuccess && found is SecIdentity)")

        try await keychain.deleteCertificate(certificate)
        try await keychain.deletePrivateKey(key)
    }

    /// The keychain service signs the certificate.
    static func selfSigned(_ key: StoredPrivateKey, _ keychain: UserKeychain) async throws -> Certificate {
        guard let held = HeldPrivateKey(key, in: keychain) else { throw Failure("the key is of another kind") }
        let name = try DistinguishedName { CommonName(host) }
        return try await Certificate(
            version: .v3, serialNumber: .init(), publicKey: held.publicKey, notValidBefore: .now - 60,
            notValidAfter: .now + 3600, issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try .init { SubjectAlternativeNames([.dnsName(host)]) },
            issuerAsyncPrivateKey: .init(held))
    }

    /// Opens one connection to a server with this configuration, from a client that trusts only this certificate.
    static func connect(_ configuration: TLSConfiguration, _ trusted: KeychainCertificate) async throws -> String {
        let loops = MultiThreadedEventLoopGroup.singleton
        let context = try NIOSSLContext(configuration: configuration)
        let server = try await ServerBootstrap(group: loops)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        guard let port = server.channel.localAddress?.port else { throw Failure("the server has no port") }
        async let served: Void = server.executeThenClose { connections in
            for try await connection in connections {
                try await connection.executeThenClose { inbound, outbound in
                    for try await heard in inbound {
                        try await outbound.write(ByteBuffer(string: String(buffer: heard) + ", over TLS"))
                    }
                }
                return
            }
        }
        var asking = TLSConfiguration.makeClientConfiguration()
        asking.trustRoots = .certificates([try NIOSSLCertificate(bytes: trusted.derRepresentation, format: .der)])
        let clientContext = try NIOSSLContext(configuration: asking)
        let client = try await ClientBootstrap(group: loops).connect(host: "127.0.0.1", port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(
                    NIOSSLClientHandler(context: clientContext, serverHostname: host))
                return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
        let heard = try await client.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: "hello"))
            for try await heard in inbound { return String(buffer: heard) }
            throw Failure("the server said nothing")
        }
        try await served
        return heard
    }
}

struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
