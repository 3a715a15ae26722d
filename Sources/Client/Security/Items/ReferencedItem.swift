// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel

/// An object for an item, for `kSecValueRef` and `kSecReturnRef`. Passwords have none.
enum ReferencedItem {
    case certificate(SecCertificate)
    case key(SecKey)
    case identity(SecIdentity)

    /// Nil for any other object.
    init?(_ object: Any) {
        switch object {
        case let certificate as SecCertificate: self = .certificate(certificate)
        case let key as SecKey: self = .key(key)
        case let identity as SecIdentity: self = .identity(identity)
        default: return nil
        }
    }

    var itemClass: ItemClass {
        switch self {
        case .certificate: .certificate
        case .key: .key
        case .identity: .identity
        }
    }

    /// The item's data: a certificate in DER, a key as `SecKeyCopyExternalRepresentation` returns it. Nil for a key
    /// that the service holds, and for an identity, whose halves are stored.
    var data: Data? {
        switch self {
        case .certificate(let certificate): SecCertificateCopyData(certificate) as Data
        case .key(let key): key.externalRepresentation
        case .identity: nil
        }
    }

    /// All attributes of the object itself (semantics 1.7, 2.4, 6.2).
    var attributes: [ItemAttributes.Entry] {
        switch self {
        case .certificate(let certificate): CertificateAttributes(certificate.content).entries
        case .key(let key): key.attributeEntries
        case .identity: []
        }
    }

    /// The attributes by which the stored item is found. The permitted uses of a key belong to the stored item and are
    /// ignored.
    var identifyingAttributes: [ItemAttributes.Entry] {
        if case .identity(let identity) = self {
            return [ReferencedItem.certificate(identity.certificate), .key(identity.privateKey)]
                .flatMap(\.identifyingAttributes)
        }
        let keys: [AttributeKey] =
            switch self {
            case .certificate: [.certificateType, .issuer, .serialNumber]
            case .key: [.keyClass, .type, .keySizeInBits, .applicationLabel]
            case .identity: []
            }
        return attributes.filter { keys.contains($0.key) }
    }
}

extension ReferencedItem {
    /// Creates the object of a stored item; nil for invalid data, which a caller may have stored.
    ///
    /// - Parameter authentication: the prompt settings that a key keeps for its uses.
    init?(_ item: ReturnedItem<Data>, _ authentication: AuthenticationOptions? = nil) {
        guard let data = item.secret else { return nil }
        switch item.reference.itemClass {
        case .certificate:
            guard let certificate = try? Certificate(data) else { return nil }
            self = .certificate(SecCertificate(certificate))
        case .key:
            let isHeld = item.attributes?.isHeldKey ?? false
            guard
                let key = isHeld
                    ? SecKey(heldKey: item, authentication) : SecKey(data, attributes: item.attributes)
            else { return nil }
            self = .key(key)
        case .genericPassword, .internetPassword, .identity: return nil
        }
    }

    var object: AnyObject {
        switch self {
        case .certificate(let certificate): certificate
        case .key(let key): key
        case .identity(let identity): identity
        }
    }
}

extension ReturnedParts {
    /// Returns the parts to request from the service: references are created in the client, from an item's data and
    /// attributes.
    func needed(for itemClass: ItemClass) -> ReturnedParts {
        switch itemClass {
        case .certificate where contains(.reference): union([.data, .attributes])
        // The service returns the data for such a reference: for a key that it holds, the public half.
        case .key where contains(.reference), .identity where contains(.reference): union(.attributes)
        case .certificate, .key, .genericPassword, .internetPassword, .identity: self
        }
    }
}

extension SecKey {
    fileprivate var externalRepresentation: Data? {
        switch material {
        case .publicKey(let key): key.externalRepresentation
        case .privateKey(let key): key.externalRepresentation
        case .heldKey: nil
        }
    }

    fileprivate var attributeEntries: [ItemAttributes.Entry] {
        var entries: [ItemAttributes.Entry] = []
        for (name, value) in SecKeyCopyAttributes(self) as? [String: Any] ?? [:] {
            guard let key = AttributeKey(name: name), let value = DictionaryValue(value).attributeValue else {
                continue
            }
            entries.append(.init(key, value))
        }
        return entries
    }

    /// Creates a key from its stored form. Programs may store a key without its type or class; then the bytes determine
    /// it.
    fileprivate convenience init?(_ data: Data, attributes: ItemAttributes?) {
        let name = attributes?[.type].flatMap(Self.text)
        let named = KeyType.allCases.filter { $0.name as String == name }
        let isPrivate = attributes?[.keyClass].flatMap(Self.text) == kSecAttrKeyClassPrivate as String
        for type in named.isEmpty ? KeyType.allCases : named {
            let publicKey = (try? PublicKey(type: type, externalRepresentation: data)).map(SecKey.Material.publicKey)
            let privateKey = (try? PrivateKey(type: type, externalRepresentation: data)).map(Material.privateKey)
            // On Curve25519 both halves have 32 bytes.
            if let material = isPrivate ? privateKey ?? publicKey : publicKey ?? privateKey {
                let permissions = KeyPermissions(attributes)
                self.init(material, isPrivate ? permissions : permissions.ofPublicHalf)
                return
            }
        }
        return nil
    }

    private static func text(_ value: AttributeValue) -> String? {
        switch value {
        case .string(let text): text
        case .number(let number): String(number)
        case .data, .date, .accessControl: nil
        }
    }
}
