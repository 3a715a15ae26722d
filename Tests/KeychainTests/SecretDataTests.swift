// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Keychain
import KeychainTesting
import Testing

/// Values as secrets.
struct SecretDataTests {
    private struct Session: Codable, Equatable {
        var access: String
        var refresh: [UInt8]
        var limit: Double?
    }

    private let keychain: UserKeychain
    private let token = GenericPassword(service: "com.example.api", account: "ann")

    init() throws { keychain = try InMemoryKeychain().keychain }

    @Test(arguments: [[], [0], [0x48, 0, 0xFF, 0x69]] as [[UInt8]])
    func `Data and an array of bytes become the same secret, and are equal when they are read back`(
        _ bytes: [UInt8]
    ) async throws {
        for secret in [SecretData(copying: Data(bytes)), SecretData(copying: bytes)] {
            try await keychain.store(token, secret: secret)
            let stored = try #require(try await keychain.secret(for: token))
            #expect(Data(stored) == Data(bytes) && [UInt8](stored) == bytes)
        }
    }

    @Test(arguments: [128, 192, 256, 512])
    func `a symmetric key is the same key after it was stored`(_ bits: Int) async throws {
        let key = SymmetricKey(size: SymmetricKeySize(bitCount: bits))
        try await keychain.store(token, secret: SecretData(copying: key))
        let stored = try #require(try await keychain.secret(for: token))
        #expect(stored.count == bits / 8)
        #expect(SymmetricKey(stored) == key)
    }

    @Test func `a Codable value is the same value after it was stored, and is stored as JSON`() async throws {
        let session = Session(access: "a\u{0}\"é", refresh: [1, 255], limit: 0.5)
        try await keychain.store(token, secret: SecretData(encoding: session))
        let stored = try #require(try await keychain.secret(for: token))
        #expect(try stored.decoded(as: Session.self) == session)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(stored)) as? [String: Any])
        #expect(object["access"] as? String == session.access && object.count == 3)
    }

    @Test func `a single text or number is a Codable value as well`() throws {
        #expect(try SecretData(encoding: "correct horse").utf8String == "\"correct horse\"")
        #expect(try SecretData(encoding: 7).decoded(as: Int.self) == 7)
    }

    @Test func `a value that JSON cannot represent is an error that names its type`() {
        let error = #expect(throws: SecretCodingError.self) {
            _ = try SecretData(encoding: Session(access: "HIDDEN", refresh: [], limit: .infinity))
        }
        #expect(error?.operation == .encoding && error?.typeName == "Session")
        #expect(error?.localizedDescription.hasPrefix("Cannot store a Session as a secret: ") == true)
    }

    @Test(arguments: ["HIDDEN", #"{"access": "HIDDEN"}"#, #"{"HIDDEN": 1, "access": 2, "refresh": []}"#, ""])
    func `a secret that is no such value is an error that contains nothing of the secret`(_ text: String) {
        let error = #expect(throws: SecretCodingError.self) {
            _ = try SecretData(utf8: text).decoded(as: Session.self)
        }
        #expect(error?.operation == .decoding)
        var dumped = ""
        dump(error, to: &dumped)
        let shown = "\(error as Any) \(error?.localizedDescription ?? "") \(dumped)"
        #expect(!shown.contains("HIDDEN"))
    }
}
