// SPDX-License-Identifier: Apache-2.0

internal import CKeychainPlatform
internal import Glibc

/// The memory of the program itself.
public enum ProgramMemory {
    /// The memory of the machine.
    public static var physicalByteCount: UInt64 {
        let pages = sysconf(Int32(_SC_PHYS_PAGES))
        let size = sysconf(Int32(_SC_PAGESIZE))
        return pages > 0 && size > 0 ? UInt64(pages) * UInt64(size) : 0
    }

    /// Gives back what only starting needed: the code that ran and the constants that were read until now, and their
    /// neighbours, which the kernel maps along. What is used again comes from the page cache, in a microsecond a page.
    ///
    /// A service that waits for days should not be charged for its start. Where the kernel refuses, nothing is lost.
    public static func releaseStartPages() {
        _ = ckp_release_code()
    }

    /// Overwrites what calls that have returned left on this thread's stack and in its vector registers: keys in registers
    /// that were saved, short strings, blocks of ciphers, the end of what was copied last. A thread that waits for hours
    /// would keep it as long, and a thread that has ended leaves its stack to glibc, which keeps it for another thread.
    public static func wipeStackAndRegisters() {
        ckp_wipe_stack_and_registers()
    }
}
