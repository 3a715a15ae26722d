// SPDX-License-Identifier: Apache-2.0

public import Glibc

/// A file descriptor that is closed with its last reference.
package final class OwnedDescriptor: Sendable {
    package let number: Int32

    /// Takes ownership of `number`; a negative number throws the error of `call`, which has just failed.
    package init(_ number: Int32, from call: String) throws(SystemCallError) {
        guard number >= 0 else { throw .last(call) }
        self.number = number
    }

    /// Duplicates a descriptor that its owner keeps.
    package convenience init(duplicating number: Int32) throws(SystemCallError) {
        try self.init(fcntl(number, F_DUPFD_CLOEXEC, 0), from: "fcntl")
    }

    deinit { close(number) }

    /// The descriptor for reading and writing.
    package var stream: DescriptorStream { DescriptorStream(descriptor: number) }

    /// Returns the facts about the open file.
    ///
    /// Throws the errors of fstat(2).
    package func status() throws(SystemCallError) -> stat {
        var facts = stat()
        // fstat fills the given structure.
        guard unsafe fstat(number, &facts) == 0 else { throw .last("fstat") }
        return facts
    }
}

/// O_PATH (open(2)), which the Glibc module omits: a starting point for lookups, without read access and its permission.
package let openPathOnly: Int32 = 0o10000000

/// Returns the facts about `path` itself, not about the target of a link; nil if nothing exists there.
package func linkStatus(_ path: String) throws(SystemCallError) -> stat? {
    var facts = stat()
    // lstat reads the path and fills the structure.
    guard unsafe lstat(path, &facts) != 0 else { return facts }
    if errno == ENOENT { return nil }
    throw .last("lstat")
}

/// Returns the target of a symbolic link. With an empty name: the target of the open link.
package func linkTarget(_ name: String, _ directory: Int32) throws(SystemCallError) -> String {
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

/// Returns the absolute path, free of symbolic links. Throws the errors of realpath(3).
package func absolutePath(_ path: String) throws(SystemCallError) -> String {
    // realpath allocates the returned text; it is copied and freed immediately.
    guard let real = unsafe realpath(path, nil) else { throw .last("realpath") }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
}

/// Repeats a call while signals interrupt it; then returns its result or throws its error.
@inlinable package func retryingInterruption<Count: SignedInteger>(
    _ call: String, _ body: () -> Count
) throws(SystemCallError) -> Count {
    while true {
        let result = body()
        if result >= 0 { return result }
        guard errno == EINTR else { throw .last(call) }
    }
}
