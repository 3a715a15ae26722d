// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import KeychainCertificates
internal import KeychainKeys
internal import SwiftASN1

extension PKCS12 {
    /// Reads a file. Revocation lists and bags of other secrets in it are ignored.
    ///
    /// - Parameters:
    ///   - passphrase: an empty one also opens files that were made without a passphrase.
    ///   - ciphers: for files with Triple DES, RC2 and RC4.
    /// - Throws: `malformed`; `wrongPassphrase`; `unsupported` for files that are encrypted or signed for a
    ///   certificate, without `ciphers` for ciphers other than AES (see
    ///   ``PrivateKey/init(encryptedPKCS8:passphrase:ciphers:limits:)`` for keys), and for unsupported keys; `tooLong`;
    ///   `tooExpensive`.
    public init(
        _ bytes: some Collection<UInt8>, passphrase: Passphrase, ciphers: OlderCiphers? = nil,
        limits: TransferLimits = TransferLimits()
    ) throws(TransferError) {
        guard bytes.count <= limits.maximumByteCount else { throw limits.tooLong }
        var budget = WorkBudget(limits)
        try self.init(file: try readBER(bytes, "the PKCS #12 file"), passphrase, ciphers, &budget)
    }

    init(
        file node: ASN1Node, _ passphrase: Passphrase, _ ciphers: OlderCiphers?, _ budget: inout WorkBudget
    ) throws(TransferError) {
        let what = "the PKCS #12 file"
        var parts = try node.fields(what)
        guard try parts.next(what).number(what) == 3 else {
            throw TransferError(.unsupported, "\(what): only version 3 is supported")
        }
        var content = try parts.next(what).fields(what)
        guard try content.next(what).oid(what) == .data else {
            throw TransferError(.unsupported, "\(what): it is signed, which is not supported")
        }
        let contents = try content.next(what).explicit(0, what).octets(what)
        try content.end(what)
        let authentication = parts.popNext()
        if let authentication {
            try FileAuthentication(authentication).check(contents, passphrase, &budget)
        }
        try parts.end(what)

        var reader = SafeReader(
            passphrase: passphrase, ciphers: ciphers, isRight: authentication != nil, budget: budget)
        for part in try readBER(contents, what).fields(what).nodes { try reader.readPart(part) }
        self = reader.contents
        budget = reader.budget
    }
}

extension TransferLimits {
    var tooLong: TransferError {
        TransferError(.tooLong, "a file of keys and certificates must have at most \(maximumByteCount) bytes")
    }
}

/// Reads the contents part by part and bag by bag.
private struct SafeReader {
    let passphrase: Passphrase
    let ciphers: OlderCiphers?
    /// Whether the passphrase is known to be correct.
    let isRight: Bool
    var budget: WorkBudget
    var contents = PKCS12(keys: [], certificates: [])

    private let what = "a part of the PKCS #12 file"

    /// Reads a ContentInfo, in clear or encrypted.
    mutating func readPart(_ node: ASN1Node) throws(TransferError) {
        var parts = try node.fields(what)
        let type = try parts.next(what).oid(what)
        let content = try parts.next(what).explicit(0, what)
        try parts.end(what)
        switch type {
        case .data: try readBags(try content.octets(what), depth: 0)
        case .encryptedData:
            var clear = try decrypt(content)
            defer { clear.wipe() }
            try readBags(clear, depth: 0)
        case .envelopedData:
            throw TransferError(.unsupported, "\(what): it is encrypted for a certificate, which is not supported")
        default: throw TransferError(.unsupported, "\(what): the content \(type) is not supported")
        }
    }

    private mutating func decrypt(_ node: ASN1Node) throws(TransferError) -> [UInt8] {
        var parts = try node.fields(what)
        _ = try parts.next(what).number(what)
        var content = try parts.next(what).fields(what)
        _ = try content.next(what).oid(what)
        let encryption = try PasswordEncryption(try content.next(what), in: .pkcs12)
        let ciphertext = try content.next(what).octets(what, .context(0))
        try content.end(what)
        var clear = try encryption.decrypt(ciphertext, with: passphrase, ciphers, &budget)
        // With a wrong key, the padding is valid one time in 256.
        guard (try? BER.parse(clear))?.identifier == .sequence else {
            clear.wipe()
            throw .wrongPassphrase
        }
        return clear
    }

    private mutating func readBags(_ bytes: [UInt8], depth: Int) throws(TransferError) {
        for bag in try readBER(bytes, what).fields(what).nodes { try readBag(bag, depth: depth) }
    }

    private mutating func readBag(_ node: ASN1Node, depth: Int) throws(TransferError) {
        var parts = try node.fields("a bag")
        let type = try parts.next("a bag").oid("a bag")
        let value = try parts.next("a bag").explicit(0, "a bag")
        let attributes = try BagAttributes(parts.popNext())
        try parts.end("a bag")
        switch type {
        case .keyBag: add(try PrivateKey(privateKeyInfo: value), attributes)
        case .shroudedKeyBag:
            let key = try PrivateKey(
                encryptedKeyInfo: value, passphrase, ciphers, isRight: isRight, in: .pkcs12, &budget)
            add(key, attributes)
        case .certificateBag:
            var certificate = try value.fields("a certificate's bag")
            guard try certificate.next("a certificate's bag").oid("a certificate's bag") == .x509Certificate else {
                throw TransferError(.unsupported, "only X.509 certificates are supported")
            }
            let bytes = try certificate.next("a certificate's bag").explicit(0, "a certificate's bag")
                .octets("a certificate's bag")
            contents.certificates.append(
                Entry(try Certificate(transferred: bytes), name: attributes.name, keyID: attributes.keyID))
        case .safeContentsBag:
            guard depth < 8 else { throw TransferError(.malformed, "bags are nested more than 8 levels deep") }
            for bag in try value.fields("a bag").nodes { try readBag(bag, depth: depth + 1) }
        default: break
        }
    }

    private mutating func add(_ key: PrivateKey, _ attributes: BagAttributes) {
        contents.keys.append(PKCS12.Entry(key, name: attributes.name, keyID: attributes.keyID))
    }
}

private typealias Entry = PKCS12.Entry

private struct BagAttributes {
    private(set) var name: String?
    private(set) var keyID: [UInt8]?

    init(_ node: ASN1Node?) throws(TransferError) {
        let what = "a bag's attributes"
        guard let node else { return }
        for attribute in try node.fields(what, .set).nodes {
            var parts = try attribute.fields(what)
            let type = try parts.next(what).oid(what)
            let values = try parts.next(what).fields(what, .set).nodes
            try parts.end(what)
            // An invalid name is ignored, because it is only a name.
            if type == .friendlyName { name = name ?? values.first.flatMap(Self.text) }
            if type == .localKeyID { keyID = keyID ?? values.first.flatMap { try? $0.octets(what) } }
        }
    }

    private static func text(_ node: ASN1Node) -> String? {
        guard case .primitive(let bytes) = node.content, bytes.count.isMultiple(of: 2) else { return nil }
        guard node.identifier == .bmpString else {
            return node.identifier == .utf8String ? String(validating: bytes, as: UTF8.self) : nil
        }
        let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        return String(validating: units, as: UTF16.self)
    }
}
