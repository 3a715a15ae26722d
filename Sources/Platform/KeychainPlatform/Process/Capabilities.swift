// SPDX-License-Identifier: Apache-2.0

internal import CKeychainPlatform
internal import Glibc
public import KeychainEndpoint

/// What a process may do that its user alone may not (capabilities(7)).
public struct Capabilities: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// CAP_DAC_READ_SEARCH: reading programs that only their owner may read.
    public static let readAnyFile = Capabilities(rawValue: 1 << 2)
    /// CAP_SYS_PTRACE: looking at the processes of other users, and at those that the kernel shields.
    public static let inspectAnyProcess = Capabilities(rawValue: 1 << 19)

    /// CAP_LEASE: making sure that nobody writes to a program while it is read.
    public static let leaseAnyFile = Capabilities(rawValue: 1 << 28)

    /// Those that the calling thread may use.
    public static func permitted() throws(SystemCallError) -> Capabilities {
        var bits: UInt64 = 0
        // One value is written.
        guard unsafe ckp_capabilities(&bits) == 0 else { throw .last("capget") }
        return Capabilities(rawValue: bits)
    }

    /// Gives up all others, and what programs would inherit. Call before threads exist: each has its own.
    public func keepOnly() throws(SystemCallError) {
        guard ckp_set_capabilities(rawValue) == 0 else { throw .last("capset") }
    }

    /// The kernel's names of these, such as `CAP_SYS_PTRACE`; others by number.
    public var names: [String] {
        (0..<64 as Range<UInt64>).filter { rawValue & (1 << $0) != 0 }.map {
            switch $0 {
            case 2: "CAP_DAC_READ_SEARCH"
            case 19: "CAP_SYS_PTRACE"
            case 28: "CAP_LEASE"
            default: "capability \($0)"
            }
        }
    }
}
