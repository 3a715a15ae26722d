// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

@testable import KeychainWire

/// Which bytes are refused, and why.
struct RefusedBytesTests {
    private let watch = Request<[UInt8]>.watch.frame(nonce: testNonce)

    @Test(arguments: [0, 2, 255] as [UInt8]) func `another protocol version is named`(version: UInt8) {
        var bytes = watch
        bytes[0] = version
        #expect(throws: WireError.version(version)) { try request(bytes) }
    }

    @Test func `kinds that do not exist are malformed`() {
        for kind in 0...255 as ClosedRange<UInt8> where FrameKind(rawValue: kind) == nil {
            #expect(throws: WireError.malformed) { try FrameHeader([1, kind, 0, 0, 0, 0, 0, 0]) }
        }
    }

    @Test func `reserved bytes must be zero`() {
        #expect(throws: WireError.malformed) { try FrameHeader([1, 1, 1, 0, 0, 0, 0, 0]) }
        #expect(throws: WireError.malformed) { try FrameHeader([1, 1, 0, 1, 0, 0, 0, 0]) }
    }

    @Test func `a payload has at most the largest secret, attributes twice, and a little`() throws {
        #expect(WireLimits.payloadBytes == (18 << 20) + 65_536)
        func header(_ size: Int) -> [UInt8] {
            [1, 0x11, 0, 0] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) }
        }
        #expect(try FrameHeader(header(WireLimits.payloadBytes)).payloadSize == WireLimits.payloadBytes)
        #expect(throws: WireError.tooLarge) { try FrameHeader(header(WireLimits.payloadBytes + 1)) }
        #expect(throws: WireError.tooLarge) { try FrameHeader(header(0xFFFF_FFFF)) }
    }

    @Test func `a secret over the limit is refused`() {
        let bytes = Request<[UInt8]>.add(
            ItemAttributes(empty: .genericPassword), secret: [UInt8](repeating: 0, count: ItemLimits.secretBytes + 1),
            returning: []
        ).frame(nonce: testNonce)
        #expect(throws: WireError.tooLarge) { try request(bytes) }
    }

    @Test func `a key is used within limits, and only a key is`() throws {
        let key = PersistentReference(itemClass: .key, item: ItemIdentifier(value: 1))
        func read(_ work: KeyWork<[UInt8]>) throws { _ = try request(Request.key(.use(work)).frame(nonce: testNonce)) }
        func agreement(_ publicKey: Int, _ info: Int) -> KeyWork<[UInt8]> {
            KeyWork(
                key, algorithm: "a",
                .agree(
                    KeyAgreement(
                        publicKey: [UInt8](repeating: 0, count: publicKey), requestedSize: nil,
                        sharedInfo: [UInt8](repeating: 0, count: info))))
        }
        let largest = String(repeating: "a", count: WireLimits.algorithmBytes)
        let over = [
            KeyWork(key, algorithm: largest + "a", .sign([UInt8]())),
            KeyWork(key, algorithm: "a", .sign([UInt8](repeating: 0, count: WireLimits.keyInputBytes + 1))),
            KeyWork(key, algorithm: "a", .decrypt([UInt8](repeating: 0, count: WireLimits.keyInputBytes + 1))),
            agreement(WireLimits.publicKeyBytes + 1, 0), agreement(0, WireLimits.sharedInfoBytes + 1),
            KeyWork(
                .sealed([UInt8](repeating: 0, count: WireLimits.sealedKeyBytes + 1)), algorithm: "a", .sign([1])),
        ]
        for work in over {
            #expect(!work.isWithinLimits)
            #expect(throws: WireError.tooLarge) { try read(work) }
        }
        for work in [
            KeyWork(key, algorithm: largest, .sign([1])),
            agreement(WireLimits.publicKeyBytes, WireLimits.sharedInfoBytes),
            KeyWork(.sealed([UInt8](repeating: 0, count: WireLimits.sealedKeyBytes)), algorithm: "a", .sign([1])),
        ] {
            #expect(work.isWithinLimits)
            #expect(throws: Never.self) { try read(work) }
        }
        let password = PersistentReference(itemClass: .genericPassword, item: ItemIdentifier(value: 1))
        #expect(throws: WireError.malformed) { try read(KeyWork(password, algorithm: "a", .sign([1]))) }
        let made = Request<[UInt8]>.key(.generate(ItemAttributes(empty: .genericPassword)))
        #expect(throws: WireError.malformed) { try request(made.frame(nonce: testNonce)) }
        var other = Request<[UInt8]>.key(.generate(ItemAttributes(empty: .key))).frame(nonce: testNonce)
        // Neither a use nor a generation, and a generation of a sealed key.
        for number in [UInt8(5), 0x14] {
            other[FrameHeader.size + WireLimits.nonceBytes] = number
            #expect(throws: WireError.malformed) { try request(other) }
        }
    }

    @Test func `an access group over the limit is refused`() throws {
        var query = ItemQuery(.genericPassword)
        query.accessGroup = String(repeating: "g", count: WireLimits.accessGroupBytes)
        #expect(throws: Never.self) { try request(Request<[UInt8]>.delete(query).frame(nonce: testNonce)) }
        query.accessGroup? += "g"
        #expect(throws: WireError.tooLarge) {
            try request(Request<[UInt8]>.delete(query).frame(nonce: testNonce))
        }
    }

    @Test func `a request without this connection's nonce is refused before anything else of it is read`() {
        for index in 0..<WireLimits.nonceBytes {
            var nonce = testNonce
            nonce[index] ^= 1
            #expect(throws: WireError.wrongNonce) { try request(watch, nonce: nonce) }
        }
        let nonsense: [UInt8] = [1, 0x11, 0, 0, 0, 0, 0, 17] + [UInt8](repeating: 0, count: 16) + [99]
        #expect(throws: WireError.wrongNonce) { try request(nonsense) }
    }

    @Test func `each side reads only the kinds that the other may send`() throws {
        for bytes in try framesOfAllKinds() {
            let frame = try KeychainWireTests.frame(bytes)
            let kind = frame.kind
            if !kind.isRequest {
                #expect(throws: WireError.unexpected(kind)) {
                    try Request<[UInt8]>(frame, nonce: testNonce) { Array($0) }
                }
            }
            if kind != .reply, kind != .items {
                #expect(throws: WireError.unexpected(kind)) { try ReplyPart<[UInt8]>(frame) { Array($0) } }
            }
            if kind != .hello { #expect(throws: WireError.unexpected(kind)) { try Hello(frame) } }
            if kind != .change { #expect(throws: WireError.unexpected(kind)) { try ItemChange(frame) } }
            if kind != .reply { #expect(throws: WireError.unexpected(kind)) { try ServiceStatus(frame) } }
        }
    }

    @Test func `a part of an answer cannot be a refusal`() {
        var bytes = ReplyWriter.refusal(Refusal(.parameter, .none))
        bytes[1] = FrameKind.items.rawValue
        #expect(throws: WireError.malformed) { try replyPart(bytes) }
    }

    @Test func `attributes that items do not have are told apart from malformed bytes`() throws {
        // Class genp, one attribute 'zzzz', the number 1.
        let attributes: [UInt8] = [1, 0, 1] + Array("zzzz".utf8) + [3, 0, 0, 0, 0, 0, 0, 0, 1]
        let payload = testNonce + attributes + [0, 0]
        let bytes: [UInt8] = [1, 0x11, 0, 0, 0, 0, 0, UInt8(payload.count)] + payload
        let key = try #require(AttributeKey(name: "zzzz"))
        #expect(throws: WireError.attributes(.noSuchAttribute(key, .genericPassword))) { try request(bytes) }
    }

    @Test func `attributes out of order or twice are malformed`() {
        func add(_ names: [String]) -> [UInt8] {
            var payload = testNonce + [1, 0, UInt8(names.count)]
            for name in names { payload += Array(name.utf8) + [1, 0, 0, 0, 0] }
            payload += [0, 0]
            return [1, 0x11, 0, 0, 0, 0, 0, UInt8(payload.count)] + payload
        }
        #expect(throws: Never.self) { try request(add(["acct", "svce"])) }
        #expect(throws: WireError.malformed) { try request(add(["svce", "acct"])) }
        #expect(throws: WireError.malformed) { try request(add(["acct", "acct"])) }
    }

    @Test func `an update's query and changes are of one class`() throws {
        var bytes = Request<[UInt8]>.update(
            ItemQuery(.genericPassword), changes: ItemAttributes(empty: .genericPassword), secret: nil
        ).frame(nonce: testNonce)
        // Behind header, nonce and query (class, count, filter, two absent fields, matching, another absent field): the
        // class of the changes.
        bytes[FrameHeader.size + 16 + 8] = ItemClass.internetPassword.rawValue
        #expect(throws: WireError.malformed) { try request(bytes) }
        bytes[FrameHeader.size + 16 + 8] = ItemClass.identity.rawValue
        #expect(throws: WireError.malformed) { try request(bytes) }
    }

    @Test func `an identity is searched, and never added as such`() throws {
        let search = Request<[UInt8]>.copyMatching(ItemQuery(.identity), limit: .all, returning: [])
        #expect(throws: Never.self) { try request(search.frame(nonce: testNonce)) }
        let addition = Request<[UInt8]>.add(ItemAttributes(empty: .identity), secret: nil, returning: [])
        #expect(throws: WireError.attributes(.unsupportedClass(.identity))) {
            try request(addition.frame(nonce: testNonce))
        }
    }

    @Test func `only a search asks for availability, and data that is not there has no bytes`() throws {
        let parts: ReturnedParts = [.attributes, .availability]
        let search = Request<[UInt8]>.copyMatching(ItemQuery(.genericPassword), limit: .all, returning: parts)
        #expect(throws: Never.self) { try request(search.frame(nonce: testNonce)) }
        let addition = Request<[UInt8]>.add(ItemAttributes(empty: .genericPassword), secret: nil, returning: parts)
        #expect(throws: WireError.malformed) { try request(addition.frame(nonce: testNonce)) }

        var writer = ReplyWriter()
        let reference = try #require(PersistentReference(bytes: Array("genp".utf8) + [UInt8](repeating: 1, count: 16)))
        _ = writer.append(
            ReturnedItem<[UInt8]>(reference: reference, attributes: nil, secret: nil, needsApproval: true))
        var reply = writer.finish()
        #expect(try replyPart(reply).items.map(\.needsApproval) == [true])
        for byte in [3, 0x81, 0xFF] as [UInt8] {
            reply[reply.count - 1] = byte
            #expect(throws: WireError.malformed) { try replyPart(reply) }
        }
    }

    @Test func `only internet passwords can be asked for by host, and only known differences be overlooked`() throws {
        var query = ItemQuery(.internetPassword)
        query.hostOrSubdomain = "example.com"
        query.textMatching = .all
        var bytes = Request<[UInt8]>.delete(query).frame(nonce: testNonce)
        #expect(throws: Never.self) { try request(bytes) }
        bytes[FrameHeader.size + 16] = ItemClass.genericPassword.rawValue
        #expect(throws: WireError.malformed) { try request(bytes) }
        bytes[FrameHeader.size + 16] = ItemClass.internetPassword.rawValue
        bytes[FrameHeader.size + 16 + 6] = 16
        #expect(throws: WireError.malformed) { try request(bytes) }
    }

    @Test func `only passwords can be searched for a text, which is neither empty nor longer than its limit`() throws {
        func frame(_ text: String, _ itemClass: ItemClass = .genericPassword) -> [UInt8] {
            var query = ItemQuery(itemClass)
            query.containedText = text
            return Request<[UInt8]>.delete(query).frame(nonce: testNonce)
        }
        let longest = String(repeating: "x", count: WireLimits.containedTextBytes)
        for itemClass in [ItemClass.genericPassword, .internetPassword] {
            #expect(throws: Never.self) { try request(frame(longest, itemClass)) }
        }
        #expect(throws: WireError.tooLarge) { try request(frame(longest + "x")) }
        #expect(throws: WireError.malformed) { try request(frame("")) }
        for itemClass in [ItemClass.certificate, .key, .identity] {
            #expect(throws: WireError.malformed) { try request(frame("x", itemClass)) }
        }
        // The bit without the text.
        var bytes = Request<[UInt8]>.delete(ItemQuery(.genericPassword)).frame(nonce: testNonce)
        bytes[FrameHeader.size + 16 + 6] = 8
        #expect(throws: WireError.self) { try request(bytes) }
    }

    @Test(arguments: [2, 3, 0x81, 0xFF] as [UInt8])
    func `whether a keychain file is damaged is yes or no, and nothing else`(byte: UInt8) throws {
        var report = FileKeychainAnswer([FileKeychainReport(path: "/a", state: .missing)]).frame
        let last = report.count - 1
        report[last] = 1
        #expect(try FileKeychainAnswer(try frame(report)).keychains.map(\.isDamaged) == [true])
        report[last] = byte
        #expect(throws: WireError.malformed) { try FileKeychainAnswer(try frame(report)) }
    }

    @Test func `a nonce of another size is our own mistake and traps`() async {
        await #expect(processExitsWith: .failure) { _ = Hello(nonce: [1, 2, 3]) }
    }
}
