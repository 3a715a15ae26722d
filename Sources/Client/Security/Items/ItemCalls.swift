// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainModel

// The requests of the four functions, in the model's types.

/// The dictionary of `SecItemAdd`.
enum Addition {
    case item(ItemAddition)
    case identity(IdentityAddition)

    var place: KeychainSelection {
        switch self {
        case .item(let item): item.place
        case .identity(let identity): identity.place
        }
    }

    /// The parts to return, if the caller takes a result.
    var returned: ReturnedParts {
        switch self {
        case .item(let item): item.place.returned(item.parts)
        case .identity(let identity): identity.place.returned(identity.parts)
        }
    }

    /// - Throws: as ``ItemDictionary``; `errSecParam` without a class, for accessibility together with an access
    ///   control object that has constraints, and for an identity that is not given by reference alone.
    init(_ dictionary: CFDictionary) throws(CallFailure) {
        let given = try ItemDictionary(dictionary, .addition)
        let itemClass = try given.resolvedClass()
        if itemClass == .identity {
            self = .identity(try IdentityAddition(given))
        } else {
            self = .item(
                ItemAddition(
                    try given.addedAttributes(of: itemClass), given.data, given.parts,
                    authentication: given.authentication, place: given.place))
        }
    }
}

/// An item to add.
struct ItemAddition {
    let attributes: ItemAttributes
    let data: Data?
    let parts: ReturnedParts
    let authentication: AuthenticationOptions
    let place: KeychainSelection

    /// - Throws: as ``Addition``; `errSecParam` for an identity.
    init(_ dictionary: CFDictionary) throws(CallFailure) {
        switch try Addition(dictionary) {
        case .item(let item): self = item
        case .identity: throw CallFailure(.parameter, "an identity consists of two items")
        }
    }

    fileprivate init(
        _ attributes: ItemAttributes, _ data: Data?, _ parts: ReturnedParts, authentication: AuthenticationOptions,
        place: KeychainSelection
    ) {
        (self.attributes, self.data, self.parts, self.authentication) = (attributes, data, parts, authentication)
        self.place = place
    }
}

/// An identity to add: its halves, with the attributes of the dictionary for both.
struct IdentityAddition {
    let certificate: ItemAddition
    let key: ItemAddition
    /// The key is in the keychain, which does not export it, so the key does not have to be added.
    let isKeyHeld: Bool
    let parts: ReturnedParts
    let authentication: AuthenticationOptions
    let place: KeychainSelection

    fileprivate init(_ given: ItemDictionary) throws(CallFailure) {
        guard case .identity(let identity) = given.reference, given.data == nil else {
            throw CallFailure(
                .parameter, "an identity requires kSecValueRef; its data is the data of its certificate and its key")
        }
        certificate = try given.addition(of: .certificate(identity.certificate))
        key = try given.addition(of: .key(identity.privateKey))
        isKeyHeld = key.data == nil
        parts = given.parts
        authentication = given.authentication
        place = given.place
    }

    /// Returns the query that finds the identity after its halves were added.
    ///
    /// - Parameter group: the access group of a half.
    func query(in group: String?) -> ItemQuery {
        var query = ItemQuery(.identity)
        query.accessGroup = group
        query.synchronizable = certificate.attributes.isSynchronizable ? .synchronizableOnly : .localOnly
        for name in [AttributeKey.certificateType, .issuer, .serialNumber] {
            query.attributes[name] = certificate.attributes[name]
        }
        query.attributes[.applicationLabel] = key.attributes[.applicationLabel]
        return query
    }
}

/// The dictionary of `SecItemCopyMatching`.
struct ItemSearch {
    var query: ItemQuery
    var limit: MatchLimit
    let parts: ReturnedParts
    /// The conditions in addition to the query; empty unless certificates are searched.
    let conditions: CertificateConditions
    let authentication: AuthenticationOptions
    var place: KeychainSelection

    /// - Throws: as ``ItemQuery/init(_:)``; `errSecParam` for a persistent reference together with other attributes.
    init(_ dictionary: CFDictionary) throws(CallFailure) {
        let given = try ItemDictionary(dictionary, .search)
        if given.persistentReference != nil, !given.entries.isEmpty {
            throw CallFailure(
                .parameter,
                "kSecValuePersistentRef already identifies an item; other attributes are not allowed with it")
        }
        try self.init(given, limit: given.limit ?? .one)
    }

    fileprivate init(_ given: ItemDictionary, limit: MatchLimit) throws(CallFailure) {
        query = try ItemQuery(given)
        self.limit = limit
        parts = given.parts
        authentication = given.authentication
        place = given.place
        switch query.itemClass {
        case .certificate, .identity: conditions = given.conditions
        case .genericPassword, .internetPassword, .key: conditions = CertificateConditions()
        }
    }
}

