// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainCertificates
internal import KeychainModel
internal import SecurityValues

/// An object for an item, for `kSecValueRef` and `kSecReturnRef`. Passwords have none.
enum ReferencedItem {
    case certificate(SecCertificate)
    case key(SecKey)
    case identity(SecIdentity)

    /// Whether it is, or has, a private key in a token and in no keychain.
    var isUnstored: Bool {
        switch self {
        case .certificate: false
        case .key(let key): key.isUnstored
        case .identity(let identity): identity.privateKey.isUnstored
        }
    }

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
        case .key(let key): key.stored.data
        case .identity: nil
        }
    }

    /// All attributes of the object itself (semantics 1.7, 2.4, 6.2).
    var attributes: [ItemAttributes.Entry] {
        switch self {
        case .certificate(let certificate): CertificateAttributes(certificate.content).entries
        case .key(let key): key.stored.attributes
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
            guard let key = SecKey(item, authentication) else { return nil }
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
