// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// Allocates small blocks of protected memory.
///
/// A page (and an mlock) for each 32-byte key would be slow and soon reach RLIMIT_MEMLOCK, so slabs of 64 KiB are
/// divided into pages, and a page into blocks of one size class. Secrets above the largest class get their own mapping.
/// A block is wiped when it is released; a slab is unmapped when it is empty and another empty slab is available.
public final class SecretArena: Sendable {
    /// The arena of the process.
    public static let shared = SecretArena(source: .lockedAnonymous)

    private let state: Mutex<State>

    /// Creates a separate arena; programs use ``shared``.
    public init(source: PageSource) {
        state = Mutex(State(source: source))
    }

    /// Takes pages from `source` from now on; called once, when a process starts. Allocated pages stay in place. If
    /// `source` has no pages left, ``PageSource/lockedAnonymous`` replaces it.
    public func takePages(from source: PageSource) {
        state.withLock { $0.source = source }
    }

    /// Bytes mapped now, in use or not.
    public var mappedByteCount: Int { state.withLock { $0.mappedByteCount } }

    /// Returns a block of at least `byteCount` zero bytes.
    func allocate(byteCount: Int) -> Allocation {
        state.withLock { state in
            guard let sizeClass = SizeClass(holding: byteCount) else { return state.mapLarge(byteCount: byteCount) }
            return Allocation(address: state.takeBlock(of: sizeClass), byteCount: sizeClass.byteCount)
        }
    }

    /// Wipes the block and frees it.
    func release(_ allocation: Allocation) {
        // Wiped before the lock is taken: until the block is listed as free, only the caller uses it.
        unsafe wipe(allocation.buffer(count: allocation.byteCount))
        state.withLock { state in
            guard let sizeClass = SizeClass(holding: allocation.byteCount) else { return state.unmapLarge(allocation) }
            state.putBack(allocation.address, of: sizeClass)
        }
    }

    /// An allocated block.
    struct Allocation: Sendable {
        let address: UInt
        let byteCount: Int

        /// Returns the first `count` bytes of the block; valid until it is released.
        func buffer(count: Int) -> UnsafeMutableRawBufferPointer {
            // Addresses come from the arena's pages and are never zero.
            unsafe UnsafeMutableRawBufferPointer(start: UnsafeMutableRawPointer(bitPattern: address), count: count)
        }
    }
}

/// Blocks of 16 to 4096 bytes, by powers of two.
private struct SizeClass {
    static let all = (0...8).map { SizeClass(index: $0) }

    let index: Int
    var byteCount: Int { 16 << index }
    var blocksPerPage: Int { SecretArena.pageByteCount / byteCount }

    private init(index: Int) { self.index = index }

    /// Finds the class; nil for a size that needs its own mapping.
    init?(holding byteCount: Int) {
        guard byteCount <= 4096 else { return nil }
        index = byteCount <= 16 ? 0 : Int.bitWidth - (byteCount - 1).leadingZeroBitCount - 4
    }
}

extension SecretArena {
    /// The unit into which slabs are divided. Independent of the system: if the system's pages are larger, a slab is a
    /// multiple of those too.
    fileprivate static let pageByteCount = 4096
    fileprivate static let slabByteCount = 65536

    private struct Page {
        let slab: UInt
        let sizeClass: SizeClass
        var freeBlocks: [UInt]
    }

    private struct Slab {
        let source: PageSource
        var usedPages = 0
    }

