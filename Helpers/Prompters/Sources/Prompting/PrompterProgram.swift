// SPDX-License-Identifier: Apache-2.0

public import KeychainHelperWire
internal import KeychainTerminal
internal import SecretMemory

/// What both programs do: read one question from standard input, write one answer to standard output, and end.
public enum PrompterProgram {
    /// A little longer than any question may take: then it ends whatever happens.
    private static let lifetime: UInt32 = 600

    /// - Parameters:
    ///   - name: the program's.
    ///   - purpose: what it does, for its help.
    public static func run(name: String, purpose: String, _ answer: (PromptRequest) -> Answer) -> Never {
        let usage = """
            usage: \(name) <question >answer

            \(purpose)
            The keychain service runs it itself; there is nothing to say to it by hand. See \(name)(8).

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
            fail("error: no question on standard input\n", status: 65)
        }
        var reply = answer(request).frame
        let isSent = (try? DescriptorStream.standardOutput.write(reply)) != nil
        wipe(&reply)
        CurrentProcess.exit(isSent ? 0 : 74)
    }

    /// One frame; nil where the input ends before it does, or is none.
    private static func readFrame() -> [UInt8]? {
        var bytes: [UInt8] = []
        while true {
            guard let size = try? HelperFrameHeader.frameSize(bytes) ?? HelperFrameHeader.size else { return nil }
            if bytes.count == size { return bytes }
            var piece = [UInt8](repeating: 0, count: min(size - bytes.count, 1 << 16))
            guard let count = try? DescriptorStream.standardInput.read(into: &piece), count > 0 else { return nil }
            bytes += piece[..<count]
        }
    }

    private static func fail(_ text: String, status: Int32) -> Never {
        try? DescriptorStream.standardError.write(text.utf8)
        CurrentProcess.exit(status)
    }
}
