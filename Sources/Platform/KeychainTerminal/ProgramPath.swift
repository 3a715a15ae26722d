// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint

/// The path of a program that the user names on a command line.
public enum ProgramPath {
    /// Returns the absolute path, free of symbolic links. A name without a slash is searched in the search path, as a
    /// shell does, but only in its absolute folders.
    ///
    /// Throws the errors of realpath(3); ENOENT if the search path has no such program.
    public static func find(_ name: String, searchPath: String?) throws(SystemCallError) -> String {
        if name.contains("/") { return try FileFacts.realPath(name) }
        let folders = (searchPath ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        let candidates = folders.map { "\($0)/\(name)" }
        // The path is only read. An empty name would find the folders themselves.
        guard !name.isEmpty, let found = candidates.first(where: { unsafe access($0, X_OK) == 0 }) else {
            throw SystemCallError(call: "access", code: ENOENT)
        }
        return try FileFacts.realPath(found)
    }
}
