// SPDX-License-Identifier: Apache-2.0

public import KeychainCertificates
public import KeychainKeys

/// The contents of a PKCS #12 file (RFC 7292): private keys and certificates, each with its name in the file.
public struct PKCS12: Sendable {
    public struct Entry<Content: Sendable & Equatable>: Sendable, Equatable {
        public var content: Content
        /// `friendlyName`.
        public var name: String?
        /// `localKeyId`: the same bytes for a key and its certificate.
        public var keyID: [UInt8]?

        public init(_ content: Content, name: String? = nil, keyID: [UInt8]? = nil) {
            self.content = content
            self.name = name
            self.keyID = keyID
        }
    }

    /// A key and a certificate for its public half.
    public struct Identity: Sendable, Equatable {
        public let key: PrivateKey
        public let certificate: Certificate
        /// The name of the certificate in the file, or of the key if the certificate has none.
        public let name: String?
        /// The `localKeyId` in the file.
        public let keyID: [UInt8]?
    }

    /// Both in the order of the file.
    public var keys: [Entry<PrivateKey>]
    public var certificates: [Entry<Certificate>]

    public init(keys: [Entry<PrivateKey>], certificates: [Entry<Certificate>]) {
        self.keys = keys
        self.certificates = certificates
    }

    /// Each key with each certificate for its public half; if some of these certificates have the key's `localKeyId`,
    /// only those. Pairs that only the file declares to belong together do not count. Duplicates count once.
    public var identities: [Identity] {
        var seen: Set<Certificate> = []
        let distinct = certificates.filter { seen.insert($0.content).inserted }
        let byKey = Dictionary(grouping: distinct) { $0.content.publicKeyInfo.hash }
        var seenKeys: Set<PrivateKey> = []
        return keys.filter { seenKeys.insert($0.content).inserted }.flatMap { key in
            let fitting = byKey[key.content.publicKey.hash] ?? []
            let named = fitting.filter { $0.keyID != nil && $0.keyID == key.keyID }
            return (named.isEmpty ? fitting : named).map { certificate in
                Identity(
                    key: key.content, certificate: certificate.content, name: certificate.name ?? key.name,
                    keyID: key.keyID ?? certificate.keyID)
            }
        }
    }

    /// Returns the certificate, its issuer, the issuer's issuer and so on, as far as the file has them: matched by
    /// name, and by key identifiers if both have one. At most 32; nothing is verified.
    public func chain(from leaf: Certificate) -> [Certificate] {
        var chain = [leaf]
        while let last = chain.last, !last.isSelfIssued, chain.count < 32,
            let next = certificates.first(where: { $0.content.mayHaveIssued(last) && !chain.contains($0.content) })
        {
            chain.append(next.content)
        }
        return chain
    }
}

extension Certificate {
    fileprivate var isSelfIssued: Bool { subject.normalizedContent == issuer.normalizedContent }

    fileprivate func mayHaveIssued(_ other: Certificate) -> Bool {
        guard subject.normalizedContent == other.issuer.normalizedContent else { return false }
        guard let own = known.subjectKeyIdentifier, let wanted = other.known.authorityKeyIdentifier?.keyIdentifier
        else {
            return true
        }
        return own == wanted
    }
}
