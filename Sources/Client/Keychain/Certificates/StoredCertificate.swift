// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainClient
internal import KeychainModel

/// A certificate in the keychain. What is read from it can be read as properties of its own: `found.commonName`.
///
/// Two are equal when they are the same item.
@dynamicMemberLookup
public struct StoredCertificate: Hashable, Sendable {
    public let certificate: KeychainCertificate
    /// `kSecAttrLabel`: what people see.
    public let label: String?
    /// `kSecAttrAccessGroup`
    public let accessGroup: String?
    public let accessibility: Accessibility

    let reference: PersistentReference

    /// Nil for an item that is no certificate, which another program of the group may have stored as one.
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

/// A certificate in the keychain and the private key that belongs to it, in the keychain as well.
///
/// Identities are not stored: where the keychain has both halves, it has the identity. So an identity is made by adding a
/// key and a certificate, in either order, and is no more once one of them is deleted.
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
