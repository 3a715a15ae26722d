// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSealing
import Testing

/// TestVectors/device-key-v3.json: device key files that are closed in with a PIN, which never change. Made by a program of its own.
struct GuardedDeviceKeyVectorTests {
    struct Case: Codable, CustomTestStringConvertible {
        struct Authorization: Codable {
            var pin: String
            var authorization: String
        }

        var about: String
        var file: String
        var outcome: String
        var token: UInt8?
        var blob: String?
        var authorizations: [Authorization]?
        var testDescription: String { about }
    }

    private static let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "TestVectors/device-key-v3.json")

    static func cases() throws -> [Case] { try JSONDecoder().decode([Case].self, from: Data(contentsOf: url)) }

    private func bytes(_ hex: String) throws -> [UInt8] { try #require([UInt8](hex: hex)) }

    @Test(arguments: try cases())
    func `a file with a PIN is read as others write it`(_ vector: Case) throws {
        let file = try bytes(vector.file)
        guard vector.outcome == "reads" else { return #expect(GuardedDeviceKey(file) == nil) }
        let key = try #require(GuardedDeviceKey(file))
        #expect(key.token == vector.token)
        #expect(try key.blob == bytes(try #require(vector.blob)))
        #expect(key.bytes == file)
        for pair in try #require(vector.authorizations) {
            #expect(try key.stretching.authorization(for: Array(pair.pin.utf8)) == bytes(pair.authorization))
        }
    }

    @Test func `there are files of both outcomes`() throws {
        #expect(Set(try Self.cases().map(\.outcome)) == ["reads", "damaged"])
    }
}
