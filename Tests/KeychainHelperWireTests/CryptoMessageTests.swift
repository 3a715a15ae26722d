// SPDX-License-Identifier: Apache-2.0

import KeychainHelperWire
import Testing

struct CryptoMessageTests {
    private static let frames: [[UInt8]] = [
        RSARequest(.sign, .pss, .sha224, isMessage: true, key: [1, 2], data: [3])!.frame,
        RSARequest(.verify, .none, .none, key: [1], data: [], signature: [4, 5])!.frame,
        RSARequest(.decrypt, .oaep, .sha512, key: [1], data: [3, 4])!.frame,
        DecryptionRequest(algorithm: [0x30, 0], passphrase: [7], ciphertext: [8, 9])!.frame,
        CryptoReply.result([1, 2, 3]).frame, CryptoReply.failure(.unsuitableData).frame,
        CryptoReply.refusal(HelperRefusal(reason: "none")).frame,
    ]

    /// Reads a frame as the message of its kind, and returns it written again.
    private func rewritten(_ frame: [UInt8]) throws(HelperWireError) -> [UInt8] {
        switch try HelperFrameHeader(frame).kind {
        case .rsaRequest: try RSARequest(frame).frame
        case .decryptionRequest: try DecryptionRequest(frame).frame
        default: try CryptoReply(frame).frame
        }
    }

    @Test func `a written message is read again`() throws {
        for frame in Self.frames { #expect(try rewritten(frame) == frame) }
    }

    @Test func `messages are the bytes of the documentation`() throws {
        let sign = try #require(RSARequest(.sign, .pss, .sha224, isMessage: true, key: [0xAA], data: [0xBB, 0xCC]))
        #expect(
            sign.frame == [
                1, 0x14, 0, 0, 0, 0, 0, 19, 1, 2, 2, 1, 0, 0, 0, 1, 0xAA, 0, 0, 0, 2, 0xBB, 0xCC, 0, 0, 0, 0,
            ])
        let decrypt = try #require(DecryptionRequest(algorithm: [0x30, 0], passphrase: [0x70], ciphertext: [9]))
        #expect(
            decrypt.frame == [
                1, 0x15, 0, 0, 0, 0, 0, 16, 0, 0, 0, 2, 0x30, 0, 0, 0, 0, 1, 0x70, 0, 0, 0, 1, 9,
            ])
        #expect(CryptoReply.result([0xDD]).frame == [1, 4, 0, 0, 0, 0, 0, 5, 0, 0, 0, 1, 0xDD])
        #expect(CryptoReply.failure(.mismatch).frame == [1, 5, 0, 0, 0, 0, 0, 1, 1])
    }

    @Test func `every message that is cut short or has a byte too many is refused`() {
        for frame in Self.frames {
            for count in 0..<frame.count {
                #expect(throws: HelperWireError.self) { try rewritten(Array(frame.prefix(count))) }
            }
            #expect(throws: HelperWireError.trailingBytes) { try rewritten(frame + [0]) }
            var longer = frame + [0]
            longer[7] += 1
            #expect(throws: HelperWireError.trailingBytes) { try rewritten(longer) }
        }
    }

    @Test func `no byte, whatever its value, makes reading trap`() {
        var differing: [(Int, UInt8)] = []
        for frame in Self.frames {
            for index in frame.indices {
                for value in TestExtent.byteValues {
                    var changed = frame
                    changed[index] = value
                    // Decoded data is encoded as it was.
                    if let written = try? rewritten(changed), written != changed { differing.append((index, value)) }
                }
            }
        }
        #expect(differing.isEmpty)
    }

    @Test func `a combination that RSA does not have is no request`() {
        typealias Case = (
            RSARequest.Operation, RSARequest.Padding, RSARequest.Hash, isMessage: Bool, signature: [UInt8]
        )
        let cases: [Case] = [
            (.sign, .oaep, .sha384, false, []), (.encrypt, .pss, .sha224, false, []),
            (.encrypt, .pkcs1, .none, false, []), (.sign, .pss, .none, false, []), (.decrypt, .oaep, .none, false, []),
            (.sign, .none, .sha224, false, []), (.sign, .none, .none, true, []), (.sign, .pkcs1, .none, true, []),
            (.encrypt, .oaep, .sha384, true, []), (.sign, .pss, .sha224, false, [1]),
        ]
        for (operation, padding, hash, isMessage, signature) in cases {
            let request = RSARequest(
                operation, padding, hash, isMessage: isMessage, key: [1], data: [2], signature: signature)
            #expect(request == nil, "\(operation) \(padding) \(hash)")
            var frame: [UInt8] = [
                1, 0x14, 0, 0, 0, 0, 0, 18, operation.rawValue, padding.rawValue, hash.rawValue, isMessage ? 1 : 0,
                0, 0, 0, 1, 1, 0, 0, 0, 1, 2, 0, 0, 0, UInt8(signature.count),
            ]
            frame += signature
            frame[7] += UInt8(signature.count)
            #expect(throws: HelperWireError.malformed) { try RSARequest(frame) }
        }
    }

    @Test func `a value beyond its limit is no request`() {
        func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
        #expect(RSARequest(.sign, .none, .none, key: bytes(CryptoLimits.keyBytes + 1), data: []) == nil)
        #expect(RSARequest(.sign, .none, .none, key: [], data: bytes(CryptoLimits.dataBytes + 1)) == nil)
        #expect(
            DecryptionRequest(
                algorithm: [], passphrase: bytes(CryptoLimits.passphraseBytes + 1), ciphertext: []) == nil)
        let longest = RSARequest(
            .verify, .none, .none, key: bytes(CryptoLimits.keyBytes), data: bytes(CryptoLimits.dataBytes),
            signature: bytes(CryptoLimits.signatureBytes))
        #expect((longest?.frame.count ?? .max) <= CryptoLimits.frameBytes)
    }
}
