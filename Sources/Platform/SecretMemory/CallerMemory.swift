// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Memory that a C interface hands over to its caller, who gives it back when it is not needed any more: from `malloc`, as
/// programs expect, and wiped before it is freed. It is not locked; whoever holds it decides how long that matters.
public enum CallerMemory {
    /// A copy of the bytes. There is memory for none, too.
    public static func copy(_ bytes: some Collection<UInt8>) -> UnsafeMutableRawPointer {
        let memory = unsafe zeroed(byteCount: bytes.count)
        // As many bytes as there is room for.
        unsafe UnsafeMutableRawBufferPointer(start: memory, count: bytes.count).copyBytes(from: bytes)
        return unsafe memory
    }

    /// A copy of a secret.
    public static func copy(_ secret: SecretBytes) -> UnsafeMutableRawPointer {
        unsafe secret.withUnsafeBytes { bytes in unsafe copy(bytes) }
    }

    /// Memory of zero bytes. Traps when the system has none, as any Swift allocation does.
    public static func zeroed(byteCount: Int) -> UnsafeMutableRawPointer {
        // One byte at least: `malloc` may answer nil to a request for none.
        guard let memory = unsafe calloc(max(byteCount, 1), 1) else { fatalError("there is no memory left") }
        return unsafe memory
    }

    /// Wipes and frees what one of the functions above, or `malloc`, returned.
    public static func free(_ memory: UnsafeMutableRawPointer) {
        // All of the block: nobody says how much of it was used.
        unsafe explicit_bzero(memory, usableSize(memory))
        unsafe Glibc.free(memory)
    }

    private typealias UsableSize = @convention(c) (UnsafeMutableRawPointer?) -> Int

    /// `malloc_usable_size`, which the Glibc module of Swift leaves out. Looked up by name: modules that programs import must not
    /// depend on C modules of ours, and a table of sizes would be wrong as soon as a program frees a block by itself.
    private static let usableSize: UsableSize = {
        guard let symbol = unsafe dlsym(nil, "malloc_usable_size") else {
            fatalError("the C library has no malloc_usable_size")
        }
        // Both glibc and musl declare it so: size_t malloc_usable_size(void *).
        return unsafe unsafeBitCast(symbol, to: UsableSize.self)
    }()
}
