// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainBytes
package import SSHAgentProtocol

/// Reads the base64 of a recorded message.
func bytes(_ base64: String) -> [UInt8] { Data(base64Encoded: base64).map(Array.init) ?? [] }

/// A type of key with its recorded key, certificate and messages.
package struct Sample: Sendable, CustomStringConvertible {
    package let type: SSHKeyType
    package let comment: String
    package let publicKey: [UInt8]
    package let certificate: [UInt8]
    package let add: [UInt8]
    package let addCertificate: [UInt8]

    package var description: String { type.name }

    package static let all = [
        Sample(
            type: .ed25519, comment: "ed25519 key", publicKey: RecordedKeys.publicKey_ed25519,
            certificate: RecordedKeys.certificate_ed25519, add: RecordedMessages.add_ed25519,
            addCertificate: RecordedMessages.addCertificate_ed25519),
        Sample(
            type: .ecdsaP256, comment: "ecdsa 256 key", publicKey: RecordedKeys.publicKey_ecdsa256,
            certificate: RecordedKeys.certificate_ecdsa256, add: RecordedMessages.add_ecdsa256,
            addCertificate: RecordedMessages.addCertificate_ecdsa256),
        Sample(
            type: .ecdsaP384, comment: "ecdsa 384 key", publicKey: RecordedKeys.publicKey_ecdsa384,
            certificate: RecordedKeys.certificate_ecdsa384, add: RecordedMessages.add_ecdsa384,
            addCertificate: RecordedMessages.addCertificate_ecdsa384),
        Sample(
            type: .ecdsaP521, comment: "ecdsa 521 key", publicKey: RecordedKeys.publicKey_ecdsa521,
            certificate: RecordedKeys.certificate_ecdsa521, add: RecordedMessages.add_ecdsa521,
            addCertificate: RecordedMessages.addCertificate_ecdsa521),
        Sample(
            type: .rsa, comment: "rsa key", publicKey: RecordedKeys.publicKey_rsa,
            certificate: RecordedKeys.certificate_rsa, add: RecordedMessages.add_rsa,
            addCertificate: RecordedMessages.addCertificate_rsa),
        Sample(
            type: .securityKeyEd25519, comment: "sk key", publicKey: RecordedKeys.publicKey_securityEd25519,
            certificate: RecordedKeys.certificate_securityEd25519, add: RecordedMessages.add_securityEd25519,
            addCertificate: RecordedMessages.addCertificate_securityEd25519),
        Sample(
            type: .securityKeyECDSA, comment: "sk key", publicKey: RecordedKeys.publicKey_securityECDSA,
            certificate: RecordedKeys.certificate_securityECDSA, add: RecordedMessages.add_securityECDSA,
            addCertificate: RecordedMessages.addCertificate_securityECDSA),
    ]

    /// Those that sign without a security key.
    package static let software = all.filter { !$0.type.isSecurityKey }
}

/// Returns the contents of a session binding.
package func binding(
    _ hostKey: [UInt8], _ sessionID: [UInt8], _ signature: [UInt8], isForwarding: Bool = false
) -> [UInt8] {
    var writer = ByteWriter()
    writer.block(hostKey)
    writer.block(sessionID)
    writer.block(signature)
    writer.u8(isForwarding ? 1 : 0)
    return writer.bytes
}

/// Returns a request for authentication, as OpenSSH signs it.
package func authentication(
    as user: String, _ sessionID: [UInt8], key: [UInt8], algorithm: String, hostKey: [UInt8]?,
    service: String = "ssh-connection"
) -> [UInt8] {
    var writer = ByteWriter()
    writer.block(sessionID)
    writer.u8(50)
    writer.block(user)
    writer.block(service)
    writer.block(hostKey == nil ? "publickey" : "publickey-hostbound-v00@openssh.com")
    writer.u8(1)
    writer.block(algorithm)
    writer.block(key)
    if let hostKey { writer.block(hostKey) }
    return writer.bytes
}

extension [UInt8] {
    /// The bytes with one of them changed.
    package func changing(_ index: Int, by bits: UInt8 = 0x40) -> [UInt8] {
        var changed = self
        changed[index] ^= bits
        return changed
    }
}
