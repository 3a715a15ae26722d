// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
public import KeychainPolicy
public import KeychainSealing
public import SecretMemory

// Keys that the program keeps, sealed under the keys of this store. The database knows nothing of them.
extension ItemStore {
    /// Seals a new key for the program that will use it.
    ///
    /// - Returns: the key's identifier with all its attributes, and the sealed bytes.
    /// - Throws: `.passwordNeeded`, `.keyNotAvailable`.
    /// - Precondition: a grant for adding; the attributes are of a key and name an access group.
    public func seal(
        _ attributes: ItemAttributes, secret: SecretBytes, with grant: consuming Grant, material: ItemKeyMaterial
    ) throws(StoreError) -> (item: StoredItem, bytes: [UInt8]) {
        precondition(grant.operation == .add, "the grant is for another operation")
        let complete = attributes.completed(at: clock(), keepsDates: false)
        let binding = UnstoredKey.binding(
            makeIdentifier(), complete.accessibility, accessGroup: digests.group(complete.accessGroup ?? "", .key),
            access: complete.itemAccess)
        do throws(SealingError) {
            let sealed = try seal(complete, secret, to: binding, material: material)
            return (
                StoredItem(identifier: binding.item, attributes: complete), UnstoredKey(binding, sealed).bytes
            )
        } catch {
            throw StoreError(error)
        }
    }

    /// Returns the key of ``seal(_:secret:with:material:)`` as a search returns a stored one, with its access group.
    ///
    /// - Returns: nil for bytes that are not a key of this store, unchanged.
    /// - Throws: `.keyNotAvailable`.
    public func find(sealed bytes: [UInt8]) throws(StoreError) -> (found: FoundItems, accessGroup: String)? {
        guard let key = UnstoredKey(bytes),
            let group = try opened(SealedRow(key, in: nil), .key, .attributes)?.attributes?.accessGroup
        else { return nil }
        return (FoundItems(SealedRow(key, in: group)), group)
    }
}
