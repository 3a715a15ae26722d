// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainModel

// Everything in a dictionary but the attributes: keys whose first character names a family.
extension ItemDictionary {
    mutating func addDirective(_ name: String, _ value: GivenValue) {
        switch name.utf8.first {
        case UInt8(ascii: "c"): addClass(name, value)
        case UInt8(ascii: "v"): addValue(name, value)
        case UInt8(ascii: "r"): addReturn(name, value)
        case UInt8(ascii: "m"): addMatch(name, value)
        case UInt8(ascii: "u"): addUse(name, value)
        // Callbacks inside Apple's framework; ignored there too.
        case UInt8(ascii: "f"): break
        default: note(.parameter)
        }
    }

    private mutating func addClass(_ name: String, _ value: GivenValue) {
        guard name == "class", case .text(let code) = value else { return note(.parameter) }
        guard let known = ItemClass(code: code) else { return note(.noSuchClass) }
        itemClass = known
    }

    private mutating func addValue(_ name: String, _ value: GivenValue) {
        switch name {
        case "v_Data":
            // In a query it is accepted and has no effect.
            setData(value)
        case "v_PersistentRef":
            guard role != .addition, case .data(let bytes) = value,
                let reference = PersistentReference(bytes: Array(bytes))
            else { return note(.parameter) }
            persistentReference = reference
        default:
            // v_Ref among them: there are no references to passwords, and no other items yet.
            note(.parameter)
        }
    }

    private mutating func addReturn(_ name: String, _ value: GivenValue) {
        // A number is no boolean, not even 1.
        guard case .truth(let isWanted) = value else { return note(.parameter) }
        let part: ReturnedParts
        switch name {
        case "r_Data": part = .data
        case "r_Attributes": part = .attributes
        case "r_Ref": part = .reference
        case "r_PersistentRef": part = .persistentReference
        default: return note(.parameter)
        }
        if isWanted { parts.insert(part) }
    }

    private mutating func addMatch(_ name: String, _ value: GivenValue) {
        // Apple's own limits of update and delete: they act on all that matches. An addition matches nothing.
        guard role == .search else { return note(.parameter) }
        switch name {
        case "m_Limit":
            guard let given = MatchLimit(value) else { return note(.parameter) }
            limit = given
        case "m_ItemList", "m_SearchList", "m_SubjectContains":
            // Accepted without effect by the data protection keychain.
            break
        case "m_CaseInsensitive": addTextMatching(.caseInsensitive, value)
        case "m_DiacriticInsensitive": addTextMatching(.diacriticInsensitive, value)
        case "m_WidthInsensitive": addTextMatching(.widthInsensitive, value)
        case "m_HostOrSubdomainOfHost":
            guard case .text(let host) = value else { return note(.parameter) }
            hostOrSubdomain = host
        case "m_Policy", "m_Issuers":
            // For certificates and identities.
            note(.unimplemented)
        case "m_EmailAddressIfPresent":
            guard case .text = value else { return note(.parameter) }
        case "m_TrustedOnly":
            guard case .truth = value else { return note(.parameter) }
        case "m_ValidOnDate":
            switch value {
            case .date: break
            case .other(let object) where object is NSNull: break
            case .text, .truth, .number, .data, .other: note(.parameter)
            }
        default:
            note(.parameter)
        }
    }

    private mutating func addTextMatching(_ matching: TextMatching, _ value: GivenValue) {
        guard case .truth(let isWanted) = value else { return note(.parameter) }
        if isWanted { textMatching.insert(matching) }
    }

    private mutating func addUse(_ name: String, _ value: GivenValue) {
        switch name {
        case "u_AuthUI":
            switch value {
            case .text("u_AuthUIA"), .text("u_AuthUIF"): break
            case .text("u_AuthUIS") where role == .search: break
            default: note(.parameter)
            }
        case "u_NoAuthUI":
            guard case .truth = value else { return note(.parameter) }
        case "u_OpPrompt":
            guard case .text = value else { return note(.parameter) }
        case "u_UserIndependentKeychain":
            guard case .truth(let isWanted) = value else { return note(.parameter) }
            if isWanted { note(.unimplemented) }
        default:
            // u_ItemList and u_Keychain belong to file-based keychains. u_AuthCtx takes an LAContext, a class that does
            // not exist yet, so whatever is given is of the wrong type.
            note(.parameter)
        }
    }
}

extension MatchLimit {
    /// The value of `kSecMatchLimit`; nil for anything but one, all, or a number from 1.
    fileprivate init?(_ value: GivenValue) {
        switch value {
        case .text("m_LimitOne"), .number(1): self = .one
        case .text("m_LimitAll"): self = .all
        case .number(let count) where count > 1: self = .atMost(UInt32(clamping: count))
        case .text, .truth, .number, .data, .date, .other: return nil
        }
    }
}
