// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Replays earlier findings of fuzzing: each committed input, once, with the code that libFuzzer runs.
struct FuzzCorpusTests {
    static let corpora = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fuzzing/Corpora")

    @Test func `each target has committed inputs`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpora.path)
            .filter { !$0.hasPrefix(".") }
        // D-Bus and the agent for SSH are packages of their own, which replay these.
        #expect(Set(folders) == Set(fuzzTargets.keys).union(["fuzz-bus", "fuzz-ssh"]))
    }

    /// In a process of its own, because a finding ends the process. The last line that it prints names the input.
    @Test(arguments: fuzzTargets.keys.sorted())
    func `no committed input makes a target fail`(_ name: String) async throws {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) { [name] in
            let folder = Self.corpora.appending(path: name)
            for input in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
                try FileHandle.standardError.write(contentsOf: Data("Fuzzing/Corpora/\(name)/\(input)\n".utf8))
                fuzzTargets[name]!([UInt8](try Data(contentsOf: folder.appending(path: input))))
            }
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let inputs = said.split(separator: "\n").filter { $0.hasPrefix("Fuzzing/") }
        #expect(inputs.count > 40)
        if result == nil { Issue.record("the last input was \(inputs.last ?? "none")") }
    }
}
