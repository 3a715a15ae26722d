// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainCertificates
internal import KeychainClient
internal import KeychainKeys
internal import KeychainModel

// Descriptions of certificates and keys.

extension ListedCertificate {
    /// The name for display: the label, or the subject.
    var name: String {
        if let label = item.text(.label), !label.isEmpty { return label }
        return certificate?.subjectSummary ?? subject?.shortText ?? "(no name)"
    }

    var commonName: String? { certificate?.commonName ?? subject?.texts(of: .commonName).last }

    var emailAddresses: [String] { certificate?.emailAddresses ?? [item.text(.alias)].compactMap { $0 } }

    /// The subject, from the bytes, or from the attributes, which store names in normalised form.
    var subject: DistinguishedName? { certificate?.subject ?? storedName(.subject) }
    var issuer: DistinguishedName? { certificate?.issuer ?? storedName(.issuer) }

    var serialNumber: [UInt8] { certificate?.serialNumber ?? item.bytes(.serialNumber) ?? [] }

    private func storedName(_ key: AttributeKey) -> DistinguishedName? {
        item.bytes(key).flatMap { try? DistinguishedName(content: $0) }
    }

    func validity(_ context: CommandContext) -> CertificateValidity? {
        certificate.map { CertificateValidity($0, at: context.secondsSince1970()) }
    }

    /// Returns lines that describe the certificate to the user.
    func summary(_ context: CommandContext, hasKey: Bool) -> [(String, String)] {
        var lines = [("name", name)]
        func add(_ title: String, _ text: String?) {
            if let text, !text.isEmpty { lines.append((title, text)) }
        }
        add("subject", subject?.text)
        let isSelfIssued = subject != nil && subject?.normalizedContent == issuer?.normalizedContent
        add("issuer", isSelfIssued ? "itself" : issuer?.text)
        add("serial", serialNumber.hexadecimal)
        if let certificate {
            let (from, to) = (certificate.validFrom, certificate.validTo)
            let dates = [from, to].map { context.localTime($0) ?? "?" }.joined(separator: " to ")
            let note = CertificateValidity(certificate, at: context.secondsSince1970()).note
            add("valid", dates + (note.map { " (\($0))" } ?? ""))
            add("key", certificate.keyText)
            add("e-mail", certificate.emailAddresses.joined(separator: ", "))
            add("hosts", (certificate.dnsNames + certificate.ipAddresses).joined(separator: ", "))
            add("usage", certificate.known.keyUsage?.texts.joined(separator: ", "))
            add("purposes", certificate.known.extendedKeyUsage?.map(\.purposeText).joined(separator: ", "))
            add("authority", certificate.known.basicConstraints?.text)
        }
        add(
            "identity",
            hasKey ? "yes, the keychain has the private key" : "no, the keychain does not have the private key")
        add("key hash", item.bytes(.publicKeyHash)?.hexadecimal)
        if let certificate {
            add("SHA-256", certificate.sha256Fingerprint.hexadecimal)
            add("SHA-1", certificate.sha1Fingerprint.hexadecimal)
        }
        return lines + item.placeLines(context)
    }

    func jsonMembers(_ context: CommandContext, hasKey: Bool) -> [(String, JSONText)] {
        func time(_ moment: Timestamp?) -> JSONText {
            moment.flatMap { CivilTime($0) }.map { .text($0.rfc3339) } ?? .null
        }
        func digits(_ bytes: [UInt8]?) -> JSONText { bytes.map { .text($0.hexadecimal) } ?? .null }
        return [
            ("class", .text(item.reference.itemClass.code)), ("name", .text(name)), ("label", item.json(.label)),
            ("subject", subject.map { .text($0.text) } ?? .null), ("issuer", issuer.map { .text($0.text) } ?? .null),
            ("serial", digits(serialNumber)), ("notBefore", time(certificate?.validFrom)),
            ("notAfter", time(certificate?.validTo)),
            ("validity", validity(context).map { .text($0.rawValue) } ?? .null),
            ("key", certificate.map { .text($0.keyText) } ?? .null),
            ("emailAddresses", .array(emailAddresses.map { .text($0) })),
            ("hosts", .array(((certificate?.dnsNames ?? []) + (certificate?.ipAddresses ?? [])).map { .text($0) })),
            ("identity", .boolean(hasKey)), ("publicKeyHash", digits(item.bytes(.publicKeyHash))),
            ("sha256", digits(certificate?.sha256Fingerprint)), ("sha1", digits(certificate?.sha1Fingerprint)),
        ] + item.placeMembers
    }
}

