// SPDX-License-Identifier: Apache-2.0

import DBusMessages
import Testing

/// Chapter "Message Protocol" of the D-Bus Specification.
@Suite struct MessageTests {
    @Test func `a call comes back as it was written`() throws {
        let call = try Samples.message()
        let read = try #require(try Message(bytes: try call.bytes(serial: 7)))
        #expect(read.kind == .methodCall)
        #expect(read.flags == .noAutoStart)
        #expect(read.serial == 7)
        #expect(read.path == "/org/freedesktop/login1")
        #expect(read.interface == "org.freedesktop.login1.Manager")
        #expect(read.member == "Inhibit")
        #expect(read.destination == "org.freedesktop.login1")
        #expect(read.sender == nil && read.errorName == nil && read.replySerial == nil)
        #expect(read.descriptorCount == 3)
        #expect(try read.arguments() == Samples.values)
    }

    @Test func `answers and errors name the call that they answer, and its sender`() throws {
        let call = try #require(try Message(bytes: Self.helloAnsweredByTheBus))
        let answer = try #require(try Message(bytes: try Message.methodReturn(to: call, [.byte(1)]).bytes(serial: 3)))
        #expect(answer.kind == .methodReturn)
        #expect(answer.replySerial == call.serial)
        #expect(answer.destination == "org.freedesktop.DBus")
        #expect(try answer.arguments() == [.byte(1)])
        let error = try #require(
            try Message(bytes: try Message.error("org.example.Error", to: call, "no").bytes(serial: 4)))
        #expect(error.kind == .error)
        #expect(error.errorName == "org.example.Error")
        #expect(error.replySerial == call.serial)
        #expect(try error.arguments() == [.string("no")])
    }

    /// The answer of dbus-daemon 1.14 to Hello, checked byte by byte against the specification.
    static let helloAnsweredByTheBus: [UInt8] = {
        var bytes: [UInt8] = [0x6C, 2, 1, 1, 11, 0, 0, 0, 1, 0, 0, 0, 61, 0, 0, 0]
        bytes += [6, 1, 0x73, 0, 6, 0, 0, 0] + Array(":1.123".utf8) + [0, 0]
        bytes += [5, 1, 0x75, 0, 1, 0, 0, 0]
        bytes += [8, 1, 0x67, 0, 1, 0x73, 0, 0]
        bytes += [7, 1, 0x73, 0, 20, 0, 0, 0] + Array("org.freedesktop.DBus".utf8) + [0, 0, 0, 0]
        bytes += [6, 0, 0, 0] + Array(":1.123".utf8) + [0]
        return bytes
    }()

    @Test func `the answer of a bus is read`() throws {
        let answer = try #require(try Message(bytes: Self.helloAnsweredByTheBus))
        #expect(answer.kind == .methodReturn)
        #expect(answer.flags == .noReplyExpected)
        #expect(answer.replySerial == 1)
        #expect(answer.sender == "org.freedesktop.DBus")
        #expect(try answer.arguments() == [.string(":1.123")])
    }

    @Test func `a message in the other byte order is read`() throws {
        var bytes: [UInt8] = [0x42, 4, 1, 1, 0, 0, 0, 4, 0, 0, 0, 9, 0, 0, 0, 0]
        bytes += [1, 1, 0x6F, 0, 0, 0, 0, 2] + Array("/a".utf8) + [0, 0, 0, 0, 0, 0]
        bytes += [2, 1, 0x73, 0, 0, 0, 0, 3] + Array("a.b".utf8) + [0, 0, 0, 0, 0]
        bytes += [3, 1, 0x73, 0, 0, 0, 0, 4] + Array("Lock".utf8) + [0, 0, 0, 0]
        bytes += [8, 1, 0x67, 0, 1, 0x75, 0]
        bytes[15] = UInt8(bytes.count - 16)
        bytes += [0, 0, 0, 0, 5]
        let signal = try #require(try Message(bytes: bytes))
        #expect(signal.kind == .signal)
        #expect(signal.serial == 9)
        #expect(signal.path == "/a")
        #expect(signal.member == "Lock")
        #expect(try signal.arguments() == [.uint32(5)])
        // The message cannot be encoded again in this process's byte order.
        #expect(throws: CodingError.typeMismatch) { try signal.bytes(serial: 1) }
    }

    @Test func `messages of unknown kinds and unknown header fields are overlooked, broken ones refused`() throws {
        var bytes = Self.helloAnsweredByTheBus
        bytes[1] = 5
        #expect(try Message(bytes: bytes) == nil)
        bytes[1] = 0
        #expect(throws: CodingError.invalidHeader) { try Message(bytes: bytes) }

        // The field "destination" with an unknown code.
        bytes = Self.helloAnsweredByTheBus
        bytes[16] = 200
        let message = try #require(try Message(bytes: bytes))
        #expect(message.destination == nil)
        #expect(message.replySerial == 1)
        // With the code of another field: repeated, or of the wrong type.
        bytes[16] = 7
        #expect(throws: CodingError.invalidHeader) { try Message(bytes: bytes) }
        bytes[16] = 9
        #expect(throws: CodingError.invalidHeader) { try Message(bytes: bytes) }
        bytes[16] = 0
        #expect(throws: CodingError.invalidHeader) { try Message(bytes: bytes) }

        // No serial.
        bytes = Self.helloAnsweredByTheBus
        bytes[8] = 0
        #expect(throws: CodingError.invalidHeader) { try Message(bytes: bytes) }
        // An answer without the serial of its call.
        bytes = Self.helloAnsweredByTheBus
        bytes[32] = 99
        #expect(throws: CodingError.invalidHeader) { try Message(bytes: bytes) }
        // Another version, another byte order.
        for (index, value) in [(3, UInt8(2)), (0, UInt8(0))] {
            bytes = Self.helloAnsweredByTheBus
            bytes[index] = value
            #expect(throws: CodingError.notAMessage) { try Message(bytes: bytes) }
        }
        #expect(throws: CodingError.trailingBytes) { try Message(bytes: Self.helloAnsweredByTheBus + [0]) }
        #expect(throws: CodingError.truncated) { try Message(bytes: Self.helloAnsweredByTheBus.dropLast()) }
    }

    @Test func `sizes beyond the specification's are refused before anything is read`() {
        let head: [UInt8] = [0x6C, 4, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0]
        #expect(throws: CodingError.tooLarge) { try MessageFrame((head + [1, 0, 0, 4])[...]) }
        #expect(throws: CodingError.tooLarge) {
            try MessageFrame([0x6C, 4, 0, 1, 255, 255, 255, 255, 1, 0, 0, 0, 0, 0, 0, 0])
        }
        #expect(throws: CodingError.tooLarge) {
            try MessageFrame([0x6C, 4, 0, 1, 0, 0, 0, 8, 1, 0, 0, 0, 0, 0, 0, 0])
        }
    }
}

