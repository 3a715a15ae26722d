// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Memory that a C interface passes to its caller, who frees it after use: from `malloc`, as programs expect, and wiped
/// before it is freed. It is not locked, and the caller decides how long it exists.
public enum CallerMemory {
    /// Returns a copy of the bytes. An empty copy also has memory.
    public static func copy(_ bytes: some Collection<UInt8>) -> UnsafeMutableRawPointer {
        let memory = unsafe zeroed(byteCount: bytes.count)
        // Copies exactly as many bytes as were allocated.
        unsafe UnsafeMutableRawBufferPointer(start: memory, count: bytes.count).copyBytes(from: bytes)
        return unsafe memory
    }

    /// Returns a copy of a secret.
    public static func copy(_ secret: SecretBytes) -> UnsafeMutableRawPointer {
        unsafe secret.withUnsafeBytes { bytes in unsafe copy(bytes) }
    }

    /// Returns memory of zero bytes. Traps if the system has none, as any Swift allocation does.
    public static func zeroed(byteCount: Int) -> UnsafeMutableRawPointer {
        // At least one byte, because `malloc` may return nil for a size of zero. The callers are C interfaces of Apple
        // without an error for missing memory, so the program ends, as for any Swift allocation.
        guard let memory = unsafe calloc(max(byteCount, 1), 1) else { fatalError("no memory is left") }
        return unsafe memory
    }

    /// Wipes and frees memory that one of the functions above, or `malloc`, returned.
    public static func free(_ memory: UnsafeMutableRawPointer) {
        // The whole block, because its used size is unknown.
        unsafe explicit_bzero(memory, usableSize(memory))
        unsafe Glibc.free(memory)
    }

    private typealias UsableSize = @convention(c) (UnsafeMutableRawPointer?) -> Int

    /// `malloc_usable_size`, which the Glibc module of Swift omits. Looked up by name, because modules that programs
    /// import must not depend on this project's C modules, and a table of sizes would become wrong when a program frees
    /// a block itself.
    private static let usableSize: UsableSize = {
        guard let symbol = unsafe dlsym(nil, "malloc_usable_size") else {
            fatalError("the C library has no malloc_usable_size")
        }
        // Both glibc and musl declare it as size_t malloc_usable_size(void *).
        return unsafe unsafeBitCast(symbol, to: UsableSize.self)
    }()
}
