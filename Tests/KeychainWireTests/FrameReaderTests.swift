// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
import KeychainModel
import Testing

@testable import KeychainWire

/// Frames put together from pieces.
struct FrameReaderTests {
    private let request = Request<[UInt8]>.add(
        ItemAttributes(empty: .genericPassword), secret: [UInt8](repeating: 7, count: 1000), returning: []
    ).frame(nonce: testNonce)

    @Test(arguments: [1, 2, 3, 7, 8, 9, 100, 1023, 5000])
    func `a frame may come in pieces of any size`(size: Int) throws {
        var reader = FrameReader()
        var rest = request[...]
        while !rest.isEmpty {
            #expect(try reader.missing != nil)
            #expect(throws: WireError.truncated) { _ = try reader.frame() }
            try reader.receive(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        #expect(try reader.missing == nil)
        #expect(throws: Never.self) { try Request(try reader.frame(), nonce: testNonce) { Array($0) } }
    }

    @Test func `how much is missing is known as soon as the header is there`() throws {
        var reader = FrameReader()
        #expect(try reader.missing == FrameHeader.size && reader.isEmpty)
        try reader.receive(request[..<5])
        #expect(try reader.missing == 3)
        try reader.receive(request[5..<8])
        #expect(try reader.missing == request.count - 8)
        try reader.receive(request[8...])
        #expect(try reader.missing == nil && !reader.isEmpty)
    }

    @Test func `a bad header is refused when it is there, whatever follows`() throws {
        var reader = FrameReader()
        try reader.receive([9, 9, 9])
        #expect(throws: WireError.version(9)) { try reader.receive([9, 9, 9, 9, 9, 1, 2, 3]) }
        #expect(throws: WireError.version(9)) { try reader.missing }
        #expect(throws: WireError.version(9)) { _ = try reader.frame() }
    }

    @Test func `a frame behind another stays for the next turn where that is allowed`() throws {
        let change = ItemChange(.added, PersistentReference(bytes: Array("genp".utf8) + Array(0..<16))!)
        var reader = FrameReader()
        try reader.receive(request + change.frame)
        #expect(throws: WireError.trailingBytes) { _ = try reader.frame() }
        #expect(try reader.frame(mayHaveMore: true).kind == .add)
        reader.discard { $0 = [] }
        #expect(try ItemChange(try reader.frame()) == change)
        reader.discard { $0 = [] }
        #expect(reader.isEmpty)
    }

    @Test(arguments: [1, 8, 20, 300, 16384])
    func `the buffer never moves once a payload has begun, so that nothing is left behind unwiped`(
        first: Int
    ) throws {
        let large = Request<[UInt8]>.add(
            ItemAttributes(empty: .genericPassword), secret: [UInt8](repeating: 7, count: 300_000), returning: []
        ).frame(nonce: testNonce)
        var reader = FrameReader()
        try reader.receive(large[..<first])
        if first < FrameHeader.size { try reader.receive(large[first..<FrameHeader.size + 1]) }
        let place = reader.buffer.withUnsafeBytes { $0.baseAddress }
        var rest = large[reader.buffer.count...]
        while !rest.isEmpty {
            try reader.receive(rest.prefix(4096))
            rest = rest.dropFirst(4096)
        }
        #expect(reader.buffer.withUnsafeBytes { $0.baseAddress } == place)
        #expect(reader.buffer == large)
    }

    @Test func `remaining bytes behind a frame are wiped too when they move to the front`() throws {
        var reader = FrameReader()
        try reader.receive(request + request)
        var wiped: [Int] = []
        reader.discard {
            wiped.append($0.count)
            $0 = []
        }
        #expect(wiped == [2 * request.count, request.count])
        #expect(reader.buffer == request)
    }

    @Test func `a finished frame is the memory in which it was written`() {
        var writer = WireWriter(.add, reserving: 64)
        writer.raw([1, 2, 3])
        let place = writer.bytes.withUnsafeBytes { $0.baseAddress }
        let frame = (consume writer).frame()
        #expect(frame.withUnsafeBytes { $0.baseAddress } == place)
    }
}
