// SPDX-License-Identifier: Apache-2.0
// Written by Tools/generate-constants from Tools/constants.csv; change the table, not this file.

// The values of kSecAttrAuthenticationType: how an internet password is presented to its server.

// NSString is not Sendable, but these strings never change after their creation: hence `nonisolated(unsafe)` for the
// compiler, and `@safe` for code that reads them.

public import CFTypes

@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeNTLM: CFString = "ntlm"
@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeMSN: CFString = "msna"
@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeDPA: CFString = "dpaa"
@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeRPA: CFString = "rpaa"
@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTTPBasic: CFString = "http"
@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTTPDigest: CFString = "httd"
@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTMLForm: CFString = "form"
@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeDefault: CFString = "dflt"
