// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A helper program that clients run themselves: one process per request, with the request on its standard input and
/// the reply on its standard output (Documentation/Protocols/helper.md).
public struct HelperProgram: Sendable {
    public let name: String
    /// The program's possible paths, best first.
    public let candidates: [String]

    public init(name: String, candidates: [String]) {
        self.name = name
        self.candidates = candidates
    }

    /// Finds a helper in the folder that `CHATELAINE_HELPERS` names, beside the running executable, beside the service
    /// that this process would start, then in the usual installation folders. PATH counts only as far as it names the
    /// service, because a helper's reply decides which certificates a program trusts. A program with more rights than
    /// its user searches only the installation folders of root.
    public static func installed(_ name: String) -> HelperProgram {
        let isPrivileged = isPrivilegedProgram()
        return HelperProgram(
            name: name, executablePath: ownExecutablePath(), folder: ownVariable("CHATELAINE_HELPERS"),
            service: isPrivileged ? nil : DaemonLauncher.current().locate(), home: environmentVariable("HOME"),
            isPrivileged: isPrivileged)
    }

    /// - Parameter service: the path of the service. If it is a symbolic link, the folder of its target is searched too.
    init(
        name: String, executablePath: String?, folder: String?, service: String?, home: String?, isPrivileged: Bool
    ) {
        var candidates: [String] = []
        if isPrivileged {
            candidates = programCandidates(name, executablePath: nil, folders: [], home: nil)
        } else {
            if let folder, folder.hasPrefix("/") { candidates.append("\(folder)/\(name)") }
            let services = [service, service.flatMap { try? absolutePath($0) }].compactMap { $0 }
            candidates += programCandidates(
                name, executablePath: executablePath, folders: services.compactMap(folderPath(of:)), home: home)
        }
        self.init(name: name, candidates: candidates)
    }

    /// Whether the program is in one of its possible places.
    public var isInstalled: Bool { firstProgram(of: candidates) != nil }

    /// Runs the program, sends it the request and returns its reply. The program gets an empty environment and no
    /// stream except that of the request, and has ended when this returns.
    ///
    /// - Parameters:
    ///   - timeout: for the whole conversation.
    ///   - size: returns the size of the whole reply from its first bytes; nil while they are too few.
    /// - Throws: the errors of `HelperError`; `.malformed` if `size` throws.
    public func answer(
        to request: [UInt8], timeout: Duration, size: ([UInt8]) throws -> Int?
    ) throws(HelperError) -> [UInt8] {
        guard let path = firstProgram(of: candidates) else {
            throw HelperError(.notFound(searched: candidates), of: name)
        }
        let session = try HelperSession(path, arguments: [], options: [])
        // The program has no more work after the reply.
        return try session.answer(to: request, timeout: timeout, size: size)
    }
}

/// The reason why a helper program gave no reply.
public struct HelperError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Error, Hashable, Sendable {
        case notFound(searched: [String])
        case timedOut
        /// It ended before its reply.
        case ended
        /// The reply is invalid.
        case malformed
        case system(SystemCallError)
    }

    public let reason: Reason
    /// Its path, or its name if it was not found.
    public let program: String

    public init(_ reason: Reason, of program: String) {
        self.reason = reason
        self.program = program
    }

    public var description: String {
        switch reason {
        case .notFound(let searched):
            "\(program), a program of Chatelaine, was not found in \(searched.joined(separator: ", "))"
        case .timedOut: "\(program) did not answer in time"
        case .ended: "\(program) ended without an answer"
        case .malformed: "\(program) gave an invalid answer"
        case .system(let error): "\(program): \(error)"
        }
    }
}
