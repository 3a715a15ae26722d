// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
import Testing

struct ByteReaderTests {
    private static let written: [UInt8] = {
        var writer = ByteWriter(reserving: 64)
        writer.u8(7)
        writer.u16(0x0102)
        writer.u32(0x0304_0506)
        writer.u64(0x0708_090A_0B0C_0D0E)
        writer.block([1, 2, 3])
        writer.block("grün")
        writer.optional(UInt8?.none) { $0.u8($1) }
        writer.optional(UInt8(9)) { $0.u8($1) }
        writer.list([UInt16(1), 2]) { $0.u16($1) }
        writer.raw([0xFF])
        return writer.bytes
    }()

    @Test func `the reader returns the values that the writer wrote`() throws {
        var reader = ByteReader<ByteError>(Self.written)
        #expect(try reader.u8() == 7)
        #expect(try reader.u16() == 0x0102)
        #expect(try reader.u32() == 0x0304_0506)
        #expect(try reader.u64() == 0x0708_090A_0B0C_0D0E)
        #expect(try reader.block(atMost: 3) == [1, 2, 3])
        #expect(try reader.text(atMost: 5) == "grün")
        #expect(try reader.optional { reader throws(ByteError) in try reader.u8() } == nil)
        #expect(try reader.optional { reader throws(ByteError) in try reader.u8() } == 9)
        #expect(try reader.list(atMost: 2) { reader throws(ByteError) in try reader.u16() } == [1, 2])
        #expect(reader.remaining == 1)
        #expect(throws: ByteError.trailingBytes) { try reader.finish() }
        #expect(try reader.take([0xFF]))
        #expect(reader.isAtEnd)
        try reader.finish()
    }

    @Test func `integers are big-endian, lengths have 32 bits and counts 16`() {
        #expect(
            Self.written == [
                7, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0, 0, 0, 3, 1, 2, 3, 0, 0, 0, 5, 0x67, 0x72, 0xC3,
                0xBC, 0x6E, 0, 1, 9, 0, 2, 0, 1, 0, 2, 0xFF,
            ])
    }

    @Test func `a value that is cut anywhere is truncated`() {
        func end(_ bytes: [UInt8], _ read: (inout ByteReader<ByteError>) throws(ByteError) -> Void) {
            for count in bytes.indices {
                var reader = ByteReader<ByteError>(Array(bytes[..<count]))
                #expect(throws: ByteError.truncated) { try read(&reader) }
            }
        }
        end([1, 2]) { reader throws(ByteError) in _ = try reader.u16() }
        end([1, 2, 3, 4]) { reader throws(ByteError) in _ = try reader.u32() }
        end([1, 2, 3, 4, 5, 6, 7, 8]) { reader throws(ByteError) in _ = try reader.u64() }
        end([UInt8](repeating: 0, count: 16)) { reader throws(ByteError) in _ = try reader.integer(UInt128.self) }
        end([0, 0, 0, 2, 1, 2]) { reader throws(ByteError) in _ = try reader.block(atMost: 2) }
        end([0, 0, 0, 2, 0x61, 0x61]) { reader throws(ByteError) in _ = try reader.text(atMost: 2) }
        end([1, 5]) { reader throws(ByteError) in
            _ = try reader.optional { reader throws(ByteError) in try reader.u8() }
        }
        end([0, 2, 1, 2]) { reader throws(ByteError) in
            _ = try reader.list(atMost: 2) { reader throws(ByteError) in try reader.u8() }
        }
        end([1, 2]) { reader throws(ByteError) in _ = try reader.take([1, 2]) }
    }

    @Test func `lengths and counts have limits, and the largest length needs no memory`() {
        var reader = ByteReader<ByteError>([0, 0, 0, 3, 1, 2, 3])
        #expect(throws: ByteError.tooLarge) { try reader.block(atMost: 2) }
        reader = ByteReader([0, 0, 0, 3, 0x61, 0x61, 0x61])
        #expect(throws: ByteError.tooLarge) { try reader.text(atMost: 2) }
        reader = ByteReader([0, 3, 1, 2, 3])
        #expect(throws: ByteError.tooLarge) {
            try reader.list(atMost: 2) { reader throws(ByteError) in try reader.u8() }
        }
        reader = ByteReader([0xFF, 0xFF, 0xFF, 0xFF, 1])
        #expect(throws: ByteError.truncated) { try reader.block(atMost: .max) }
    }

    @Test func `undefined values are malformed`() {
        var reader = ByteReader<ByteError>([2])
        #expect(throws: ByteError.malformed) { try reader.flag() }
        reader = ByteReader([0, 0, 0, 1, 0xFF])
        #expect(throws: ByteError.malformed) { try reader.text(atMost: 1) }
        enum Kind: UInt8 { case one = 1 }
        reader = ByteReader([2])
        #expect(throws: ByteError.malformed) { try reader.value(Kind.self) }
    }

    @Test func `a part of the bytes is read as if it were all`() throws {
        var reader = ByteReader<ByteError>([9, 1, 2, 9], from: 1, to: 3)
        #expect(reader.position == 1)
        #expect(reader.rest == [1, 2])
        #expect(throws: ByteError.truncated) { try reader.u32() }
        #expect(try reader.u16() == 0x0102)
        try reader.finish()
        #expect(throws: ByteError.truncated) { try reader.u8() }
    }

    @Test func `other bytes than expected are passed over`() throws {
        var reader = ByteReader<ByteError>([1, 2, 3])
        #expect(try !reader.take([1, 3]))
        #expect(try reader.take([3]))
    }
}
