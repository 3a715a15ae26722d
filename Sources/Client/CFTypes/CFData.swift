// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A copy of bytes; nil when the length is negative, or positive without bytes.
@discardableResult
public func CFDataCreate(_ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex) -> CFData! {
    guard length > 0 else { return length == 0 ? NSData() : nil }
    guard let bytes = unsafe bytes as UnsafePointer<UInt8>? else { return nil }
    // The caller vouches for `length` readable bytes: Apple's contract of this function.
    return unsafe NSData(bytes: bytes, length: length)
}

/// Data that uses the caller's bytes in place; nil in the cases of ``CFDataCreate(_:_:_:)``.
///
/// With `kCFAllocatorNull` the bytes stay the caller's, who keeps them alive and unchanged as long as the data lives.
/// With nil or any other allocator they are given to `free` in the end.
@discardableResult
public func CFDataCreateWithBytesNoCopy(
    _ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex, _ bytesDeallocator: CFAllocator!
) -> CFData! {
    guard length >= 0, let bytes = unsafe bytes as UnsafePointer<UInt8>? else { return length == 0 ? NSData() : nil }
    let frees = (bytesDeallocator as CFAllocator?)?.freesBytes ?? true
    // NSData asks for a mutable pointer only because it may free it; it never writes.
    let start = unsafe UnsafeMutableRawPointer(mutating: bytes)
    return unsafe NSData(bytesNoCopy: start, length: length, freeWhenDone: frees)
}

public func CFDataGetLength(_ theData: CFData!) -> CFIndex { theData.length }

/// The bytes inside the data, nil when there are none.
///
/// They last as long as the object: there is no autorelease pool here that would keep a temporary alive, so hold the
/// data in a variable, and use `withExtendedLifetime` where the pointer is used.
public func CFDataGetBytePtr(_ theData: CFData!) -> UnsafePointer<UInt8>! {
    guard theData.length > 0 else { return nil }
    // The object is NSData's own storage of at least `length` bytes, and any memory may be read as bytes.
    return unsafe theData.bytes.assumingMemoryBound(to: UInt8.self)
}
