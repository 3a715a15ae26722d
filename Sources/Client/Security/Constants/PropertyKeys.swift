// SPDX-License-Identifier: Apache-2.0
// Written by Tools/generate-constants from Tools/constants.csv; change the table, not this file.

// Keys and types of the properties of a certificate that are shown to people.

// NSString is not Sendable, but these are never changed after they are made: hence `nonisolated(unsafe)` for the
// compiler, and `@safe` for whoever reads them.

public import CFTypes

@safe public nonisolated(unsafe) let kSecPropertyKeyType: CFString = "kSecPropertyKeyType"
@safe public nonisolated(unsafe) let kSecPropertyKeyLabel: CFString = "kSecPropertyKeyLabel"
@safe public nonisolated(unsafe) let kSecPropertyKeyLocalizedLabel: CFString = "kSecPropertyKeyLocalizedLabel"
@safe public nonisolated(unsafe) let kSecPropertyKeyValue: CFString = "kSecPropertyKeyValue"
@safe public nonisolated(unsafe) let kSecPropertyTypeWarning: CFString = "kSecPropertyTypeWarning"
@safe public nonisolated(unsafe) let kSecPropertyTypeSuccess: CFString = "kSecPropertyTypeSuccess"
@safe public nonisolated(unsafe) let kSecPropertyTypeSection: CFString = "kSecPropertyTypeSection"
@safe public nonisolated(unsafe) let kSecPropertyTypeData: CFString = "kSecPropertyTypeData"
@safe public nonisolated(unsafe) let kSecPropertyTypeString: CFString = "kSecPropertyTypeString"
@safe public nonisolated(unsafe) let kSecPropertyTypeURL: CFString = "kSecPropertyTypeURL"
@safe public nonisolated(unsafe) let kSecPropertyTypeDate: CFString = "kSecPropertyTypeDate"
@safe public nonisolated(unsafe) let kSecPropertyTypeArray: CFString = "kSecPropertyTypeArray"
@safe public nonisolated(unsafe) let kSecPropertyTypeNumber: CFString = "kSecPropertyTypeNumber"
@safe public nonisolated(unsafe) let kSecPropertyTypeTitle: CFString = "kSecPropertyTypeTitle"
@safe public nonisolated(unsafe) let kSecPropertyTypeError: CFString = "kSecPropertyTypeError"