/// The state of a certificate's dates at a time.
enum CertificateValidity: String {
    case notYetValid
    case valid
    case expired

    init(_ certificate: Certificate, at secondsSince1970: Int64) {
        let now = Double(secondsSince1970 - CivilTime.referenceDate)
        if now < certificate.validFrom.secondsSinceReferenceDate {
            self = .notYetValid
        } else if now > certificate.validTo.secondsSinceReferenceDate {
            self = .expired
        } else {
            self = .valid
        }
    }

    var note: String? {
        switch self {
        case .notYetValid: "not yet"
        case .valid: nil
        case .expired: "expired"
        }
    }
}

extension Certificate {
    var validFrom: Timestamp { Timestamp(secondsSinceReferenceDate: notBefore.timeIntervalSinceReferenceDate) }
    var validTo: Timestamp { Timestamp(secondsSinceReferenceDate: notAfter.timeIntervalSinceReferenceDate) }

    fileprivate var keyText: String {
        (try? publicKey()).map { "\($0.type.title), \($0.sizeInBits) bits" } ?? "of an unsupported kind"
    }
}

extension DistinguishedName {
    /// Creates a name of which only the content of the SEQUENCE is stored.
    ///
    /// - Throws: as ``init(_:)``.
    init(content: [UInt8]) throws(CertificateError) {
        // The length of a SEQUENCE in DER: one byte up to 127, otherwise the number of length bytes and these bytes.
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 || length.isEmpty {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        if content.count > 127 { length.insert(0x80 | UInt8(length.count), at: 0) }
        try self.init([0x30] + length + content)
    }

    /// All attributes in their order: O=Example, CN=Ann.
    var text: String { attributes.map { "\($0.type.shortName)=\($0.text)" }.joined(separator: ", ") }

    /// The most specific attribute.
    var shortText: String? {
        for type in [OID.commonName, .organizationalUnitName, .organizationName] {
            if let text = texts(of: type).last { return text }
        }
        return attributes.last?.text
    }
}

extension OID {
    /// The name as in RFC 4514 and common use; otherwise the numbers.
    fileprivate var shortName: String {
        switch description {
        case "2.5.4.3": "CN"
        case "2.5.4.4": "SN"
        case "2.5.4.5": "serialNumber"
        case "2.5.4.6": "C"
        case "2.5.4.7": "L"
        case "2.5.4.8": "ST"
        case "2.5.4.9": "street"
        case "2.5.4.10": "O"
        case "2.5.4.11": "OU"
        case "2.5.4.12": "title"
        case "2.5.4.42": "GN"
        case "0.9.2342.19200300.100.1.1": "UID"
        case "0.9.2342.19200300.100.1.25": "DC"
        case "1.2.840.113549.1.9.1": "emailAddress"
        case let numbers: numbers
        }
    }

    /// An extended key usage in words; otherwise the numbers.
    fileprivate var purposeText: String {
        switch description {
        case "2.5.29.37.0": "any"
        case "1.3.6.1.5.5.7.3.1": "TLS server"
        case "1.3.6.1.5.5.7.3.2": "TLS client"
        case "1.3.6.1.5.5.7.3.3": "code signing"
        case "1.3.6.1.5.5.7.3.4": "e-mail"
        case "1.3.6.1.5.5.7.3.8": "time stamps"
        case "1.3.6.1.5.5.7.3.9": "OCSP"
        case let numbers: numbers
        }
    }
}

extension KnownExtensions.KeyUsage {
    fileprivate var texts: [String] {
        let names: [(KnownExtensions.KeyUsage, String)] = [
            (.digitalSignature, "signatures"), (.nonRepudiation, "non-repudiation"),
            (.keyEncipherment, "encrypting keys"), (.dataEncipherment, "encrypting data"),
            (.keyAgreement, "key agreement"), (.keyCertSign, "signing certificates"), (.cRLSign, "signing CRLs"),
            (.encipherOnly, "encrypting only"), (.decipherOnly, "decrypting only"),
        ]
        return names.filter { contains($0.0) }.map(\.1)
    }
}

extension KnownExtensions.BasicConstraints {
    fileprivate var text: String {
        guard isAuthority else { return "no" }
        return pathLength.map { "yes, with at most \($0) authorities below it" } ?? "yes"
    }
}

extension KeyType {
    var title: String {
        switch self {
        case .rsa: "RSA"
        case .ellipticCurve: "elliptic curve"
        case .ed25519: "Ed25519"
        case .x25519: "X25519"
        }
    }
}

extension ListedItem {
    func bytes(_ key: AttributeKey) -> [UInt8]? { if case .data(let bytes) = attributes[key] { bytes } else { nil } }

