// SPDX-License-Identifier: Apache-2.0

internal import CCryptoki
internal import FoundationEssentials
internal import KeychainKeys
internal import SwiftASN1

// Public keys in the attributes of PKCS #11.
extension PublicKey {
    /// The attributes that the public key and the private key of a pair have in common.
    var keyAttributes: [Template.Entry] {
        switch type {
        case .rsa:
            guard let numbers = rsaNumbers else { return [] }
            return [.init(CKA_MODULUS, numbers.modulus), .init(CKA_PUBLIC_EXPONENT, numbers.exponent)]
        case .ellipticCurve, .ed25519, .x25519:
            return [
                .init(CKA_EC_PARAMS, curveParameters),
                .init(CKA_EC_POINT, encoded { $0.appendOctets(externalRepresentation) }),
            ]
        }
    }

    /// The SubjectPublicKeyInfo in DER (RFC 5280, 4.1).
    var subjectPublicKeyInfo: [UInt8] {
        encoded { serializer in
            try serializer.appendConstructedNode(identifier: .sequence) { serializer in
                try serializer.appendConstructedNode(identifier: .sequence) { serializer in
                    switch type {
                    case .rsa:
                        try serializer.serialize(ASN1ObjectIdentifier.rsaEncryption)
                        try serializer.serialize(ASN1Null())
                    case .ellipticCurve:
                        try serializer.serialize(ASN1ObjectIdentifier.ecPublicKey)
                        serializer.serializeRawBytes(curveParameters)
                    case .ed25519: try serializer.serialize(ASN1ObjectIdentifier.ed25519)
                    case .x25519: try serializer.serialize(ASN1ObjectIdentifier.x25519)
                    }
                }
                try serializer.serialize(ASN1BitString(bytes: Array(externalRepresentation)[...]))
            }
        }
    }

    /// The number of the type of key.
    var cryptokiType: CK_ULONG { type.cryptokiType }

    private var curveParameters: [UInt8] { KeyForm(type, sizeInBits: sizeInBits)?.parameters ?? [] }

    /// The numbers of an RSA key, big-endian without leading zeros.
    private var rsaNumbers: (modulus: [UInt8], exponent: [UInt8])? {
        guard let root = try? DER.parse(Array(externalRepresentation)) else { return nil }
        return try? DER.sequence(root, identifier: .sequence) { nodes in
            let modulus = try ArraySlice<UInt8>(derEncoded: &nodes)
            let exponent = try ArraySlice<UInt8>(derEncoded: &nodes)
            return (Array(modulus.drop { $0 == 0 }), Array(exponent.drop { $0 == 0 }))
        }
    }

    /// Reads a public key from the attributes of an object.
    ///
    /// - Throws: `CKR_TEMPLATE_INCOMPLETE`, `CKR_ATTRIBUTE_VALUE_INVALID`, `CKR_CURVE_NOT_SUPPORTED`.
    init(_ template: Template, _ cryptokiType: CK_ULONG) throws(CryptokiError) {
        do throws(KeyError) {
            guard cryptokiType == CKK_RSA else {
                let form = try KeyForm.named(template, cryptokiType)
                try self.init(
                    type: form.type,
                    externalRepresentation: unwrappedPoint(try Self.needed(template, CKA_EC_POINT), form))
                return
            }
            let modulus = try Self.needed(template, CKA_MODULUS)
            let exponent = try Self.needed(template, CKA_PUBLIC_EXPONENT)
            try self.init(type: .rsa, externalRepresentation: encodedIntegers([modulus, exponent]))
        } catch {
            throw CryptokiError(error)
        }
    }

    private static func needed(_ template: Template, _ attribute: CK_ATTRIBUTE_TYPE) throws(KeyError) -> [UInt8] {
        guard let value = template.bytes(attribute) else { throw KeyError(.failed, "the template is incomplete") }
        return value
    }
}

extension CryptokiError {
    /// The value for attributes that are no key.
    init(_ error: KeyError) {
        switch error.kind {
        case .invalid, .verificationFailed: self.init(CKR_ATTRIBUTE_VALUE_INVALID)
        case .sizeNotAllowed: self.init(CKR_KEY_SIZE_RANGE)
        case .unsupportedAlgorithm: self.init(CKR_CURVE_NOT_SUPPORTED)
        case .failed: self.init(CKR_TEMPLATE_INCOMPLETE)
        }
    }
}

/// The family of a key and its size, as `CKA_KEY_TYPE` and `CKA_EC_PARAMS` name them.
struct KeyForm: Hashable {
    let type: KeyType
    let sizeInBits: Int
    /// The value of `CKA_EC_PARAMS`: a named curve (RFC 3279), or the name of a curve that PKCS #11 3.0 adds.
    let parameters: [UInt8]

