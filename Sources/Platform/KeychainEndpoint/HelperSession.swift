// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A helper program that is kept for many questions, one after another (Documentation/Protocols/helper.md, "Sessions"). It ends
/// with this value.
public struct HelperSession: ~Copyable {
    private let path: String
    private let conversation: Conversation
    private let child: SpawnedProgram

    /// Starts the program with an empty environment, standard input and output being the conversation.
    ///
    /// - Throws: `.system` when it cannot be started.
    public init(_ path: String, arguments: [String]) throws(HelperFailure) {
        let started: (Conversation, SpawnedProgram)
        do throws(SystemCallError) {
            started = try Self.start(path, arguments)
        } catch {
            throw HelperFailure(.system(error), of: path)
        }
        self.path = path
        (conversation, child) = started
    }

    private static func start(
        _ path: String, _ arguments: [String]
    ) throws(SystemCallError) -> (Conversation, SpawnedProgram) {
        let (own, other) = try Conversation.pair()
        defer { close(other) }
        let child = try SpawnedProgram(
            path, arguments: arguments, streams: .connected(to: other), inheritsEnvironment: false)
        return (own, child)
    }

    deinit { child.end() }

    /// Asks one question. After any error, and for any other use of the session, the answer to it might come later: who gets one ends
    /// the session.
    ///
    /// - Parameters:
    ///   - timeout: for all of it.
    ///   - size: the size of the whole answer, told from its beginning; nil while that is too short to tell.
    /// - Throws: what `HelperFailure` lists, but for `.notFound`; `.malformed` where `size` throws.
    public func answer(
        to request: [UInt8], timeout: Duration, size: ([UInt8]) throws -> Int?
    ) throws(HelperFailure) -> [UInt8] {
        do throws(HelperFailure.Reason) {
            return try conversation.answer(to: request, until: .now + timeout, size)
        } catch {
            throw HelperFailure(error, of: path)
        }
    }
}

extension HelperProgram {
    /// A helper of the service: beside the service's own executable, and before that in the folder that `CHATELAINE_HELPERS` names,
    /// which a service of the system does not heed.
    public static func ofService(_ name: String, isOfSystem: Bool) -> HelperProgram {
        var folders: [String] = []
        if !isOfSystem, let folder = environmentVariable("CHATELAINE_HELPERS"), folder.hasPrefix("/") {
            folders.append(folder)
        }
        if let path = ownExecutablePath(), let slash = path.lastIndex(of: "/") {
            folders.append(String(path[..<slash]))
        }
        return HelperProgram(name: name, candidates: folders.map { "\($0)/\(name)" })
    }

    /// The path of the program, if nobody but root and this user can have put it there: file and folder belong to one of them, and
    /// others cannot write them.
    ///
    /// - Throws: `.notFound`; `.untrusted` for the first that is there when somebody else could have made it.
    public func trustedPath() throws(HelperFailure) -> String {
        guard let path = firstProgram(of: candidates) else {
            throw HelperFailure(.notFound(searched: candidates), of: name)
        }
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        for place in [path, folder.isEmpty ? "/" : folder] {
            var facts = stat()
            // Reads the path, and writes nothing but `facts`.
            guard unsafe stat(place, &facts) == 0 else { throw HelperFailure(.system(.last("stat")), of: path) }
            guard facts.st_uid == 0 || facts.st_uid == geteuid(), facts.st_mode & 0o022 == 0 else {
                throw HelperFailure(.untrusted, of: path)
            }
        }
        return path
    }
}
