// SPDX-License-Identifier: Apache-2.0
// Written by Tools/generate-constants from Tools/constants.csv; change the table, not this file.

// Keys of the parameters for a new key pair.

// NSString is not Sendable, but these strings never change after their creation: hence `nonisolated(unsafe)` for the
// compiler, and `@safe` for code that reads them.

public import CFTypes

/// CFDictionary: attributes of the private key of a new pair.
@safe public nonisolated(unsafe) let kSecPrivateKeyAttrs: CFString = "private"
/// CFDictionary: attributes of the public key of a new pair.
@safe public nonisolated(unsafe) let kSecPublicKeyAttrs: CFString = "public"
