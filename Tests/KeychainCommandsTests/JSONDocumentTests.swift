// SPDX-License-Identifier: Apache-2.0

import SecretMemory
import TestSupport
import Testing

@testable import KeychainCommands

@Suite("JSON")
struct JSONDocumentTests {
    /// The value in another notation, so that tests can compare it.
    private func shown(_ text: String) throws -> String {
        let document = try JSONDocument(accumulator(text.utf8))
        return shown(document.root.value, document)
    }

    private func shown(_ value: JSONDocument.Value, _ document: JSONDocument) -> String {
        switch value {
        case .null: "-"
        case .boolean(let value): value ? "T" : "F"
        case .integer(let number): "\(number)"
        case .text(let text): "<\(document.text(text))>"
        case .array(let elements): "(" + elements.map { shown($0.value, document) }.joined(separator: " ") + ")"
        case .object(let members):
            "{" + members.map { "\($0.name)=\(shown($0.element.value, document))" }.joined(separator: " ") + "}"
        }
    }

    @Test(arguments: [
        ("null", "-"), (" [true, false ,1] \n", "(T F 1)"), ("[]", "()"), ("{}", "{}"), ("[[],{}]", "(() {})"),
        ("-9223372036854775808", "-9223372036854775808"), ("9223372036854775807", "9223372036854775807"), ("0", "0"),
        ("-0", "0"), ("{\"a\":{\"b\":[\"c\"]}}", "{a={b=(<c>)}}"), ("\"\"", "<>"), ("\"é🔑\"", "<é🔑>"),
        (#""\"\\\/\b\f\n\r\t""#, "<\"\\/\u{8}\u{C}\n\r\t>"), (#""\u0041\u00e9\u65E5\uD83d\uDD11x""#, "<Aé日🔑x>"),
        (#""\u0000""#, "<\u{0}>"), ("\u{FEFF}{}", "{}"), ("\"\u{7F}\u{2028}\"", "<\u{7F}\u{2028}>"),
    ])
    func `values are read as RFC 8259 says`(text: String, value: String) throws {
        #expect(try shown(text) == value)
    }

    @Test(arguments: [
        ("\u{80}\u{9B}2J\u{9F}", #""\u0080\u009b2J\u009f""#), ("\u{A0}é", "\"\u{A0}é\""),
        ("a\u{202E}b\u{2066}c\u{2069}", #""a\u202eb\u2066c\u2069""#),
        ("\u{200D}\u{200E}\u{200F}", #""\u200d\u200e\u200f""#), ("a\u{AD}\u{200B}b", #""a\u00ad\u200bb""#),
        ("\u{180E}\u{2060}\u{FEFF}", #""\u180e\u2060\ufeff""#), ("\u{E0001}\u{E0061}", #""\udb40\udc01\udb40\udc61""#),
        ("日本語 \u{1F600}\u{FE0F}", "\"日本語 \u{1F600}\u{FE0F}\""),
        ("\u{2028}\u{2029}", #""\u2028\u2029""#), ("\u{61B}\u{61C}", "\"\u{61B}\\u061c\""),
        ("\u{7F}\u{1B}[", #""\u007f\u001b[""#),
        ("…€🔑", "\"…€🔑\""),
    ])
    func `what would deceive on a terminal is written as an escape, and reads as it was`(text: String, written: String)
        throws
    {
        let document = JSONText.text(text).document()
        #expect(String(decoding: document, as: UTF8.self) == written + "\n")
        #expect(try shown(String(decoding: document, as: UTF8.self)) == "<\(text)>")
    }

    @Test(arguments: [
        ("", 1, "the document ends too early"), ("\n\n[1,", 3, "the document ends too early"),
        ("[1,\n]", 2, "a JSON value is expected"),
        ("nul", 1, "a JSON value is expected"), ("1 2", 1, "text follows the end of the document"),
        ("{}\n{}", 2, "text follows the end of the document"),
        ("[1 2]", 1, "a comma or the end of an array is expected"),
        ("{\"a\":1 \"b\":2}", 1, "a comma or the end of an object is expected"),
        ("{a:1}", 1, "a name in quotes is expected"), ("{\"a\" 1}", 1, "a colon is expected"),
        ("{\"a\":1,\n\"a\":2}", 2, "a name occurs twice in an object"),
        (#"{"\u0061":1}"#, 1, "a name contains an escape sequence"),
        ("1.0", 1, "a number is not an integer"), ("1e3", 1, "a number is not an integer"),
        ("01", 1, "a number is not valid JSON"), ("-", 1, "a number is not valid JSON"),
        ("9223372036854775808", 1, "a number does not fit in 64 bits"),
        ("\"a", 1, "a string is not closed"), ("\"a\\", 1, "a string is not closed"),
        ("\"a\nb\"", 1, "a string contains a control character"),
        (#""\x""#, 1, "a string contains an unknown escape sequence"),
        (#""\u12g4""#, 1, "a string contains an unknown escape sequence"),
        (#""\u12"#, 1, "a string contains an unknown escape sequence"),
        (#""\ud83d""#, 1, "a string contains half of a surrogate pair"),
        (#""\udd11""#, 1, "a string contains half of a surrogate pair"),
        (#""\ud83d\ud83d""#, 1, "a string contains half of a surrogate pair"),
        (#""\ud83dx""#, 1, "a string contains half of a surrogate pair"),
    ])
    func `what does not follow it is an error with its line`(text: String, line: Int, reason: String) {
        #expect(throws: TextProblem(line, reason)) { try JSONDocument(accumulator(text.utf8)) }
    }

    @Test func `values are nested sixteen deep at most`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(try shown(nested(17)) == nested(17).replacing("[", with: "(").replacing("]", with: ")"))
        #expect(throws: TextProblem(1, "values are nested too deeply")) { try shown(nested(18)) }
        #expect(throws: TextProblem.self) { try shown(String(repeating: "[{\"a\":", count: 100_000)) }
    }

    @Test func `a written document is read again, whatever it contains`() throws {
        var generator = SeededGenerator(seed: 8259)
        for _ in 0..<500 {
            let text = generator.awkwardText(atMost: 12)
            let bytes = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let json = JSONText.object([
                ("text", .text(text)), ("secret", .secret(SecretBytes(copying: text.utf8))),
                ("bytes", .object([("base64", .text(base64(bytes)))])),
            ])
            let document = try JSONDocument(accumulator(json.document()))
            guard case .object(let members) = document.root.value, case .text(let first) = members[0].element.value,
                case .text(let second) = members[1].element.value, case .object(let third) = members[2].element.value,
                case .text(let spelled) = third[0].element.value
            else {
                Issue.record("another structure: \(document.root.value)")
                return
            }
            // Not by ==, for which equivalent characters are equal.
            #expect(Array(document.text(first).utf8) == Array(text.utf8))
            #expect(Array(document.secret(second).bytes) == Array(text.utf8))
            #expect(document.bytes(base64: spelled).map { Array($0.bytes) } == bytes)
        }
    }

    @Test func `no bytes crash the reader`() {
        var generator = SeededGenerator(seed: 2)
        let pieces = [
            "{", "}", "[", "]", "\"", ":", ",", "\\", "u", "d83d", "dd11", "-", "1", "null", " ", "\n", "é", ".",
            "\u{0}",
        ]
        var errors = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...10, using: &generator)).map { _ in
                pieces.randomElement(using: &generator)!
            }.joined()
            var bytes = Array(text.utf8)
            if Int.random(in: 0..<10, using: &generator) == 0 { bytes.append(0xFF) }
            do {
                _ = try shown(String(decoding: bytes, as: UTF8.self))
            } catch {
                errors += 1
            }
            _ = try? JSONDocument(accumulator(bytes))
        }
        #expect(errors > 10_000 && errors < 20_000)
    }

    @Test(arguments: [
        "=", "A", "AA", "AAA", "A===", "====", "AB==", "AAB=", "A=AA", "AA=A", "AAA*", "AA==AA==", "-_AA", " AAA",
    ])
    func `base64 that is not the one way to spell bytes is none`(text: String) {
        #expect(decodedBase64(text.utf8) == nil)
    }
}
