// SPDX-License-Identifier: Apache-2.0

public import Glibc

/// The path of a Unix socket, checked to fit into `sockaddr_un`.
public struct UnixAddress: Hashable, Sendable {
    /// unix(7): sun_path has 108 bytes, the last one for the terminating zero.
    public static let maximumPathByteCount = 107

    public let path: String

    /// Creates an address. Throws ``EndpointError/socketPathTooLong(path:limit:)``.
    public init(path: String) throws(EndpointError) {
        guard path.utf8.count <= Self.maximumPathByteCount else {
            throw .socketPathTooLong(path: path, limit: Self.maximumPathByteCount)
        }
        self.path = path
    }

    /// Passes the address to `body` in the form that bind and connect take.
    public func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The path is at most 107 bytes (checked above), so the zero at the end of sun_path stays.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        // sockaddr is the common prefix of all address structures; the pointer is valid for the call.
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
