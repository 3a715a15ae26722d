// SPDX-License-Identifier: Apache-2.0

import Keychain
import NIOCore
import NIOSSL

/// A private key of the keychain, on P-256, for the connections of swift-nio-ssl: the service signs each handshake.
public struct HeldTLSKey: NIOSSLCustomPrivateKey, Hashable {
    public let key: StoredPrivateKey
    private let keychain: UserKeychain

    /// Nil for a key of another kind.
    public init?(_ key: StoredPrivateKey, in keychain: UserKeychain) {
        guard key.kind == .p256 else { return nil }
        self.key = key
        self.keychain = keychain
    }

    public var signatureAlgorithms: [SignatureAlgorithm] { [.ecdsaSecp256R1Sha256] }

    public func sign(channel: any Channel, algorithm: SignatureAlgorithm, data: ByteBuffer) -> EventLoopFuture<
        ByteBuffer
    > {
        channel.eventLoop.makeFutureWithTask {
            ByteBuffer(
                bytes: try await keychain.signature(
                    for: data.readableBytesView, by: key, using: .ecdsa(.x962, .message, .sha256)))
        }
    }

    /// Used with RSA keys only.
    public func decrypt(channel: any Channel, data: ByteBuffer) -> EventLoopFuture<ByteBuffer> {
        channel.eventLoop.makeFailedFuture(NotAnRSAKey())
    }

    struct NotAnRSAKey: Error {}

    public static func == (left: HeldTLSKey, right: HeldTLSKey) -> Bool { left.key == right.key }

    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension TLSConfiguration {
    /// Returns the configuration of a server that uses an identity of the keychain.
    ///
    /// - Parameter intermediates: the certificates between it and the certificate authority that clients trust, the
    ///   closest first.
    /// - Throws: for a certificate that swift-nio-ssl cannot parse.
    /// - Returns: nil for a key that is not on P-256.
    public static func server(
        _ identity: StoredIdentity, intermediates: [KeychainCertificate] = [], in keychain: UserKeychain
    ) throws -> TLSConfiguration? {
        guard let key = HeldTLSKey(identity.privateKey, in: keychain) else { return nil }
        let chain = try ([identity.certificate.certificate] + intermediates).map { certificate in
            NIOSSLCertificateSource.certificate(
                try NIOSSLCertificate(bytes: certificate.derRepresentation, format: .der))
        }
        return makeServerConfiguration(
            certificateChain: chain, privateKey: .privateKey(NIOSSLPrivateKey(customPrivateKey: key)))
    }
}
