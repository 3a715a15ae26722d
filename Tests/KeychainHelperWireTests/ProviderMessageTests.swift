// SPDX-License-Identifier: Apache-2.0

import KeychainHelperWire
import TestSupport
import Testing

struct ProviderMessageTests {
    private static let requests: [ProviderRequest] = [
        .connect(bus: "unix:path=/b"), .owner, .collections, .items(collection: 1, first: 64), .unlock(collection: 2),
        .secret(collection: 1, item: 65), .reload,
    ]

    private static let item = ProvidedItem(
        label: "Mail", attributes: ["user": "ann", "xdg:schema": "org.example.Mail"], modified: 1_795_310_000)!

    private static let replies: [ProviderReply] = [
        .owner(ProviderOwner(process: 4711, canStart: true)), .owner(ProviderOwner(process: nil, canStart: false)),
        .collections([
            ProvidedCollection(label: "Login", isLocked: true, isTemporary: false, itemCount: 3),
            ProvidedCollection(label: "", isLocked: false, isTemporary: true, itemCount: 0),
        ]),
        .items([.item(item), .unreadable("its attributes are too large")]), .items([]), .unlocked(true),
        .secret(ProvidedSecret(value: [0, 0xFF], contentType: "text/plain")), .refusal(HelperRefusal(reason: "no")),
    ]

    private static let frames = requests.map(\.frame) + replies.map(\.frame)

    /// Decodes a frame and returns the encoding of the result.
    private static func read(_ frame: [UInt8]) throws(HelperWireError) -> [UInt8] {
        try HelperFrameHeader(frame).kind == .providerRequest
            ? ProviderRequest(frame).frame : ProviderReply(frame).frame
    }

    @Test func `a written message is read again`() throws {
        for request in Self.requests { #expect(try ProviderRequest(request.frame) == request) }
        for reply in Self.replies { #expect(try ProviderReply(reply.frame) == reply) }
    }

    @Test func `messages are the bytes of the documentation`() {
        #expect(
            ProviderRequest.connect(bus: "u").frame == [1, 0x70, 0, 0, 0, 0, 0, 6, 1, 0, 0, 0, 1, 0x75])
        #expect(
            ProviderRequest.items(collection: 1, first: 258).frame
                == [1, 0x70, 0, 0, 0, 0, 0, 9, 4, 0, 0, 0, 1, 0, 0, 1, 2])
        #expect(
            ProviderReply.owner(ProviderOwner(process: 258, canStart: true)).frame
                == [1, 0x60, 0, 0, 0, 0, 0, 6, 1, 0, 0, 1, 2, 1])
        #expect(
            ProviderReply.items([.item(ProvidedItem(label: "L", attributes: ["a": "b"], modified: 3)!)]).frame
                == [1, 0x62, 0, 0, 0, 0, 0, 28, 0, 1, 1, 0, 0, 0, 1, 0x4C, 0, 1, 0, 0, 0, 1, 0x61, 0, 0, 0, 1, 0x62]
                + [0, 0, 0, 0, 0, 0, 0, 3])
        #expect(
            ProviderReply.secret(ProvidedSecret(value: [7], contentType: "t")).frame
                == [1, 0x64, 0, 0, 0, 0, 0, 10, 0, 0, 0, 1, 0x74, 0, 0, 0, 1, 7])
    }

    @Test func `an item with a value that is too large is none`() {
        func item(_ label: String = "", _ attributes: [String: String] = [:]) -> ProvidedItem? {
            ProvidedItem(label: label, attributes: attributes, modified: 0)
        }
        let value = String(repeating: "x", count: 8192)
        #expect(item(String(repeating: "x", count: 4096), ["a": value]) != nil)
        #expect(item(String(repeating: "x", count: 4097)) == nil)
        #expect(item("", ["a": value + "x"]) == nil)
        #expect(item("", [value + "x": "a"]) == nil)
        #expect(item("", Dictionary(uniqueKeysWithValues: (0..<257).map { ("\($0)", "") })) == nil)
        #expect(item("", Dictionary(uniqueKeysWithValues: (0..<8).map { ("\($0)", value) })) == nil)
    }

    @Test func `the largest items of a reply fit into a frame`() throws {
        let attributes = Dictionary(
            uniqueKeysWithValues: (0..<256).map { number in
                let name = "a\(number)"
                return (name, String(repeating: "x", count: 256 - name.utf8.count))
            })
        let item = try #require(
            ProvidedItem(label: String(repeating: "l", count: 4096), attributes: attributes, modified: .max))
        let reply = ProviderReply.items(Array(repeating: .item(item), count: ProviderLimits.items))
        #expect(try ProviderReply(reply.frame) == reply)
        let secret = ProvidedSecret(
            value: Array(repeating: 1, count: ProviderLimits.secretBytes),
            contentType: String(repeating: "t", count: ProviderLimits.contentTypeBytes))
        #expect(try ProviderReply(ProviderReply.secret(secret).frame) == .secret(secret))
    }

    @Test func `attributes that are not ascending, or repeated, are refused`() {
        let item = ProvidedItem(label: "", attributes: ["a": "1", "b": "2"], modified: 0)!
        let frame = ProviderReply.items([.item(item)]).frame
        // The first name, after the header, whose kind is the byte of a letter.
        let index = frame.dropFirst(HelperFrameHeader.size).firstIndex(of: UInt8(ascii: "a"))!
        for letter in "bc".utf8 {
            var changed = frame
            changed[index] = letter
            #expect(throws: HelperWireError.malformed) { try ProviderReply(changed) }
        }
    }

    @Test func `a message that is cut short or has a byte too many is refused`() {
        for frame in Self.frames {
            for count in 0..<frame.count {
                #expect(throws: HelperWireError.self) { try Self.read(Array(frame.prefix(count))) }
            }
            #expect(throws: HelperWireError.trailingBytes) { try Self.read(frame + [0]) }
        }
    }

    @Test func `no byte, whatever its value, makes reading trap or is read as something else`() {
        var differing: [(Int, UInt8)] = []
        for frame in Self.frames {
            for index in frame.indices {
                for value in TestExtent.byteValues {
                    var changed = frame
                    changed[index] = value
                    if let written = try? Self.read(changed), written != changed { differing.append((index, value)) }
                }
            }
        }
        #expect(differing.isEmpty)
    }
}
