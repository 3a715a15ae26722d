// SPDX-License-Identifier: Apache-2.0
// Written by Tools/generate-constants from Tools/constants.csv; change the table, not this file.

// Keys of the options and results of SecPKCS12Import.

// NSString is not Sendable, but these strings never change after their creation: hence `nonisolated(unsafe)` for the
// compiler, and `@safe` for code that reads them.

public import CFTypes

/// CFString or CFData: the passphrase of the file.
@safe public nonisolated(unsafe) let kSecImportExportPassphrase: CFString = "passphrase"
/// SecKeychain: the file-based keychain to import into.
@safe public nonisolated(unsafe) let kSecImportExportKeychain: CFString = "kSecImportExportKeychain"
/// SecAccess: the access of imported private keys.
@safe public nonisolated(unsafe) let kSecImportExportAccess: CFString = "kSecImportExportAccess"
/// CFBoolean: whether imported items stay out of every keychain.
@safe public nonisolated(unsafe) let kSecImportToMemoryOnly: CFString = "kSecImportToMemoryOnly"
/// CFString in a result: the label of the item.
@safe public nonisolated(unsafe) let kSecImportItemLabel: CFString = "label"
/// CFData in a result: the identifier of the key.
@safe public nonisolated(unsafe) let kSecImportItemKeyID: CFString = "keyid"
/// SecTrust in a result: the trust of the item's certificates.
@safe public nonisolated(unsafe) let kSecImportItemTrust: CFString = "trust"
/// CFArray of SecCertificate in a result: the chain.
@safe public nonisolated(unsafe) let kSecImportItemCertChain: CFString = "chain"
/// SecIdentity in a result.
@safe public nonisolated(unsafe) let kSecImportItemIdentity: CFString = "identity"
