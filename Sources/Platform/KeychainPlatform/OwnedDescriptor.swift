// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainEndpoint

/// A file descriptor that is closed with its last reference.
final class OwnedDescriptor: Sendable {
    let number: Int32

    /// Takes over `number`; a negative one becomes the error of `call`, which has just failed.
    init(_ number: Int32, from call: String) throws(SystemCallError) {
        guard number >= 0 else { throw .last(call) }
        self.number = number
    }

    deinit { close(number) }

    func status() throws(SystemCallError) -> stat {
        var facts = stat()
        // fstat fills the structure that it is given.
        guard unsafe fstat(number, &facts) == 0 else { throw .last("fstat") }
        return facts
    }
}

/// The facts about `path` itself, not about what a link points to; nil when there is nothing.
func linkStatus(_ path: String) throws(SystemCallError) -> stat? {
    var facts = stat()
    // lstat reads the path and fills the structure.
    guard unsafe lstat(path, &facts) != 0 else { return facts }
    if errno == ENOENT { return nil }
    throw .last("lstat")
}

/// Where a symbolic link leads. With an empty name: the link that is open.
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

/// Repeats a call while signals interrupt it; then the result, or the error.
func retryingInterruption<Count: SignedInteger>(
    _ call: String, _ body: () -> Count
) throws(SystemCallError) -> Count {
    while true {
        let result = body()
        if result >= 0 { return result }
        guard errno == EINTR else { throw .last(call) }
    }
}
