// SPDX-License-Identifier: Apache-2.0

public import KeychainHelperWire
internal import KeychainEndpoint
internal import KeychainTerminal
internal import SecretMemory

/// The main function of both programs: it reads one request from standard input, writes one answer to standard output,
/// and ends.
public enum PrompterProgram {
    /// The lifetime of the process, a little longer than the longest prompt. The process always ends after it.
    private static let lifetime: UInt32 = 600
    /// The most time for the search for packages, and for the one for desktop names, by which the prompt is shown later.
    private static let searchTime = Duration.seconds(1)

    /// Runs the program.
    ///
    /// - Parameters:
    ///   - name: the name of the program.
    ///   - purpose: the description of the program in its help.
    ///   - answer: shows the prompt with the names of packages and desktops.
    public static func run(
        name: String, purpose: String,
        _ answer: (PromptRequest, _ packages: [String: String], _ desktopNames: [String: String]) -> Answer
    ) -> Never {
        let usage = """
            usage: \(name) <request >answer

            \(purpose)
            The keychain service starts this program; do not run it by hand. See \(name)(8).

            """
        switch CommandLine.arguments.dropFirst() {
        case []: break
        case ["--help"], ["-h"]:
            try? DescriptorStream.standardOutput.write(usage.utf8)
            CurrentProcess.exit(0)
        default: fail(usage, status: 64)
        }
        CurrentProcess.confineHelper(toSeconds: lifetime)
        guard let frame = readFrame(), let request = try? PromptRequest(frame) else {
            fail("error: no request on standard input\n", status: 65)
        }
        let programs = PromptWording.installedPrograms(in: request)
        let packages = PackageDatabase().packages(of: programs, within: searchTime)
        let desktopNames = DesktopEntries().names(of: programs, within: searchTime)
        var reply = answer(request, packages, desktopNames).frame
        let isSent = (try? DescriptorStream.standardOutput.write(reply)) != nil
        wipe(&reply)
        CurrentProcess.exit(isSent ? 0 : 74)
    }

    private static func readFrame() -> [UInt8]? {
        DescriptorStream.standardInput.message(size: HelperFrameHeader.minimumFrameSize)
    }

    private static func fail(_ text: String, status: Int32) -> Never {
        try? DescriptorStream.standardError.write(text.utf8)
        CurrentProcess.exit(status)
    }
}
