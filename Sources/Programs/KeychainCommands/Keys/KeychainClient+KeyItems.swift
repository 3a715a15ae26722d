// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory

/// A stored certificate as the commands see it.
struct ListedCertificate {
    let item: ListedItem
    /// The certificate; nil for another program's certificate, because reading its bytes requires a prompt, and for an
    /// invalid one.
    let certificate: Certificate?
}

/// A certificate and the private key of its public key.
struct ListedIdentity {
    let certificate: ListedCertificate
    let key: ListedItem

    /// A query for this identity alone.
    var query: ItemQuery {
        var query = ItemQuery(certificate.item.reference.of(.identity))
        query.attributes[.applicationLabel] = key.attributes[.applicationLabel]
        return query
    }
}

extension KeychainClient {
    /// Returns all matching certificates, of the caller and of other programs as far as the service shows them. Those
    /// of the caller include their bytes.
    func listCertificates(_ query: ItemQuery = ItemQuery(.certificate)) throws(ClientError) -> [ListedCertificate] {
        let items = try listItems(query)
        let own = try ownData(query, of: items)
        return items.map { item in
            ListedCertificate(item: item, certificate: own[item.reference].flatMap { try? Certificate($0) })
        }
    }

    /// Returns the bytes of a certificate, regardless of its owner.
    func certificate(of item: ListedItem) throws(ClientError) -> Certificate? {
        let secret = try secret(of: item)
        return try? Certificate(secret.bytes)
    }

    /// Returns all matching keys, likewise, without their bytes.
    func listKeys(_ query: ItemQuery = ItemQuery(.key)) throws(ClientError) -> [ListedItem] { try listItems(query) }

    /// Returns all identities, likewise.
    func listIdentities() throws(ClientError) -> [ListedIdentity] {
        var query = ItemQuery(.identity)
        query.synchronizable = .any
        let found: [ReturnedIdentity<Void>]
        do {
            found = try copyIdentities(query, limit: .all, returning: .attributes) { _ in }
        } catch .refused(let refusal) where refusal.status == .itemNotFound {
            return []
        }
        let pairs = found.compactMap { identity -> (ListedItem, ListedItem)? in
            guard let ofCertificate = identity.certificate.attributes, let ofKey = identity.key.attributes else {
                return nil
            }
            return (
                ListedItem(reference: identity.certificate.reference, attributes: ofCertificate),
                ListedItem(reference: identity.key.reference, attributes: ofKey)
            )
        }
        let own = try ownData(ItemQuery(.certificate), of: pairs.map(\.0))
        return pairs.map { certificate, key in
            ListedIdentity(
                certificate: ListedCertificate(
                    item: certificate, certificate: own[certificate.reference].flatMap { try? Certificate($0) }),
                key: key)
        }
    }

    /// Returns the data of items that belong to this command. This requires no prompt.
    private func ownData(
        _ query: ItemQuery, of items: [ListedItem]
    ) throws(ClientError) -> [PersistentReference: [UInt8]] {
        guard !items.isEmpty else { return [:] }
        var data: [PersistentReference: [UInt8]] = [:]
        let groups = keychainPath == nil ? try status().accessGroups : [""]
        for group in groups where items.contains(where: { $0.group == group }) {
            var query = query
            query.accessGroup = keychainPath == nil ? group : nil
            query.synchronizable = .any
            do {
                for item in try copyMatching(query, limit: .all, returning: .data, copy: { Array($0) }) {
                    data[item.reference] = item.secret
                }
            } catch .refused(let refusal) where refusal.status == .itemNotFound {}
        }
        return data
    }
}
