// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainWire
import Testing

@testable import KeychainCommands

@Suite struct `The figures of the service` {
    private let tester = CommandLineTester()

    @Test func `are shown behind the status, in lines of 80 columns but for paths`() throws {
        let text = tester.run("chatelaine", "status", "--verbose").outputText
        try expectSnapshot(text, "status-verbose.txt")
        for line in text.split(separator: "\n") where !line.contains("/") {
            #expect(line.count <= 80, "\(line)")
        }
    }

    @Test func `are members of the status in JSON`() throws {
        let text = tester.run("chatelaine", "status", "--verbose", "--json").outputText
        try expectSnapshot(text, "status-verbose.json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let figures = try #require(object["figures"] as? [String: Any])
        #expect((figures["requests"] as? [Any])?.count == 3)
        #expect(!tester.run("chatelaine", "status", "--json").outputText.contains("figures"))
    }

    @Test func `name the open keychain files that are damaged, and how to save their intact items`() {
        #expect(!tester.run("chatelaine", "status", "--verbose").outputText.contains("DAMAGED"))
        tester.keychain.change { $0.figures.keychainFiles[1].isDamaged = true }
        let text = tester.run("chatelaine", "status", "--verbose").outputText
        #expect(
            text.contains(
                "/srv/work.keychain\n/srv/work.keychain: DAMAGED: some rows are unreadable or missing (stop the service, then "
                    + "recover the readable items: chatelaine salvage --keychain /srv/work.keychain)\n\n"))
        #expect(text.split(separator: "DAMAGED").count == 2)
        let json = tester.run("chatelaine", "status", "--verbose", "--json").outputText
        #expect(json.split(separator: "\"damaged\": true").count == 2)
    }

    @Test func `are asked for only where they are wanted`() {
        _ = tester.run("chatelaine", "status")
        let few = tester.keychain.requests.count
        _ = tester.run("chatelaine", "status", "--verbose")
        #expect(tester.keychain.requests.count == 2 * few + 1)
        _ = tester.run("chatelaine", "status", "--metrics")
        #expect(tester.keychain.requests.count == 2 * few + 2)
    }

    @Test func `are metrics, and nothing else is written then`() throws {
        let text = tester.run("chatelaine", "status", "--metrics").outputText
        try expectSnapshot(text, "status-metrics.txt")
        #expect(!text.contains("/home") && !text.contains("/srv"))
    }

    @Test func `give each family a type and a text, before its samples and once`() {
        let lines = tester.run("chatelaine", "status", "--metrics").outputText.split(separator: "\n")
        #expect(lines.last == "# EOF")
        var (families, family) = (Set<Substring>(), Substring())
        for line in lines.dropLast() {
            let words = line.split(separator: " ")
            if line.hasPrefix("# TYPE ") {
                family = words[2]
                #expect(families.insert(family).inserted, "\(line)")
            } else if line.hasPrefix("# UNIT ") {
                #expect(words[2] == family && family.hasSuffix("_" + words[3]), "\(line)")
            } else if line.hasPrefix("# HELP ") {
                #expect(words[2] == family && words.count > 3, "\(line)")
            } else {
                #expect(line.hasPrefix(family), "\(line)")
                #expect(Double(words.last ?? "") != nil, "\(line)")
            }
        }
        #expect(families.count == 22)
    }

    @Test func `count up to each bound in metrics, and all of them up to infinity`() {
        let text = tester.run("chatelaine", "status", "--metrics").outputText
        let start = "chatelaine_request_duration_seconds_bucket{kind=\"lookup\""
        let buckets = text.split(separator: "\n").filter { $0.hasPrefix(start) }
        let counts = buckets.compactMap { $0.split(separator: " ").last.flatMap { UInt64($0) } }
        #expect(counts == counts.sorted() && counts.count == 10 && counts.last == 98_765_432)
        #expect(text.contains("chatelaine_request_duration_seconds_count{kind=\"lookup\"} 98765432\n"))
        #expect(text.contains("chatelaine_request_duration_seconds_sum{kind=\"lookup\"} 2962.962930000\n"))
    }

    @Test(arguments: ["--json", "--verbose", "--accept-contents"])
    func `as metrics go with no other option`(option: String) {
        let run = tester.run("chatelaine", "status", "--metrics", option)
        #expect(run.status == 64 && run.outputText.isEmpty && tester.keychain.requests.isEmpty)
    }

    @Test func `are not there before the PIN of the device key was given`() {
        tester.keychain.change { ($0.pin, $0.lockState) = (Array("2468".utf8), .awaitingPIN) }
        #expect(!tester.run("chatelaine", "status", "--verbose").outputText.contains("REQUESTS"))
        #expect(tester.run("chatelaine", "status", "--verbose", "--json").outputText.contains("\"figures\": null"))
        let metrics = tester.run("chatelaine", "status", "--metrics")
        #expect(metrics.status == 4 && metrics.outputText.isEmpty)
    }

    @Test(
        arguments: [
            (0, "0 ns"), (999, "999 ns"), (1000, "1.0 µs"), (31_415, "31.4 µs"), (314_159, "314 µs"),
            (31_415_926, "31.4 ms"), (2_345_678_901, "2.3 s"), (100_000_000_000, "100 s"),
        ] as [(UInt64, String)])
    func `tell times in a unit that fits`(nanoseconds: UInt64, text: String) {
        #expect(FiguresReport.time(nanoseconds: nanoseconds) == text)
    }

    @Test(
        arguments: [
            (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (102_400, "100 KiB"), (1_048_575, "1023 KiB"),
            (8_192_000, "7.8 MiB"), (5_138_022_400, "4.7 GiB"), (.max, "16777215 TiB"),
        ] as [(UInt64, String)])
    func `tell sizes in a unit that fits`(bytes: UInt64, text: String) {
        #expect(FiguresReport.amount(bytes: bytes) == text)
    }

    @Test(
        arguments: [
            (0, "0 s"), (59, "59 s"), (60, "1 min"), (3599, "59 min"), (3600, "1 h 0 min"), (86_399, "23 h 59 min"),
            (273_845, "3 d 4 h"),
        ] as [(UInt64, String)])
    func `tell how long the keychain is open`(seconds: UInt64, text: String) {
        #expect(FiguresReport.time(seconds: seconds) == text)
    }
}
