// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The process, user and group that connected a socket, listen on it, or made a pair of sockets (SO_PEERCRED), as the
/// kernel recorded them at that time.
package struct PeerCredentials: Hashable, Sendable {
    /// 0 for a process that this process's PID namespace does not show.
    package let process: Int32
    /// The effective IDs: those of a set-user-ID or set-group-ID program, unlike the IDs in SCM_CREDENTIALS.
    package let user: UInt32
    package let group: UInt32

    /// Reads the credentials; nil if the kernel does not report them; errno has the reason.
    package init?(_ socket: Int32) {
        // struct ucred is not importable: pid, uid, gid of 32 bits each (unix(7)).
        var credentials: (process: Int32, user: UInt32, group: UInt32) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: credentials))
        // The kernel writes at most `size` bytes, here 12.
        guard unsafe getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0, size == 12 else {
            return nil
        }
        (process, user, group) = credentials
    }
}

/// Integer options of sockets (socket(7)).
package enum SocketOption {
    /// Returns the value of an option of SOL_SOCKET; -1 if the call fails.
    package static func value(_ option: Int32, of socket: Int32) -> Int32 {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        // The kernel writes at most `size` bytes.
        return unsafe getsockopt(socket, SOL_SOCKET, option, &value, &size) == 0 ? value : -1
    }

    /// Makes the kernel pass the sender of each message (SO_PASSCRED). Returns -1 if the call fails.
    package static func passCredentials(_ socket: Int32) -> Int32 {
        var on: Int32 = 1
        // The kernel reads an integer.
        return unsafe setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// SO_PEERPIDFD: a descriptor of the peer process, which the caller closes. Since Linux 6.5; the headers of Debian
    /// 12 do not define it.
    package static let peerProcess: Int32 = 77
}
