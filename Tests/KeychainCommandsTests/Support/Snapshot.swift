// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Compares a displayed text with its file in Snapshots. With RECORD_SNAPSHOTS in the environment it writes the file
/// instead and fails the test, so that a recording cannot be mistaken for a success.
func expectSnapshot(
    _ text: String, _ name: String, file: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent("Snapshots")
    let snapshot = folder.appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: snapshot)
        Issue.record("recorded \(name)", sourceLocation: sourceLocation)
        return
    }
    let expected = (try? Data(contentsOf: snapshot)).map { String(decoding: $0, as: UTF8.self) }
    #expect(
        text == expected,
        """
        differs from \(snapshot.path); to write the new text there and review the difference: \
        RECORD_SNAPSHOTS=1 Tools/test unit -- --filter KeychainCommandsTests
        """, sourceLocation: sourceLocation)
}
