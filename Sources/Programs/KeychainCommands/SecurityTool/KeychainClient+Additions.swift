// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainCertificates
internal import KeychainClient
internal import KeychainModel
internal import SecurityValues

// Adding certificates and keys, as `SecItemAdd` does with objects.
extension KeychainClient {
    func add(_ certificate: Certificate) throws(ClientError) {
        let attributes = try attributes(.certificate, for: .add, CertificateAttributes(certificate).entries)
        _ = try add(attributes, secret: certificate.encoded) { _ in }
    }

    /// Adds a key with its own attributes.
    ///
    /// - Parameter entries: further attributes; they take precedence over the key's own.
    /// - Returns: the reference of the item.
    func add(_ key: StoredKey, _ entries: [ItemAttributes.Entry]) throws(ClientError) -> PersistentReference {
        let given = Set(entries.map(\.key))
        let attributes = try attributes(
            .key, for: .add, entries + key.attributes.filter { !given.contains($0.key) })
        return try add(attributes, secret: key.data) { _ in }.reference
    }
}