/// The two dictionaries of `SecItemUpdate`.
struct ItemUpdate {
    var query: ItemQuery
    let changes: ItemAttributes
    let data: Data?
    let authentication: AuthenticationOptions
    let place: KeychainSelection

    /// Returns the kinds of keychains that an update applies to.
    ///
    /// - Throws: as ``ItemDictionary``.
    static func kinds(_ query: CFDictionary) throws(CallFailure) -> KeychainKinds {
        try ItemDictionary(query, .updateQuery).place.kinds
    }

    /// - Parameter kind: one of the kinds of the query, to which the update is applied now; attributes that it does not
    ///   support are rejected.
    /// - Throws: as ``ItemQuery/init(_:)``; `errSecParam` for return keys in the query.
    init(_ query: CFDictionary, _ changes: CFDictionary, in kind: KeychainKinds) throws(CallFailure) {
        var given = try ItemDictionary(query, .updateQuery)
        given.place = given.place.limited(to: kind)
        guard given.parts.isEmpty else {
            throw CallFailure(.parameter, "an update returns nothing, so its query must not have kSecReturn… keys")
        }
        self.query = try ItemQuery(given)
        authentication = given.authentication
        place = given.place
        let givenChanges = try ItemDictionary(changes, .changes, in: place)
        let attributes = try givenChanges.attributes(of: self.query.itemClass, for: .update)
        try attributes.checkProtection(isQuery: false)
        self.changes = attributes
        data = givenChanges.data
        if self.query.itemClass == .identity {
            guard self.query.persistentReference == nil else {
                throw CallFailure(
                    .parameter, "the persistent reference of an identity can be used to find it, but not to change it")
            }
            guard data == nil else {
                throw CallFailure(.parameter, "an identity has no data of its own; change its certificate or its key")
            }
        }
    }
}

/// The dictionary of `SecItemDelete`.
struct ItemDeletion {
    /// The search for the items. Without a limit it finds all.
    private let search: ItemSearch

    var kinds: KeychainKinds { search.place.kinds }

    /// - Throws: as ``ItemQuery/init(_:)``; for the data-protection keychain alone also as ``protected()``.
    init(_ dictionary: CFDictionary) throws(CallFailure) {
        let given = try ItemDictionary(dictionary, .deletion)
        // Before the class is checked, because the status does not depend on it.
        if given.place.kinds == .dataProtection, given.hostOrSubdomain != nil || given.conditions.comparesSubject {
            throw Self.narrows
        }
        search = try ItemSearch(given, limit: given.limit ?? .all)
        if kinds == .dataProtection { _ = try protected() }
    }

    /// The search in keychain files, where all match keys count.
    var inFiles: ItemSearch {
        var search = search
        search.place = search.place.limited(to: .files)
        return search
    }

    /// Returns the query for the data-protection keychain. As on macOS, it ignores match keys.
    ///
    /// - Throws: `errSecParam` for a limit other than all, and for the match keys that only keychain files have on
    ///   macOS: without them more items would be deleted than the program named.
    func protected() throws(CallFailure) -> ItemQuery {
        guard search.limit == .all else {
            throw CallFailure(
                .parameter,
                "a deletion from the data-protection keychain deletes all matches; its kSecMatchLimit must be all")
        }
        var query = search.query
        guard query.hostOrSubdomain == nil, query.textMatching.isSubset(of: .caseInsensitive) else {
            throw Self.narrows
        }
        query.textMatching = []
        return query
    }

    private static let narrows = CallFailure(
        .parameter, "the dictionary has kSecMatch… keys that only a deletion from keychain files supports")
}

