// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import KeychainModel
import Testing

@testable import KeychainSealing

/// TestVectors/lookup-attributes-v1.json: lookup attributes and the digests by which they are found.
struct LookupVectorTests {
    private struct File: Decodable {
        let indexKey: String
        let accepted: [Accepted]
        let refused: [Refused]
    }

    private struct Accepted: Decodable {
        let about: String
        let pairs: [String: String]
        let encoded: String
        let digests: [String]
    }

    private struct Refused: Decodable {
        let about: String
        let encoded: String
    }

    private let file: File

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let data = try Data(contentsOf: root.appending(path: "TestVectors/lookup-attributes-v1.json"))
        file = try JSONDecoder().decode(File.self, from: data)
    }

    private static func bytes(_ text: String) throws -> [UInt8] {
        let digits = Array(text.utf8)
        return try stride(from: 0, to: digits.count, by: 2).map { place in
            try #require(UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16))
        }
    }

    @Test func `sets have the encoding and the digests of the vectors`() throws {
        let key = IndexKey(SymmetricKey(data: try Self.bytes(file.indexKey)))
        #expect(!file.accepted.isEmpty)
        for vector in file.accepted {
            let set = try LookupAttributes(vector.pairs)
            #expect(try set.encoded == Self.bytes(vector.encoded), "\(vector.about)")
            #expect(LookupAttributes(encoded: set.encoded) == set, "\(vector.about)")
            let digests = set.encodedPairs.map { pair in
                key.digest(of: .data(pair), for: .lookup, in: .genericPassword).bytes
            }
            #expect(try digests == vector.digests.map(Self.bytes), "\(vector.about)")
        }
    }

    @Test func `other bytes of the vectors are refused`() throws {
        #expect(!file.refused.isEmpty)
        for vector in file.refused {
            #expect(try LookupAttributes(encoded: Self.bytes(vector.encoded)) == nil, "\(vector.about)")
        }
    }
}
