// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainModel
import Testing
import SecretMemory

@testable import KeychainCommands

@Suite("the console")
struct ConsoleTests {
    @Test func `a question with a long name is text of the window and no label, which would not be broken into lines`()
    {
        #expect(PinentryPrompt.layout(of: "Passcode: ").prompt == "Passcode:")
        let (description, label) = PinentryPrompt.layout(
            of: "Secret for \"\(String(repeating: "w", count: 10_000))\": ")
        #expect(label == "Entry:")
        let lines = description.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 10 && lines.allSatisfy { $0.count <= 60 })
        #expect(description.contains("Secret for\n\"www"))
    }

    @Test(arguments: [
        ("a\u{200B}b\u{200C}\u{200D}\u{2060}\u{FEFF}", "a\\u{200b}b\\u{200c}\\u{200d}\\u{2060}\\u{feff}"),
        ("\u{AD}\u{180E}\u{2064}\u{206A}\u{1D173}", "\\u{ad}\\u{180e}\\u{2064}\\u{206a}\\u{1d173}"),
        ("\u{E0000}\u{E0001}\u{E0061}\u{E007F}", "\\u{e0000}\\u{e0001}\\u{e0061}\\u{e007f}"),
        ("\u{61C}\u{200E}\u{200F}\u{202E}\u{2069}", "\\u{61c}\\u{200e}\\u{200f}\\u{202e}\\u{2069}"),
        ("👩\u{200D}💻", "👩\\u{200d}💻"), ("a\u{2028}\u{9B}", "a\\u{2028}\\u{9b}"),
    ])
    func `invisible characters are escaped, as are those that change the direction`(text: String, shown: String) {
        // Compared as characters of Unicode, because `==` for texts leaves out differences.
        #expect(Array(visible(text).unicodeScalars) == Array(shown.unicodeScalars))
    }

    @Test(arguments: ["é e\u{301} 日本語 ру́сский", "❤\u{FE0F} 🔑", "\u{600}\u{A0}"])
    func `text with a glyph is shown as it is`(text: String) {
        #expect(Array(visible(text).unicodeScalars) == Array(text.unicodeScalars))
    }

    @Test func `a character has a bounded number of combining marks`() {
        func marks(_ count: Int) -> String { String(repeating: "\u{301}", count: count) }
        let shown = visible("a" + marks(160_000) + "b" + marks(15))
        let expected = "a" + marks(15) + "\u{2026}b" + marks(15)
        #expect(Array(shown.unicodeScalars) == Array(expected.unicodeScalars))
        // Letters that join into one syllable.
        #expect(visible(String(repeating: "\u{1100}", count: 160_000)).unicodeScalars.count == 17)
    }

    @Test func `a long text is cut`() {
        let longest = String(repeating: "x", count: 4096)
        #expect(visible(longest) == longest)
        #expect(visible(longest + "x") == longest + "\u{2026}")
        let escaped = visible(String(repeating: "\u{1B}", count: 5000))
        #expect(escaped == String(repeating: "\\u{1b}", count: 682) + "\u{2026}")
    }

    @Test func `lines are read one by one`() throws {
        let input = CommandInput(Bytes(Array("one\n\ntwo".utf8)))
        #expect(text(try input.readLine(limit: 10)) == "one")
        #expect(text(try input.readLine(limit: 10)) == "")
        #expect(text(try input.readLine(limit: 10)) == "two")
        #expect(text(try input.readLine(limit: 10)) == nil)
    }

    @Test func `a line that is too long is skipped as a whole`() throws {
        let long = String(repeating: "x", count: 5000)
        let input = CommandInput(Bytes(Array("\(long)\nnext\n".utf8)))
        guard case .tooLong = try input.readLine(limit: 4999) else {
            Issue.record("the line has 5000 bytes")
            return
        }
        #expect(text(try input.readLine(limit: 4)) == "next")
    }

    @Test func `bytes behind a line are left for the next reader`() throws {
        let input = CommandInput(Bytes(Array("line\nrest\n".utf8)))
        _ = try input.readLine(limit: 10)
        #expect(try input.readAll(limit: 5)?.bytes == Array("rest\n".utf8))
    }

    @Test func `a terminal is silent while a secret is typed, and not afterwards`() throws {
        let secret = try type("s€cret \n")
        #expect(try secret.get().withUnsafeBytes { Array($0) } == Array("s€cret ".utf8))
    }

    @Test func `a line that the terminal may have cut is refused`() throws {
        let fits = String(repeating: "x", count: 4094)
        #expect(try type(fits + "\n").get().count == 4094)
        #expect(throws: CommandFailure.self) { try type(fits + "x\n").get() }
        #expect(throws: CommandFailure.self) { try type(fits + fits + "\n").get() }
    }

    @Test func `the end of the input is no secret`() throws {
        #expect(throws: CommandFailure("nothing was entered")) { try type("\u{4}").get() }
    }

    /// Answers a question on a new terminal, and checks that the terminal is left as it was.
    private func type(_ answer: String) throws -> Result<SecretBytes, CommandFailure> {
        var primary: Int32 = -1
        var secondary: Int32 = -1
        var name = [CChar](repeating: 0, count: 128)
        try #require(openpty(&primary, &secondary, &name, nil, nil) == 0)
        defer {
            close(primary)
            close(secondary)
        }
        let before = try attributes(of: secondary)
        #expect(before.c_lflag & tcflag_t(ECHO) != 0)
        let path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // The simulated user waits for the prompt, then reads the terminal and answers.
        let typist = Typing(terminal: primary, secondary: secondary, answer: answer)
        let thread = try typist.start()
        let result = Result { () throws(CommandFailure) in try TerminalPrompt(path: path).ask("Secret: ") }
        pthread_join(thread, nil)
        #expect(typist.question == "Secret: ")
        #expect(!typist.echoedWhileAsked)
        let after = try attributes(of: secondary)
        #expect(after.c_lflag == before.c_lflag)
        return result
    }

    @Test func `without a terminal there is no prompt`() {
        let prompt = TerminalPrompt(path: "/nonexistent/tty")
        #expect(!prompt.isAvailable)
        #expect(throws: CommandFailure.self) { try prompt.ask("?") }
    }

    @Test func `secrets show nothing of themselves`() {
        let secret = SecretBytes(copying: Array("hunter2".utf8))
        #expect(!"\(secret)".contains("hunter2"))
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }

    @Test(
        arguments: [
            (["security", "add-generic-password", "-a", "a", "-w", "pw"], [nil, nil, nil, nil, nil, 0]),
            (["-wpw", "-Uw", "pw", "-X", "00"], [2, nil, 0, nil, 0]),
            (["--", "-", "", "w", "-p"], [nil, nil, nil, nil, nil]),
            (["import", "f", "-P", "pw"], [nil, nil, nil, 0]), (["export", "-o", "file"], [nil, nil, nil]),
            (["set-keychain-password", "-o", "old", "-p", "new", "k"], [nil, nil, 0, nil, 0, nil]),
            (["export", "-Ppw"], [nil, 2]),
            (["set-key-partition-list", "-S", "a:", "-k", "pw", "-w"], [nil, nil, nil, nil, 0, nil]),
        ] as [([String], [Int?])])
    func `passwords among arguments are found`(words: [String], places: [Int?]) {
        #expect(ArgumentVector.secretPlaces(words) == places)
    }

    @Test(
        arguments: [
            (0.0, "2001-01-01T00:00:00Z"), (725_803_200.9, "2024-01-01T12:00:00Z"),
            (-978_307_200.0, "1970-01-01T00:00:00Z"), (-978_307_201.0, "1969-12-31T23:59:59Z"),
            (730_943_999.0, "2024-02-29T23:59:59Z"), (252_423_993_599.0, "9999-12-31T23:59:59Z"),
            (252_423_993_600.0, nil),
        ] as [(Double, String?)])
    func `moments become dates`(seconds: Double, date: String?) {
        #expect(CivilTime(Timestamp(secondsSinceReferenceDate: seconds))?.rfc3339 == date)
    }

    @Test func `moments that no calendar holds have no date`() {
        for seconds in [Double.infinity, -.infinity, .nan, 1e300, -1e11] {
            #expect(CivilTime(Timestamp(secondsSinceReferenceDate: seconds)) == nil)
        }
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `base64 is that of RFC 4648`(text: String, encoded: String) {
        #expect(base64(text.utf8) == encoded)
    }

    private func text(_ line: CommandInput.Line) -> String? {
        switch line {
        case .text(let line): String(decoding: line.bytes, as: UTF8.self)
        case .tooLong, .endOfInput: nil
        }
    }

    private func attributes(of descriptor: Int32) throws -> termios {
        var attributes = termios()
        try #require(tcgetattr(descriptor, &attributes) == 0)
        return attributes
    }
}

/// A simulated user at the other end of a pseudo terminal. One thread uses it, and the test reads it after that thread
/// has ended.
private final class Typing: @unchecked Sendable {
    private let terminal: Int32
    private let secondary: Int32
    private let answer: String
    private(set) var question = ""
    private(set) var echoedWhileAsked = true

    init(terminal: Int32, secondary: Int32, answer: String) {
        self.terminal = terminal
        self.secondary = secondary
        self.answer = answer
    }

    func start() throws -> pthread_t {
        var thread = pthread_t()
        let box = Unmanaged.passRetained(self).toOpaque()
        let code = pthread_create(
            &thread, nil,
            { box in
                Unmanaged<Typing>.fromOpaque(box!).takeRetainedValue().type()
                return nil
            }, box)
        try #require(code == 0)
        return thread
    }

    private func type() {
        var buffer = [UInt8](repeating: 0, count: 100)
        let count = read(terminal, &buffer, buffer.count)
        question = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        var attributes = termios()
        tcgetattr(secondary, &attributes)
        echoedWhileAsked = attributes.c_lflag & tcflag_t(ECHO) != 0
        let bytes = Array(answer.utf8)
        _ = write(terminal, bytes, bytes.count)
    }
}
