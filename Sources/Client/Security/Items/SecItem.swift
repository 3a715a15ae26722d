// SPDX-License-Identifier: Apache-2.0

// The item functions of Keychain Services, for passwords, certificates, keys and identities.
//
// - All of them block until the keychain service has answered; they may be called on any thread.
// - A result is written on success only. On an error the caller's variable is not changed.
// - All four return these statuses: `errSecParam` for an invalid dictionary, `errSecNoSuchClass`, `errSecNoSuchAttr`,
//   `errSecUnimplemented` for a key that is not supported, or not with this item class, `errSecMissingEntitlement` for
//   an access group that is not the program's, `errSecInteractionNotAllowed` if the keychain is locked or a required
//   prompt is not possible, `errSecNotAvailable` if the service cannot be reached.

public import CFTypes
internal import Foundation
internal import KeychainClient
internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel

/// Adds an item.
///
/// `attributes` contains `kSecClass`, the item's attributes, `kSecValueData` (CFData) and `kSecReturn…` keys. Instead
/// of data, `kSecValueRef` can hold a certificate, a key or an identity. The result contains the parts that the
/// `kSecReturn…` keys request; without any, it is nil.
///
/// - Returns: in addition to the common statuses, `errSecDuplicateItem` if an item with the same primary key exists
///   (for generic passwords: account, service, access group and synchronizable setting); `errSecDataTooLarge` for data
///   over 16 MiB or attributes over 1 MiB.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    statusOf("SecItemAdd") { () throws(CallFailure) in
        let addition = try Addition(attributes)
        // A result that the caller does not take does not have to be decrypted.
        let isTaken = unsafe result != nil
        let parts = isTaken ? addition.returned : []
        let added = try addition.place.adding { keychain throws(CallFailure) in
            switch addition {
            case .item(let item): try add(item, parts, keychain)
            case .identity(let identity): try add(identity, parts, keychain)
            }
        }
        // The caller guarantees a valid variable: Apple's contract of this function.
        unsafe result?.pointee = added
    }
}

/// - Returns: the object for the item.
private func add(
    _ item: ItemAddition, _ parts: ReturnedParts, _ keychain: String?
) throws(CallFailure) -> CFTypeRef? {
    let authentication = try item.authentication.ofRequest()
    let added = try asking(.addition(item.attributes), authentication) { client throws(ClientError) in
        try client.add(
            item.attributes, secret: item.data, returning: parts.needed(for: item.attributes.itemClass)
        ) { Data($0) }
    }
    let results = ItemResults(
        parts: parts, authentication: item.authentication.ofReturnedKey, keychain: keychain)
    return results.element(added)
}

private func add(
    _ identity: IdentityAddition, _ parts: ReturnedParts, _ keychain: String?
) throws(CallFailure) -> CFTypeRef? {
    let results = ItemResults(
        parts: parts, authentication: identity.authentication.ofReturnedKey, keychain: keychain)
    return try add(identity, parts).flatMap { results.element($0) }
}

/// Finds items.
///
/// `query` contains `kSecClass` or `kSecValuePersistentRef`, attributes that must all be equal, `kSecMatchLimit` (one
/// item by default) and `kSecReturn…` keys. If one part is requested, it is returned bare; several parts are returned
/// in a dictionary. With a limit above one the result is always an array, in no particular order. Without a return key,
/// or with a null pointer, the status shows whether an item matches.
///
/// - Returns: in addition to the common statuses, `errSecItemNotFound`.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    statusOf("SecItemCopyMatching") { () throws(CallFailure) in
        let search = try ItemSearch(query)
        let isTaken = unsafe result != nil
        let found = try found(search, isTaken ? search.parts : [], isTaken: isTaken)
        // As for SecItemAdd.
        switch search.limit {
        case .one where !found.isWanted: break
        case .one: unsafe result?.pointee = found.elements.first
        case .atMost, .all: unsafe result?.pointee = NSArray(array: found.elements)
        }
    }
}

/// Changes every item that matches.
///
/// `query` is as for ``SecItemCopyMatching(_:_:)`` without `kSecMatch…` and `kSecReturn…` keys. `attributesToUpdate`
/// contains the new attributes and, to change the secret, `kSecValueData`; all others stay unchanged.
///
/// - Returns: in addition to the common statuses, `errSecItemNotFound`, `errSecDataTooLarge`, and `errSecDuplicateItem`
///   if a changed item would have the primary key of another one; then nothing is changed.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    statusOf("SecItemUpdate") { () throws(CallFailure) in
        try inKinds(try ItemUpdate.kinds(query), "SecItemUpdate") { kind throws(CallFailure) in
            let update = try ItemUpdate(query, attributesToUpdate, in: kind)
            try forEachPlace(of: update.query, update.place) { query throws(CallFailure) in
                try asking(.update(query), try update.authentication.ofRequest()) { client throws(ClientError) in
                    try client.update(query, changes: update.changes, secret: update.data)
                }
            }
        }
    }
}

