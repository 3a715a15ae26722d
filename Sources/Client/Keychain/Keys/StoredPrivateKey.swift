// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainKeys
internal import KeychainModel

/// A private key in the keychain: its name, its public half, and nothing that is secret.
///
/// It is used by the service, with ``UserKeychain/signature(for:by:using:)`` and its like. Two are equal when they are the same
/// item.
public struct StoredPrivateKey: Hashable, Sendable {
    /// Its public half.
    public let publicKey: KeychainPublicKey
    /// `kSecAttrApplicationTag`: what the program calls it; as bytes, since other programs may store any.
    public let tag: [UInt8]
    /// `kSecAttrLabel`: what people see.
    public let label: String?
    /// `kSecAttrIsExtractable`, and not `kSecAttrIsSensitive`: whether the private half can be read out.
    public let isExtractable: Bool
    /// Who has the private half.
    public let holder: PrivateKeyHolder
    /// `kSecAttrAccessGroup`
    public let accessGroup: String?
    public let accessibility: Accessibility

    let reference: PersistentReference

    public var kind: KeyKind { publicKey.kind }

    /// Nil for an item that is no private key.
    init?(_ item: ReturnedItem<SecretData>) {
        guard let attributes = item.attributes, attributes.isPrivateKey, let secret = item.secret,
            case .number(let code) = attributes[.type], let type = KeyType(code: code)
        else { return nil }
        isExtractable = !attributes.isHeldKey
        holder = attributes.token == nil ? .service : .secureElement
        // Of a key that the service holds, the public half comes in the place of the private one.
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

/// Who has the private half of a stored key.
public enum PrivateKeyHolder: Hashable, Sendable {
    /// The keychain service, in its database.
    case service
    /// A token (`kSecAttrTokenIDSecureEnclave`): the machine's TPM or, where there is none, a program of its own. It makes the key,
    /// which is on P-256, and alone can use it: a database that is copied to another machine is of no use there.
    case secureElement
}

/// The public half of a key, in the form in which it is exported.
public struct KeychainPublicKey: Hashable, Sendable {
    public let kind: KeyKind
    /// RSA keys RSAPublicKey in DER (PKCS #1; RFC 8017, A.1.1), keys on curves over prime fields the point 04 | X | Y (ANSI X9.63), the
    /// others their 32 bytes (RFC 8032, RFC 7748).
    public let externalRepresentation: [UInt8]

    /// Reads a key.
    ///
    /// - Returns: nil for bytes that are no such key, malformed, or followed by others.
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
