// SPDX-License-Identifier: Apache-2.0

import SecretMemory
import TestSupport
import Testing

@testable import KeychainCommands

func accumulator(_ bytes: some Collection<UInt8>) -> SecretAccumulator {
    let accumulator = SecretAccumulator()
    accumulator.append(bytes)
    return accumulator
}

@Suite("CSV")
struct CSVDocumentTests {
    private func fields(_ text: String) throws -> [[String]] {
        let document = try CSVDocument(accumulator(text.utf8))
        return document.records.map { $0.fields.map { document.text($0) } }
    }

    @Test(
        arguments: [
            ("", []), ("a", [["a"]]), ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]), ("a\nb", [["a"], ["b"]]),
            (",", [["", ""]]), ("a,\n,b\n", [["a", ""], ["", "b"]]), ("\"a\"", [["a"]]), ("\"a,b\",c", [["a,b", "c"]]),
            ("\"a\"\"b\"", [["a\"b"]]), ("\"\"\"\"", [["\""]]), ("\"\"\"\"\"\"", [["\"\""]]), ("\"\"", [[""]]),
            ("\"a\nb\",c\r\n", [["a\nb", "c"]]), ("\"a\r\nb\"", [["a\r\nb"]]), ("\"\r\"", [["\r"]]),
            ("\n\r\na\n\n\nb\n\n", [["a"], ["b"]]), (" a , b ", [[" a ", " b "]]), ("\u{FEFF}a,b", [["a", "b"]]),
            ("\u{FEFF}\"a\",b", [["a", "b"]]), ("é,日本,🔑", [["é", "日本", "🔑"]]), ("\"\",\n", [["", ""]]),
            ("a\u{0}b", [["a\u{0}b"]]), ("\"\"\n\n\"\"", [[""], [""]]),
            ("e\u{301},\u{301}", [["e\u{301}", "\u{301}"]]),
        ] as [(String, [[String]])])
    func `records are split as RFC 4180 says`(text: String, records: [[String]]) throws {
        #expect(try fields(text) == records)
    }

    @Test(
        arguments: [
            ("a\nb\"c\n", 2, "a field contains a quotation mark but does not begin with one"),
            ("a\n\n\"b\nc", 3, "a quotation mark is not closed"), ("\"", 1, "a quotation mark is not closed"),
            ("\"a\"\"", 1, "a quotation mark is not closed"),
            ("\"a\n\"b", 2, "text follows the closing quotation mark of a field"),
            ("a\n\"b\" ,c", 2, "text follows the closing quotation mark of a field"),
            ("a\rb", 1, "a carriage return is not followed by a line feed"),
            ("a\nb\r", 2, "a carriage return is not followed by a line feed"),
        ])
    func `what does not follow it is an error with its line`(text: String, line: Int, reason: String) {
        #expect(throws: TextProblem(line, reason)) { try fields(text) }
    }

    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x61, 0], TextProblem(1, "the file is UTF-16; save it as UTF-8")),
            ([0xFE, 0xFF, 0, 0x61], TextProblem(1, "the file is UTF-16; save it as UTF-8")),
            ([0x61, 0x0A, 0x62, 0x0A, 0xE9, 0x0A], TextProblem(3, "the text is not UTF-8")),
            ([0xC0, 0x80], TextProblem(1, "the text is not UTF-8")),
            ([0x61, 0x0A, 0xE2, 0x82], TextProblem(2, "the text is not UTF-8")),
        ] as [([UInt8], TextProblem)])
    func `text that is not UTF-8 is refused`(bytes: [UInt8], problem: TextProblem) {
        #expect(throws: problem) { try CSVDocument(accumulator(bytes)) }
    }

    @Test func `each record knows its line, also behind fields of several lines`() throws {
        let document = try CSVDocument(accumulator("h\n\n\"a\nb\r\nc\",\"\n\"\r\nlast".utf8))
        #expect(document.records.map(\.line) == [1, 3, 7])
    }

    @Test func `secrets have the same bytes as text`() throws {
        let document = try CSVDocument(accumulator("\"a\"\"é\n\",plain".utf8))
        let secrets = document.records[0].fields.map { Array(document.secret($0).bytes) }
        #expect(secrets == [Array("a\"é\n".utf8), Array("plain".utf8)])
    }

    @Test func `written records are read again, whatever they contain`() throws {
        var generator = SeededGenerator(seed: 4180)
        for _ in 0..<500 {
            let width = Int.random(in: 2...5, using: &generator)
            let records = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                (0..<width).map { _ in generator.awkwardText(atMost: 8) }
            }
            let writer = CSVWriter()
            writer.append((0..<width).map { .text("column \($0)") })
            for record in records {
                writer.append(
                    record.map { text in
                        Bool.random(using: &generator) ? .text(text) : .secret(SecretBytes(copying: text.utf8))
                    })
            }
            let document = try CSVDocument(accumulator(writer.output.bytes))
            let read = document.records.dropFirst().map { $0.fields.map { Array(document.secret($0).bytes) } }
            #expect(read == records.map { $0.map { Array($0.utf8) } })
        }
    }

    @Test func `no bytes crash the reader`() {
        var generator = SeededGenerator(seed: 1)
        let bytes = Array("\",\n\r\"\",a\"é\u{FEFF}".utf8) + [0xFF, 0x00]
        var errors = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                bytes.randomElement(using: &generator)!
            }
            do {
                let document = try CSVDocument(accumulator(text))
                for record in document.records { for field in record.fields { _ = document.text(field) } }
            } catch {
                errors += 1
            }
        }
        #expect(errors > 1000 && errors < 19_999)
    }

    @Test func `fields get quotes only where they need them, and lines end as the RFC says`() {
        let writer = CSVWriter()
        writer.append([.text("a"), .text(""), .text("b c"), .text(" d"), .text("e\"f"), .text("g,h"), .text("i\nj")])
        let text = String(decoding: writer.output.bytes, as: UTF8.self)
        #expect(text == "a,,b c,\" d\",\"e\"\"f\",\"g,h\",\"i\nj\"\r\n")
    }
}
