// SPDX-License-Identifier: Apache-2.0

import KeychainHelperWire
import Testing

struct TokenMessageTests {
    private static let point: [UInt8] = [4] + [UInt8](repeating: 5, count: 64)
    private static let digest = [UInt8](repeating: 6, count: 32)

    private static let requests: [TokenRequest] = [
        .status, .createKey, .sign(blob: [1], digest: digest), .agree(blob: [1, 2], point: point), .seal([7]),
        .unseal(blob: [UInt8](repeating: 8, count: TokenLimits.blobBytes)),
        .sealGuarded([7], authorization: digest),
        .unsealGuarded(blob: [UInt8](repeating: 8, count: TokenLimits.blobBytes), authorization: digest),
    ]

    private static let answers: [(TokenAnswer, TokenRequest)] = [
        (
            .status(
                TokenStatus(
                    kind: .tpm, manufacturer: "IBM", firmware: "1.2", place: "/dev/tpmrm0",
                    lockout: .init(failures: 1, limit: 2, interval: 3))), .status
        ),
        (
            .status(TokenStatus(kind: .software, manufacturer: "", firmware: "", place: "ü", lockout: nil)), .status
        ),
        (.key(point: point, blob: [1, 2, 3]), .createKey),
        (.signature([UInt8](repeating: 1, count: 64)), .sign(blob: [1], digest: digest)),
        (.coordinate([UInt8](repeating: 1, count: 32)), .agree(blob: [1], point: point)),
        (.blob([9]), .seal([1])), (.secret([]), .unseal(blob: [1])),
        (.blob([9]), .sealGuarded([1], authorization: digest)),
        (.secret([3]), .unsealGuarded(blob: [1], authorization: digest)),
        (
            .failure(TokenError(.wrongAuthorization, "no")), .unsealGuarded(blob: [1], authorization: digest)
        ),
        (.failure(TokenError(.foreignBlob, "another token made it")), .unseal(blob: [1])),
    ]

    @Test func `a written message is read again`() throws {
        for request in Self.requests { #expect(try TokenRequest(request.frame) == request) }
        for (answer, request) in Self.answers {
            #expect(try TokenAnswer(answer.frame, to: request) == answer)
            #expect(answer.frame.count <= TokenLimits.frameBytes)
        }
    }

    @Test func `messages are the bytes of the documentation`() {
        #expect(TokenRequest.status.frame == [1, 0x30, 0, 0, 0, 0, 0, 0])
        #expect(TokenRequest.seal([0xAA]).frame == [1, 0x34, 0, 0, 0, 0, 0, 5, 0, 0, 0, 1, 0xAA])
        #expect(
            TokenAnswer.failure(TokenError(.lockedOut, "no")).frame
                == [1, 0x26, 0, 0, 0, 0, 0, 7, 3, 0, 0, 0, 2, 0x6E, 0x6F])
    }

    /// Whether two requests get the same kind of answer: a guarded secret is answered like an unguarded one.
    private static func areAnsweredAlike(_ one: TokenRequest, _ other: TokenRequest) -> Bool {
        func kind(_ request: TokenRequest) -> UInt8 {
            switch request.frame[1] {
            case 0x36: 0x34
            case 0x37: 0x35
            case let kind: kind
            }
        }
        return kind(one) == kind(other)
    }

    @Test func `the answer to another request is none`() throws {
        for (answer, request) in Self.answers {
            if case .failure = answer { continue }
            for other in Self.requests where !Self.areAnsweredAlike(other, request) {
                #expect(throws: HelperWireError.self) { try TokenAnswer(answer.frame, to: other) }
            }
        }
    }

    @Test func `values of the wrong size are refused`() {
        let wrong: [TokenRequest] = [
            .sign(blob: [], digest: Self.digest), .sign(blob: [1], digest: [1]),
            .sign(blob: [1], digest: Self.digest + [0]), .agree(blob: [1], point: [4]),
            .agree(blob: [1], point: [2] + [UInt8](repeating: 0, count: 64)), .seal([]),
            .seal([UInt8](repeating: 0, count: TokenLimits.secretBytes + 1)),
            .unseal(blob: [UInt8](repeating: 0, count: TokenLimits.blobBytes + 1)),
            .sealGuarded([], authorization: Self.digest), .sealGuarded([1], authorization: [1]),
            .unsealGuarded(blob: [1], authorization: Self.digest + [0]),
        ]
        for request in wrong { #expect(throws: HelperWireError.self) { try TokenRequest(request.frame) } }
        let answers: [(TokenAnswer, TokenRequest)] = [
            (.key(point: [4], blob: [1]), .createKey), (.key(point: Self.point, blob: []), .createKey),
            (.signature([1]), .sign(blob: [1], digest: Self.digest)), (.coordinate([]), .agree(blob: [1], point: [])),
            (.blob([]), .seal([1])),
        ]
        for (answer, request) in answers {
            #expect(throws: HelperWireError.self) { try TokenAnswer(answer.frame, to: request) }
        }
    }

    @Test func `every message that is cut short or has a byte too many is refused`() {
        for request in Self.requests {
            let frame = request.frame
            for count in 0..<frame.count {
                #expect(throws: HelperWireError.self) { try TokenRequest(Array(frame.prefix(count))) }
            }
            #expect(throws: HelperWireError.trailingBytes) { try TokenRequest(frame + [0]) }
        }
        for (answer, request) in Self.answers {
            let frame = answer.frame
            for count in 0..<frame.count {
                #expect(throws: HelperWireError.self) { try TokenAnswer(Array(frame.prefix(count)), to: request) }
            }
            #expect(throws: HelperWireError.trailingBytes) { try TokenAnswer(frame + [0], to: request) }
        }
    }

    @Test func `no byte, whatever its value, makes reading trap, and a message that is read is written as it was`() {
        // The content of a large blob may have any value.
        let small: [TokenRequest] = [.unseal(blob: [8]), .unsealGuarded(blob: [8], authorization: Self.digest)]
        for request in Self.requests.filter({ $0.frame.count < TokenLimits.blobBytes }) + small {
            let frame = request.frame
            for index in frame.indices {
                for value in TestExtent.byteValues {
                    var changed = frame
                    changed[index] = value
                    if let read = try? TokenRequest(changed) { #expect(read.frame == changed) }
                }
            }
        }
        for (answer, request) in Self.answers {
            let frame = answer.frame
            for index in frame.indices {
                for value in TestExtent.byteValues {
                    var changed = frame
                    changed[index] = value
                    if let read = try? TokenAnswer(changed, to: request) { #expect(read.frame == changed) }
                }
            }
        }
    }

    @Test func `texts that are too long are cut between two characters`() throws {
        let long = String(repeating: "ü", count: 600)
        #expect(TokenError(.failed, long).text == String(long.prefix(256)))
        let status = TokenStatus(kind: .tpm, manufacturer: long, firmware: long, place: long, lockout: nil)
        guard case .status(let read) = try TokenAnswer(TokenAnswer.status(status).frame, to: .status) else {
            Issue.record("no status")
            return
        }
        #expect(read.place == String(long.prefix(256)))
    }
}
