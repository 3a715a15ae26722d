// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The storage type of a number; Apple's values.
public enum CFNumberType: CFIndex, Sendable {
    case sInt8Type = 1
    case sInt16Type = 2
    case sInt32Type = 3
    case sInt64Type = 4
    case float32Type = 5
    case float64Type = 6
    case charType = 7
    case shortType = 8
    case intType = 9
    case longType = 10
    case longLongType = 11
    case floatType = 12
    case doubleType = 13
    case cfIndexType = 14
    case nsIntegerType = 15
    case cgFloatType = 16
}

public func CFBooleanGetValue(_ boolean: CFBoolean!) -> Bool { boolean.boolValue }

/// Returns the storage type of the number. Foundation widens values, so the type may be larger than the original one.
public func CFNumberGetType(_ number: CFNumber!) -> CFNumberType {
    // An Objective-C type code is a string of at least one character that exists as long as the program.
    let code = unsafe UInt8(bitPattern: number.objCType.pointee)
    switch UnicodeScalar(code) {
    case "c", "B": return .charType
    case "s", "C": return .sInt16Type
    case "i", "S": return .sInt32Type
    case "f": return .float32Type
    case "d": return .float64Type
    default: return .sInt64Type
    }
}

/// Returns whether the number has a floating-point type, whatever its value.
public func CFNumberIsFloatType(_ number: CFNumber!) -> Bool {
    switch CFNumberGetType(number) {
    case .float32Type, .float64Type, .floatType, .doubleType, .cgFloatType: true
    case .sInt8Type, .sInt16Type, .sInt32Type, .sInt64Type, .charType, .shortType, .intType, .longType,
        .longLongType, .cfIndexType, .nsIntegerType:
        false
    }
}
