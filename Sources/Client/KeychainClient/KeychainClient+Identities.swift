// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
internal import KeychainWire

extension KeychainClient {
    /// Finds identities, in no particular order.
    ///
    /// - Parameter query: a query for the class of identities.
    /// - Throws: as ``copyMatching(_:limit:returning:copy:)``.
    public func copyIdentities<Secret>(
        _ query: ItemQuery, limit: MatchLimit, returning parts: ReturnedParts,
        copy: (ArraySlice<UInt8>) -> Secret
    ) throws(ClientError) -> [ReturnedIdentity<Secret>] {
        // The result alternates between certificates and keys.
        let items = try copyMatching(query, limit: limit, returning: parts, copy: copy)
        guard items.count.isMultiple(of: 2) else { throw .protocolViolation(.malformed) }
        var identities: [ReturnedIdentity<Secret>] = []
        identities.reserveCapacity(items.count / 2)
        for place in stride(from: 0, to: items.count, by: 2) {
            let (certificate, key) = (items[place], items[place + 1])
            guard certificate.reference.itemClass == .certificate, key.reference.itemClass == .key else {
                throw .protocolViolation(.malformed)
            }
            identities.append(ReturnedIdentity(certificate: certificate, key: key))
        }
        return identities
    }
}

/// An identity of an answer: its certificate and its key, with the requested parts.
public struct ReturnedIdentity<Secret> {
    public let certificate: ReturnedItem<Secret>
    public let key: ReturnedItem<Secret>

    /// The identity as one item: named by its certificate, with the attributes of both, and the key as its data
    /// (semantics 1.9, 2.7).
    public var item: ReturnedItem<Secret> {
        var attributes: ItemAttributes?
        if let ofCertificate = certificate.attributes, let ofKey = key.attributes {
            attributes = ItemAttributes(identityOf: ofCertificate, and: ofKey)
        }
        return ReturnedItem(reference: certificate.reference.of(.identity), attributes: attributes, secret: key.secret)
    }
}