    fileprivate struct State {
        var source: PageSource
        var mappedByteCount = 0
        private var slabs: [UInt: Slab] = [:]
        private var pages: [UInt: Page] = [:]
        /// Pages of slabs that are not divided yet, with the slab of each.
        private var freePages: [(address: UInt, slab: UInt)] = []
        /// For each class, the pages that have a free block.
        private var pagesWithRoom: [[UInt]] = SizeClass.all.map { _ in [] }
        private var large: [UInt: PageSource] = [:]

        init(source: PageSource) { self.source = source }

        mutating func takeBlock(of sizeClass: SizeClass) -> UInt {
            let pageAddress = pagesWithRoom[sizeClass.index].last ?? cutPage(for: sizeClass)
            let block = pages[pageAddress]!.freeBlocks.removeLast()
            if pages[pageAddress]!.freeBlocks.isEmpty { pagesWithRoom[sizeClass.index].removeLast() }
            return block
        }

        mutating func putBack(_ block: UInt, of sizeClass: SizeClass) {
            let pageAddress = pageAddress(of: block)
            pages[pageAddress]!.freeBlocks.append(block)
            let freeCount = pages[pageAddress]!.freeBlocks.count
            if freeCount == 1 { pagesWithRoom[sizeClass.index].append(pageAddress) }
            guard freeCount == sizeClass.blocksPerPage else { return }
            pagesWithRoom[sizeClass.index].removeAll { $0 == pageAddress }
            let slab = pages.removeValue(forKey: pageAddress)!.slab
            freePages.append((pageAddress, slab))
            slabs[slab]!.usedPages -= 1
            if slabs[slab]!.usedPages == 0 { unmapIfSpare(slab) }
        }

        mutating func mapLarge(byteCount: Int) -> Allocation {
            let rounded =
                (byteCount + SecretArena.systemPageByteCount - 1) / SecretArena.systemPageByteCount
                * SecretArena.systemPageByteCount
            let (address, source) = map(byteCount: rounded)
            large[address] = source
            return Allocation(address: address, byteCount: rounded)
        }

        mutating func unmapLarge(_ allocation: Allocation) {
            large.removeValue(forKey: allocation.address)!.unmap(allocation.address, allocation.byteCount)
            mappedByteCount -= allocation.byteCount
        }

        private mutating func cutPage(for sizeClass: SizeClass) -> UInt {
            if freePages.isEmpty { mapSlab() }
            let (address, slab) = freePages.removeLast()
            slabs[slab]!.usedPages += 1
            let starts = stride(from: 0, to: SecretArena.pageByteCount, by: sizeClass.byteCount)
            // In reverse, so that the first block is allocated first.
            let blocks = starts.reversed().map { address + UInt($0) }
            pages[address] = Page(slab: slab, sizeClass: sizeClass, freeBlocks: blocks)
            pagesWithRoom[sizeClass.index].append(address)
            return address
        }

        private mutating func mapSlab() {
            let (address, source) = map(byteCount: SecretArena.slabByteCount)
            slabs[address] = Slab(source: source)
            let starts = stride(from: 0, to: SecretArena.slabByteCount, by: SecretArena.pageByteCount)
            freePages.append(contentsOf: starts.reversed().map { (address + UInt($0), address) })
        }

        /// Keeps one empty slab, so that a program that repeatedly makes and drops a single secret does not map each
        /// time.
        private mutating func unmapIfSpare(_ slab: UInt) {
            guard slabs.contains(where: { $0.key != slab && $0.value.usedPages == 0 }) else { return }
            freePages.removeAll { $0.slab == slab }
            slabs.removeValue(forKey: slab)!.source.unmap(slab, SecretArena.slabByteCount)
            mappedByteCount -= SecretArena.slabByteCount
        }

        private mutating func map(byteCount: Int) -> (address: UInt, source: PageSource) {
            for source in [source, .lockedAnonymous] {
                guard let address = source.map(byteCount) else { continue }
                mappedByteCount += byteCount
                return (address, source)
            }
            fatalError("the system has no memory left for a secret of \(byteCount) bytes")
        }

        private func pageAddress(of block: UInt) -> UInt {
            // Slabs are aligned to the system's page, which is a multiple of this unit.
            block / UInt(SecretArena.pageByteCount) * UInt(SecretArena.pageByteCount)
        }
    }

    /// The rounding of large mappings: the system's page size (4, 16 or 64 KiB; read once).
    fileprivate static let systemPageByteCount = max(pageByteCount, Int(sysconf(Int32(_SC_PAGESIZE))))
}
