// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Keychain
import SwiftASN1
import X509

/// A private key of the keychain, on P-256, with which swift-certificates signs certificates and requests. It signs
/// asynchronously, and swift-certificates never receives the key.
public struct HeldPrivateKey: CustomPrivateKey {
    public let key: StoredPrivateKey
    public let publicKey: Certificate.PublicKey
    private let keychain: UserKeychain

    /// Nil for a key of another kind.
    public init?(_ key: StoredPrivateKey, in keychain: UserKeychain) {
        guard let publicKey = P256.Signing.PublicKey(key.publicKey) else { return nil }
        self.key = key
        self.publicKey = Certificate.PublicKey(publicKey)
        self.keychain = keychain
    }

    public var defaultSignatureAlgorithm: Certificate.SignatureAlgorithm { .ecdsaWithSHA256 }

    public var supportedSignatureAlgorithms: [Certificate.SignatureAlgorithm] {
        [.ecdsaWithSHA256, .ecdsaWithSHA384, .ecdsaWithSHA512]
    }

    public func signAsynchronously(
        bytes: some DataProtocol & Sendable, signatureAlgorithm: Certificate.SignatureAlgorithm
    ) async throws -> Certificate.Signature {
        let hash: HashAlgorithm
        switch signatureAlgorithm {
        case .ecdsaWithSHA256: hash = .sha256
        case .ecdsaWithSHA384: hash = .sha384
        case .ecdsaWithSHA512: hash = .sha512
        default: throw HeldPrivateKeyError.unsupportedAlgorithm
        }
        let signature = try await keychain.signature(for: Data(bytes), by: key, using: .ecdsa(.x962, .message, hash))
        return try Certificate.Signature(
            signatureAlgorithm: signatureAlgorithm, signatureBytes: ASN1BitString(bytes: ArraySlice(signature)))
    }

    /// Not supported: signing has to wait for the service.
    public func signSynchronously(
        bytes: some DataProtocol, signatureAlgorithm: Certificate.SignatureAlgorithm
    ) throws -> Certificate.Signature {
        throw HeldPrivateKeyError.signsAsynchronously
    }

    /// Not supported: the private key cannot be exported.
    public func serialize(into coder: inout DER.Serializer) throws { throw HeldPrivateKeyError.notExtractable }

    public static var defaultPEMDiscriminator: String { "PRIVATE KEY" }

    public static func == (left: HeldPrivateKey, right: HeldPrivateKey) -> Bool { left.key == right.key }

    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

public enum HeldPrivateKeyError: Error {
    case unsupportedAlgorithm
    case signsAsynchronously
    case notExtractable
}

extension KeychainCertificate {
    public init(_ certificate: Certificate) throws {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        try self.init(derRepresentation: serializer.serializedBytes)
    }
}

extension Certificate {
    public init(_ certificate: KeychainCertificate) throws {
        try self.init(derEncoded: certificate.derRepresentation)
    }
}
