// SPDX-License-Identifier: Apache-2.0

public import CFTypes
public import Foundation
internal import KeychainCertificates
internal import KeychainKeys

/// Returns the fields of a certificate.
///
/// Each value is a dictionary with `kSecPropertyKeyType`, `kSecPropertyKeyLabel`, `kSecPropertyKeyLocalizedLabel` (in
/// English, the same) and `kSecPropertyKeyValue`. The value of a section is an array of such dictionaries. The labels
/// of a name's attributes are object identifiers, such as `kSecOIDCommonName`; several attributes of one set are a
/// section without a label. Extensions are sections under their object identifiers, except `kSecOIDKeyUsage` (a number:
/// the bits in the standard's order from the lowest on, and the highest when the extension is critical) and
/// `kSecOIDExtendedKeyUsage` (an array of object identifiers as data, each the content of its DER). Dates are numbers:
/// seconds since 2001 (`kSecOIDX509V1ValidityNotBefore`, `…NotAfter`).
///
/// - Parameters:
///   - certificate: the certificate.
///   - keys: the requested fields, as `kSecOID…` constants or dotted object identifiers; nil for all. Fields that the
///     certificate does not have are missing in the result.
///   - error: receives the error, unless it is nil.
/// - Returns: nil, and an error with the code `errSecParam` in `error`, when an element of `keys` is not a string.
@discardableResult
public func SecCertificateCopyValues(
    _ certificate: SecCertificate, _ keys: CFArray?, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFDictionary? {
    var wanted: Set<String>?
    if let keys {
        var names: Set<String> = []
        for key in keys {
            guard let name = key as? String else {
                // The caller guarantees a valid variable and takes over the reference: Apple's contract of this
                // function.
                unsafe error?.pointee = Unmanaged.passRetained(
                    certificateError(errSecParam, "a key of a certificate's field is a string"))
                return nil
            }
            names.insert(name)
        }
        wanted = names
    }
    let result = NSMutableDictionary()
    for (key, property) in fields(of: certificate.content) where wanted?.contains(key) ?? true {
        // The first value of a key is kept.
        if result[key] == nil { result[key] = property.object }
    }
    return result
}

/// A field for display.
private struct Property {
    enum Value {
        case section([Property])
        case text(String)
        case data([UInt8])
        case url(String)
        case date(Date)
        case number(NSNumber)
        case array([AnyObject])
    }

    var label: String?
    var value: Value

    init(_ label: String?, _ value: Value) {
        self.label = label
        self.value = value
    }

    init(_ label: String, _ truth: Bool) { self.init(label, .text(truth ? "Yes" : "No")) }

    var object: NSDictionary {
        let result = NSMutableDictionary()
        if let label {
            result[kSecPropertyKeyLabel as String] = label as NSString
            result[kSecPropertyKeyLocalizedLabel as String] = label as NSString
        }
        let (type, object): (CFString, AnyObject) =
            switch value {
            case .section(let parts): (kSecPropertyTypeSection, parts.map(\.object) as NSArray)
            case .text(let text): (kSecPropertyTypeString, text as NSString)
            case .data(let bytes): (kSecPropertyTypeData, cfData(bytes))
            // A text that Foundation does not accept as a URL is shown as text.
            case .url(let text):
                NSURL(string: text).map { (kSecPropertyTypeURL, $0) } ?? (kSecPropertyTypeString, text as NSString)
            case .date(let date): (kSecPropertyTypeDate, date as NSDate)
            case .number(let number): (kSecPropertyTypeNumber, number)
            case .array(let objects): (kSecPropertyTypeArray, objects as NSArray)
            }
        result[kSecPropertyKeyType as String] = type
        result[kSecPropertyKeyValue as String] = object
        return result
    }
}

/// Returns all fields by key. If a key occurs twice, the first field counts.
private func fields(of certificate: Certificate) -> [(key: String, property: Property)] {
    var fields: [(key: String, property: Property)] = []
    func add(_ key: CFString, _ label: String, _ value: Property.Value) {
        fields.append((key as String, Property(label, value)))
    }
    func addList(_ key: CFString, _ label: String, _ texts: [String]) {
        if !texts.isEmpty { add(key, label, .array(texts.map { $0 as NSString })) }
    }
    addList(kSecOIDCommonName, "CN", certificate.subject.texts(of: .commonName))
    addList("DNSNAMES", "DNS", certificate.dnsNames)
    addList("IPADDRESSES", "IP", certificate.ipAddresses)
    addList(kSecOIDEmailAddress, "Email", certificate.emailAddresses)
    add(
        kSecOIDX509V1ValidityNotBefore, "Not Valid Before",
        .number(NSNumber(value: certificate.notBefore.timeIntervalSinceReferenceDate)))
    add(
        kSecOIDX509V1ValidityNotAfter, "Not Valid After",
        .number(NSNumber(value: certificate.notAfter.timeIntervalSinceReferenceDate)))
    let isUsageCritical = certificate.extensions.contains { $0.type == .keyUsage && $0.isCritical }
    let usage = UInt32(certificate.known.keyUsage?.rawValue ?? 0)
    let critical: UInt32 = certificate.known.keyUsage != nil && isUsageCritical ? 1 << 31 : 0
    add(kSecOIDKeyUsage, "Key Usage", .number(NSNumber(value: Int32(bitPattern: usage | critical))))
    if let purposes = certificate.known.extendedKeyUsage {
        add(kSecOIDExtendedKeyUsage, "Extended Key Usage", .array(purposes.map { cfData($0.bytes) }))
    }
    add(kSecOIDX509V1SubjectName, "Subject Name", .section(attributes(certificate.subject)))
    add(kSecOIDX509V1IssuerName, "Issuer Name", .section(attributes(certificate.issuer)))
    add(kSecOIDX509V1Version, "Version", .text("\(certificate.version)"))
    add(kSecOIDX509V1SerialNumber, "Serial Number", .text(number(certificate.serialNumber)))
    add(kSecOIDX509V1SignatureAlgorithm, "Signature Algorithm", algorithm(certificate.signatureAlgorithm))
    if let identifier = certificate.subjectUniqueID {
        add(kSecOIDX509V1CertificateSubjectUniqueId, "Subject Unique ID", .data(identifier))
    }
    if let identifier = certificate.issuerUniqueID {
        add(kSecOIDX509V1CertificateIssuerUniqueId, "Issuer Unique ID", .data(identifier))
    }
    add(
        kSecOIDX509V1SubjectPublicKeyAlgorithm, "Public Key Algorithm",
        algorithm(certificate.publicKeyInfo.algorithm))
    add(kSecOIDX509V1SubjectPublicKey, "Public Key Data", .data(certificate.publicKeyInfo.bits))
    add(kSecOIDX509V1Signature, "Signature", .data(certificate.signature))
    for found in certificate.extensions {
        let label = "\(found.type)"
        let parts = [Property("Critical", found.isCritical)] + content(of: found, known: certificate.known)
        fields.append((label, Property(label, .section(parts))))
    }
    add(
        "Fingerprints", "Fingerprints",
        .section([
            Property("SHA-256", .data(certificate.sha256Fingerprint)),
            Property("SHA-1", .data(certificate.sha1Fingerprint)),
        ]))
    let now = Date()
    if now > certificate.notAfter {
        add("Expired", "Expired", .date(certificate.notAfter))
    } else if now < certificate.notBefore {
        add("Valid from", "Valid from", .date(certificate.notBefore))
    } else {
        add(kSecOIDInvalidityDate, "Expires", .date(certificate.notAfter))
    }
    return fields
}

private func attributes(_ name: DistinguishedName) -> [Property] {
    var result: [Property] = []
    var rest = name.attributes[...]
    while let first = rest.first {
        let set = rest.prefix { $0.relativeName == first.relativeName }
        rest.removeFirst(set.count)
        let properties = set.map { Property("\($0.type)", .text($0.text)) }
        result += properties.count > 1 ? [Property(nil, .section(properties))] : properties
    }
    return result
}

private func algorithm(_ algorithm: Certificate.Algorithm) -> Property.Value {
    let parameters = algorithm.parameters.map { parameters in
        parameters == [0x05, 0x00]
            ? Property("Parameters", .text("none")) : Property("Unparsed Parameters", .data(parameters))
    }
    return .section([Property("Algorithm", .text("\(algorithm.type)"))] + [parameters].compactMap(\.self))
}

/// Decimal up to 8 bytes, without regard to the sign; otherwise hexadecimal, as in Apple's implementation.
private func number(_ bytes: [UInt8]) -> String {
    guard bytes.count > 8 else { return "\(bytes.reduce(0) { $0 << 8 | UInt64($1) })" }
    return bytes.map { String(format: "%02X", $0) }.joined(separator: " ")
}

private func content(of found: Certificate.Extension, known: KnownExtensions) -> [Property] {
    let parts: [Property]? =
        switch found.type {
        case .subjectKeyIdentifier:
            known.subjectKeyIdentifier.map { [Property("Key Identifier", .data($0))] }
        case .authorityKeyIdentifier:
            known.authorityKeyIdentifier.map { identifier in
                [
                    identifier.keyIdentifier.map { Property("Key Identifier", .data($0)) },
                    identifier.serialNumber.map { Property("Authority Certificate Serial Number", .text(number($0))) },
                ].compactMap(\.self)
            }
        case .basicConstraints:
            known.basicConstraints.map { constraints in
                [
                    Property("Certificate Authority", constraints.isAuthority),
                    constraints.pathLength.map { Property("Path Length Constraint", .text("\($0)")) },
                ].compactMap(\.self)
            }
        case .keyUsage:
            known.keyUsage.map { [Property("Usage", .text(names(of: $0)))] }
        case .extendedKeyUsage:
            known.extendedKeyUsage?.map { Property("Purpose", .text("\($0)")) }
        case .subjectAlternativeName:
            known.subjectAlternativeNames?.map(property)
        default: nil
        }
    return parts ?? [Property("Unparsed Data", .data(found.value))]
}

private func property(_ name: GeneralName) -> Property {
    let label =
        switch name.kind {
        case .otherName: "Other Name"
        case .rfc822Name: "Email Address"
        case .dNSName: "DNS Name"
        case .x400Address: "X.400 Address"
        case .directoryName: "Directory Name"
        case .ediPartyName: "EDI Party Name"
        case .uniformResourceIdentifier: "URI"
        case .iPAddress: "IP Address"
        case .registeredID: "Registered ID"
        }
    guard let text = name.text else { return Property(label, .data(name.bytes)) }
    return Property(label, name.kind == .uniformResourceIdentifier ? .url(text) : .text(text))
}

private func names(of usage: KnownExtensions.KeyUsage) -> String {
    let names: [(KnownExtensions.KeyUsage, String)] = [
        (.digitalSignature, "Digital Signature"), (.nonRepudiation, "Non-Repudiation"),
        (.keyEncipherment, "Key Encipherment"), (.dataEncipherment, "Data Encipherment"),
        (.keyAgreement, "Key Agreement"), (.keyCertSign, "Key Cert Sign"), (.cRLSign, "CRL Sign"),
        (.encipherOnly, "Encipher Only"), (.decipherOnly, "Decipher Only"),
    ]
    return names.filter { usage.contains($0.0) }.map(\.1).joined(separator: ", ")
}
