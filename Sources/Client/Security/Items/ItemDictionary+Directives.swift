// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainCertificates
internal import KeychainClient
internal import KeychainKeys
internal import KeychainModel
internal import KeychainWire

// All keys of a dictionary except attributes: keys whose first character identifies a family.
extension ItemDictionary {
    mutating func addDirective(_ name: String, _ value: DictionaryValue) {
        switch name.utf8.first {
        case UInt8(ascii: "c"): addClass(name, value)
        case UInt8(ascii: "v"): addValue(name, value)
        case UInt8(ascii: "r"): addReturn(name, value)
        case UInt8(ascii: "m"): addMatch(name, value)
        case UInt8(ascii: "u"): addUse(name, value)
        // Callbacks inside Apple's framework; Apple's functions ignore them too.
        case UInt8(ascii: "f"): break
        default: note(.parameter, "Keychain Services does not know \(KeyName(name))")
        }
    }

    private mutating func addClass(_ name: String, _ value: DictionaryValue) {
        guard name == "class", case .text(let code) = value else { return noteWrongValue(name) }
        guard let known = ItemClass(code: code) else {
            return note(.noSuchClass, "the value of kSecClass is not a class")
        }
        itemClass = known
    }

    private mutating func addValue(_ name: String, _ value: DictionaryValue) {
        switch name {
        case "v_Data":
            // In a query the key is accepted and has no effect.
            setData(value)
        case "v_PersistentRef":
            guard role != .addition else { return noteMisplaced(name) }
            guard case .data(let bytes) = value else { return noteWrongValue(name) }
            if let item = SecKeychainItem(persistentReference: bytes) { return add(item, name) }
            guard let reference = PersistentReference(bytes: Array(bytes)) else { return noteWrongValue(name) }
            persistentReference = reference
        case "v_Ref":
            if case .other(let object) = value, let item = object as? SecKeychainItem { return add(item, name) }
            guard case .other(let object) = value, let item = ReferencedItem(object) else {
                return note(
                    .parameter, "kSecValueRef requires a SecKey, a SecCertificate, a SecIdentity or a SecKeychainItem")
            }
            reference = item
        default:
            note(.parameter, "Keychain Services does not know \(KeyName(name))")
        }
    }

    private mutating func addReturn(_ name: String, _ value: DictionaryValue) {
        // A number is not a boolean, not even 1.
        guard case .truth(let isWanted) = value else { return noteWrongValue(name) }
        let part: ReturnedParts
        switch name {
        case "r_Data": part = .data
        case "r_Attributes": part = .attributes
        case "r_Ref": part = .reference
        case "r_PersistentRef": part = .persistentReference
        default: return note(.parameter, "Keychain Services does not know \(KeyName(name))")
        }
        if isWanted { parts.insert(part) }
    }