/// Deletes every item that matches. A query with only a class deletes all local items of that class that the program
/// can see.
///
/// `query` is as for ``SecItemCopyMatching(_:_:)``, without a limit by default. In the data-protection keychain
/// `kSecMatch…` keys are ignored, except for those that Apple's does not know and a `kSecMatchLimit` other than all,
/// which are `errSecParam`. In keychain files they count.
///
/// - Returns: in addition to the common statuses, `errSecItemNotFound`.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    statusOf("SecItemDelete") { () throws(CallFailure) in
        let deletion = try ItemDeletion(query)
        try inKinds(deletion.kinds, "SecItemDelete") { kind throws(CallFailure) in
            if kind == .files { return try deleteFromFiles(deletion.inFiles) }
            let query = try deletion.protected()
            try asking(.search(query)) { client throws(ClientError) in try client.delete(query) }
        }
    }
}

/// Makes a change in one kind of keychain, or in both.
private func inKinds(
    _ kinds: KeychainKinds, _ function: StaticString, _ change: (KeychainKinds) throws(CallFailure) -> Void
) throws(CallFailure) {
    guard kinds == .both else { return try change(kinds) }
    try inBothKinds(
        function, protected: { () throws(CallFailure) in try change(.dataProtection) },
        files: { () throws(CallFailure) in try change(.files) }, joined: { _, _ in () })
}

/// Applies a change in all locations of one kind.
///
/// - Throws: `errSecItemNotFound` if no item matches in any of them.
private func forEachPlace(
    of query: ItemQuery, _ place: KeychainSelection, _ change: (ItemQuery) throws(CallFailure) -> Void
) throws(CallFailure) {
    guard place.isFiles else { return try change(query) }
    var count = 0
    try place.inEachFile { _, reference throws(CallFailure) in
        if let query = query.inFile(naming: reference) {
            try change(query)
            count += 1
        }
        return true
    }
    guard count > 0 else { throw CallFailure(.refused(Refusal(.itemNotFound, .none)), about: .search(query)) }
}

/// Adds the halves of an identity. A half that exists already is not changed.
///
/// - Returns: the identity, if parts of it are requested.
/// - Throws: `errSecDuplicateItem` if both halves exist.
private func add(_ identity: IdentityAddition, _ parts: ReturnedParts) throws(CallFailure) -> FoundIdentity? {
    var added: [ReturnedItem<Data>] = []
    // The key first, because it cannot be stored while the keychain is locked.
    for half in identity.isKeyHeld ? [identity.certificate] : [identity.key, identity.certificate] {
        do throws(CallFailure) {
            let authentication = try identity.authentication.ofRequest()
            let item = try asking(.addition(half.attributes), authentication) { client throws(ClientError) in
                try client.add(half.attributes, secret: half.data, returning: .attributes) { Data($0) }
            }
            added.append(item)
        } catch {
            let isLast = half.attributes.itemClass == .certificate
            if error.status == .duplicateItem, !isLast || !added.isEmpty { continue }
            // All or nothing. If the deletion fails, one half remains, but no identity.
            for item in added { try? KeychainClient.current.delete(ItemQuery(item.reference)) }
            throw error
        }
    }
    guard !parts.isEmpty else { return nil }
    let query = identity.query(in: added.first?.attributes?.accessGroup)
    let found = try asking(.search(query), try identity.authentication.ofRequest()) { client throws(ClientError) in
        try client.copyIdentities(query, limit: .one, returning: parts.needed(for: .identity)) { Data($0) }
    }
    return found.first
}

func statusOf(_ function: StaticString, _ body: () throws(CallFailure) -> Void) -> OSStatus {
    do throws(CallFailure) {
        try body()
        return errSecSuccess
    } catch {
        error.log(function)
        return error.status.rawValue
    }
}

func asking<R>(
    _ subject: CallFailure.Subject, _ authentication: ClientAuthentication? = nil,
    _ request: (KeychainClient) throws(ClientError) -> R
) throws(CallFailure) -> R {
    do throws(ClientError) {
        return try request(KeychainClient.current.authenticating(authentication ?? UserInteraction.ofRequest))
    } catch {
        throw CallFailure(error, about: subject)
    }
}
