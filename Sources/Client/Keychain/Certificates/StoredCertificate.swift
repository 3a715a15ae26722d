// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainClient
internal import KeychainModel

/// A certificate in the keychain. The values of the certificate are available as its own properties:
/// `found.commonName`.
///
/// Two values are equal when they are the same item.
@dynamicMemberLookup
public struct StoredCertificate: Hashable, Sendable {
    public let certificate: KeychainCertificate
    /// `kSecAttrLabel`: the display name.
    public let label: String?
    /// `kSecAttrAccessGroup`
    public let accessGroup: String?
    public let accessibility: Accessibility

    let reference: PersistentReference

    /// Nil for an item that is not a certificate, although another program of the group stored it with that class.
    init?(_ item: ReturnedItem<SecretData>) {
        guard let bytes = item.secret?.bytes, let content = try? Certificate(bytes), let stored = item.attributes else {
            return nil
        }
        certificate = KeychainCertificate(content)
        let encoded = EncodedAttributes(stored)
        label = encoded.text(.label)
        accessGroup = encoded.text(.accessGroup)
        accessibility = encoded.accessibility
        reference = item.reference
    }

    public subscript<Value>(dynamicMember property: KeyPath<KeychainCertificate, Value>) -> Value {
        certificate[keyPath: property]
    }

    public static func == (left: StoredCertificate, right: StoredCertificate) -> Bool {
        left.reference == right.reference
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(reference) }
}

/// A certificate in the keychain and its private key, which is in the keychain as well.
///
/// Identities are not stored: a certificate and its private key in the keychain form an identity. To create an
/// identity, add the key and the certificate in either order. Deleting one of them removes the identity.
public struct StoredIdentity: Hashable, Sendable {
    public let certificate: StoredCertificate
    public let privateKey: StoredPrivateKey

    init?(_ identity: ReturnedIdentity<SecretData>) {
        guard let certificate = StoredCertificate(identity.certificate), let key = StoredPrivateKey(identity.key) else {
            return nil
        }
        (self.certificate, privateKey) = (certificate, key)
    }
}
