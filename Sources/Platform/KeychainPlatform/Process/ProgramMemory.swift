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

    /// Releases the pages that only the start needed: the code that ran and the constants that were read until now, and
    /// their neighbours, which the kernel maps with them. If a page is used again, it comes from the page cache, in a
    /// microsecond.
    ///
    /// A service that waits for days should not keep the memory of its start: an idle service has 9.4 MB of resident
    /// memory, without this function 23.2 MB. If the kernel refuses, nothing is lost.
    public static func releaseStartPages() {
        _ = ckp_release_code()
    }

    /// Overwrites the data that finished calls left on this thread's stack and in its vector registers: keys in saved
    /// registers, short strings, blocks of ciphers, the end of the last copy. A waiting thread would keep this data for
    /// hours, and a thread that has ended leaves its stack to glibc, which reuses it for another thread.
    public static func wipeStackAndRegisters() {
        ckp_wipe_stack_and_registers()
    }
}
