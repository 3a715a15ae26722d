// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainKeys
internal import SwiftASN1

/// Reads files of keys and certificates, and detects their format from their bytes. Reading is total: any bytes give
/// contents or an error, within the limits.
public struct TransferReader: Sendable {
    /// The passphrase of encrypted data; nil if there is none.
    public var passphrase: Passphrase?
    /// For data that is encrypted with Triple DES, RC2 or RC4; without it, such data is unsupported, except for RSA keys.
    public var ciphers: OlderCiphers?
    public var limits: TransferLimits

    public init(
        passphrase: Passphrase? = nil, ciphers: OlderCiphers? = nil, limits: TransferLimits = TransferLimits()
    ) {
        self.passphrase = passphrase
        self.ciphers = ciphers
        self.limits = limits
    }

    /// Returns the contents of one file.
    ///
    /// - Throws: `unknownFormat`; `passphraseRequired` and `wrongPassphrase` for encrypted data; `malformed`;
    ///   `unsupported`; `tooLong`; `tooExpensive`. One unreadable part of a file with several parts is enough for an
    ///   error.
    public func contents(of bytes: some Collection<UInt8>) throws(TransferError) -> TransferContents {
        guard bytes.count <= limits.maximumByteCount else { throw limits.tooLong }
        let bytes = Array(bytes)
        var reading = Reading(passphrase: passphrase, ciphers: ciphers, budget: WorkBudget(limits))
        if bytes.first == 0x30, let node = try? BER.parse(bytes) {
            guard let form = BinaryForm(node) else { throw Self.unknownFormat }
            return try reading.contents(of: node, as: form)
        }
        if PEM.isPresent(in: bytes) { return try contents(inText: bytes, &reading) }
        if let keys = try Self.openSSHKeys(bytes) {
            return TransferContents(format: .openSSH, items: keys.map { .publicKey($0) }, pkcs12: nil, isPEM: false)
        }
        throw Self.unknownFormat
    }

    private func contents(
        inText text: [UInt8], _ reading: inout Reading
    ) throws(TransferError) -> TransferContents {
        let blocks: [PEM.Block]
        do throws(CertificateError) {
            blocks = try PEM.blocks(in: text)
        } catch {
            throw TransferError(error)
        }
        var found: [TransferContents] = []
        for block in blocks {
            do throws(TransferError) {
                if let contents = try reading.contents(of: block) { found.append(contents) }
            } catch {
                throw TransferError(error.kind, "line \(block.line): \(error.reason)", hint: error.hint)
            }
        }
        guard let first = found.first else { throw Self.unknownFormat }
        return TransferContents(
            format: found.count == 1 ? first.format : .pemSequence, items: found.flatMap(\.items),
            pkcs12: found.count == 1 ? first.pkcs12 : nil, isPEM: true)
    }

    /// Returns the keys in lines of OpenSSH; nil for any other text. Empty lines and those that begin with `#` are
    /// ignored.
    private static func openSSHKeys(_ bytes: [UInt8]) throws(TransferError) -> [PublicKey]? {
        let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }.filter { $0.first != UInt8(ascii: "#") }
        guard let first = lines.first, ["ssh-", "ecdsa-sha2-", "sk-"].contains(where: { first.starts(with: $0.utf8) })
        else { return nil }
        return try lines.map { line throws(TransferError) in try PublicKey(openSSHLine: line) }
    }

    private static var unknownFormat: TransferError {
        TransferError(.unknownFormat, "the file is not in a supported format of keys and certificates")
    }
}

/// The kind of a DER value, by its first fields.
private enum BinaryForm {
    case certificate, pkcs7, pkcs12, netscapeSequence
    case publicKeyInfo, publicRSAKey
    case privateKeyInfo, encryptedKeyInfo, rsaKey, ellipticKey

    init?(_ node: ASN1Node) {
        guard let fields = try? node.fields("").nodes else { return nil }
        let tags = fields.prefix(3).map(\.identifier)
        switch tags {
        case [.sequence, .sequence, .bitString] where fields.count == 3: self = .certificate
        case [.sequence, .bitString]: self = .publicKeyInfo
        case [.sequence, .octetString]: self = .encryptedKeyInfo
        case [.integer, .sequence, .octetString]: self = .privateKeyInfo
        case [.integer, .sequence], [.integer, .sequence, .sequence]: self = .pkcs12
        case [.integer, .integer]: self = .publicRSAKey
        case [.integer, .integer, .integer] where fields.count >= 9: self = .rsaKey
        case [.objectIdentifier, .context(0)]:
            let type = try? fields.first?.oid("")
            self = type == .netscapeCertificateSequence ? .netscapeSequence : .pkcs7
        default:
            guard tags.prefix(2) == [.integer, .octetString] else { return nil }
            self = .ellipticKey
        }
    }
}

/// One file being read.
private struct Reading {
    let passphrase: Passphrase?
    let ciphers: OlderCiphers?
    var budget: WorkBudget

