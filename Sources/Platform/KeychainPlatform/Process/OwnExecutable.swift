// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The file that this process runs.
public enum OwnExecutable {
    /// Its path as it was when the process started; nil when /proc is not mounted.
    public static let path: String? = {
        unsafe withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
            // readlink writes at most the capacity and no terminating zero.
            let count = unsafe readlink("/proc/self/exe", buffer.baseAddress!, buffer.count)
            guard count > 0 else { return nil }
            return unsafe String(decoding: buffer[..<count], as: UTF8.self)
        }
    }()
}

/// Where a program without a terminal of its own says what goes wrong.
public enum StandardError {
    /// Writes one line.
    public static func write(_ line: String) {
        let bytes = Array(line.utf8) + [0x0A]
        // Reads the array only. If standard error is closed, there is nobody to tell.
        _ = unsafe Glibc.write(2, bytes, bytes.count)
    }
}