    private static let curves: [(KeyType, Int, CK_ULONG, [[UInt8]])] = [
        (.ellipticCurve, 256, CKK_EC, [encoded { try $0.serialize(ASN1ObjectIdentifier.secp256r1) }]),
        (.ellipticCurve, 384, CKK_EC, [encoded { try $0.serialize(ASN1ObjectIdentifier.secp384r1) }]),
        (.ellipticCurve, 521, CKK_EC, [encoded { try $0.serialize(ASN1ObjectIdentifier.secp521r1) }]),
        // Programs use the name of version 3.0 or the identifier of RFC 8410.
        (
            .ed25519, 256, CKK_EC_EDWARDS,
            [
                encoded { try $0.serialize(ASN1PrintableString("edwards25519")) },
                encoded { try $0.serialize(ASN1ObjectIdentifier.ed25519) },
            ]
        ),
        (
            .x25519, 256, CKK_EC_MONTGOMERY,
            [
                encoded { try $0.serialize(ASN1PrintableString("curve25519")) },
                encoded { try $0.serialize(ASN1ObjectIdentifier.x25519) },
            ]
        ),
    ]

    /// The form of a key on a curve; nil for another size, and for RSA.
    init?(_ type: KeyType, sizeInBits: Int) {
        guard let curve = Self.curves.first(where: { $0.0 == type && $0.1 == sizeInBits }) else { return nil }
        self.init(type: type, sizeInBits: sizeInBits, parameters: curve.3[0])
    }

    private init(type: KeyType, sizeInBits: Int, parameters: [UInt8]) {
        self.type = type
        self.sizeInBits = sizeInBits
        self.parameters = parameters
    }

    /// Reads the curve that a template names.
    static func named(_ template: Template, _ cryptokiType: CK_ULONG) throws(KeyError) -> KeyForm {
        guard let given = template.bytes(CKA_EC_PARAMS) else { throw KeyError(.failed, "the template is incomplete") }
        guard let curve = curves.first(where: { $0.2 == cryptokiType && $0.3.contains(given) }) else {
            throw KeyError(.unsupportedAlgorithm, "the curve is not supported")
        }
        return KeyForm(type: curve.0, sizeInBits: curve.1, parameters: given)
    }
}

extension KeyType {
    /// The number of the type of key.
    var cryptokiType: CK_ULONG {
        switch self {
        case .rsa: CKK_RSA
        case .ellipticCurve: CKK_EC
        case .ed25519: CKK_EC_EDWARDS
        case .x25519: CKK_EC_MONTGOMERY
        }
    }
}

/// Returns a point that a program passes, without the OCTET STRING around it. PKCS #11 requires one in attributes and allows
/// both in parameters.
func unwrappedPoint(_ bytes: [UInt8], _ form: KeyForm) -> [UInt8] {
    let size = form.type == .ellipticCurve ? 1 + 2 * ((form.sizeInBits + 7) / 8) : 32
    guard bytes.count != size, let node = try? DER.parse(bytes), let string = try? ASN1OctetString(derEncoded: node)
    else { return bytes }
    return Array(string.bytes)
}

/// Encodes positive numbers as a SEQUENCE of INTEGER.
func encodedIntegers(_ numbers: [[UInt8]]) -> [UInt8] {
    encoded { serializer in
        serializer.appendConstructedNode(identifier: .sequence) { serializer in
            for number in numbers { serializer.appendInteger(number) }
        }
    }
}

/// Encodes the serial number of a certificate, from the content of the INTEGER.
func encodedSerialNumber(_ content: [UInt8]) -> [UInt8] {
    encoded { $0.appendPrimitiveNode(identifier: .integer) { $0 += content } }
}

private func encoded(_ body: (inout DER.Serializer) throws -> Void) -> [UInt8] {
    var serializer = DER.Serializer()
    // These values can always be encoded.
    try? body(&serializer)
    return serializer.serializedBytes
}

extension DER.Serializer {
    fileprivate mutating func appendOctets(_ bytes: Data) {
        appendPrimitiveNode(identifier: .octetString) { $0 += bytes }
    }

    fileprivate mutating func appendInteger(_ number: [UInt8]) {
        var content = Array(number.drop { $0 == 0 })
        if content.isEmpty || content[0] >= 0x80 { content.insert(0, at: 0) }
        appendPrimitiveNode(identifier: .integer) { $0 += content }
    }
}

extension ASN1ObjectIdentifier {
    fileprivate static let rsaEncryption: Self = [1, 2, 840, 113549, 1, 1, 1]
    fileprivate static let ecPublicKey: Self = [1, 2, 840, 10045, 2, 1]
    fileprivate static let secp256r1: Self = [1, 2, 840, 10045, 3, 1, 7]
    fileprivate static let secp384r1: Self = [1, 3, 132, 0, 34]
    fileprivate static let secp521r1: Self = [1, 3, 132, 0, 35]
    fileprivate static let ed25519: Self = [1, 3, 101, 112]
    fileprivate static let x25519: Self = [1, 3, 101, 110]
}
