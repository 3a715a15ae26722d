// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainClient
internal import KeychainModel

/// An identity as the service answers it: its certificate and its key.
struct FoundIdentity {
    private let certificate: ReturnedItem<Data>
    private let key: ReturnedItem<Data>

    /// The identities of an answer: certificates and keys in turn.
    ///
    /// - Throws: `.protocolViolation` for an answer of another form.
    static func all(in items: [ReturnedItem<Data>]) throws(ClientError) -> [FoundIdentity] {
        guard items.count.isMultiple(of: 2) else { throw .protocolViolation(.malformed) }
        var identities: [FoundIdentity] = []
        for place in stride(from: 0, to: items.count, by: 2) {
            let (certificate, key) = (items[place], items[place + 1])
            guard certificate.reference.itemClass == .certificate, key.reference.itemClass == .key else {
                throw .protocolViolation(.malformed)
            }
            identities.append(FoundIdentity(certificate: certificate, key: key))
        }
        return identities
    }

    /// The identity as one item: named by its certificate, with the attributes of both, and the key as its data
    /// (semantics 1.9, 2.7).
    var item: ReturnedItem<Data> {
        var attributes: ItemAttributes?
        if let ofCertificate = certificate.attributes, let ofKey = key.attributes {
            attributes = ItemAttributes(identityOf: ofCertificate, and: ofKey)
        }
        return ReturnedItem(
            reference: certificate.reference.of(.identity), attributes: attributes, secret: key.secret)
    }

    /// Nil where one half is none, or is not what it was stored as.
    var object: SecIdentity? {
        guard case .certificate(let certificate) = ReferencedItem(certificate), case .key(let key) = ReferencedItem(key)
        else { return nil }
        return SecIdentityCreate(nil, certificate, key)
    }
}
