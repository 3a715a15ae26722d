// SPDX-License-Identifier: Apache-2.0
// Written by Tools/generate-constants from Tools/constants.csv; change the table, not this file.

// Domains for SecIdentityCopySystemIdentity.

// NSString is not Sendable, but these strings never change after their creation: hence `nonisolated(unsafe)` for the
// compiler, and `@safe` for code that reads them.

public import CFTypes

/// The identity of all services of this machine that have none of their own.
@safe public nonisolated(unsafe) let kSecIdentityDomainDefault: CFString = "kSecIdentityDomainDefault"
/// The identity of the Kerberos key distribution centre.
@safe public nonisolated(unsafe) let kSecIdentityDomainKerberosKDC: CFString = "kSecIdentityDomainKerberosKDC"
