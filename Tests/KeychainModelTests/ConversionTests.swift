// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

/// Semantics 1.3: the accepted values of each kind of attribute, and their stored form.
struct ConversionTests {
    /// The stored form of a value given for an attribute of a new item.
    private func stored(_ key: AttributeKey, _ value: AttributeValue) throws(AttributeError) -> AttributeValue? {
        try ItemAttributes(.genericPassword, for: .add, [.init(key, value)])[key]
    }

    private static let date = AttributeValue.date(Timestamp(secondsSinceReferenceDate: 12.5))
    private static let control = AttributeValue.accessControl(AccessControl(protection: .whenUnlocked))

    @Test(arguments: [
        AttributeKey.account, .service, .generic, .label, .itemDescription, .comment, .alias, .isProtected,
    ])
    func `a blob keeps the type in which it was given`(key: AttributeKey) throws {
        for value in [AttributeValue.string("ü"), .data([0xFF, 0]), .number(-1), .string(""), .data([])] {
            #expect(try stored(key, value) == value)
        }
        #expect(throws: AttributeError.wrongType(key)) { try stored(key, Self.date) }
        #expect(throws: AttributeError.wrongType(key)) { try stored(key, Self.control) }
    }

    @Test func `data given for text is read as UTF-8, and refused when it is none`() throws {
        #expect(try stored(.accessGroup, .data(Array("grüp".utf8))) == .string("grüp"))
        #expect(try stored(.accessGroup, .string("g")) == .string("g"))
        #expect(throws: AttributeError.wrongType(.accessGroup)) { try stored(.accessGroup, .data([0xC3])) }
        #expect(throws: AttributeError.wrongType(.accessGroup)) { try stored(.accessGroup, .number(1)) }
    }

    @Test(arguments: [
        ("0", 0), ("42", 42), ("-7", -7), ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
    ])
    func `text that is a canonical decimal becomes a number`(text: String, number: Int64) throws {
        #expect(try stored(.creator, .string(text)) == .number(number))
    }

    @Test(arguments: ["", "+1", "01", "-0", " 1", "1 ", "1.0", "http", "9223372036854775808", "٣"])
    func `other text given for a number stays text`(text: String) throws {
        #expect(try stored(.type, .string(text)) == .string(text))
    }

    @Test func `a number takes neither data nor a date`() {
        #expect(throws: AttributeError.wrongType(.creator)) { try stored(.creator, .data([1])) }
        #expect(throws: AttributeError.wrongType(.creator)) { try stored(.creator, Self.date) }
    }

    @Test func `a date takes a finite date only`() throws {
        #expect(try stored(.creationDate, Self.date) == Self.date)
        for seconds in [Double.nan, .infinity, -.infinity] {
            let value = AttributeValue.date(Timestamp(secondsSinceReferenceDate: seconds))
            #expect(throws: AttributeError.wrongType(.creationDate)) { try stored(.creationDate, value) }
        }
        for value in [AttributeValue.string("2001"), .number(0), .data([])] {
            #expect(throws: AttributeError.wrongType(.creationDate)) { try stored(.creationDate, value) }
        }
    }

    @Test func `of a flag only 1 is true`() throws {
        for value in [AttributeValue.number(1), .string("1")] {
            #expect(try stored(.synchronizable, value) == .number(1))
        }
        for value in [AttributeValue.number(0), .number(2), .number(-1), .string("yes"), .string("0"), .string("")] {
            #expect(try stored(.synchronizable, value) == .number(0))
        }
        #expect(throws: AttributeError.wrongType(.synchronizable)) { try stored(.synchronizable, .data([1])) }
    }

    @Test func `accessibility takes the seven short names and nothing else`() throws {
        for code in ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"] {
            #expect(try stored(.accessible, .string(code)) == .string(code))
        }
        for value in [AttributeValue.string("f"), .string("AK"), .string(""), .data(Array("ak".utf8)), .number(1)] {
            #expect(throws: AttributeError.wrongType(.accessible)) { try stored(.accessible, value) }
        }
    }

    @Test func `access control takes only its object`() throws {
        #expect(try stored(.accessControl, Self.control) == Self.control)
        #expect(throws: AttributeError.wrongType(.accessControl)) { try stored(.accessControl, .string("ak")) }
    }

    @Test func `a value that cannot be converted is errSecParam, an attribute the class lacks errSecNoSuchAttr`() {
        #expect(AttributeError.wrongType(.account).status == .parameter)
        #expect(AttributeError.notAllowed(.appClip).status == .parameter)
        #expect(AttributeError.repeated(.account).status == .parameter)
        #expect(AttributeError.noSuchAttribute(.account, .key).status == .noSuchAttribute)
        #expect(AttributeError.tooLarge(.account).status == .dataTooLarge)
        #expect(AttributeError.unsupportedClass(.key).status == .unimplemented)
    }
}