    mutating func contents(of node: ASN1Node, as form: BinaryForm) throws(TransferError) -> TransferContents {
        let bytes = node.encodedBytes
        switch form {
        case .certificate: return contents(.certificate, [.certificate(try Certificate(transferred: bytes))])
        case .pkcs7:
            return contents(.pkcs7, try CertificateBag.certificates(inPKCS7: node).map { .certificate($0) })
        case .netscapeSequence:
            return contents(
                .netscapeSequence,
                try CertificateBag.certificates(inNetscapeSequence: node).map { .certificate($0) })
        case .pkcs12:
            let file = try PKCS12(file: node, try requiredPassphrase, ciphers, &budget)
            let items = file.keys.map { .privateKey($0.content) } as [TransferContents.Item]
            return TransferContents(
                format: .pkcs12, items: items + file.certificates.map { .certificate($0.content) }, pkcs12: file,
                isPEM: false)
        case .publicKeyInfo: return contents(.openSSL, [.publicKey(try PublicKey(info: bytes))])
        case .publicRSAKey:
            return contents(.openSSL, [.publicKey(try PublicKey(family: .rsa, representation: Array(bytes)))])
        case .privateKeyInfo: return contents(.openSSL, [.privateKey(try PrivateKey(privateKeyInfo: node))])
        case .encryptedKeyInfo:
            let key = try PrivateKey(encryptedKeyInfo: node, try requiredPassphrase, ciphers, &budget)
            return contents(.wrappedPKCS8, [.privateKey(key)])
        case .rsaKey: return contents(.openSSL, [.privateKey(try PrivateKey(pkcs1: bytes))])
        case .ellipticKey: return contents(.openSSL, [.privateKey(try PrivateKey(sec1: bytes))])
        }
    }

    /// Returns the contents of a block; nil for a block without keys and certificates, such as the parameters of a
    /// curve.
    mutating func contents(of block: PEM.Block) throws(TransferError) -> TransferContents? {
        func node() throws(TransferError) -> ASN1Node { try readBER(block.bytes, "the \(block.label)") }
        switch block.label {
        case "CERTIFICATE", "X509 CERTIFICATE": return try contents(of: try node(), as: .certificate)
        case "TRUSTED CERTIFICATE":
            return contents(.certificate, [.certificate(try Certificate(trusted: block.bytes))])
        case "PKCS7", "CMS", "PKCS #7 SIGNED DATA": return try contents(of: try node(), as: .pkcs7)
        case "CERTIFICATE SEQUENCE": return try contents(of: try node(), as: .netscapeSequence)
        case "PKCS12": return try contents(of: try node(), as: .pkcs12)
        case "PUBLIC KEY": return try contents(of: try node(), as: .publicKeyInfo)
        case "RSA PUBLIC KEY": return try contents(of: try node(), as: .publicRSAKey)
        case "PRIVATE KEY": return try contents(of: try node(), as: .privateKeyInfo)
        case "ENCRYPTED PRIVATE KEY": return try contents(of: try node(), as: .encryptedKeyInfo)
        case "OPENSSH PRIVATE KEY":
            return contents(.openSSH, [.privateKey(try PrivateKey(openSSH: block.bytes))])
        case "RSA PRIVATE KEY", "EC PRIVATE KEY":
            if let information = block.encryptionInformation {
                let key = try PrivateKey(
                    label: block.label, encryptionInformation: information, ciphertext: block.bytes,
                    try requiredPassphrase)
                return contents(.wrappedOpenSSL, [.privateKey(key)])
            }
            return try contents(of: try node(), as: block.label == "RSA PRIVATE KEY" ? .rsaKey : .ellipticKey)
        case "DSA PRIVATE KEY": throw TransferError(.unsupported, "keys for DSA are not supported")
        default: return nil
        }
    }

    private var requiredPassphrase: Passphrase {
        get throws(TransferError) {
            guard let passphrase else { throw .passphraseRequired }
            return passphrase
        }
    }

    private func contents(_ format: TransferFormat, _ items: [TransferContents.Item]) -> TransferContents {
        TransferContents(format: format, items: items, pkcs12: nil, isPEM: false)
    }
}

extension PEM.Block {
    /// The text after `DEK-Info:`; nil for a block that is not encrypted.
    fileprivate var encryptionInformation: String? {
        guard let header = headers.first(where: { $0.hasPrefix("DEK-Info:") }) else { return nil }
        return String(header.dropFirst("DEK-Info:".count).drop { $0 == " " })
    }
}

extension Certificate {
    /// Reads OpenSSL's form of a trusted certificate, which is followed by its purposes.
    fileprivate init(trusted bytes: [UInt8]) throws(TransferError) {
        let what = "the certificate"
        // The two values become one sequence, because without a common tag and length they would not be one value.
        let both = try readBER(Encoded.sequence(bytes), what).fields(what).nodes
        guard (1...2).contains(both.count), let certificate = both.first else { throw .unexpected(what) }
        try self.init(transferred: certificate.encodedBytes)
    }
}
