// SPDX-License-Identifier: Apache-2.0
// Written by Tools/generate-constants from Tools/constants.csv; change the table, not this file.

// Keys of the results of SecRequestSharedWebCredential.

// NSString is not Sendable, but these strings never change after their creation: hence `nonisolated(unsafe)` for the
// compiler, and `@safe` for code that reads them.

public import CFTypes

/// CFString in a result: the password shared with a web site.
@safe public nonisolated(unsafe) let kSecSharedPassword: CFString = "spwd"
