// SPDX-License-Identifier: Apache-2.0

// The item functions of Keychain Services, for generic and internet passwords.
//
// - All of them block until the keychain service has answered; they may be called on any thread.
// - A result is written on success only. On an error the caller's variable keeps what it held.
// - The statuses that all four share: `errSecParam` for a dictionary that makes no sense, `errSecNoSuchClass`,
//   `errSecNoSuchAttr`, `errSecUnimplemented` for the other item classes, `errSecMissingEntitlement` for an access group
//   that is not the program's, `errSecInteractionNotAllowed` for what is locked or somebody would have to be asked for,
//   `errSecNotAvailable` when the service cannot be reached.

public import CFTypes
internal import Foundation
internal import KeychainClient
internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel

/// Adds an item.
///
/// `attributes` holds `kSecClass`, the item's attributes, `kSecValueData` (CFData) and `kSecReturn…` keys. The result is
/// what those ask for, and nil without any.
///
/// - Returns: beside the common statuses `errSecDuplicateItem` when there is an item with the same account, service,
///   access group and synchronizable setting; `errSecDataTooLarge` for data over 16 MiB or attributes over 1 MiB.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    statusOf("SecItemAdd") { () throws(CallFailure) in
        let addition = try Addition(attributes)
        // What nobody takes needs no opening.
        let isTaken = unsafe result != nil
        let parts = isTaken ? addition.returned : []
        let added = try addition.place.adding { keychain throws(CallFailure) in
            switch addition {
            case .item(let item): try add(item, parts, keychain)
            case .identity(let identity): try add(identity, parts, keychain)
            }
        }
        // The caller vouches for the variable: Apple's contract of this function.
        unsafe result?.pointee = added
    }
}

/// - Returns: what stands for the item.
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
/// `query` holds `kSecClass` or `kSecValuePersistentRef`, attributes that must all be equal, `kSecMatchLimit` (one item by
/// default) and `kSecReturn…` keys. One kind of part is returned bare, several in a dictionary; with a limit above one
/// the result is always an array, in no promised order. Without a return key, or with a null pointer, the status says
/// whether there is such an item.
///
/// - Returns: beside the common statuses `errSecItemNotFound`.
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
/// holds the new attributes and, to change the secret, `kSecValueData`; what it does not name stays.
///
/// - Returns: beside the common statuses `errSecItemNotFound`, `errSecDataTooLarge`, and `errSecDuplicateItem` when an
///   item would become the same as another one: then nothing is changed.
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

/// Deletes every item that matches; a query with nothing but a class deletes all local items of that class that the
/// program can see.
///
/// `query` is as for ``SecItemCopyMatching(_:_:)`` without `kSecMatch…` keys.
///
/// - Returns: beside the common statuses `errSecItemNotFound`.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    statusOf("SecItemDelete") { () throws(CallFailure) in
        let deletion = try ItemDeletion(query)
        try inKinds(deletion.place.kinds, "SecItemDelete") { kind throws(CallFailure) in
            try forEachPlace(of: deletion.query, deletion.place.limited(to: kind)) { query throws(CallFailure) in
                try asking(.search(query)) { client throws(ClientError) in try client.delete(query) }
            }
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

/// Changes what matches, in all places of one kind.
///
/// - Throws: `errSecItemNotFound` if nothing matches anywhere.
private func forEachPlace(
    of query: ItemQuery, _ place: GivenPlace, _ change: (ItemQuery) throws(CallFailure) -> Void
) throws(CallFailure) {
    guard place.isFiles else { return try change(query) }
    var count = 0
    try place.inEachFile { _, reference throws(CallFailure) in
        if let query = query.naming(reference) {
            try change(query)
            count += 1
        }
        return true
    }
    guard count > 0 else { throw CallFailure(.refused(Refusal(.itemNotFound, .none)), about: .search(query)) }
}

/// Adds the halves of an identity. One that is there already stays as it is.
///
/// - Returns: the identity, if anything of it is wanted.
/// - Throws: `errSecDuplicateItem` if both are there.
private func add(_ identity: IdentityAddition, _ parts: ReturnedParts) throws(CallFailure) -> FoundIdentity? {
    var added: [ReturnedItem<Data>] = []
    // The key first: it is what cannot be stored while the keychain is locked.
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
            // All or nothing. Should taking it back fail, there is one half too many, and still no identity.
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
