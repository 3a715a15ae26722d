// SPDX-License-Identifier: Apache-2.0

/// Why the service could not be reached, or the connection ended.
public enum EndpointError: Error, Hashable, Sendable {
    /// `limit` in bytes. A shorter XDG_RUNTIME_DIR helps.
    case socketPathTooLong(path: String, limit: Int)
    /// Nobody listens at `path`; `hint` says how to change that.
    case notRunning(path: String, hint: String)
    /// Somebody listens at `path` whose service it is not. Nothing was sent.
    case foreignServer(path: String, user: UInt32)
    /// `CHATELAINE_SERVICE` has a value that means nothing.
    case unknownService(String)
    /// Where the socket of the system's service lies, others could have put one.
    case untrustedDirectory(path: String)
    case launchFailed(LaunchFailure)
    /// A timeout of the socket, or the time to connect, ran out.
    case timedOut
    /// The other side is gone.
    case closed
    case system(SystemCallError)
}

/// Why the service could not be started.
public enum LaunchFailure: Hashable, Sendable {
    /// No chatelained was found in these places.
    case programNotFound(searched: [String])
    /// Programs with more rights than their user start nothing on the user's word.
    case privilegedProgram
    case spawn(program: String, SystemCallError)
    case exited(program: String, status: Int32)
    case terminated(program: String, signal: Int32)
    /// It neither detached nor gave up in time, and was killed.
    case timedOut(program: String)
}

extension EndpointError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .socketPathTooLong(let path, let limit):
            "the socket path \(path) has \(path.utf8.count) bytes, Unix sockets allow \(limit); set a shorter XDG_RUNTIME_DIR"
        case .notRunning(let path, let hint): "no keychain service listens at \(path); \(hint)"
        case .foreignServer(let path, let user):
            "the service at \(path) runs as user \(user), whose service it is not; it was told nothing"
        case .unknownService(let value):
            "CHATELAINE_SERVICE is '\(value)'; it can be user, system or system:/FOLDER"
        case .untrustedDirectory(let path):
            "\(path), where the system's keychain service listens, could be written by others; have it repaired, or set "
                + "CHATELAINE_SERVICE=user for a keychain of your own"
        case .launchFailed(let failure): "the keychain service could not be started: \(failure)"
        case .timedOut: "the keychain service did not answer in time"
        case .closed: "the keychain service closed the connection"
        case .system(let error): "\(error)"
        }
    }
}

extension LaunchFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .programNotFound(let searched): "chatelained is in none of \(searched.joined(separator: ", "))"
        case .privilegedProgram: "a setuid or setgid program does not start it; start chatelained beforehand"
        case .spawn(let program, let error): "\(program): \(error)"
        case .exited(let program, let status): "\(program) ended with status \(status)"
        case .terminated(let program, let signal): "\(program) was ended by signal \(signal)"
        case .timedOut(let program): "\(program) did not detach in time"
        }
    }
}
