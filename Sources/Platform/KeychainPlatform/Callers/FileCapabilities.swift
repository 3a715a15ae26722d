// SPDX-License-Identifier: Apache-2.0

internal import CKeychainPlatform
internal import KeychainEndpoint

/// The capabilities that a file gives to a process that runs it (capabilities(7)).
enum FileCapabilities {
    /// CAP_WAKE_ALARM: pam_systemd gives it to the sessions of users (default-capability-ambient-set=). A file gives such a
    /// process nothing new, so the kernel lets the user trace the program.
    private static let ofSessions: UInt64 = 1 << 35

    /// Returns a bit for each permitted capability that users' sessions do not have; 0 for none, and for those of
    /// another user namespace.
    static func granted(by file: OwnedDescriptor) -> UInt64 {
        var value = [UInt8](repeating: 0, count: 24)
        // The call writes at most the array's size.
        let size = unsafe ckp_extended_attribute(file.number, "security.capability", &value, value.count)
        return size > 0 ? permitted(Array(value.prefix(size))) & ~ofSessions : 0
    }

    /// Parses struct vfs_ns_cap_data of <linux/capability.h>: a revision, then twice a word of 32 permitted and a word
    /// of 32 inheritable capabilities, then the user for whose namespace they are meant. All of it is little-endian.
    static func permitted(_ value: [UInt8]) -> UInt64 {
        func word(_ index: Int) -> UInt64 {
            value[4 * index..<4 * index + 4].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        guard value.count >= 20 else { return 0 }
        switch (word(0) >> 24, value.count) {
        case (2, 20): return word(3) << 32 | word(1)
        case (3, 24) where word(5) == 0: return word(3) << 32 | word(1)
        default: return 0
        }
    }
}
