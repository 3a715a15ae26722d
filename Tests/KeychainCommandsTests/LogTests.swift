// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainWire
import Testing

@testable import KeychainCommands

/// A line as the service writes it. Numbers are seconds after 06:13:20.
private func line(
    _ number: Int, _ action: String = "read-data", _ outcome: String = "granted", program: String = "/usr/bin/p",
    item: UInt8? = nil, by rule: String = "own-group"
) -> String {
    let seconds = 20 + number
    let digits = item.map { String(repeating: "0\($0)", count: 16) }
    let references = digits.map { ",\"items\":1,\"references\":[\"\($0)\"]" } ?? ""
    let reason =
        outcome == "refused" ? #","status":-25308,"reason":"otherProgramsItem""# : #","granted-by":"\#(rule)""#
    return """
        {"time":"2026-05-09T06:13:\(seconds).000Z","action":"\(action)","outcome":"\(outcome)"\(reason)\(references),\
        "uid":1000,"pid":7,"tier":"installed","program":"\(program)","seq":\(number)}
        """
}

@Suite("chatelaine log")
struct LogTests {
    let tester = CommandLineTester()

    init() {
        tester.keychain.change { state in
            state.auditLines = [
                #"{"time":"2026-05-09T06:13:20.000Z","action":"audit-log","event":"begin","previous":"0","seq":1}"#,
                line(2, "add", item: 1), line(3, "read-data", "refused", program: "/home/ann/\u{9B}31mp"),
                line(4, item: 1), line(5, item: 2, by: "remembered-grant"),
            ]
        }
    }

