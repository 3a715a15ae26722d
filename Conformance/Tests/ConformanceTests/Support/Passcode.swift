// SPDX-License-Identifier: Apache-2.0

import Testing

/// The passcode of the service that was started for this run. It is set, used and removed on the command line, as a
/// user would.
struct Passcode {
    private func run(_ words: String...) throws {
        let output = try Service.shared.chatelaine(words + ["--passcode-fd", "0"], input: "correct horse\n")
        try #require(output != nil, "chatelaine \(words.joined(separator: " ")) failed")
    }

    func set() throws { try run("passcode", "set") }
    func remove() throws { try run("passcode", "remove") }
    func unlock() throws { try run("unlock") }
    func lock() throws { try #require(try Service.shared.chatelaine(["lock"]) != nil) }
    func removeIfSet() { try? remove() }
    /// Restarts the service: the state is then before the first unlock.
    func restart() throws { try Service.shared.whileStopped { _ in } }
}

/// Runs a test in a keychain with a passcode, which is initially unlocked.
func withPasscode(_ body: (Passcode) throws -> Void) throws {
    let passcode = Passcode()
    try passcode.set()
    defer { passcode.removeIfSet() }
    try body(passcode)
}
