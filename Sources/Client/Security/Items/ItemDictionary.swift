// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel

/// One dictionary of an item call, after parsing: every key is classified, and every value has its type.
///
/// ``ItemSearch`` and the other calls check afterwards which combinations are valid. Several errors in one dictionary
/// give the same status in whatever order the dictionary returns its entries.
///
/// Source: semantics 1.2, 1.3, 2.1 and 2.9, as the data-protection keychain behaves.
struct ItemDictionary {
    /// The role of a dictionary in the four functions.
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
    /// Attributes that have not been checked against the class's schema yet.
    var entries: [ItemAttributes.Entry] = []
    /// `kSecAttrSynchronizable` is `kSecAttrSynchronizableAny`.
    var namesAnySynchronizable = false
    /// `kSecValueData`
    var data: Data?
    /// `kSecValuePersistentRef`
    var persistentReference: PersistentReference?
    /// `kSecValueRef`
    var reference: ReferencedItem?
    /// The conditions for certificates; without effect on other items.
    var conditions = CertificateConditions()
    /// The `kSecReturn…` keys that are true.
    var parts: ReturnedParts = []
    /// `kSecMatchLimit`
    var limit: MatchLimit?
    /// `kSecMatchCaseInsensitive` and so on.
    var textMatching: TextMatching = []
    /// `kSecMatchHostOrSubdomainOfHost`
    var hostOrSubdomain: String?
    /// The `kSecUse…` keys for authentication.
    var authentication = AuthenticationOptions()
    /// The location of the items.
    var place = KeychainSelection()
    /// `kSecAttrAccess`, with any value.
    var access: DictionaryValue?
    /// The most serious error so far.
    private var mistake: CallFailure?

    /// - Parameter place: for changes, the location in their query.
    /// - Throws: `errSecParam` for more than 128 entries, a key that is not text or is unknown, a value of the wrong
    ///   type, or a key that is not allowed in this dictionary; `errSecNoSuchAttr` for a four-character name that is
    ///   not an attribute, and in changes for all keys except attributes and data; `errSecNoSuchClass`;
    ///   `errSecUnimplemented` for a key that works with other classes only.
    init(_ dictionary: CFDictionary, _ role: Role, in place: KeychainSelection = KeychainSelection())
        throws(CallFailure)
    {
        guard dictionary.count <= ItemLimits.entries else {
            throw CallFailure(.parameter, "the dictionary has more than \(ItemLimits.entries) entries")
        }
        self.role = role
        self.place = place
        entries.reserveCapacity(dictionary.count)
        let isRead = dictionary.forEachStoredEntry { key, value in
            add((key as? NSString).map { $0 as String }) {
                DictionaryValue(stored: value) ?? DictionaryValue(dictionary.object(forKey: key) ?? value)
            }
        }
        if !isRead {
            // Only the stop pointer is unsafe, and it is not used.
            unsafe dictionary.enumerateKeysAndObjects(options: []) { key, value, _ in
                add((key as? NSString).map { $0 as String } ?? key as? String) { DictionaryValue(value) }
            }
        }
        checkPlace()
        if let reference { add(reference) }
        // The class is known only at this point. A deletion that does not reach files ignores the conditions.
        let found = itemClass ?? persistentReference?.itemClass
        let ignoresConditions = role == .deletion && place.kinds == .dataProtection
        if found == .certificate || found == .identity {
            if !ignoresConditions, let name = conditions.wrongKey { noteWrongValue(name) }
        } else if !ignoresConditions, let (name, status) = conditions.ownKey {
            note(status, "\(KeyName(name)) requires certificates")
        }
        if authentication.isContradictory {
            note(.parameter, "kSecUseNoAuthenticationUI and kSecUseAuthenticationUI contradict each other")
        }
        if let mistake { throw mistake }
    }

