// SPDX-License-Identifier: Apache-2.0
// Written by Tools/generate-constants from Tools/constants.csv; change the table, not this file.

// The key that names an item's class, and the classes.

// NSString is not Sendable, but these strings never change after their creation: hence `nonisolated(unsafe)` for the
// compiler, and `@safe` for code that reads them.

public import CFTypes

/// The class of an item; every query and every added item names one.
@safe public nonisolated(unsafe) let kSecClass: CFString = "class"
/// A password for a server, with its protocol, port and path.
@safe public nonisolated(unsafe) let kSecClassInternetPassword: CFString = "inet"
/// A password or other secret, told apart by service and account.
@safe public nonisolated(unsafe) let kSecClassGenericPassword: CFString = "genp"
/// An X.509 certificate.
@safe public nonisolated(unsafe) let kSecClassCertificate: CFString = "cert"
/// A cryptographic key.
@safe public nonisolated(unsafe) let kSecClassKey: CFString = "keys"
/// A certificate together with its private key: a view of two items, never stored as one.
@safe public nonisolated(unsafe) let kSecClassIdentity: CFString = "idnt"
