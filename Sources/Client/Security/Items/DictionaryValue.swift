// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainModel

/// A value of a caller's dictionary, as Keychain Services interprets it.
///
/// A dictionary here returns Swift values (String, Bool, Data, Date) for most values, Foundation objects for the rest,
/// and arbitrary values from classes of the caller. All of them are reduced to these cases.
enum DictionaryValue {
    case text(String)
    case truth(Bool)
    case number(Int64)
    case data(Data)
    case date(Timestamp)
    /// Any other value: an object of Security, or a type that no key supports.
    case other(Any)

    init(_ value: Any) {
        // The types of nearly all values are detected by comparing metatypes, because a failing cast costs ten times as
        // much.
        let type = type(of: value)
        if type == String.self, let text = value as? String {
            self = .text(text)
        } else if type == Bool.self, let truth = value as? Bool {
            self = .truth(truth)
        } else if type == Data.self, let data = value as? Data {
            self = .data(data)
        } else {
            self = Self.rarer(value)
        }
    }

    /// The value of an object whose class is one of those of nearly all values in a dictionary; nil for any other.
    init?(stored object: AnyObject) {
        if let text = object as? NSString {
            self = .text(text as String)
        } else if let number = object as? NSNumber {
            self = Self.numeric(number)
        } else if let data = object as? NSData {
            self = .data(data as Data)
        } else {
            return nil
        }
    }

    private static func rarer(_ value: Any) -> DictionaryValue {
        switch value {
        case let control as SecAccessControl: .other(control)
        case let number as NSNumber: numeric(number)
        case let text as String: .text(text)
        case let data as Data: .data(data)
        case let date as Date:
            .date(Timestamp(secondsSinceReferenceDate: date.timeIntervalSinceReferenceDate))
        case let identifier as UUID: .text(identifier.uuidString)
        case let text as Substring: .text(String(text))
        case let number as CGFloat: Int64(exactly: Double(number)).map(DictionaryValue.number) ?? .other(value)
        case let number as Decimal: numeric(NSDecimalNumber(decimal: number))
        default: .other(value)
        }
    }

    /// An attribute cannot contain a fraction, or a number beyond 64 bits.
    private static func numeric(_ number: NSNumber) -> DictionaryValue {
        if isTruthValue(number) { return .truth(number.boolValue) }
        return Int64(exactly: number).map(DictionaryValue.number) ?? .other(number)
    }

    /// The value as an attribute; nil for a type that no attribute supports.
    var attributeValue: AttributeValue? {
        switch self {
        case .text(let text): .string(text)
        case .truth(let truth): .number(truth ? 1 : 0)
        case .number(let number): .number(number)
        case .data(let data): .data(Array(data))
        case .date(let date): .date(date)
        case .other(let object): (object as? SecAccessControl).map { .accessControl($0.content) }
        }
    }
}
