// SPDX-License-Identifier: Apache-2.0
// Written by Tools/generate-constants from Tools/constants.csv; change the table, not this file.

// Keys of a query that select the results; several keys give a dictionary with all of them.

// NSString is not Sendable, but these strings never change after their creation: hence `nonisolated(unsafe)` for the
// compiler, and `@safe` for code that reads them.

public import CFTypes

/// CFBoolean: return the item's data, as CFData.
@safe public nonisolated(unsafe) let kSecReturnData: CFString = "r_Data"
/// CFBoolean: return the attributes, as a CFDictionary.
@safe public nonisolated(unsafe) let kSecReturnAttributes: CFString = "r_Attributes"
/// CFBoolean: return a reference, such as a SecKey.
@safe public nonisolated(unsafe) let kSecReturnRef: CFString = "r_Ref"
/// CFBoolean: return a reference that may be stored and outlives the process, as CFData.
@safe public nonisolated(unsafe) let kSecReturnPersistentRef: CFString = "r_PersistentRef"
