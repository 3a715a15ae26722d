// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A copy of bytes; nil when the length is negative, or positive without bytes.
@discardableResult
public func CFDataCreate(_ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex) -> CFData! {
    guard length > 0 else { return length == 0 ? NSData() : nil }
    guard let bytes = unsafe bytes as UnsafePointer<UInt8>? else { return nil }
    // The caller guarantees `length` readable bytes: Apple's contract of this function.
    return unsafe NSData(bytes: bytes, length: length)
}

/// Data that uses the caller's bytes in place; nil in the cases of ``CFDataCreate(_:_:_:)``.
///
/// With `kCFAllocatorNull` the caller keeps ownership, and must keep the bytes valid and unchanged as long as the data
/// exists. With nil or any other allocator, the data releases them with `free`.
@discardableResult
public func CFDataCreateWithBytesNoCopy(
    _ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex, _ bytesDeallocator: CFAllocator!
) -> CFData! {
    guard length >= 0, let bytes = unsafe bytes as UnsafePointer<UInt8>? else { return length == 0 ? NSData() : nil }
    let frees = (bytesDeallocator as CFAllocator?)?.freesBytes ?? true
    // NSData requires a mutable pointer only because it may free it; it never writes.
    let start = unsafe UnsafeMutableRawPointer(mutating: bytes)
    return unsafe NSData(bytesNoCopy: start, length: length, freeWhenDone: frees)
}

public func CFDataGetLength(_ theData: CFData!) -> CFIndex { theData.length }

/// The bytes of the data; nil when the data is empty.
///
/// The pointer is valid as long as the object exists. This platform has no autorelease pool that would keep a temporary
/// object alive, so hold the data in a variable, and use `withExtendedLifetime` where the pointer is used.
public func CFDataGetBytePtr(_ theData: CFData!) -> UnsafePointer<UInt8>! {
    guard theData.length > 0 else { return nil }
    // The object is NSData's own storage of at least `length` bytes, and any memory may be read as bytes.
    return unsafe theData.bytes.assumingMemoryBound(to: UInt8.self)
}
