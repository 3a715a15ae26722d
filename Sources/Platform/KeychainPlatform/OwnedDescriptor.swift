// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainEndpoint

/// A file descriptor that is closed with its last reference.
final class OwnedDescriptor: Sendable {
    let number: Int32

    /// Takes ownership of `number`; a negative number throws the error of `call`, which has just failed.
    init(_ number: Int32, from call: String) throws(SystemCallError) {
        guard number >= 0 else { throw .last(call) }
        self.number = number
    }

    deinit { close(number) }

    func status() throws(SystemCallError) -> stat {
        var facts = stat()
        // fstat fills the given structure.
        guard unsafe fstat(number, &facts) == 0 else { throw .last("fstat") }
        return facts
    }
}

/// Returns the facts about `path` itself, not about the target of a link; nil if nothing exists there.
func linkStatus(_ path: String) throws(SystemCallError) -> stat? {
    var facts = stat()
    // lstat reads the path and fills the structure.
    guard unsafe lstat(path, &facts) != 0 else { return facts }
    if errno == ENOENT { return nil }
    throw .last("lstat")
}

/// Returns the target of a symbolic link. With an empty name: the target of the open link.
func linkTarget(_ name: String, _ directory: Int32) throws(SystemCallError) -> String {
    let outcome: Result<String, SystemCallError> = unsafe withUnsafeTemporaryAllocation(
        byteCount: Int(PATH_MAX), alignment: 1
    ) { buffer in
        // readlinkat writes at most the capacity and no terminating zero.
        let count = unsafe readlinkat(directory, name, buffer.baseAddress!, buffer.count)
        guard count >= 0 else { return .failure(.last("readlinkat")) }
        return unsafe .success(String(decoding: buffer[..<count], as: UTF8.self))
    }
    return try outcome.get()
}

/// Repeats a call while signals interrupt it; then returns its result or throws its error.
func retryingInterruption<Count: SignedInteger>(
    _ call: String, _ body: () -> Count
) throws(SystemCallError) -> Count {
    while true {
        let result = body()
        if result >= 0 { return result }
        guard errno == EINTR else { throw .last(call) }
    }
}
