// SPDX-License-Identifier: Apache-2.0
// Written by Tools/generate-constants from Tools/constants.csv; change the table, not this file.

// The operations that an entry of an access control list authorizes for its programs.

// NSString is not Sendable, but these strings never change after their creation: hence `nonisolated(unsafe)` for the
// compiler, and `@safe` for code that reads them.

public import CFTypes

@safe public nonisolated(unsafe) let kSecACLAuthorizationAny: CFString = "kSecACLAuthorizationAny"
@safe public nonisolated(unsafe) let kSecACLAuthorizationLogin: CFString = "kSecACLAuthorizationLogin"
@safe public nonisolated(unsafe) let kSecACLAuthorizationGenKey: CFString = "kSecACLAuthorizationGenKey"
@safe public nonisolated(unsafe) let kSecACLAuthorizationDelete: CFString = "kSecACLAuthorizationDelete"
@safe public nonisolated(unsafe) let kSecACLAuthorizationExportWrapped: CFString = "kSecACLAuthorizationExportWrapped"
@safe public nonisolated(unsafe) let kSecACLAuthorizationExportClear: CFString = "kSecACLAuthorizationExportClear"
@safe public nonisolated(unsafe) let kSecACLAuthorizationImportWrapped: CFString = "kSecACLAuthorizationImportWrapped"
@safe public nonisolated(unsafe) let kSecACLAuthorizationImportClear: CFString = "kSecACLAuthorizationImportClear"
@safe public nonisolated(unsafe) let kSecACLAuthorizationSign: CFString = "kSecACLAuthorizationSign"
@safe public nonisolated(unsafe) let kSecACLAuthorizationEncrypt: CFString = "kSecACLAuthorizationEncrypt"
@safe public nonisolated(unsafe) let kSecACLAuthorizationDecrypt: CFString = "kSecACLAuthorizationDecrypt"
@safe public nonisolated(unsafe) let kSecACLAuthorizationMAC: CFString = "kSecACLAuthorizationMAC"
@safe public nonisolated(unsafe) let kSecACLAuthorizationDerive: CFString = "kSecACLAuthorizationDerive"
@safe public nonisolated(unsafe) let kSecACLAuthorizationKeychainCreate: CFString = "kSecACLAuthorizationKeychainCreate"
@safe public nonisolated(unsafe) let kSecACLAuthorizationKeychainDelete: CFString = "kSecACLAuthorizationKeychainDelete"
@safe public nonisolated(unsafe) let kSecACLAuthorizationKeychainItemRead: CFString =
    "kSecACLAuthorizationKeychainItemRead"
@safe public nonisolated(unsafe) let kSecACLAuthorizationKeychainItemInsert: CFString =
    "kSecACLAuthorizationKeychainItemInsert"
@safe public nonisolated(unsafe) let kSecACLAuthorizationKeychainItemModify: CFString =
    "kSecACLAuthorizationKeychainItemModify"
@safe public nonisolated(unsafe) let kSecACLAuthorizationKeychainItemDelete: CFString =
    "kSecACLAuthorizationKeychainItemDelete"
@safe public nonisolated(unsafe) let kSecACLAuthorizationChangeACL: CFString = "kSecACLAuthorizationChangeACL"
@safe public nonisolated(unsafe) let kSecACLAuthorizationChangeOwner: CFString = "kSecACLAuthorizationChangeOwner"
@safe public nonisolated(unsafe) let kSecACLAuthorizationPartitionID: CFString = "kSecACLAuthorizationPartitionID"
@safe public nonisolated(unsafe) let kSecACLAuthorizationIntegrity: CFString = "kSecACLAuthorizationIntegrity"
