// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel

/// One dictionary of an item call, read once: every key classified, every value in its type.
///
/// Which combinations make sense is decided afterwards, by ``ItemSearch`` and its like. Several mistakes in one
/// dictionary give the same status whatever the order in which the dictionary hands out its entries.
///
/// Source: semantics 1.2, 1.3, 2.1 and 2.9, in the way of the data protection keychain.
struct ItemDictionary {
    /// The place of a dictionary in the four functions.
    enum Role {
        case addition
        case search
        case updateQuery
        case changes
        case deletion
    }

    let role: Role
    /// `kSecClass`
    var itemClass: ItemClass?
    /// Attributes, not yet held against the class's schema.
    var entries: [ItemAttributes.Entry] = []
    /// `kSecAttrSynchronizable` is `kSecAttrSynchronizableAny`.
    var namesAnySynchronizable = false
    /// `kSecValueData`
    var data: Data?
    /// `kSecValuePersistentRef`
    var persistentReference: PersistentReference?
    /// `kSecValueRef`
    var reference: ReferencedItem?
    /// What has to hold for certificates; without effect for other items.
    var conditions = CertificateConditions()
    /// The `kSecReturn…` keys that are true.
    var parts: ReturnedParts = []
    /// `kSecMatchLimit`
    var limit: MatchLimit?
    /// `kSecMatchCaseInsensitive` and its like
    var textMatching: TextMatching = []
    /// `kSecMatchHostOrSubdomainOfHost`
    var hostOrSubdomain: String?
    /// The `kSecUse…` keys about asking somebody.
    var authentication = GivenAuthentication()
    /// Where the items are.
    var place = GivenPlace()
    /// `kSecAttrAccess`, whatever it is.
    var access: GivenValue?
    /// The gravest mistake so far.
    private var mistake: CallFailure?

    /// - Parameter place: of changes, where their query says that items are.
    /// - Throws: `errSecParam` for more than 128 entries, a key that is not text or not known, a value of the wrong
    ///   type, a key that has no place in this dictionary; `errSecNoSuchAttr` for a four-character name that no
    ///   attribute has, and in changes for everything but attributes and data; `errSecNoSuchClass`;
    ///   `errSecUnimplemented` for what works on other classes only.
    init(_ dictionary: CFDictionary, _ role: Role, in place: GivenPlace = GivenPlace()) throws(CallFailure) {
        guard dictionary.count <= ItemLimits.entries else {
            throw CallFailure(.parameter, "the dictionary has more than \(ItemLimits.entries) entries")
        }
        self.role = role
        self.place = place
        entries.reserveCapacity(dictionary.count)
        let isRead = dictionary.forEachStoredEntry { key, value in
            add((key as? NSString).map { $0 as String }) {
                GivenValue(stored: value) ?? GivenValue(dictionary.object(forKey: key) ?? value)
            }
        }
        if !isRead {
            // Unsafe is only the pointer with which one could stop; it is not touched.
            unsafe dictionary.enumerateKeysAndObjects(options: []) { key, value, _ in
                add((key as? NSString).map { $0 as String } ?? key as? String) { GivenValue(value) }
            }
        }
        checkPlace()
        if let reference { add(reference) }
        // Only now the class is known.
        let found = itemClass ?? persistentReference?.itemClass
        if found == .certificate || found == .identity {
            if let name = conditions.wrongKey { noteWrongValue(name) }
        } else if let (name, status) = conditions.ownKey {
            note(status, "\(KeyName(name)) is for certificates")
        }
        if authentication.isContradictory {
            note(.parameter, "kSecUseNoAuthenticationUI and kSecUseAuthenticationUI contradict each other")
        }
        if let mistake { throw mistake }
    }

    /// What the dictionary itself says wins (semantics 2.4).
    private mutating func add(_ reference: ReferencedItem) {
        if let itemClass, itemClass != reference.itemClass {
            return note(.parameter, "kSecValueRef is of another class than kSecClass says")
        }
        itemClass = reference.itemClass
        let given = Set(entries.map(\.key))
        let own = role == .addition ? reference.attributes : reference.identifyingAttributes
        entries += own.filter { !given.contains($0.key) }
        guard role == .addition, data == nil else { return }
        data = reference.data
        if data == nil, reference.itemClass == .key {
            note(.duplicateItem, "the key is in the keychain, which does not give it out for another item")
        }
    }

    /// - Parameter name: the key; nil for one that is no text.
    private mutating func add(_ name: String?, _ value: () -> GivenValue) {
        if let name { add(name, value()) } else { note(.parameter, "a key of the dictionary is no text") }
    }

    /// Remembers a mistake, unless one as grave was made.
    mutating func note(_ status: StatusCode, _ reason: String) {
        let gravity: [StatusCode] = [.parameter, .noSuchClass, .noSuchAttribute]
        func rank(_ status: StatusCode) -> Int { gravity.firstIndex(of: status) ?? gravity.count }
        if let mistake, rank(mistake.status) <= rank(status) { return }
        mistake = CallFailure(status, reason)
    }

    mutating func noteWrongValue(_ name: String) {
        note(.parameter, "the value of \(KeyName(name)) is of a type or content that it does not take")
    }

    mutating func noteMisplaced(_ name: String) {
        note(.parameter, "\(KeyName(name)) has no place in this dictionary")
    }

    private mutating func add(_ name: String, _ value: GivenValue) {
        if name == "nleg", role != .changes {
            // kSecUseDataProtectionKeychain, named like an attribute. As at Apple, only what is a truth value says something.
            if case .truth(let isWanted) = value { place.usesDataProtection = isWanted }
        } else if name.utf16.count == 4 {
            addAttribute(name, value)
        } else if role == .changes {
            // The changes of an update understand attributes and data, nothing else.
            if name == "v_Data" {
                setData(value)
            } else {
                note(.noSuchAttribute, "changes are attributes and kSecValueData; \(KeyName(name)) is neither")
            }
        } else {
            addDirective(name, value)
        }
    }

    private mutating func addAttribute(_ name: String, _ value: GivenValue) {
        guard let key = AttributeKey(name: name) else {
            return note(.noSuchAttribute, "\(KeyName(name)) is no attribute")
        }
        // Which user an item belongs to is not for an update to say; it is passed over without a word (semantics 1.4).
        if key == .multiUser, role == .changes { return }
        if key == .access {
            access = value
            return
        }
        if key == .synchronizable, case .text("syna") = value { return addAnySynchronizable() }
        guard var converted = value.attributeValue else { return noteWrongValue(name) }
        // Stored is the content; a query may have a whole name (semantics 6.5).
        if key == .issuer || key == .subject, role != .addition, role != .changes, case .data(let name) = converted {
            converted = .data(DistinguishedName.queryValue(name))
        }
        entries.append(ItemAttributes.Entry(key, converted))
    }

    private mutating func addAnySynchronizable() {
        switch role {
        case .addition, .search, .updateQuery, .deletion: namesAnySynchronizable = true
        // An item is the one or the other.
        case .changes: note(.parameter, "an item cannot be changed to kSecAttrSynchronizableAny")
        }
    }

    mutating func setData(_ value: GivenValue) {
        if case .data(let bytes) = value { data = bytes } else { noteWrongValue("v_Data") }
    }
}
