// SPDX-License-Identifier: Apache-2.0

/// Where the memory of a Core Foundation object comes from.
///
/// Swift's own allocator serves every object here, so an allocator matters in one place only: it says what becomes of
/// the bytes given to ``CFDataCreateWithBytesNoCopy(_:_:_:_:)``.
public final class CFAllocator: Sendable {
    /// Whether bytes handed over with this allocator are given back to `free`.
    let freesBytes: Bool

    fileprivate init(freesBytes: Bool) { self.freesBytes = freesBytes }
}

// Implicitly unwrapped, because callers write `kCFAllocatorDefault`, `kCFAllocatorDefault!` and `… as Any`.

/// The current default allocator: `malloc`'s.
public let kCFAllocatorDefault: CFAllocator! = CFAllocator(freesBytes: true)
/// The same as the default allocator.
public let kCFAllocatorSystemDefault: CFAllocator! = kCFAllocatorDefault
/// The allocator of `malloc` and `free`.
public let kCFAllocatorMalloc: CFAllocator! = kCFAllocatorDefault
/// The allocator that never frees: the bytes stay the caller's.
public let kCFAllocatorNull: CFAllocator! = CFAllocator(freesBytes: false)
