// SPDX-License-Identifier: Apache-2.0

internal import CKeychainPlatform
internal import Glibc
public import KeychainEndpoint

/// Rights of a process beyond those of its user (capabilities(7)).
public struct Capabilities: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// CAP_DAC_READ_SEARCH: reads programs that only their owner may read.
    public static let readAnyFile = Capabilities(rawValue: 1 << 2)
    /// CAP_SYS_PTRACE: inspects the processes of other users, and processes that the kernel shields.
    public static let inspectAnyProcess = Capabilities(rawValue: 1 << 19)

    /// CAP_LEASE: ensures that no process writes to a program while it is read.
    public static let leaseAnyFile = Capabilities(rawValue: 1 << 28)

    /// Returns the capabilities that the calling thread may use.
    public static func permitted() throws(SystemCallError) -> Capabilities {
        var bits: UInt64 = 0
        // One value is written.
        guard unsafe ckp_capabilities(&bits) == 0 else { throw .last("capget") }
        return Capabilities(rawValue: bits)
    }

    /// Drops all other capabilities, and those that started programs would inherit. Call before threads exist, because
    /// each thread has its own.
    public func keepOnly() throws(SystemCallError) {
        guard ckp_set_capabilities(rawValue) == 0 else { throw .last("capset") }
    }

    /// The kernel's names of these, such as `CAP_SYS_PTRACE`; unknown ones by number.
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
