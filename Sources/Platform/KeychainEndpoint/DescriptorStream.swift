// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A file descriptor as input or output of a program. Does not own it.
public struct DescriptorStream: Hashable, Sendable {
    package let descriptor: Int32

    package init(descriptor: Int32) { self.descriptor = descriptor }

    public static let standardInput = DescriptorStream(descriptor: STDIN_FILENO)
    public static let standardOutput = DescriptorStream(descriptor: STDOUT_FILENO)
    public static let standardError = DescriptorStream(descriptor: STDERR_FILENO)

    public var isTerminal: Bool { isatty(descriptor) == 1 }

    // MARK: Reading

    /// Reads available bytes into the beginning of `buffer`; waits for the first one. Returns 0 at the end of the
    /// input.
    ///
    /// Throws the errors of read(2).
    public func read(into buffer: inout [UInt8]) throws(SystemCallError) -> Int {
        try retryingInterruption("read") {
            // The kernel writes at most the array's size into the array's own storage.
            unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe Glibc.read(descriptor, bytes.baseAddress, bytes.count)
            }
        }
    }

    /// Appends available bytes to an array, which leaves no other copy of them; waits for the first one. Returns 0 at
    /// the end of the input.
    ///
    /// Throws the errors of read(2).
    private func append(to bytes: inout [UInt8], atMost limit: Int) throws(SystemCallError) -> Int {
        var result = Result<Int, SystemCallError>.success(0)
        bytes.append(addingCapacity: limit) { output in
            // The kernel writes at most the limit, and the array takes exactly the bytes written.
            unsafe output.withUnsafeMutableBufferPointer { buffer, length in
                do throws(SystemCallError) {
                    length = try retryingInterruption("read") {
                        unsafe Glibc.read(descriptor, buffer.baseAddress, min(limit, buffer.count))
                    }
                    result = .success(length)
                } catch {
                    result = .failure(error)
                }
            }
        }
        return try result.get()
    }

    /// Reads to the end of the input; nil if it has more bytes than the limit.
    ///
    /// Throws the errors of read(2).
    package func contents(atMost limit: Int = .max) throws(SystemCallError) -> [UInt8]? {
        var bytes: [UInt8] = []
        while try append(to: &bytes, atMost: 16 * 1024) > 0 {
            guard bytes.count <= limit else { return nil }
        }
        return bytes
    }

    /// Reads one message, and no byte beyond it; nil if the input cannot be read or ends before the message does, if
    /// `size` throws, and for a message that is larger than the limit.
    ///
    /// - Parameters:
    ///   - limit: in bytes.
    ///   - isSecret: whether room for the limit is reserved at the start, so that growing leaves no copies behind.
    ///   - size: returns the number of bytes that the message has at least, from its first bytes.
    public func message(atMost limit: Int = .max, isSecret: Bool = false, size: ([UInt8]) throws -> Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        if isSecret { bytes.reserveCapacity(limit) }
        while true {
            guard let size = try? size(bytes), size <= limit else { return nil }
            let missing = size - bytes.count
            if missing == 0 { return bytes }
            guard let count = try? append(to: &bytes, atMost: min(missing, 1 << 16)), count > 0 else { return nil }
        }
    }

    /// Returns bytes of a file at an offset; fewer than `count` only at the end of the file.
    ///
    /// Throws the errors of pread(2).
    package func bytes(at offset: UInt64, count: Int) throws(SystemCallError) -> [UInt8] {
        guard let start = off_t(exactly: offset), !start.addingReportingOverflow(off_t(count)).overflow else {
            return []
        }
        var failure: SystemCallError?
        // The kernel writes at most the rest of the array's own storage, and the array takes exactly the bytes written.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let (first, place) = unsafe (buffer.baseAddress.map { unsafe $0 + filled }, filled)
                do throws(SystemCallError) {
                    let more = try retryingInterruption("pread") {
                        unsafe pread(descriptor, first, count - place, start + off_t(place))
                    }
                    guard more > 0 else { return }
                    filled += more
                } catch {
                    failure = error
                    return
                }
            }
        }
        if let failure { throw failure }
        return bytes
    }

    // MARK: Writing

    /// Writes all of `bytes`. A temporary copy is wiped.
    ///
    /// Throws the errors of write(2), possibly after a part was written.
    public func write(_ bytes: some Collection<UInt8>) throws(SystemCallError) {
        // Arrays, texts and borrowed secrets are contiguous and are written in place.
        let result = bytes.withContiguousStorageIfAvailable { buffer in
            unsafe writeAll(UnsafeRawBufferPointer(buffer))
        }
        if let result { return try result.get() }
        var copy = Array(bytes)
        let copyResult = unsafe copy.withUnsafeMutableBytes { buffer in
            let result = unsafe writeAll(UnsafeRawBufferPointer(buffer))
            // A collection without contiguous storage may be a secret. The size is the buffer's own.
            if let start = buffer.baseAddress { unsafe explicit_bzero(start, buffer.count) }
            return result
        }
        try copyResult.get()
    }

    private func writeAll(_ bytes: UnsafeRawBufferPointer) -> Result<Void, SystemCallError> {
        var rest = unsafe bytes[...]
        do throws(SystemCallError) {
            while unsafe !rest.isEmpty {
                let part = unsafe UnsafeRawBufferPointer(rebasing: rest)
                // The rest is a part of the caller's buffer, which lives for the call.
                let count = try retryingInterruption("write") {
                    unsafe Glibc.write(descriptor, part.baseAddress, part.count)
                }
                unsafe rest = rest.dropFirst(count)
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    // MARK: Standard streams

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