    private func numbers(_ words: String...) -> [UInt64] {
        let outcome = tester.run(["chatelaine", "log", "--json"] + words, input: [])
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errorText)")
        return outcome.outputText.split(separator: "\n").compactMap { AuditRecord($0.utf8)?.sequence }
    }

    @Test func `people get columns, the newest line last, and nothing that moves the cursor`() throws {
        let outcome = tester.run("chatelaine", "log")
        #expect(outcome.status == 0)
        try expectSnapshot(outcome.outputText, "log.txt")
    }

    @Test func `a program has its package, or the digest or team that tells it from others at the same path`() {
        let identities = [#""sha256":"\#(String(repeating: "ab", count: 32))""#, #""team":"T","identifier":"i""#]
        tester.keychain.change { state in
            state.auditLines = identities.enumerated().map { number, identity in
                line(number + 2).replacing(#","seq""#, with: #",\#(identity),"seq""#)
            }
            state.auditLines.append(line(4))
        }
        tester.machine.packages = ["/usr/bin/p": "p-tools"]
        tester.machine.desktopNames = ["/usr/bin/p": "P"]
        let programs = tester.run("chatelaine", "log").outputText.split(separator: "\n").dropFirst().map { row in
            row.split(separator: "/usr/bin/p").last.map(String.init) ?? ""
        }
        #expect(
            programs == [
                "  unsigned:abababababab…  uid 1000 pid 7", "  T.i  uid 1000 pid 7",
                "  (package p-tools, desktop name \"P\")  uid 1000 pid 7",
            ])
    }

    @Test func `a request through a bridge names the bridge, in columns and in JSON`() {
        let bridge = #","bridge":"/usr/libexec/chatelaine/chatelaine-secrets","bridge-pid":3"#
        tester.keychain.change { state in
            state.auditLines = [
                line(2, "read-data", "refused").replacing(#","seq""#, with: #"\#(bridge),"seq""#), line(3),
            ]
        }
        let rows = tester.run("chatelaine", "log").outputText.split(separator: "\n").dropFirst()
        #expect(
            rows.first?.hasSuffix(
                "/usr/bin/p  uid 1000 pid 7  through chatelaine-secrets  -25308 otherProgramsItem") == true, "\(rows)")
        #expect(rows.last?.contains("through") == false)
        #expect(tester.run("chatelaine", "log", "--json").outputText.contains(bridge))
    }

    @Test func `JSON has the lines as they are`() throws {
        let lines = tester.run("chatelaine", "log", "--json").outputText.split(separator: "\n").map(String.init)
        var expected: [String] = []
        tester.keychain.change { expected = $0.auditLines }
        #expect(lines == expected)
    }

    @Test func `filters are combined, and a limit takes the newest`() {
        #expect(numbers("--limit", "2") == [4, 5])
        #expect(numbers("--limit", "3", "--program", "/usr/bin") == [2, 4, 5])
        #expect(numbers("--action", "read-data", "--outcome", "granted") == [4, 5])
        #expect(numbers("--since", "2026-05-09T06:13:24Z") == [4, 5])
        #expect(numbers("--since", "2026-05-09 06:13:23", "--until", "2026-05-09T06:13:25") == [3, 4])
        #expect(numbers("--until", "2026-05-09") == [])
        #expect(numbers("--item", "01010101010101010101010101010101") == [2, 4])
        #expect(numbers("--item", "Z2VucAEBAQEBAQEBAQEBAQEBAQE=") == [2, 4])
        #expect(numbers("--user", "1000", "--limit", "1") == [5])
        #expect(numbers("--user", "1") == [])
    }

    @Test(arguments: [
        ["--since", "yesterday"], ["--since", "2026-13-01"], ["--until", "5"], ["--until", "-2h"], ["--item", "mail"],
        ["--item", "Z2VucA=="], ["--outcome", "denied"], ["--program", ""], ["--limit", "-1"], ["--user", "ann"],
    ])
    func `what cannot be asked for is said`(words: [String]) {
        let outcome = tester.run(["chatelaine", "log"] + words, input: [])
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        #expect(outcome.errorText.hasPrefix("error: "))
        #expect(tester.keychain.requests.isEmpty)
    }

    @Test func `searches without a match are refused lines only on request`() {
        let notFound = line(6, "read-data", "refused").replacing(
            #""status":-25308,"reason":"otherProgramsItem""#, with: #""status":-25300,"reason":"none""#)
        tester.keychain.change { state in
            state.auditLines += [notFound]
            state.newAuditLines = [notFound.replacing("\"seq\":6", with: "\"seq\":7"), line(8, "update", "refused")]
        }
        #expect(numbers("--outcome", "refused") == [3])
        #expect(numbers("--outcome", "refused", "--limit", "2") == [3])
        #expect(numbers("--outcome", "not-found") == [6])
        #expect(numbers("--outcome", "refused", "--follow") == [3, 8])
        #expect(numbers("--outcome", "not-found", "--follow", "--limit", "1") == [6, 7])
        #expect(numbers() == Array(1...6))
    }

    @Test func `damaged lines are told on standard error`() {
        tester.keychain.change { $0.auditLines.insert("nothing", at: 2) }
        let outcome = tester.run("chatelaine", "log", "--json")
        #expect(outcome.status == 0)
        #expect(outcome.outputText.split(separator: "\n").count == 5)
        #expect(outcome.errorText == "warning: 1 line is damaged; `chatelaine log verify` shows where\n")
    }

    @Test func `following goes on with new lines that the filter accepts, each once`() {
        tester.keychain.change { $0.newAuditLines = [line(5, item: 2), line(6, "add"), line(7), line(8, "add")] }
        #expect(numbers("--follow", "--action", "add") == [2, 6, 8])
        #expect(numbers("--follow") == Array(1...8))
        #expect(numbers("--follow", "--limit", "1") == [5, 6, 7, 8])
    }

    @Test func `a refusal is told`() {
        tester.keychain.change { $0.logRefusal = Refusal(.missingEntitlement, .administrationOnly) }
        let outcome = tester.run("chatelaine", "log")
        #expect(outcome.status == 4 && outcome.output.isEmpty)
        #expect(outcome.errorText.contains("only the administration tool"))
    }

    // MARK: Verifying

    private var damaged: AuditVerification {
        var result = AuditVerification()
        (result.lineCount, result.fileCount, result.first, result.last) = (90, 2, 3, 99)
        result.note(.init(.changedLine, 5, 5, file: "audit.log.1", lineInFile: 3))
        result.note(.init(.missingLines, 7, 9, file: "audit.log.1", lineInFile: 5))
        result.note(.init(.missingLines, 12, 12, file: "audit.log", lineInFile: 1))
        result.note(.init(.misplacedLine, 11, 11, file: "audit.log", lineInFile: 2))
        result.note(.init(.foreignLine, 0, 0, file: "audit.log", lineInFile: 3))
        result.note(.init(.missingCheckpoint, 20, 20, file: "audit.log", lineInFile: 9))
        result.note(.init(.otherEnding, 30, 30, file: "audit.log", lineInFile: 19))
        result.note(.init(.missingLines, 98, 99, file: "", lineInFile: 0))
        return result
    }

    @Test func `a log that is right is said to be, with its gaps`() throws {
        var result = AuditVerification()
        (result.lineCount, result.fileCount, result.first, result.last) = (90, 2, 3, 92)
        result.note(.init(.unfinishedLine, sequence: 9, lineCount: 1))
        result.note(.init(.unwrittenLines, sequence: 12, lineCount: 4))
        tester.keychain.change { $0.verification = result }
        let outcome = tester.run("chatelaine", "log", "verify")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        try expectSnapshot(outcome.outputText, "log-verify.txt")
        let json = tester.run("chatelaine", "log", "verify", "--json")
        #expect(json.status == 0)
        try expectSnapshot(json.outputText, "log-verify.json")
    }

    @Test func `a log that was changed is told line by line, with another exit status`() throws {
        tester.keychain.change { $0.verification = damaged }
        let outcome = tester.run("chatelaine", "log", "verify")
        #expect(outcome.status == 1)
        #expect(outcome.errorText.hasPrefix("error: the audit log differs from the lines that the service wrote\n"))
        try expectSnapshot(outcome.outputText, "log-verify-damaged.txt")
        let json = tester.run("chatelaine", "log", "verify", "--json")
        #expect(json.status == 1)
        try expectSnapshot(json.outputText, "log-verify-damaged.json")
    }

    @Test func `more problems than are told are counted`() {
        tester.keychain.change { state in
            for number in 1...70 {
                state.verification.note(
                    .init(.changedLine, UInt64(number), UInt64(number), file: "audit.log", lineInFile: 1))
            }
        }
        #expect(tester.run("chatelaine", "log", "verify").outputText.hasSuffix("\nand 6 more\n"))
    }
}

@Suite("chatelaine show")
struct ShowTests {
    let tester = CommandLineTester()

    init() throws {
        try tester.keychain.put("mail", user: "ann", [.init(.comment, .string("old"))])
        try tester.keychain.put(server: "example.org", user: "bob", group: "installed:/usr/bin/keeper")
        tester.keychain.change { state in
            state.auditLines = [
                line(2, "add", item: 1), line(3, "read-data", program: "/usr/bin/reader", item: 1),
                line(4, "read-data", "refused", item: 1), line(5, "read-attributes", item: 1), line(6, item: 3),
            ]
        }
    }

    @Test func `an item is shown without its secret, and with who used it last`() throws {
        let outcome = tester.run("chatelaine", "show", "mail", "--user", "ann")
        #expect(outcome.status == 0)
        #expect(!outcome.outputText.contains("secret"))
        try expectSnapshot(outcome.outputText, "show.txt")
        try expectSnapshot(tester.run("chatelaine", "show", "mail", "--user", "ann", "--json").outputText, "show.json")
    }

    @Test func `the lookup attributes of an item are shown, without control characters`() throws {
        let pairs = ["xdg:schema": "org.example", "user": "ann\u{1B}[1m"]
        try tester.keychain.put("web", user: "ann", [.init(.lookup, .data(try LookupAttributes(pairs).encoded))])
        let text = tester.run("chatelaine", "show", "web", "--user", "ann").outputText
        #expect(text.contains("\nattribute   user=ann") && text.contains("\nattribute   xdg:schema=org.example\n"))
        #expect(!text.contains("\u{1B}"))
        let json = tester.run("chatelaine", "show", "web", "--user", "ann", "--json").outputText
        #expect(json.contains("\"xdg:schema\": \"org.example\""))
        let other = tester.run("chatelaine", "show", "mail", "--user", "ann", "--json").outputText
        #expect(!other.contains("lookupAttributes"))
    }

    @Test func `an item that the log does not name is said to be not within it`() throws {
        let outcome = tester.run("chatelaine", "show", "--server", "example.org", "--user", "bob")
        #expect(outcome.outputText.contains("last used   not in the audit log\n"))
        let json = tester.run("chatelaine", "show", "--server", "example.org", "--user", "bob", "--json")
        #expect(json.outputText.contains("\"lastUsed\": null"))
    }

    @Test func `where the log may not be read the item is shown, and why it is not known`() throws {
        tester.keychain.change { $0.logRefusal = Refusal(.missingEntitlement, .administrationOnly) }
        let outcome = tester.run("chatelaine", "show", "mail", "--user", "ann")
        #expect(outcome.status == 0)
        #expect(outcome.outputText.contains("last used   unknown: only the administration tool"))
    }

    @Test func `an item that is not there is said`() {
        let outcome = tester.run("chatelaine", "show", "none")
        #expect(outcome.status == 3 && outcome.output.isEmpty)
    }
}
