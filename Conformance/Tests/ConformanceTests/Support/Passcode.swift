// SPDX-License-Identifier: Apache-2.0

import Testing

/// The passcode of the service that was started for this run. It is set, used and removed on the command line, as a
/// user would. Nothing here waits; the functions are asynchronous because they are so in process.
struct Passcode {
    static var canBeSet: Bool { Service.isOurs }

    private func run(_ words: String...) throws {
        let output = try Service.shared.chatelaine(words + ["--passcode-fd", "0"], input: "correct horse\n")
        try #require(output != nil, "chatelaine \(words.joined(separator: " ")) failed")
    }

    func set() async throws { try run("passcode", "set") }
    func remove() async throws { try run("passcode", "remove", "--yes") }
    func unlock() async throws { try run("unlock") }
    func lock() async throws { try #require(try Service.shared.chatelaine(["lock"]) != nil) }
    /// Restarts the service: the state is then before the first unlock.
    func restart() throws { try Service.shared.whileStopped { _ in } }
}

/// Runs a test in a keychain with a passcode, which is initially unlocked.
func withPasscode(_ body: (Passcode) async throws -> Void) async throws {
    let passcode = Passcode()
    try await passcode.set()
    do {
        try await body(passcode)
    } catch {
        // The failure of the test is the error to report.
        try? await passcode.remove()
        throw error
    }
    try await passcode.remove()
}
