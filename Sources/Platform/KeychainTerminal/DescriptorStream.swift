// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint
internal import SecretMemory

/// A file descriptor as input or output of a program. Does not own it.
public struct DescriptorStream: Hashable, Sendable {
    let descriptor: Int32

    public static let standardInput = DescriptorStream(descriptor: STDIN_FILENO)
    public static let standardOutput = DescriptorStream(descriptor: STDOUT_FILENO)
    public static let standardError = DescriptorStream(descriptor: STDERR_FILENO)

    public var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Reads available bytes into the beginning of `buffer`; waits for the first one. Returns 0 at the end of the
    /// input.
    ///
    /// Throws the errors of read(2).
    public func read(into buffer: inout [UInt8]) throws(SystemCallError) -> Int {
        while true {
            // The kernel writes at most the array's size into the array's own storage.
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe Glibc.read(descriptor, bytes.baseAddress, bytes.count)
            }
            if count >= 0 { return count }
            guard errno == EINTR else { throw .last("read") }
        }
    }

    /// Writes all of `bytes`. A temporary copy is wiped.
    ///
    /// Throws the errors of write(2), possibly after a part was written.
    public func write(_ bytes: some Collection<UInt8>) throws(SystemCallError) {
        // Arrays, texts and borrowed secrets are contiguous and are written in place.
        let result = bytes.withContiguousStorageIfAvailable { buffer in
            unsafe Self.write(UnsafeRawBufferPointer(buffer), to: descriptor)
        }
        if let result { return try result.get() }
        var copy = Array(bytes)
        let copyResult = unsafe copy.withUnsafeBytes { buffer in unsafe Self.write(buffer, to: descriptor) }
        wipe(&copy)
        try copyResult.get()
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Result<Void, SystemCallError> {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            // The rest is a part of the caller's buffer, which lives for the call.
            let count = unsafe Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count >= 0 {
                unsafe rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return .failure(.last("write"))
            }
        }
        return .success(())
    }

    /// Ensures that descriptors 0 to 2 are in use.
    ///
    /// A program may be started without them. Then the next file or socket would get such a number, and standard output
    /// would be sent to the keychain service. The replacements fail when they are used.
    public static func occupyStandardDescriptors() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            // open takes the lowest free number, which is this one, because the lower ones are in use.
            _ = unsafe open("/dev/null", mode)
        }
    }
}