extension ItemQuery {
    /// - Throws: `errSecParam` without a class, for another class than that of the persistent reference, for an
    ///   old-style reference together with other attributes, and for accessibility that contradicts an access control
    ///   object; `errSecNoSuchAttr`; `errSecMissingEntitlement` for an access group that no program can have.
    fileprivate init(_ given: borrowing ItemDictionary) throws(CallFailure) {
        let itemClass = try given.resolvedClass()
        self.init(itemClass)
        if let reference = given.persistentReference {
            if case .row = reference.target, !given.entries.isEmpty {
                throw CallFailure(.parameter, "attributes are not allowed with a reference of the older format")
            }
            // A reference names its item whether it synchronizes or not, unless the query states it.
            persistentReference = reference
            synchronizable = .any
        }
        textMatching = given.textMatching
        if let host = given.hostOrSubdomain {
            // Only internet passwords have a server. Host names have 1 to 1024 bytes.
            guard itemClass == .internetPassword else {
                throw CallFailure(.unimplemented, "kSecMatchHostOrSubdomainOfHost requires internet passwords")
            }
            guard !host.isEmpty, host.utf8.count <= Self.hostBytes else {
                throw CallFailure(.parameter, "the value of kSecMatchHostOrSubdomainOfHost is not a host")
            }
            hostOrSubdomain = host
        }
        attributes = try given.attributes(of: itemClass, for: .query)
        if given.namesAnySynchronizable {
            synchronizable = .any
        } else if let filter = attributes[.synchronizable] {
            synchronizable = filter == .number(1) ? .synchronizableOnly : .localOnly
            attributes[.synchronizable] = nil
        }
        if let group = attributes.accessGroup {
            guard group.utf8.count <= Self.accessGroupBytes else {
                throw CallFailure(.missingEntitlement, "the name of the access group is too long")
            }
            accessGroup = group
            attributes[.accessGroup] = nil
        }
        if attributes[.accessControl] != nil {
            try attributes.checkProtection(isQuery: true)
            // Every returned dictionary contains it, and may be used as a query, so it is not used as a condition.
            attributes[.accessControl] = nil
        }
    }

    /// The service rejects longer names of access groups.
    private static let accessGroupBytes = 1024

    /// The maximum length of a host name in the service.
    private static let hostBytes = 1024
}

extension ItemDictionary {
    fileprivate func resolvedClass() throws(CallFailure) -> ItemClass {
        guard let resolved = itemClass ?? persistentReference?.itemClass else {
            throw CallFailure(.parameter, "the dictionary has neither kSecClass nor kSecValuePersistentRef")
        }
        if let persistentReference, persistentReference.itemClass != resolved {
            throw CallFailure(.parameter, "the class of kSecValuePersistentRef differs from kSecClass")
        }
        return resolved
    }

    fileprivate func attributes(
        of itemClass: ItemClass, for use: AttributeUse
    ) throws(CallFailure) -> ItemAttributes {
        try Self.attributes(entries, of: itemClass, for: use)
    }

    /// Returns the attributes of an item to add.
    fileprivate func addedAttributes(of itemClass: ItemClass) throws(CallFailure) -> ItemAttributes {
        let attributes = try attributes(of: itemClass, for: .add)
        try attributes.checkProtection(isQuery: false)
        return attributes
    }

    /// Returns the addition of one half of an identity, with the attributes of the dictionary.
    fileprivate func addition(of half: ReferencedItem) throws(CallFailure) -> ItemAddition {
        let given = Set(entries.map(\.key))
        let attributes = try Self.attributes(
            entries + half.attributes.filter { !given.contains($0.key) }, of: half.itemClass, for: .add)
        try attributes.checkProtection(isQuery: false)
        return ItemAddition(attributes, half.data, [], authentication: authentication, place: place)
    }

    private static func attributes(
        _ entries: [ItemAttributes.Entry], of itemClass: ItemClass, for use: AttributeUse
    ) throws(CallFailure) -> ItemAttributes {
        do throws(AttributeError) {
            return try ItemAttributes(itemClass, for: use, entries)
        } catch {
            throw CallFailure(firstMistake(entries, itemClass, use) ?? error)
        }
    }

    /// Returns the error of the first wrong attribute by name, so that the order of the dictionary does not matter.
    private static func firstMistake(
        _ entries: [ItemAttributes.Entry], _ itemClass: ItemClass, _ use: AttributeUse
    ) -> AttributeError? {
        do throws(AttributeError) {
            _ = try ItemAttributes(itemClass, for: use, entries.sorted { $0.key < $1.key })
            return nil
        } catch {
            return error
        }
    }
}

extension CallFailure {
    init(_ error: AttributeError) { self.init(error.status, "\(error)") }
}

extension ItemAttributes {
    /// Compares `kSecAttrAccessible` with `kSecAttrAccessControl` (semantics 5.3).
    ///
    /// Both in one dictionary are an error unless they are consistent. For an addition, the object must have no
    /// constraints. A query may be a returned dictionary, in which the two only have to agree.
    fileprivate func checkProtection(isQuery: Bool) throws(CallFailure) {
        guard case .accessControl(let control) = self[.accessControl], let accessible = self[.accessible] else {
            return
        }
        guard accessible == .string(control.protection.code), isQuery || control.flags.isEmpty else {
            throw CallFailure(.parameter, "kSecAttrAccessible and kSecAttrAccessControl contradict each other")
        }
    }
}
