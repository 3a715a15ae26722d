// SPDX-License-Identifier: Apache-2.0

/// A source of random bytes. There is one, ``kSecRandomDefault``.
public final class SecRandomRef: Sendable {
    fileprivate init() {}
}

/// The operating system's generator, fit for keys. Nil means the same.
public let kSecRandomDefault: SecRandomRef? = SecRandomRef()

/// Fills memory with random bytes fit for keys.
///
/// Returns `errSecSuccess`, or `errSecParam` for a negative count. A system without a random source ends the process
/// rather than hand out something else.
@discardableResult
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
    guard count >= 0 else { return errSecParam }
    // The caller vouches for `count` writable bytes: Apple's contract of this function.
    let target = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: count)
    var system = SystemRandomNumberGenerator()
    for start in stride(from: 0, to: count, by: MemoryLayout<UInt64>.size) {
        let end = min(start + MemoryLayout<UInt64>.size, count)
        unsafe withUnsafeBytes(of: system.next()) { word in
            unsafe UnsafeMutableRawBufferPointer(rebasing: target[start..<end]).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: word[..<(end - start)]))
        }
    }
    return errSecSuccess
}