    /// The display name of a key.
    var keyName: String {
        for key in [AttributeKey.label, .applicationTag] {
            if let text = text(key), !text.isEmpty { return text }
        }
        return bytes(.applicationLabel).map { $0.prefix(4).hexadecimal + "…" } ?? "(no name)"
    }

    /// The kind of a key: `private key, RSA, 2048 bits`.
    var keyKind: String {
        let half: String =
            switch attributes[.keyClass] {
            case .number(0): "public key"
            case .number(1): "private key"
            case .number(2): "symmetric key"
            default: "key"
            }
        let size: String? =
            if case .number(let bits) = attributes[.keySizeInBits], bits > 0 { "\(bits) bits" } else { nil }
        let type: KeyType? = if case .number(let code) = attributes[.type] { KeyType(code: code) } else { nil }
        return [half, type?.title, size].compactMap { $0 }.joined(separator: ", ")
    }

    /// Returns lines that describe a key.
    func keySummary(_ context: CommandContext, certificates: [ListedCertificate]) -> [(String, String)] {
        var lines = [("name", keyName), ("kind", keyKind)]
        if let tag = text(.applicationTag), !tag.isEmpty, tag != keyName { lines.append(("tag", tag)) }
        if let hash = bytes(.applicationLabel) { lines.append(("key hash", hash.hexadecimal)) }
        let uses = Self.uses.filter { attributes[$0.0] == .number(1) }.map(\.1)
        if !uses.isEmpty { lines.append(("usage", uses.joined(separator: ", "))) }
        if attributes[.isExtractable] == .number(0) {
            lines.append(("exportable", "no, because the service uses the key and never returns it"))
        }
        for certificate in certificates { lines.append(("certified", certificate.name)) }
        return lines + placeLines(context)
    }

    func keyMembers(certificates: [ListedCertificate]) -> [(String, JSONText)] {
        [
            ("class", .text(reference.itemClass.code)), ("name", .text(keyName)), ("label", json(.label)),
            ("kind", .text(keyKind)), ("tag", json(.applicationTag)),
            ("publicKeyHash", bytes(.applicationLabel).map { .text($0.hexadecimal) } ?? .null),
            ("extractable", .boolean(attributes[.isExtractable] != .number(0))),
            ("certificates", .array(certificates.map { .text($0.name) })),
        ] + placeMembers
    }

    private static let uses: [(AttributeKey, String)] = [
        (.canSign, "signing"), (.canVerify, "verifying"), (.canEncrypt, "encrypting"), (.canDecrypt, "decrypting"),
        (.canDerive, "key agreement"), (.canWrap, "wrapping keys"), (.canUnwrap, "unwrapping keys"),
    ]

    /// Returns the lines on its owner and its dates.
    fileprivate func placeLines(_ context: CommandContext) -> [(String, String)] {
        let dates = [("created", creationDate), ("modified", modificationDate)]
        return [("program", ProgramNames(ofGroups: [group], in: context).name(ofGroup: group))]
            + dates.compactMap { title, date in date.flatMap(context.localTime).map { (title, $0) } }
    }

    fileprivate var placeMembers: [(String, JSONText)] {
        [
            ("group", .text(group)), ("program", installedPath(ofGroup: group).map(JSONText.text) ?? .null),
            ("created", json(.creationDate)), ("modified", json(.modificationDate)),
            ("synchronizable", .boolean(attributes.isSynchronizable)), ("reference", .text(base64(reference.bytes))),
        ]
    }
}
