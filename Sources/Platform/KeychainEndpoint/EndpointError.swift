// SPDX-License-Identifier: Apache-2.0

/// The reason why the service could not be reached, or why the connection ended.
public enum EndpointError: Error, Hashable, Sendable {
    /// `limit` in bytes. A shorter XDG_RUNTIME_DIR helps.
    case socketPathTooLong(path: String, limit: Int)
    /// No service listens at `path`; `hint` says how to change that.
    case notRunning(path: String, hint: String)
    /// A server at `path` belongs to another user. Nothing was sent.
    case foreignServer(path: String, user: UInt32)
    /// `CHATELAINE_SERVICE` has an invalid value.
    case unknownService(String)
    /// Another user could have put a socket in the folder of the system service's socket.
    case untrustedDirectory(path: String)
    case launchFailed(LaunchError)
    /// A timeout of the socket, or the time for connecting, expired.
    case timedOut
    /// The other side closed the connection.
    case closed
    case system(SystemCallError)
}

/// The reason why the service could not be started.
public enum LaunchError: Hashable, Sendable {
    /// chatelained was not found in these places.
    case programNotFound(searched: [String])
    /// Programs with more rights than their user do not start the service.
    case privilegedProgram
    case spawn(program: String, SystemCallError)
    case exited(program: String, status: Int32, report: LaunchReport?)
    case terminated(program: String, signal: Int32)
    /// It neither detached nor failed in time, and was killed.
    case timedOut(program: String)
}

extension EndpointError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .socketPathTooLong(let path, let limit):
            "the socket path \(path) has \(path.utf8.count) bytes, but Unix sockets allow \(limit); set a shorter XDG_RUNTIME_DIR"
        case .notRunning(let path, let hint): "no keychain service listens at \(path); \(hint)"
        case .foreignServer(let path, let user):
            "the service at \(path) runs as user \(user), who must not run this service; no request was sent"
        case .unknownService(let value):
            "CHATELAINE_SERVICE is '\(value)'; it must be user, system or system:/FOLDER"
        case .untrustedDirectory(let path):
            "\(path), the folder of the system service, can be written by other users; ask root to repair it, or set "
                + "CHATELAINE_SERVICE=user to use a user service"
        case .launchFailed(let failure): "the keychain service could not be started: \(failure)"
        case .timedOut: "the keychain service did not answer in time"
        case .closed: "the keychain service closed the connection"
        case .system(let error): "\(error)"
        }
    }
}

extension EndpointError {
    /// The recommended action, if the description does not contain it already.
    public var hint: String? {
        guard case .launchFailed(let failure) = self else { return nil }
        return switch failure {
        case .programNotFound: "install chatelained beside chatelaine, or in PATH"
        case .exited(_, _, let report): report?.hint
        case .privilegedProgram, .spawn, .terminated, .timedOut: nil
        }
    }
}

extension LaunchError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .programNotFound(let searched): "chatelained was not found in \(searched.joined(separator: ", "))"
        case .privilegedProgram: "a setuid or setgid program cannot start it; start chatelained before the program"
        case .spawn(let program, let error): "\(program): \(error)"
        case .exited(let program, let status, let report):
            report?.reason ?? "\(program) ended with status \(status)"
        case .terminated(let program, let signal): "\(program) was terminated by signal \(signal)"
        case .timedOut(let program): "\(program) did not detach in time"
        }
    }
}
