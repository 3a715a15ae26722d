// SPDX-License-Identifier: Apache-2.0

/// The memory allocator of a Core Foundation object.
///
/// Swift's own allocator serves every object here. An allocator matters in one place only: it decides whether
/// ``CFDataCreateWithBytesNoCopy(_:_:_:_:)`` frees the bytes that it takes.
public final class CFAllocator: Sendable {
    /// Whether bytes passed with this allocator are released with `free`.
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
/// The allocator that never frees: the caller keeps ownership of the bytes.
public let kCFAllocatorNull: CFAllocator! = CFAllocator(freesBytes: false)
