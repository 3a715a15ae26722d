// SPDX-License-Identifier: Apache-2.0
// Written by Tools/generate-constants from Tools/constants.csv; change the table, not this file.

// Keys for an item's data and references in calls and results.

// NSString is not Sendable, but these strings never change after their creation: hence `nonisolated(unsafe)` for the
// compiler, and `@safe` for code that reads them.

public import CFTypes

/// CFData: the item's data, the secret itself.
@safe public nonisolated(unsafe) let kSecValueData: CFString = "v_Data"
/// A reference: SecKey, SecCertificate, SecIdentity.
@safe public nonisolated(unsafe) let kSecValueRef: CFString = "v_Ref"
/// CFData: a persistent reference.
@safe public nonisolated(unsafe) let kSecValuePersistentRef: CFString = "v_PersistentRef"
