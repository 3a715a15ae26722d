// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainTerminal
import SecretMemory
import TestSupport
import Testing

/// Serialized, since asking takes the process's signals for its time.
@Suite("asking by pinentry", .serialized)
final class PinentryTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("pinentry-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var question: Pinentry.Question {
        Pinentry.Question(description: "The passcode opens the keychain.", prompt: "Passcode")
    }

    /// Creates a program that greets, answers GETPIN as set, records its other input in the file `log`, and ends at
    /// BYE.
    private func pinentry(_ getPin: String, greeting: String = "echo OK", other: String = "echo OK") throws -> Pinentry
    {
        try program(
            """
            #!/bin/sh
            cd "$(dirname "$0")" || exit
            echo $$ >pid
            \(greeting)
            while IFS= read -r line; do
                printf '%s\\n' "$line" >>log
                case $line in
                GETPIN) \(getPin) ;;
                BYE) echo OK; exit ;;
                *) \(other) ;;
                esac
            done
            """)
    }

    private func program(_ text: String) throws -> Pinentry {
        let path = folder.appendingPathComponent("pinentry").path
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        waitUntilRunnable(path)
        return Pinentry(program: path)
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }

    /// The answer as text, asked for on a thread of its own: asking blocks.
    private func answer(
        _ pinentry: Pinentry, _ question: Pinentry.Question? = nil,
        quality: (@Sendable (SecretBytes) -> Int)? = nil
    ) async -> Result<String, PinentryError> {
        let question = question ?? self.question
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                do throws(PinentryError) {
                    let secret = try pinentry.ask(question, quality: quality)
                    continuation.resume(returning: .success(String(decoding: Array(secret.bytes), as: UTF8.self)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
    }

    /// Returns whether the program was reaped, so that its process ID is free.
    private func isReaped() throws -> Bool {
        let pid = try #require(Int32(try text("pid").trimmingCharacters(in: .newlines)))
        return kill(pid, 0) != 0
    }

    @Test func `the answer comes without its escapes`() async throws {
        let pinentry = try pinentry("echo 'D pass%25w%C3%B6rd'; echo OK")
        #expect(await answer(pinentry) == .success("pass%wörd"))
        #expect(try isReaped())
    }

    @Test func `an answer in pieces is put together`() async throws {
        #expect(await answer(try pinentry("echo D a; echo '# and'; echo 'D  b'; echo OK")) == .success("a b"))
    }

    @Test func `an empty answer is one`() async throws {
        #expect(await answer(try pinentry("echo OK")) == .success(""))
    }

    @Test func `it gets the text of the prompt, and the place`() async throws {
        var question = question
        question.error = "50 % wrong"
        question.terminal = ("/dev/pts/99", "vt100")
        question.locale = "C.UTF-8"
        question.timeout = .seconds(42)
        #expect(await answer(try pinentry("echo D x; echo OK"), question) == .success("x"))
        #expect(
            try text("log") == """
                OPTION ttyname=/dev/pts/99
                OPTION ttytype=vt100
                OPTION lc-ctype=C.UTF-8
                SETTITLE Chatelaine
                SETDESC The passcode opens the keychain.
                SETPROMPT Passcode
                SETERROR 50 %25 wrong
                SETTIMEOUT 42
                GETPIN
                BYE

                """)
    }

    @Test func `a program that knows no command but GETPIN will do`() async throws {
        let pinentry = try pinentry("echo D x; echo OK", other: "echo 'ERR 275 unknown command'")
        #expect(await answer(pinentry) == .success("x"))
    }

    @Test(arguments: [99, 198, 114, 5 << 24 | 99]) func `giving up is told from everything else`(code: Int) async throws
    {
        #expect(await answer(try pinentry("echo ERR \(code) no")) == .failure(.cancelled))
        #expect(try isReaped())
    }

    @Test func `a person who takes too long is told from one who gave up`() async throws {
        #expect(await answer(try pinentry("echo ERR 83886142 Timeout")) == .failure(.timedOut))
    }

    @Test func `another error keeps its code and its reason`() async throws {
        #expect(
            await answer(try pinentry("echo 'ERR 83918950 Inappropriate ioctl'"))
                == .failure(.failed(code: 32870, reason: "Inappropriate ioctl")))
    }

    @Test(arguments: ["exit 0", "kill -9 $$", "echo D half; kill -9 $$", "printf 'D no newline'; exit"])
    func `a program that ends instead of answering is noticed`(end: String) async throws {
        #expect(await answer(try pinentry(end)) == .failure(.ended))
        #expect(try isReaped())
    }

    @Test func `a program that ends before it greets is noticed`() async throws {
        #expect(await answer(try pinentry("echo OK", greeting: "exit 1")) == .failure(.ended))
    }

    @Test(
        arguments: [
            "echo whatever", "echo INQUIRE PIN", "echo D 100%", "echo D %G0", "printf 'D %01000d\\n' 0; echo OK",
            "head -c 100000 /dev/zero", "while :; do echo '# still here'; done",
        ])
    func `a program that makes no sense is given up`(nonsense: String) async throws {
        #expect(await answer(try pinentry(nonsense)) == .failure(.unintelligible))
        #expect(try isReaped())
    }

    @Test func `it is told how good a secret is, as often as it asks`() async throws {
        let typing = """
            for i in 0 1 2; do
                echo 'INQUIRE QUALITY a+b%2B%'; read -r number; read -r end
                echo "$number $end" >>bar
            done
            echo 'D a b+%25'; echo OK
            """
        let pinentry = try pinentry(typing)
        let quality: @Sendable (SecretBytes) -> Int = { Array($0.bytes) == Array("a b+%".utf8) ? 250 : -1 }
        #expect(await answer(pinentry, quality: quality) == .success("a b+%"))
        #expect(try text("bar") == "D 100 END\nD 100 END\nD 100 END\n")
        #expect(try text("log").contains("SETQUALITYBAR Strength:\n"))
    }

    @Test func `it is told nothing of a secret that is not new, nor of anything else`() async throws {
        #expect(await answer(try pinentry("echo 'INQUIRE QUALITY a'")) == .failure(.unintelligible))
        #expect(try !text("log").contains("SETQUALITYBAR"))
        #expect(await answer(try pinentry("echo 'INQUIRE PIN'"), quality: { _ in 1 }) == .failure(.unintelligible))
    }

    @Test func `the longest answer arrives, and a longer one is refused`() async throws {
        func pieces(_ count: Int) -> String {
            "for i in 1 2 3 4; do printf 'D %0900d\\n' 0; done; printf 'D %0\(count - 3600)d\\n' 0; echo OK"
        }
        let limit = Pinentry.maximumAnswerBytes
        #expect(await answer(try pinentry(pieces(limit))) == .success(String(repeating: "0", count: limit)))
        #expect(await answer(try pinentry(pieces(limit + 1))) == .failure(.tooLong(limit: limit)))
    }

    @Test func `a new secret is asked for twice by the program itself where it can`() async throws {
        var question = question
        question.repetition = "Once more"
        let pinentry = try pinentry("echo S PIN_REPEATED; echo D new; echo OK")
        #expect(await answer(pinentry, question) == .success("new"))
        let log = try text("log")
        #expect(log.contains("SETREPEAT Once more\n"))
        #expect(log.components(separatedBy: "GETPIN").count == 2)
    }

    @Test func `a program without a second field is asked a second time`() async throws {
        var question = question
        question.repetition = "Once more"
        #expect(await answer(try pinentry("echo D new; echo OK"), question) == .success("new"))
        #expect(try text("log").contains("SETPROMPT Once more\nGETPIN\n"))
        let different = try pinentry("echo D $((n += 1)); echo OK")
        #expect(await answer(different, question) == .failure(.entriesDiffer))
    }

    @Test func `none of our descriptors reaches the program`() async throws {
        // Without close-on-exec, as a shell's 9<file is.
        let descriptor = open("/dev/null", O_RDONLY)
        defer { close(descriptor) }
        try #require(descriptor > 2)
        _ = await answer(try pinentry("ls -l /proc/$$/fd >descriptors; echo OK"))
        let lines = try text("descriptors").split(separator: "\n")
        #expect(lines.contains { $0.contains(" 2 -> /dev/null") })
        #expect(!lines.contains { $0.contains(" \(descriptor) -> /dev/null") })
    }

    @Test func `a program that does not end is killed`() async throws {
        let pinentry = try pinentry("trap '' TERM INT; echo D x; echo OK; exec tail -f /dev/null")
        #expect(await answer(pinentry) == .success("x"))
        #expect(try isReaped())
    }

    @Test func `a program that cannot be run is named`() async {
        let path = folder.appendingPathComponent("nowhere").path
        #expect(
            await answer(Pinentry(program: path))
                == .failure(.notStarted(program: path, reason: "No such file or directory")))
    }

    @Test func `the user's pinentry is found by name or by path`() throws {
        let path = try program("#!/bin/sh\n").program
        let searchPath = "relative:/nonexistent:\(folder.path):/usr/bin"
        #expect(Pinentry(named: nil, searchPath: searchPath)?.program == path)
        #expect(Pinentry(named: "", searchPath: searchPath)?.program == path)
        #expect(Pinentry(named: "pinentry", searchPath: searchPath)?.program == path)
        #expect(Pinentry(named: path, searchPath: nil)?.program == path)
        #expect(Pinentry(named: "pinentry-of-nobody", searchPath: searchPath) == nil)
        #expect(Pinentry(named: path + "-of-nobody", searchPath: searchPath) == nil)
        #expect(Pinentry(named: nil, searchPath: nil) == nil)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(Pinentry(named: nil, searchPath: folder.path) == nil)
    }
}
