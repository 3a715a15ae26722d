// SPDX-License-Identifier: Apache-2.0

internal import CKeychainPlatform
internal import Glibc
public import SecretMemory

extension PageSource {
    /// Pages that the kernel removes from its own map (memfd_secret(2), Linux 5.14): no other process can read them,
    /// not even as root, neither by ptrace nor through /proc/PID/mem, and they never reach swap or a dump.
    ///
    /// They are absent in a forked child. They count against RLIMIT_MEMLOCK. Beyond that limit, and on kernels without
    /// the call, this source returns none and the arena uses ``lockedAnonymous``.
    public static let memfdSecret = PageSource(
        map: { byteCount in
            let file = ckp_memfd_secret()
            guard file >= 0 else { return nil }
            // The mapping keeps the file alive.
            defer { close(file) }
            guard ftruncate(file, byteCount) == 0 else { return nil }
            // A mapping of this process's file, which no other process has open.
            let pages = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
            guard let pages = unsafe pages, unsafe pages != MAP_FAILED else { return nil }
            // WIPEONFORK is for private memory only, and the child would share these pages with the parent, so the
            // child gets no mapping.
            guard unsafe madvise(pages, byteCount, Int32(MADV_DONTFORK)) == 0 else {
                unsafe munmap(pages, byteCount)
                return nil
            }
            return UInt(bitPattern: pages)
        },
        unmap: { address, byteCount in
            // The arena returns exactly the pages that map gave, and nothing points into them any more.
            unsafe munmap(UnsafeMutableRawPointer(bitPattern: address), byteCount)
        })

    /// Whether this kernel gives such pages to this process.
    public static var memfdSecretIsAvailable: Bool {
        guard let address = memfdSecret.map(65536) else { return false }
        memfdSecret.unmap(address, 65536)
        return true
    }
}