    /// The dictionary's own entries take precedence (semantics 2.4).
    private mutating func add(_ reference: ReferencedItem) {
        if let itemClass, itemClass != reference.itemClass {
            return note(.parameter, "the class of kSecValueRef differs from kSecClass")
        }
        itemClass = reference.itemClass
        let given = Set(entries.map(\.key))
        let own = role == .addition ? reference.attributes : reference.identifyingAttributes
        entries += own.filter { !given.contains($0.key) }
        guard role == .addition else { return }
        if reference.isUnstored {
            return note(
                .parameter, "the private key is in a token and not stored: generate it with kSecAttrIsPermanent true")
        }
        guard data == nil else { return }
        data = reference.data
        if data == nil, reference.itemClass == .key {
            note(.duplicateItem, "the key never leaves the keychain, so it cannot be added as another item")
        }
    }

    /// - Parameter name: the key; nil if it is not text.
    private mutating func add(_ name: String?, _ value: () -> DictionaryValue) {
        if let name { add(name, value()) } else { note(.parameter, "a key of the dictionary is not a string") }
    }

    /// Stores an error, unless an equally serious one is stored.
    mutating func note(_ status: StatusCode, _ reason: String) {
        let gravity: [StatusCode] = [.parameter, .noSuchClass, .noSuchAttribute]
        func rank(_ status: StatusCode) -> Int { gravity.firstIndex(of: status) ?? gravity.count }
        if let mistake, rank(mistake.status) <= rank(status) { return }
        mistake = CallFailure(status, reason)
    }

    mutating func noteWrongValue(_ name: String) {
        note(.parameter, "the value of \(KeyName(name)) has a wrong type or is not valid")
    }

    mutating func noteMisplaced(_ name: String) {
        note(.parameter, "\(KeyName(name)) is not allowed in this dictionary")
    }

    private mutating func add(_ name: String, _ value: DictionaryValue) {
        if name == "nleg", role != .changes {
            // kSecUseDataProtectionKeychain, which is named like an attribute. As in Apple's implementation, only a
            // truth value has an effect.
            if case .truth(let isWanted) = value { place.usesDataProtection = isWanted }
        } else if name.utf16.count == 4 {
            addAttribute(name, value)
        } else if role == .changes {
            // The changes of an update support attributes and data only.
            if name == "v_Data" {
                setData(value)
            } else {
                note(.noSuchAttribute, "only attributes and kSecValueData can be changed; \(KeyName(name)) is neither")
            }
        } else {
            addDirective(name, value)
        }
    }

    private mutating func addAttribute(_ name: String, _ value: DictionaryValue) {
        // Apple's keychain has no lookup attributes; only the bridge of the Secret Service sets them.
        guard let key = AttributeKey(name: name), key != .lookup else {
            return note(.noSuchAttribute, "\(KeyName(name)) is not an attribute")
        }
        // An update cannot change the user of an item; the attribute is silently ignored (semantics 1.4).
        if key == .multiUser, role == .changes { return }
        if key == .access {
            access = value
            return
        }
        if key == .synchronizable, case .text("syna") = value { return addAnySynchronizable() }
        guard var converted = value.attributeValue else { return noteWrongValue(name) }
        // The stored value is the content; a query may contain a whole name (semantics 6.5).
        if key == .issuer || key == .subject, role != .addition, role != .changes, case .data(let name) = converted {
            converted = .data(DistinguishedName.queryValue(name))
        }
        entries.append(ItemAttributes.Entry(key, converted))
    }

    private mutating func addAnySynchronizable() {
        switch role {
        case .addition, .search, .updateQuery, .deletion: namesAnySynchronizable = true
        // An item synchronizes or does not.
        case .changes: note(.parameter, "an item cannot be changed to kSecAttrSynchronizableAny")
        }
    }

    mutating func setData(_ value: DictionaryValue) {
        if case .data(let bytes) = value { data = bytes } else { noteWrongValue("v_Data") }
    }
}
