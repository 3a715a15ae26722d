// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A file descriptor that is closed with the last reference.
public final class Descriptor: Sendable {
    public let number: Int32

    /// Takes ownership of a descriptor that no other code closes.
    public init(owning number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }
}

/// A failed system call.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    public let call: String
    /// An errno value (errno(3)).
    public let code: Int32

    public init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    static func last(_ call: String) -> SystemError { SystemError(call: call, code: errno) }

    public var description: String {
        // strerror_r writes a terminated text within the buffer.
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard unsafe strerror_r(code, buffer.baseAddress!, buffer.count) == 0 else {
                return "\(call): error \(code)"
            }
            return "\(call): \(unsafe String(cString: buffer.baseAddress!))"
        }
    }
}
