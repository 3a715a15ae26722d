// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The file that this process runs.
public enum OwnExecutable {
    /// Its path at the start of the process; nil if /proc is not mounted.
    public static let path: String? = {
        unsafe withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
            // readlink writes at most the capacity and no terminating zero.
            let count = unsafe readlink("/proc/self/exe", buffer.baseAddress!, buffer.count)
            guard count > 0 else { return nil }
            return unsafe String(decoding: buffer[..<count], as: UTF8.self)
        }
    }()
}

/// The error output of a program without a terminal.
public enum StandardError {
    /// Writes one line.
    public static func write(_ line: String) {
        let bytes = Array(line.utf8) + [0x0A]
        // Reads the array only. An error is ignored: if standard error is closed, no other output exists.
        _ = unsafe Glibc.write(2, bytes, bytes.count)
    }
}
