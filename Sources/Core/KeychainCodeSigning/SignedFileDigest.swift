// SPDX-License-Identifier: Apache-2.0

internal import Crypto

/// SHA-256 of a file in which one range counts as zeros, computed piece by piece from the beginning.
public struct SignedFileDigest {
    private var hash = SHA256()
    private var position: UInt64 = 0
    private let zeroed: Range<UInt64>

    /// The number of bytes that are read at a time.
    static let pieceByteCount = 262_144

    public init(zeroing range: Range<UInt64>) {
        zeroed = range
    }

    /// Adds the next bytes of the file.
    public mutating func update(_ piece: [UInt8]) {
        let range = (position..<position + UInt64(piece.count)).clamped(to: zeroed)
        if range.isEmpty {
            hash.update(data: piece)
        } else {
            var copy = piece
            for index in range { copy[Int(index - position)] = 0 }
            hash.update(data: copy)
        }
        position += UInt64(piece.count)
    }

    /// Returns the 32 bytes of the digest.
    public func finalize() -> [UInt8] { Array(hash.finalize()) }

    /// Returns the digest of a whole file. Throws `.truncated` if it is shorter than its size, and the errors of
    /// reading.
    public static func digest(
        size: UInt64, zeroing range: Range<UInt64>, read: @escaping ELFFile.Reading
    ) throws(ELFError) -> [UInt8] {
        var digest = SignedFileDigest(zeroing: range)
        while digest.position < size {
            let count = Int(min(UInt64(pieceByteCount), size - digest.position))
            let piece = try read(digest.position, count)
            guard piece.count == count else { throw .truncated }
            digest.update(piece)
        }
        return digest.finalize()
    }
}
