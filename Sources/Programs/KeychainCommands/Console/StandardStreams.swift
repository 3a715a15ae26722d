// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import SecretMemory

/// A file descriptor as input or output of a command. Does not own it.
struct DescriptorStream: ByteSource, ByteSink {
    let descriptor: Int32

    static let standardInput = DescriptorStream(descriptor: STDIN_FILENO)
    static let standardOutput = DescriptorStream(descriptor: STDOUT_FILENO)
    static let standardError = DescriptorStream(descriptor: STDERR_FILENO)

    var isTerminal: Bool { isatty(descriptor) == 1 }

    func read(into buffer: inout [UInt8]) throws(StreamError) -> Int {
        while true {
            // The kernel writes at most the array's size into the array's own storage.
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe Glibc.read(descriptor, bytes.baseAddress, bytes.count)
            }
            if count >= 0 { return count }
            guard errno == EINTR else { throw .last() }
        }
    }

    func write(_ bytes: some Collection<UInt8>) throws(StreamError) {
        // Arrays, texts and lent secrets are contiguous and are written from where they are.
        let result = bytes.withContiguousStorageIfAvailable { buffer in
            unsafe Self.write(UnsafeRawBufferPointer(buffer), to: descriptor)
        }
        if let result { return try result.get() }
        var copy = Array(bytes)
        let copyResult = unsafe copy.withUnsafeBytes { buffer in unsafe Self.write(buffer, to: descriptor) }
        wipe(&copy)
        try copyResult.get()
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Result<Void, StreamError> {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            // The rest is a part of the caller's buffer, which lives for the call.
            let count = unsafe Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count >= 0 {
                unsafe rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return .failure(.last())
            }
        }
        return .success(())
    }

    /// Makes sure that descriptors 0 to 2 are taken.
    ///
    /// A program may be started without them. Then the next file or socket would get such a number, and what is meant
    /// for standard output would be sent to the keychain service. The stand-ins fail when they are used.
    static func occupyStandardDescriptors() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            // open takes the lowest free number, which is this one as the lower ones are taken by now.
            _ = unsafe open("/dev/null", mode)
        }
    }
}

extension StreamError {
    /// The error of the system call that has just failed in this thread.
    static func last() -> StreamError {
        let code = errno
        // strerror_r writes a text that ends with zero into the buffer.
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard unsafe strerror_r(code, buffer.baseAddress!, buffer.count) == 0 else {
                return StreamError(reason: "error \(code)")
            }
            return unsafe StreamError(reason: String(cString: buffer.baseAddress!))
        }
    }
}
