// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

@testable import KeychainCommands

@Suite("chatelaine bridges")
struct BridgesCommandTests {
    let tester = CommandLineTester()

    /// Returns a line as the service writes it. Numbers are seconds after 06:13:20.
    private static func line(
        _ number: Int, program: String = "/usr/bin/secret-tool", _ result: String, isThroughBridge: Bool = true,
        digest: String? = nil
    ) -> String {
        let identity = digest.map { #","sha256":"\#($0)""# } ?? ""
        let bridge =
            isThroughBridge ? #","bridge":"/usr/libexec/chatelaine/chatelaine-secrets","bridge-pid":3"# : ""
        return """
            {"time":"2026-05-09T06:13:\(20 + number).000Z","action":"read-data",\(result),"uid":1000,"pid":7,\
            "tier":"installed","program":"\(program)"\(identity)\(bridge),"seq":\(number)}
            """
    }

    private static func granted(_ rule: String) -> String { #""outcome":"granted","granted-by":"\#(rule)""# }

    private static func refused(_ status: Int, _ reason: String) -> String {
        #""outcome":"refused","status":\#(status),"reason":"\#(reason)""#
    }

    init() {
        let digest = String(repeating: "ab", count: 32)
        tester.keychain.change { state in
            state.auditLines = [
                Self.line(1, Self.granted("own-group")), Self.line(2, Self.granted("person")),
                Self.line(3, Self.granted("client-approval")), Self.line(4, Self.refused(-25293, "none")),
                Self.line(5, Self.refused(-128, "none")), Self.line(6, Self.refused(-25308, "otherProgramsItem")),
                Self.line(7, Self.refused(-25308, "locked")), Self.line(8, Self.refused(-25300, "none")),
                Self.line(9, program: "/home/ann/\u{9B}31mtool", Self.granted("bridges-learn"), digest: digest),
                Self.line(10, program: "/home/ann/\u{9B}31mtool", Self.granted("bridges-open"), digest: digest),
                Self.line(11, program: "/usr/bin/direct", Self.granted("person"), isThroughBridge: false),
            ]
        }
    }

    private func rows(_ words: String...) -> [[String]] {
        let outcome = tester.run(["chatelaine", "bridges"] + words, input: [])
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errorText)")
        return outcome.outputText.split(separator: "\n").dropFirst(2).map {
            $0.split(separator: " ").map(String.init)
        }
    }

    @Test func `each program has its counts, and direct callers are left out`() {
        let rows = rows()
        #expect(rows.count == 2)
        #expect(rows.allSatisfy { $0.first == "chatelaine-secrets" })
        // Bridge, program, requests, approved, denied, unanswered, learned, and date and time.
        #expect(rows.last?.dropFirst().prefix(6) == ["/usr/bin/secret-tool", "8", "1", "2", "1", "0"])
        #expect(rows.first?[2].hasPrefix("unsigned:abab") == true)
        #expect(rows.first?.dropFirst(3).prefix(5) == ["2", "0", "0", "0", "2"])
        #expect(!tester.run("chatelaine", "bridges").outputText.contains("\u{9B}"))
    }

    @Test func `JSON has all counts and the mode`() {
        tester.keychain.change { $0.settings[.bridges] = BridgeMode.learn.rawValue }
        let text = tester.run("chatelaine", "bridges", "--json").outputText
        for member in [
            #""mode": "learn""#, #""bridge": "/usr/libexec/chatelaine/chatelaine-secrets""#,
            #""program": "/usr/bin/secret-tool""#, #""requests": 8"#, #""approved": 1"#, #""denied": 2"#,
            #""unanswered": 1"#, #""learned": 1"#, #""opened": 1"#, #""group": null"#,
            #""last": "2026-05-09T06:13:28"#,
        ] { #expect(text.contains(member), "\(member) in \(text)") }
    }

    @Test func `approvals that end with their programs have a table of their own`() {
        let bridge = "/usr/libexec/chatelaine/chatelaine-secrets"
        tester.keychain.change {
            $0.approvals = [
                ListedApproval(
                    identity: .installed(path: "/usr/bin/secret-tool"), process: 42, path: "/usr/bin/secret-tool",
                    bridgePath: bridge, itemCount: 3),
                ListedApproval(
                    identity: .unsigned(digest: .init(repeating: 0xAB, count: 32)), process: 43,
                    path: "/home/ann/\u{9B}31mtool", bridgePath: bridge, itemCount: 1),
            ]
        }
        let text = tester.run("chatelaine", "bridges").outputText
        let rows = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        let start = rows.firstIndex(of: ["Approved", "until", "the", "program", "exits:"])
        #expect(start.map { rows[$0 + 1] } == ["BRIDGE", "PROGRAM", "PROCESS", "ITEMS"])
        #expect(start.map { rows[$0 + 2] } == ["chatelaine-secrets", "/usr/bin/secret-tool", "42", "3"])
        #expect(start.map { rows[$0 + 3] }?.suffix(2) == ["43", "1"])
        #expect(start.map { rows[$0 + 3] }?[2].hasPrefix("unsigned:abab") == true && !text.contains("\u{9B}"))
        let json = tester.run("chatelaine", "bridges", "--json").outputText
        for member in [
            #""approvals": ["#, #""process": 42"#, #""items": 3"#, #""group": "installed:/usr/bin/secret-tool""#,
        ] { #expect(json.contains(member), "\(member) in \(json)") }
        // Also if no request is in the log.
        tester.keychain.change { $0.auditLines = [] }
        #expect(tester.run("chatelaine", "bridges").outputText.contains("Approved until the program exits:\nBRIDGE"))
    }

    @Test func `a time leaves out earlier requests`() {
        #expect(rows("--since", "2026-05-09T06:13:29Z").count == 1)
        #expect(rows("--since", "2026-05-09T06:13:59Z").isEmpty)
        let outcome = tester.run("chatelaine", "bridges", "--since", "yesterday")
        #expect(outcome.status == 64 && outcome.errorText.hasPrefix("error: "))
    }

    @Test func `that no program used a bridge is a sentence, and damaged lines are told`() {
        tester.keychain.change { $0.auditLines = ["nothing"] }
        let outcome = tester.run("chatelaine", "bridges")
        #expect(outcome.status == 0)
        #expect(outcome.outputText == "Mode: ask: the use of another program's item requires your approval\n")
        #expect(outcome.errorText.hasPrefix("warning: 1 line is damaged"))
        tester.diagnosticsAreTerminal = true
        #expect(tester.run("chatelaine", "bridges").errorText.hasSuffix("No program has used a bridge.\n"))
    }

    @Test(arguments: [BridgeMode.learn, .open])
    func `status and doctor warn about a mode that does not prompt`(mode: BridgeMode) {
        #expect(!tester.run("chatelaine", "status").outputText.contains("bridges"))
        #expect(!tester.run("chatelaine", "doctor").outputText.contains("bridges "))
        tester.keychain.change { $0.settings[.bridges] = mode.rawValue }
        let status = tester.run("chatelaine", "status")
        #expect(status.outputText.contains("bridges     \(mode.name): every program reads and changes all your items"))
        #expect(tester.run("chatelaine", "status", "--json").outputText.contains("\"bridges\": \"\(mode.name)\""))
        let doctor = tester.run("chatelaine", "doctor").outputText
        #expect(doctor.contains("warning  bridges      the mode for bridges is \(mode.name)"))
        #expect(doctor.contains("chatelaine settings set bridges ask"))
    }

    @Test func `status states no mode before the PIN is entered, because the service does not report it`() {
        tester.keychain.change {
            ($0.pin, $0.tokens.pin, $0.lockState) = (Array("2468".utf8), TokenReport.PIN(), .awaitingPIN)
            $0.settings[.bridges] = BridgeMode.open.rawValue
        }
        #expect(tester.run("chatelaine", "status", "--json").outputText.contains("\"bridges\": null"))
        #expect(!tester.run("chatelaine", "status").outputText.contains("bridges"))
    }

    @Test func `the mode is set by its name, and another word is refused with the names`() {
        #expect(tester.run("chatelaine", "settings", "set", "bridges", "open").outputText == "bridges is open now.\n")
        #expect(tester.run("chatelaine", "settings", "get", "bridges", "--json").outputText.contains("\"open\""))
        for word in ["1", "on", "Ask", ""] {
            let outcome = tester.run("chatelaine", "settings", "set", "bridges", word)
            #expect(outcome.status == 64 && outcome.errorText.contains("use ask, learn or open"))
        }
    }
}
