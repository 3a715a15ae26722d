// SPDX-License-Identifier: Apache-2.0

internal import CWipingAllocator
internal import KeychainAgent
internal import KeychainEndpoint
internal import KeychainTerminal

/// Shows the prompts of the system service to its user.
@main
enum ChatelaineAgent {
    private static let usage = """
        usage: chatelaine-agent

        Shows the prompts of the system service to its user: approvals of requests and passcodes. The session starts this
        program, and it takes no arguments. See chatelaine-agent(8).

        """

    static func main() {
        AgentProgram.harden()
        // Linking this library makes freed memory be overwritten.
        _ = cwa_is_wiping()
        switch CommandLine.arguments.dropFirst() {
        case []: break
        case ["--help"], ["-h"]:
            try? DescriptorStream.standardOutput.write(usage.utf8)
            CurrentProcess.exit(0)
        default:
            say(usage)
            CurrentProcess.exit(64)
        }
        switch AgentProgram.run(log: { say($0 + "\n") }) {
        case .done(let text):
            say(text + "\n")
            CurrentProcess.exit(0)
        case .failed(let text, let hint, let status):
            say("error: \(text)\n" + (hint.map { "hint: \($0)\n" } ?? ""))
            CurrentProcess.exit(status)
        }
    }

    private static func say(_ text: String) { try? DescriptorStream.standardError.write(text.utf8) }
}
