// SPDX-License-Identifier: Apache-2.0

import DBusMessages
import Testing

@Suite struct MessageStreamTests {
    private func signal(_ number: UInt8, padding: Int = 0, descriptors: UInt32 = 0) throws(CodingError) -> [UInt8] {
        let call = try Message.call(
            "M", of: "a.b", at: "/", on: "c.d", [.byte(number), .bytes(.init(repeating: 0, count: padding))],
            descriptorCount: descriptors)
        return try call.bytes(serial: UInt32(number))
    }

    private func numbers(_ stream: inout MessageStream<Int>) throws -> [(UInt32, [Int])] {
        var numbers: [(UInt32, [Int])] = []
        while let (message, descriptors) = try stream.next() { numbers.append((message.serial, descriptors)) }
        return numbers
    }

    @Test func `messages come whole however their bytes are cut`() throws {
        let bytes = try signal(1) + signal(2, padding: 100) + signal(3)
        for size in [1, 2, 7, 15, 16, 17, 64, bytes.count] {
            var stream = MessageStream<Int>(limit: 1000)
            var serials: [UInt32] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                stream.receive(rest.prefix(size))
                rest = rest.dropFirst(size)
                serials += try numbers(&stream).map(\.0)
            }
            #expect(serials == [1, 2, 3])
        }
    }

    @Test func `a stream without an incomplete message keeps no bytes`() throws {
        var stream = MessageStream<Int>(limit: 1000)
        let bytes = try signal(1) + signal(2, padding: 100)
        stream.receive(bytes.dropLast(10))
        #expect(try numbers(&stream).map(\.0) == [1])
        stream.receive(bytes.suffix(10))
        #expect(try numbers(&stream).map(\.0) == [2])
        let buffer = try #require(Mirror(reflecting: stream).descendant("buffer") as? [UInt8])
        // Freed memory is a matter of the program's allocator.
        #expect(buffer.capacity == 0)
    }

    @Test func `a message beyond the limit is passed over however it is cut, and the next one comes whole`() throws {
        let bytes = try signal(1) + signal(2, padding: 5000) + signal(3) + signal(4, padding: 900) + signal(5)
        for size in [1, 16, 17, 100, 4096, bytes.count] {
            var stream = MessageStream<Int>(limit: 500)
            var serials: [UInt32] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                stream.receive(rest.prefix(size))
                rest = rest.dropFirst(size)
                serials += try numbers(&stream).map(\.0)
            }
            #expect(serials == [1, 3, 5])
        }
    }

    @Test func `the header of a call beyond the limit is kept however it is cut, and that of a signal is not`() throws {
        let large = try Message.signal("S", of: "a.b", at: "/", [.bytes(.init(repeating: 0, count: 600))])
        let bytes = try signal(1) + large.bytes(serial: 2) + signal(3, padding: 600) + signal(4)
        for size in [1, 16, 17, 100, 4096, bytes.count] {
            var stream = MessageStream<Int>(limit: 500)
            var (serials, skipped): ([UInt32], [Message]) = ([], [])
            var rest = bytes[...]
            while !rest.isEmpty {
                stream.receive(rest.prefix(size))
                rest = rest.dropFirst(size)
                serials += try numbers(&stream).map(\.0)
                skipped += stream.takeSkippedCalls()
            }
            #expect(serials == [1, 4])
            #expect(skipped.map(\.serial) == [3])
            #expect(skipped.first?.member == "M" && skipped.first?.destination == "c.d")
        }
    }

    @Test func `of many calls beyond the limit a bounded number of headers is kept`() throws {
        var stream = MessageStream<Int>(limit: 200)
        for _ in 0..<1000 {
            stream.receive(try signal(1, padding: 300))
            #expect(try stream.next() == nil)
        }
        #expect(stream.takeSkippedCalls().count == 64)
        #expect(stream.takeSkippedCalls().isEmpty)
        // A header that is itself large is not kept.
        let path = try #require(ObjectPath(rawValue: "/" + String(repeating: "a", count: 5000)))
        stream = MessageStream<Int>(limit: 8000)
        let call = try Message.call("M", of: "a.b", at: path, on: "c.d", [.bytes(.init(repeating: 0, count: 8000))])
        stream.receive(try call.bytes(serial: 1))
        #expect(try stream.next() == nil)
        #expect(stream.takeSkippedCalls().isEmpty)
    }

    @Test func `descriptors belong to the message that they were sent with`() throws {
        var stream = MessageStream<Int>(limit: 500)
        // Bytes before those of the message may come with them; later bytes may not.
        let first = try signal(1)
        let second = try signal(2, descriptors: 2)
        stream.receive(first + second.prefix(20), descriptors: [10, 11])
        stream.receive(Array(second.dropFirst(20)))
        stream.receive(try signal(3))
        stream.receive(try signal(4, descriptors: 1), descriptors: [12])
        let received = try numbers(&stream)
        #expect(received.map(\.0) == [1, 2, 3, 4])
        #expect(received.map(\.1) == [[], [10, 11], [], [12]])
    }

    @Test(arguments: [20, 600, 1000])
    func `the descriptors of a message that is passed over reach no other one`(_ cut: Int) throws {
        var stream = MessageStream<Int>(limit: 500)
        let large = try signal(1, padding: 900, descriptors: 2)
        stream.receive(large.prefix(cut), descriptors: [10])
        #expect(try numbers(&stream).isEmpty)
        stream.receive(large.dropFirst(cut), descriptors: cut < large.count ? [11] : [])
        stream.receive(try signal(2, descriptors: 1), descriptors: [12])
        let received = try numbers(&stream)
        #expect(received.map(\.0) == [2])
        #expect(received.map(\.1) == [[12]])
    }

    @Test func `other descriptors than the message says end the stream`() throws {
        var stream = MessageStream<Int>(limit: 500)
        stream.receive(try signal(1, descriptors: 1))
        #expect(throws: CodingError.noSuchDescriptor) { try stream.next() }
        stream = MessageStream<Int>(limit: 500)
        stream.receive(try signal(1), descriptors: [10])
        #expect(throws: CodingError.noSuchDescriptor) { try stream.next() }
    }
}
