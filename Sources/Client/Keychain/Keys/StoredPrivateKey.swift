// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainKeys
internal import KeychainModel

/// A private key in the keychain: its name and its public half, without secret data.
///
/// The service uses the key, through ``UserKeychain/signature(for:by:using:)`` and similar functions. Two values are
/// equal when they are the same item.
public struct StoredPrivateKey: Hashable, Sendable {
    /// The public half of the key.
    public let publicKey: KeychainPublicKey
    /// `kSecAttrApplicationTag`: the program's name for the key; as bytes, because other programs may store any bytes.
    public let tag: [UInt8]
    /// `kSecAttrLabel`: the display name.
    public let label: String?
    /// `kSecAttrIsExtractable` and not `kSecAttrIsSensitive`: whether the private half can be exported.
    public let isExtractable: Bool
    /// The holder of the private half.
    public let holder: PrivateKeyHolder
    /// `kSecAttrAccessGroup`
    public let accessGroup: String?
    public let accessibility: Accessibility

    let reference: PersistentReference

    public var kind: KeyKind { publicKey.kind }

    /// Nil for an item that is not a private key.
    init?(_ item: ReturnedItem<SecretData>) {
        guard let attributes = item.attributes, attributes.isPrivateKey, let secret = item.secret,
            case .number(let code) = attributes[.type], let type = KeyType(code: code)
        else { return nil }
        isExtractable = !attributes.isHeldKey
        holder = attributes.token == nil ? .service : .secureElement
        // For a key that the service holds, the data is the public half instead of the private one.
        let key =
            isExtractable
            ? try? PrivateKey(type: type, externalRepresentation: secret.bytes).publicKey
            : try? PublicKey(type: type, externalRepresentation: secret.bytes)
        guard let key else { return nil }
        publicKey = KeychainPublicKey(key)
        let encoded = EncodedAttributes(attributes)
        tag = encoded.bytes(.applicationTag) ?? Array((encoded.text(.applicationTag) ?? "").utf8)
        label = encoded.text(.label)
        accessGroup = encoded.text(.accessGroup)
        accessibility = encoded.accessibility
        reference = item.reference
    }

    public static func == (left: StoredPrivateKey, right: StoredPrivateKey) -> Bool {
        left.reference == right.reference
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(reference) }
}

/// The holder of the private half of a stored key.
public enum PrivateKeyHolder: Hashable, Sendable {
    /// The keychain service, in its database.
    case service
    /// A token (`kSecAttrTokenIDSecureEnclave`): the machine's TPM or, without a TPM, a separate program. The token
    /// generates the key, which is on P-256, and only the token can use it. A database that is copied to another
    /// machine is useless there.
    case secureElement
}

/// The public half of a key, in its external representation.
public struct KeychainPublicKey: Hashable, Sendable {
    public let kind: KeyKind
    /// RSA: RSAPublicKey in DER (PKCS #1; RFC 8017, A.1.1). Curves over prime fields: the point 04 | X | Y (ANSI
    /// X9.63). Other curves: 32 bytes (RFC 8032, RFC 7748).
    public let externalRepresentation: [UInt8]

    /// Decodes a public key.
    ///
    /// - Returns: nil for bytes that are not such a key, are malformed, or have trailing bytes.
    public init?(_ kind: KeyKind, externalRepresentation bytes: some Collection<UInt8>) {
        guard let key = try? PublicKey(type: kind.type, externalRepresentation: bytes), KeyKind(key) == kind else {
            return nil
        }
        self.init(key)
    }

    init(_ key: PublicKey) {
        kind = KeyKind(key)
        externalRepresentation = Array(key.externalRepresentation)
    }
}
