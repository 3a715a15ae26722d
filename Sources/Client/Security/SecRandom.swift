// SPDX-License-Identifier: Apache-2.0

/// A source of random bytes. There is one, ``kSecRandomDefault``.
public final class SecRandomRef: Sendable {
    fileprivate init() {}
}

/// The operating system's generator, suitable for keys. Nil has the same meaning.
public let kSecRandomDefault: SecRandomRef? = SecRandomRef()

/// Fills memory with random bytes that are suitable for keys.
///
/// Returns `errSecSuccess`, or `errSecParam` for a negative count. Without a random source, the process is terminated,
/// so that predictable bytes are never returned.
@discardableResult
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
    guard count >= 0 else { return errSecParam }
    // The caller guarantees `count` writable bytes: Apple's contract of this function.
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
