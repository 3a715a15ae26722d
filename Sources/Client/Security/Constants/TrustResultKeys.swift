// SPDX-License-Identifier: Apache-2.0
// Written by Tools/generate-constants from Tools/constants.csv; change the table, not this file.

// Keys of the result of a trust evaluation.

// NSString is not Sendable, but these strings never change after their creation: hence `nonisolated(unsafe)` for the
// compiler, and `@safe` for code that reads them.

public import CFTypes

@safe public nonisolated(unsafe) let kSecTrustEvaluationDate: CFString = "kSecTrustEvaluationDate"
@safe public nonisolated(unsafe) let kSecTrustExtendedValidation: CFString = "kSecTrustExtendedValidation"
@safe public nonisolated(unsafe) let kSecTrustOrganizationName: CFString = "kSecTrustOrganizationName"
@safe public nonisolated(unsafe) let kSecTrustResultValue: CFString = "kSecTrustResultValue"
@safe public nonisolated(unsafe) let kSecTrustRevocationChecked: CFString = "kSecTrustRevocationChecked"
@safe public nonisolated(unsafe) let kSecTrustRevocationValidUntilDate: CFString = "kSecTrustRevocationValidUntilDate"
@safe public nonisolated(unsafe) let kSecTrustCertificateTransparency: CFString = "kSecTrustCertificateTransparency"
@safe public nonisolated(unsafe) let kSecTrustCertificateTransparencyWhiteList: CFString =
    "kSecTrustCertificateTransparencyWhiteList"
@safe public nonisolated(unsafe) let kSecTrustQCStatements: CFString = "kSecTrustQCStatements"
@safe public nonisolated(unsafe) let kSecTrustQWACValidation: CFString = "kSecTrustQWACValidation"
