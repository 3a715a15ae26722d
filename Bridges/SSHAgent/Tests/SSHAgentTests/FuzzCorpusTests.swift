// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Replays earlier findings of fuzzing: each committed input of `fuzz-ssh`, once, with the code that libFuzzer runs.
struct FuzzCorpusTests {
    /// Runs in a separate process, because a finding ends the process. The last line that it prints names the input.
    @Test func `no committed input makes the target fail`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let folder = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../../../Fuzzing/Corpora/fuzz-ssh")
            for input in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
                try FileHandle.standardError.write(contentsOf: Data("Fuzzing/Corpora/fuzz-ssh/\(input)\n".utf8))
                fuzzSSH([UInt8](try Data(contentsOf: folder.appending(path: input))))
            }
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.split(separator: "\n").filter { $0.hasPrefix("Fuzzing/") }.count > 40)
    }
}
