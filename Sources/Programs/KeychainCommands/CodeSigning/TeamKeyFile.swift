// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainTransfer
internal import SecretMemory

/// A team key in a file, under a passphrase: PKCS#8 (RFC 8410) encrypted by PBES2 (RFC 8018), as PEM (RFC 7468).
///
/// OpenSSL, GnuTLS and the libraries of most languages read and write this container, so a team's key does not depend
/// on this program. Written with scrypt (RFC 7914) and AES-256-CBC.
///
/// The encryption does not detect changes; a user who imports a key must compare its team identifier, which the file
/// names before the PEM text.
enum TeamKeyFile {
    static let byteLimit = 16_384

    enum Problem: Error {
        /// No such PEM text, or unexpected content in it.
        case unknown
        /// Encrypted by an unsupported method.
        case unsupported
        /// The costs are too high.
        case expensive
        case wrongPassphrase

        fileprivate init(_ error: TransferError) {
            self =
                switch error.kind {
                case .unsupported: .unsupported
                case .tooExpensive: .expensive
                case .wrongPassphrase: .wrongPassphrase
                case .unknownFormat, .malformed, .passphraseRequired, .tooLong: .unknown
                }
        }
    }

    private static let label = "ENCRYPTED PRIVATE KEY"

    /// Returns the text of a file.
    ///
    /// - Parameters:
    ///   - seed: the 32 bytes of the key.
    ///   - comment: lines before the PEM text.
    static func text(_ seed: SecretBytes, passphrase: SecretBytes, comment: String) throws -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        let key = try PrivateKey(type: .ed25519, externalRepresentation: seed.bytes)
        let document = key.encryptedPKCS8(
            passphrase: Passphrase(passphrase.bytes), derivation: .scrypt, using: &generator)
        return Array((comment + PEM.text(label: label, bytes: document)).utf8)
    }

    /// Returns the encrypted bytes of a file's text, before the user is asked for the passphrase.
    static func document(_ text: [UInt8]) throws(Problem) -> [UInt8] {
        guard let block = (try? PEM.blocks(in: text))?.first(where: { $0.label == label }) else { throw .unknown }
        return block.bytes
    }

    /// Returns the 32 bytes of the key.
    static func seed(_ document: [UInt8], passphrase: SecretBytes) throws(Problem) -> SecretBytes {
        var limits = TransferLimits()
        limits.maximumRepetitions = 20_000_000
        var clear: [UInt8]
        do throws(TransferError) {
            clear = try PrivateKey.pkcs8(
                decrypting: document, passphrase: Passphrase(passphrase.bytes), limits: limits)
        } catch {
            throw Problem(error)
        }
        defer { wipe(&clear) }
        guard let key = try? PrivateKey(pkcs8: clear), key.type == .ed25519 else { throw .wrongPassphrase }
        var seed = key.externalRepresentation
        defer { seed.resetBytes(in: seed.startIndex..<seed.endIndex) }
        return SecretBytes(copying: seed)
    }
}
