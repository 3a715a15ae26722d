// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A secret in memory of its own that is wiped when the last reference goes.
///
/// The commands hold every password in this type and in no other. It has the shape of `SecretMemory`'s `SecretBytes`,
/// which takes its place by a typealias.
public final class CommandSecret {
    // Allocated in the initialiser, freed in deinit; lent out only for the length of a closure. Kept as an address, so
    // that every use of it as memory has to say so.
    private let address: UInt

    public let count: Int

    private var buffer: UnsafeMutableRawBufferPointer {
        // The allocation of the initialiser, which has so many bytes.
        unsafe UnsafeMutableRawBufferPointer(start: UnsafeMutableRawPointer(bitPattern: address), count: count)
    }

    public init(copying bytes: some Collection<UInt8>) {
        // One byte more than needed, so that an empty secret has an address too.
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes.count + 1, alignment: 1)
        address = UInt(bitPattern: memory)
        count = bytes.count
        // copyBytes writes exactly bytes.count bytes, which the buffer has.
        unsafe buffer.copyBytes(from: bytes)
    }

    deinit {
        // The address is that of the allocation above, and nobody else refers to it any more.
        unsafe explicit_bzero(buffer.baseAddress!, buffer.count)
        unsafe buffer.baseAddress!.deallocate()
    }

    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // `self` keeps the memory alive for the call.
        defer { withExtendedLifetime(self) {} }
        return unsafe try body(UnsafeRawBufferPointer(buffer))
    }
}

extension CommandSecret: CustomStringConvertible, CustomReflectable {
    public var description: String { "CommandSecret(\(count) bytes, redacted)" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension CommandSecret {
    /// Whether two entries of a password are the same. Only for what the same person has just typed twice.
    func isSameEntry(as other: CommandSecret) -> Bool {
        // Both buffers live for the comparison.
        unsafe withUnsafeBytes { left in unsafe other.withUnsafeBytes { right in unsafe left.elementsEqual(right) } }
    }
}

/// Overwrites the array's bytes so that the compiler cannot leave it out, and empties it.
func wipe(_ bytes: inout [UInt8]) {
    // The pointer stays in the closure, and the size is the buffer's own.
    unsafe bytes.withUnsafeMutableBytes { buffer in
        if let address = buffer.baseAddress { unsafe explicit_bzero(address, buffer.count) }
    }
    bytes = []
}

/// Bytes that are collected piece by piece; what growing leaves behind is wiped, and so is the rest in the end.
final class SecretAccumulator {
    private(set) var bytes: [UInt8] = []

    func append(_ piece: some Collection<UInt8>) {
        if bytes.count + piece.count > bytes.capacity {
            var larger: [UInt8] = []
            larger.reserveCapacity(max(2 * bytes.capacity, bytes.count + piece.count))
            larger += bytes
            wipe(&bytes)
            swap(&bytes, &larger)
        }
        bytes += piece
    }

    /// The bytes collected so far as a secret, without the last ones.
    func secret(droppingLast count: Int = 0) -> CommandSecret {
        CommandSecret(copying: bytes.dropLast(count))
    }

    deinit { wipe(&bytes) }
}
