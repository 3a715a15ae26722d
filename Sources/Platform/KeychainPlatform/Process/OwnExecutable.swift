// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint

/// The file that this process runs.
public enum OwnExecutable {
    /// Its path at the start of the process; nil if /proc is not mounted.
    public static let path: String? = ownExecutablePath()
}

/// The error output of a program without a terminal.
public enum StandardError {
    /// Writes one line. An error is ignored: if standard error is closed, no other output exists.
    public static func write(_ line: String) {
        try? DescriptorStream.standardError.write(Array(line.utf8) + [0x0A])
    }
}
