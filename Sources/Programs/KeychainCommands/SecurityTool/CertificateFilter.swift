// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainClient
internal import KeychainModel
internal import KeychainWire

/// The search criteria of the commands for certificates and identities.
struct CertificateFilter {
    /// A part of the common name, ignoring case.
    var name: String?
    /// An e-mail address.
    var emailAddress: String?
    /// A fingerprint: SHA-1 or SHA-256 in hexadecimal digits.
    var hash: String?

    func accepts(_ certificate: ListedCertificate) -> Bool {
        if let name, certificate.commonName.map({ !$0.lowercased().contains(name.lowercased()) }) ?? true {
            return false
        }
        if let emailAddress {
            let addresses = certificate.emailAddresses.map { $0.lowercased() }
            guard addresses.contains(emailAddress.lowercased()) else { return false }
        }
        if let hash {
            let digits = hash.filter { $0 != ":" && $0 != " " }.lowercased()
            let own = [certificate.certificate?.sha1Fingerprint, certificate.certificate?.sha256Fingerprint]
            guard own.contains(where: { $0?.hexadecimal == digits }) else { return false }
        }
        return true
    }

    /// Returns whether the name is the whole common name.
    func isExact(_ certificate: ListedCertificate) -> Bool {
        name != nil && certificate.commonName?.lowercased() == name?.lowercased()
    }
}

extension KeychainClient {
    /// Returns the items of a list that belong to this command, which are preferred.
    func ownFirst<Item>(_ items: [Item], _ listed: (Item) -> ListedItem) throws(ClientError) -> [Item] {
        guard items.count > 1, keychainPath == nil else { return items }
        let groups = try status().accessGroups
        let isOwn = items.map { groups.contains(listed($0).group) }
        return zip(items, isOwn).filter(\.1).map(\.0) + zip(items, isOwn).filter { !$0.1 }.map(\.0)
    }
}
