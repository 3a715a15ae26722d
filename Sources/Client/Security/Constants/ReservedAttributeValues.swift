// SPDX-License-Identifier: Apache-2.0
// Written by Tools/generate-constants from Tools/constants.csv; change the table, not this file.

// Special values of attributes that otherwise contain values of the program's own.

// NSString is not Sendable, but these strings never change after their creation: hence `nonisolated(unsafe)` for the
// compiler, and `@safe` for code that reads them.

public import CFTypes

/// As the value of kSecAttrSynchronizable in a query: items of both kinds.
@safe public nonisolated(unsafe) let kSecAttrSynchronizableAny: CFString = "syna"
/// The token of keys that never leave the secure hardware.
@safe public nonisolated(unsafe) let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken"
/// The access group of items on external tokens.
@safe public nonisolated(unsafe) let kSecAttrAccessGroupToken: CFString = "com.apple.token"
