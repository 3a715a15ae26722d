// SPDX-License-Identifier: Apache-2.0

/// The fault in a text that is not valid password rules, and its position.
public struct PasswordRulesSyntaxError: Error, Hashable, Sendable {
    /// The position of the first unexpected byte, in bytes of UTF-8 from 0; the text's length at its end.
    public let offset: Int
    public let reason: Reason

    public enum Reason: Hashable, Sendable {
        /// The text has more than ``PasswordRules/byteLimit`` bytes.
        case tooLong
        /// A word in the place of a property's name is unknown.
        case unknownProperty
        /// A word in the place of a class's name is unknown.
        case unknownClass
        case expectedProperty
        case expectedColon
        case expectedClass
        /// A property must end at a semicolon or the end of the text, a class also at a comma.
        case expectedEnd
        case expectedNumber
        /// Greater than 65,535.
        case numberTooLarge
        /// No password has 0 characters in a row.
        case zeroConsecutive
        case unclosedClass
        case emptyClass
        /// Only printable ASCII is allowed in brackets.
        case characterInClass
        /// A hyphen must be first in brackets, so that no parser can read it as a range.
        case hyphenNotFirst
        /// `minlength` is greater than `maxlength`.
        case lengthsContradict
    }

    init(_ reason: Reason, at offset: Int) {
        (self.reason, self.offset) = (reason, offset)
    }
}

extension PasswordRulesSyntaxError: CustomStringConvertible {
    /// A sentence in English without its full stop. Counts positions from 1.
    public var description: String { "\(reason), at position \(offset + 1) of the rules" }
}

extension PasswordRulesSyntaxError.Reason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooLong: "the rules are longer than \(PasswordRules.byteLimit) bytes"
        case .unknownProperty:
            "the property is unknown; the properties are minlength, maxlength, required, allowed and max-consecutive"
        case .unknownClass:
            "the class is unknown; the classes are upper, lower, digit, special, ascii-printable, unicode and [characters]"
        case .expectedProperty: "the name of a property is missing"
        case .expectedColon: "a colon is missing"
        case .expectedClass: "a class of characters is missing"
        case .expectedEnd: "a semicolon is missing"
        case .expectedNumber: "a number is missing"
        case .numberTooLarge: "the number is greater than \(PasswordRules.numberLimit)"
        case .zeroConsecutive: "max-consecutive must be at least 1"
        case .unclosedClass: "the closing bracket is missing"
        case .emptyClass: "the brackets are empty"
        case .characterInClass: "brackets may contain only printable ASCII"
        case .hyphenNotFirst: "a hyphen must be the first character in brackets"
        case .lengthsContradict: "minlength is greater than maxlength"
        }
    }
}
