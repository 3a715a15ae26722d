// SPDX-License-Identifier: Apache-2.0
// Written by Tools/generate-constants from Tools/constants.csv; change the table, not this file.

// Keys of a query that limit the items with matching attributes, and their number.

// NSString is not Sendable, but these strings never change after their creation: hence `nonisolated(unsafe)` for the
// compiler, and `@safe` for code that reads them.

public import CFTypes

/// SecPolicy: certificates and identities that satisfy it.
@safe public nonisolated(unsafe) let kSecMatchPolicy: CFString = "m_Policy"
/// CFArray of references: items among these.
@safe public nonisolated(unsafe) let kSecMatchItemList: CFString = "m_ItemList"
/// CFArray of SecKeychain: items in these file-based keychains.
@safe public nonisolated(unsafe) let kSecMatchSearchList: CFString = "m_SearchList"
/// CFArray of CFData: certificates whose chain contains one of these names.
@safe public nonisolated(unsafe) let kSecMatchIssuers: CFString = "m_Issuers"
/// CFString: certificates with this mail address, or with none.
@safe public nonisolated(unsafe) let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent"
/// CFString: certificates whose subject contains it.
@safe public nonisolated(unsafe) let kSecMatchSubjectContains: CFString = "m_SubjectContains"
/// CFString: internet passwords of this host or one below it.
@safe public nonisolated(unsafe) let kSecMatchHostOrSubdomainOfHost: CFString = "m_HostOrSubdomainOfHost"
/// CFString: certificates whose subject begins with it.
@safe public nonisolated(unsafe) let kSecMatchSubjectStartsWith: CFString = "m_SubjectStartsWith"
/// CFString: certificates whose subject ends with it.
@safe public nonisolated(unsafe) let kSecMatchSubjectEndsWith: CFString = "m_SubjectEndsWith"
/// CFString: certificates whose subject is exactly this.
@safe public nonisolated(unsafe) let kSecMatchSubjectWholeString: CFString = "m_SubjectWholeString"
/// CFBoolean: whether text is compared without regard to case.
@safe public nonisolated(unsafe) let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"
/// CFBoolean: whether text is compared without regard to diacritics.
@safe public nonisolated(unsafe) let kSecMatchDiacriticInsensitive: CFString = "m_DiacriticInsensitive"
/// CFBoolean: whether text is compared without regard to character width.
@safe public nonisolated(unsafe) let kSecMatchWidthInsensitive: CFString = "m_WidthInsensitive"
/// CFBoolean: certificates that lead to a trusted anchor.
@safe public nonisolated(unsafe) let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"
/// CFDate, or CFNull for now: certificates valid on it.
@safe public nonisolated(unsafe) let kSecMatchValidOnDate: CFString = "m_ValidOnDate"
/// kSecMatchLimitOne, kSecMatchLimitAll or a CFNumber: how many items are returned. The default is one.
@safe public nonisolated(unsafe) let kSecMatchLimit: CFString = "m_Limit"
/// The first match, returned by itself.
@safe public nonisolated(unsafe) let kSecMatchLimitOne: CFString = "m_LimitOne"
/// All matches, returned as a CFArray.
@safe public nonisolated(unsafe) let kSecMatchLimitAll: CFString = "m_LimitAll"