/// Any bytes from a socket are a message or an error.
@Suite struct TotalityTests {
    /// Decodes the bytes completely.
    private func read(_ bytes: [UInt8]) -> Bool {
        guard let message = try? Message(bytes: bytes) else { return false }
        return (try? message.arguments()) != nil
    }

    @Test func `no beginning of a message is a message`() throws {
        let bytes = try Samples.message().bytes(serial: 1)
        for count in 0..<bytes.count { #expect(!read(Array(bytes[..<count]))) }
        #expect(read(bytes))
    }

    @Test func `every byte of a message may be another`() throws {
        let bytes = try Samples.message().bytes(serial: 1)
        // Each single bit, the ends of ranges, and the codes of containers.
        let others: [UInt8] = [0, 1, 0x7F, 0xFF] + Array("a({v".utf8)
        var (tried, readable) = (0, 0)
        for index in bytes.indices {
            var changed = bytes
            for value in others + (0..<8).map({ bytes[index] ^ 1 << $0 }) {
                changed[index] = value
                tried += 1
                if read(changed) { readable += 1 }
            }
        }
        // Many changed bytes of numbers and texts stay valid; most others do not.
        #expect(readable > tried / 10)
        #expect(readable < tried * 9 / 10)
    }

    @Test func `random changes of several bytes at once are survived`() throws {
        var randomness = FixedRandomness(state: 1)
        let bytes = try Samples.message().bytes(serial: 1)
        var refused = 0
        for _ in 0..<20_000 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...6, using: &randomness) {
                changed[Int.random(in: 0..<changed.count, using: &randomness)] = UInt8.random(
                    in: .min ... .max, using: &randomness)
            }
            if !read(changed) { refused += 1 }
        }
        #expect(refused > 10_000)
    }

    @Test func `random bytes under random signatures are survived`() throws {
        var randomness = FixedRandomness(state: 2)
        let codes = Array("ybnqiuxtdsoghva(){}".utf8)
        var decoded = 0
        for _ in 0..<50_000 {
            let text = (0..<Int.random(in: 1...6, using: &randomness)).map { _ in
                codes.randomElement(using: &randomness)!
            }
            guard let signature = try? Signature(String(decoding: text, as: UTF8.self)) else { continue }
            let count = Int.random(in: 0...64, using: &randomness)
            // Small numbers are the interesting ones, because they can be valid sizes.
            let body = (0..<count).map { _ in
                UInt8.random(in: 0...(Bool.random(using: &randomness) ? 8 : 255), using: &randomness)
            }
            // Zeros are valid for nearly all types.
            for body in [body, [UInt8](repeating: 0, count: count)] {
                if read(Self.signal(signature, body)) { decoded += 1 }
            }
        }
        #expect(decoded > 100)
    }

    private static func signal(_ signature: Signature, _ body: [UInt8]) -> [UInt8] {
        func number(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        var fields: [UInt8] = [1, 1, 0x6F, 0] + number(1) + [0x2F, 0, 0, 0, 0, 0, 0, 0]
        fields += [2, 1, 0x73, 0] + number(3) + Array("a.b".utf8) + [0, 0, 0, 0, 0]
        fields += [3, 1, 0x73, 0] + number(1) + [0x61, 0, 0, 0, 0, 0, 0, 0]
        fields += [8, 1, 0x67, 0, UInt8(signature.text.utf8.count)] + Array(signature.text.utf8) + [0]
        let padding = [UInt8](repeating: 0, count: (8 - fields.count % 8) % 8)
        return [0x6C, 4, 0, 1] + number(body.count) + number(1) + number(fields.count) + fields + padding + body
    }
}
