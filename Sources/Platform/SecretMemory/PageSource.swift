// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The source of an arena's pages. The daemon supplies memfd_secret pages, all other programs use ``lockedAnonymous``.
///
/// Pages are passed as addresses: a source owns nothing, and an integer shows that there is no lifetime to track.
public struct PageSource: Sendable {
    /// The function that returns zeroed, writable pages of so many bytes (a multiple of the page size), or nil if this
    /// source has no more.
    public let map: @Sendable (_ byteCount: Int) -> UInt?
    /// The function that unmaps pages which ``map`` returned. The arena has wiped them.
    public let unmap: @Sendable (_ address: UInt, _ byteCount: Int) -> Void

    public init(
        map: @escaping @Sendable (_ byteCount: Int) -> UInt?,
        unmap: @escaping @Sendable (_ address: UInt, _ byteCount: Int) -> Void
    ) {
        self.map = map
        self.unmap = unmap
    }

    /// Anonymous memory that is not dumped, reads as zero in a child after fork, and is kept from swap as far as
    /// RLIMIT_MEMLOCK allows. Beyond that limit secrets may reach swap, because refusing to work would be worse.
    public static let lockedAnonymous = PageSource(
        map: { byteCount in
            // A new private mapping aliases nothing.
            let pages = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            guard let pages = unsafe pages, unsafe pages != MAP_FAILED else { return nil }
            // The advice concerns only the mapping just made. Kernels without one of these keep the memory usable.
            unsafe madvise(pages, byteCount, Int32(MADV_DONTDUMP))
            unsafe madvise(pages, byteCount, Int32(MADV_WIPEONFORK))
            unsafe mlock(pages, byteCount)
            return UInt(bitPattern: pages)
        },
        unmap: { address, byteCount in
            // The arena returns exactly the pages that map gave, and nothing points into them any more.
            unsafe munmap(UnsafeMutableRawPointer(bitPattern: address), byteCount)
        })
}