    private mutating func addMatch(_ name: String, _ value: DictionaryValue) {
        // The location applies to all functions except additions.
        if role != .addition, name == "m_SearchList" { return addSearchList(name, value) }
        if role != .addition, name == "m_ItemList" { return addItemList(name, value) }
        // An update changes all matching items. An addition has no matches.
        guard role == .search || role == .deletion else { return noteMisplaced(name) }
        switch name {
        case "m_Limit":
            guard let given = MatchLimit(value) else { return noteWrongValue(name) }
            limit = given
        case "m_SubjectContains": addCommonName(.anywhere, name, value)
        // Keys of macOS, for certificates only.
        case "m_SubjectStartsWith":
            addCommonName(.beginning, name, value)
            conditions.ownKey = (name, .parameter)
        case "m_SubjectEndsWith":
            addCommonName(.end, name, value)
            conditions.ownKey = (name, .parameter)
        case "m_SubjectWholeString":
            addCommonName(.whole, name, value)
            conditions.ownKey = (name, .parameter)
        case "m_CaseInsensitive": addTextMatching(.caseInsensitive, name, value)
        case "m_DiacriticInsensitive": addTextMatching(.diacriticInsensitive, name, value)
        case "m_WidthInsensitive": addTextMatching(.widthInsensitive, name, value)
        case "m_HostOrSubdomainOfHost":
            guard case .text(let host) = value else { return noteWrongValue(name) }
            hostOrSubdomain = host
        case "m_Policy":
            conditions.ownKey = (name, .unimplemented)
            if case .other(let object) = value, let policy = object as? SecPolicy {
                conditions.policy = policy
            } else {
                conditions.wrongKey = name
            }
        case "m_Issuers":
            conditions.ownKey = (name, .unimplemented)
            addIssuers(name, value)
        case "m_EmailAddressIfPresent":
            guard case .text(let address) = value else { return noteWrongValue(name) }
            conditions.emailAddress = address
        case "m_TrustedOnly":
            guard case .truth(let isWanted) = value else { return noteWrongValue(name) }
            conditions.isTrustedOnly = isWanted
        case "m_ValidOnDate":
            switch value {
            case .date(let date):
                conditions.validOn = Date(timeIntervalSinceReferenceDate: date.secondsSinceReferenceDate)
            case .other(let object) where object is NSNull: conditions.validOn = Date()
            case .text, .truth, .number, .data, .other: noteWrongValue(name)
            }
        default:
            note(.parameter, "\(KeyName(name)) is not supported for passwords")
        }
    }

    private mutating func addCommonName(
        _ position: CertificateConditions.Position, _ name: String, _ value: DictionaryValue
    ) {
        guard case .text(let text) = value else { return noteWrongValue(name) }
        conditions.commonName.append((position, text))
    }

    private mutating func addIssuers(_ name: String, _ value: DictionaryValue) {
        guard case .other(let object) = value, let names = object as? [Any] ?? (object as? NSArray)?.map(\.self) else {
            return conditions.wrongKey = name
        }
        // Elements that are not data are ignored, as in Apple's implementation.
        for case .data(let bytes) in names.map(DictionaryValue.init) {
            conditions.issuers.insert(DistinguishedName.queryValue(bytes))
        }
    }

    private mutating func addTextMatching(_ matching: TextMatching, _ name: String, _ value: DictionaryValue) {
        guard case .truth(let isWanted) = value else { return noteWrongValue(name) }
        if isWanted { textMatching.insert(matching) }
    }

    private mutating func addUse(_ name: String, _ value: DictionaryValue) {
        switch name {
        case "u_AuthUI":
            switch value {
            case .text("u_AuthUIA"): authentication.interaction = .allow
            case .text("u_AuthUIF"): authentication.interaction = .fail
            case .text("u_AuthUIS") where role == .search: authentication.interaction = .skip
            default: noteWrongValue(name)
            }
        case "u_NoAuthUI":
            guard case .truth(let isForbidden) = value else { return noteWrongValue(name) }
            authentication.forbidsInteraction = isForbidden
        case "u_OpPrompt":
            guard case .text(let reason) = value else { return noteWrongValue(name) }
            authentication.reason = reason
        case "u_AuthCtx":
            guard case .other(let object) = value, let context = object as? any AuthenticationContextProviding else {
                return note(.parameter, "kSecUseAuthenticationContext requires an LAContext")
            }
            authentication.context = context.authenticationContext
        case "u_UserIndependentKeychain":
            guard case .truth(let isWanted) = value else { return noteWrongValue(name) }
            if isWanted { note(.unimplemented, "\(KeyName(name)) is not supported") }
        case "u_Keychain": addKeychain(name, value)
        default:
            // u_ItemList belongs to functions that are not provided here.
            note(.parameter, "\(KeyName(name)) is not supported")
        }
    }
}

extension MatchLimit {
    /// The value of `kSecMatchLimit`; nil for any value except one, all, or a number from 1.
    fileprivate init?(_ value: DictionaryValue) {
        switch value {
        case .text("m_LimitOne"), .number(1): self = .one
        case .text("m_LimitAll"): self = .all
        case .number(let count) where count > 1: self = .atMost(UInt32(clamping: count))
        case .text, .truth, .number, .data, .date, .other: return nil
        }
    }
}
