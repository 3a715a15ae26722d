// SPDX-License-Identifier: Apache-2.0
// Written by Tools/generate-constants from Tools/constants.csv; change the table, not this file.

// Keys and types of a certificate's properties for display.

// NSString is not Sendable, but these strings never change after their creation: hence `nonisolated(unsafe)` for the
// compiler, and `@safe` for code that reads them.

public import CFTypes

@safe public nonisolated(unsafe) let kSecPropertyKeyType: CFString = "type"
@safe public nonisolated(unsafe) let kSecPropertyKeyLabel: CFString = "label"
@safe public nonisolated(unsafe) let kSecPropertyKeyLocalizedLabel: CFString = "localized label"
@safe public nonisolated(unsafe) let kSecPropertyKeyValue: CFString = "value"
@safe public nonisolated(unsafe) let kSecPropertyTypeWarning: CFString = "warning"
@safe public nonisolated(unsafe) let kSecPropertyTypeSuccess: CFString = "success"
@safe public nonisolated(unsafe) let kSecPropertyTypeSection: CFString = "section"
@safe public nonisolated(unsafe) let kSecPropertyTypeData: CFString = "data"
@safe public nonisolated(unsafe) let kSecPropertyTypeString: CFString = "string"
@safe public nonisolated(unsafe) let kSecPropertyTypeURL: CFString = "url"
@safe public nonisolated(unsafe) let kSecPropertyTypeDate: CFString = "date"
@safe public nonisolated(unsafe) let kSecPropertyTypeArray: CFString = "array"
@safe public nonisolated(unsafe) let kSecPropertyTypeNumber: CFString = "number"
@safe public nonisolated(unsafe) let kSecPropertyTypeTitle: CFString = "title"
@safe public nonisolated(unsafe) let kSecPropertyTypeError: CFString = "error"
