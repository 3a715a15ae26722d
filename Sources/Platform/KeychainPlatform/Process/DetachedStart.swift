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

    /// Starts the program at `path` with its standard streams on /dev/null and waits for its report. Also returns its
    /// process ID.
    public static func start(
        _ path: String, arguments: [String]
    ) throws(SystemCallError) -> (report: Report, process: Int32) {
        var ends: [Int32] = [-1, -1]
        // Two descriptors are written.
        guard unsafe pipe(&ends) == 0 else { throw .last("pipe") }
        let receiving = try OwnedDescriptor(ends[0], from: "pipe")
        // Closed on exec, because the program gets its copy of the other end under another number.
        _ = fcntl(receiving.number, F_SETFD, FD_CLOEXEC)
        let process: Int32
        do {
            let sending = try OwnedDescriptor(ends[1], from: "pipe")
            // In its own session, because the hang-up of a terminal must not reach the program.
            let program = try ChildProcess(
                path, arguments: arguments, streams: .reporting(to: sending.number, as: reportDescriptor),
                environment: nil, options: [.newSession, .inheritedSignals])
            process = program.identifier
            program.detach()
        }
        return (try read(receiving), process)
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
