// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint

/// Starts a program in its own session, and waits for its report that the start succeeded.
///
/// The starting process ends afterwards, so init adopts the program, and the caller gets no zombie process.
public enum DetachedStart {
    public enum Report: Hashable, Sendable {
        case ready
        /// The program reported why it failed.
        case failed(String)
        /// It ended without a report.
        case ended
    }

    /// The descriptor on which the started program reports.
    public static let reportDescriptor: Int32 = 3
    /// Longer reports are cut.
    private static let reportBytes = 4096

    /// Starts the program at `path` with its standard streams on /dev/null and waits for its report.
    public static func start(_ path: String, arguments: [String]) throws(SystemCallError) -> Report {
        var ends: [Int32] = [-1, -1]
        // Two descriptors are written.
        guard unsafe pipe(&ends) == 0 else { throw .last("pipe") }
        let receiving = try OwnedDescriptor(ends[0], from: "pipe")
        let code: Int32
        do {
            let sending = try OwnedDescriptor(ends[1], from: "pipe")
            // Closed on exec, because the program gets its copy under another number.
            _ = fcntl(receiving.number, F_SETFD, FD_CLOEXEC)
            code = spawn(path, arguments, reporting: sending.number)
        }
        guard code == 0 else { throw SystemCallError(call: "posix_spawn", code: code) }
        return try read(receiving)
    }

    /// Reports the outcome to the starting process; call once.
    public static func report(_ report: Report, on descriptor: Int32 = reportDescriptor) {
        let text: [UInt8]
        switch report {
        case .ready: text = [0]
        case .failed(let reason): text = Array(reason.utf8.prefix(reportBytes))
        case .ended: text = []
        }
        // The starting process may have ended already, which does not affect the service.
        _ = unsafe Glibc.write(descriptor, text, text.count)
        close(descriptor)
    }

    private static func spawn(_ path: String, _ arguments: [String], reporting descriptor: Int32) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, reportDescriptor)
        for stream in 0...2 as ClosedRange<Int32> {
            unsafe posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
        }
        // The hang-up of a terminal must not reach the program.
        let newSession: Int16 = 0x80  // POSIX_SPAWN_SETSID, which <spawn.h> hides without _GNU_SOURCE
        unsafe posix_spawnattr_setflags(&attributes, newSession)
        var words: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map { word in unsafe strdup(word) }
        unsafe words.append(nil)
        defer { unsafe words.forEach { unsafe free($0) } }
        var child: pid_t = 0
        // The words end with nil and outlive the call.
        return unsafe posix_spawn(&child, path, &actions, &attributes, &words, environ)
    }

    private static func read(_ descriptor: OwnedDescriptor) throws(SystemCallError) -> Report {
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: reportBytes)
        while text.count < reportBytes {
            // At most the array's size is written.
            let count = try retryingInterruption("read") { unsafe Glibc.read(descriptor.number, &piece, piece.count) }
            guard count > 0 else { break }
            text += piece[..<count]
            if text == [0] { return .ready }
        }
        return text.isEmpty ? .ended : .failed(String(decoding: text, as: UTF8.self))
    }
}
