// SPDX-License-Identifier: Apache-2.0

import DBusMessages
import Testing

@testable import SecretService

/// The vectors were made with Python's integers, `hmac` and the package `cryptography`.
@Suite struct SessionCipherTests {
    /// The private key of the provider in all vectors: the bytes 1 to 128.
    private static let privateKey = [UInt8](1...128)
    private static let publicKey = """
        52893c96a07492593d36d00328ba21101c0ab104717cf1928b3890e1ecbd76e827e7ba7d589a03ef64f8f5648cea2b077409319013d832c4\
        1a04a3793eb4b73ca2a36306241de180ec36f5cfbef207ba2e04a39f1384dce12b8ebe27b54dbf049be0abc80ebd4849976974b2be955c2c\
        87ba11712576887f5b96427a1d8fb2fd
        """

    struct Vector: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let clientKey: String
        let key: String
    }

    static let vectors = [
        Vector(
            testDescription: "the client's key has its top bit set",
            clientKey: """
                962b86a2c857787fec73d2f708b10e8331976da04bbae7f30ad36a46d3d59153d2f6caf014fb021c695fc1a7ea79ad75bca91266\
                544a64cd70f4e567c64425291baaa7c77288fe7d7ef4b2b101550209b39eeb4997977d705ba7351387ecb989ebc44fe552db80a0\
                3d03bb6edb4e16c78f9ead2ce30df5fa4a70887036cf482c
                """,
            key: "b9fd16bd66fe46824d1e17d77f60abd0"),
        Vector(
            testDescription: "the shared secret begins with a zero",
            clientKey: """
                778800cade016f265a046b0b755b5b9736d611b063a0b2599088f88c71e9bb15e20302744cfa9c93814c20c74236318810cd15ea\
                63d0360f5e54e011c835364edbb56c04968bc3ed671eced0e44ebe2a33bf6d91aa7e0ad421ce5c4dfcc1843e63b85e5ee97966bc\
                1516f5c447504603e27f3a375aaf48e2f482c962b86a2c85
                """,
            key: "cbd344d484ab8137ea5235bfb4f71deb"),
        Vector(
            testDescription: "the client's key begins with a zero",
            clientKey: """
                00195bc02de4ce75677fbe363d35306aaa0fa613bd80a0eb63a1a0a13e7ceaedced2f7e6a3a18468f0f048110ef44a10eff844fc\
                a33d428fe8eb6444482ccd0629914ad315e5f698680dceb611e10bcfc63e704337b827cb891176041825a272b2c6769b6a8d281c\
                c6ee9fa7ea48dc84d2a61d414bb6a52e592c570d4590aef1
                """,
            key: "7107b9694b656872ab4cafec317b0f86"),
    ]

    private func negotiate(_ clientKey: [UInt8]) throws -> (cipher: SessionCipher, output: Value) {
        try SessionCipher.negotiate("dh-ietf1024-sha256-aes128-cbc-pkcs7", .bytes(clientKey)) { count in
            Array(Self.privateKey.prefix(count))
        }
    }

    private func key(_ cipher: SessionCipher) -> [UInt8]? {
        if case .aes(let key) = cipher { key } else { nil }
    }

    @Test(arguments: vectors)
    func `both sides agree on the key of a vector`(_ vector: Vector) throws {
        let (cipher, output) = try negotiate(bytes(vector.clientKey))
        #expect(key(cipher) == bytes(vector.key))
        #expect(output == .bytes(bytes(Self.publicKey)))
    }

    @Test(arguments: vectors)
    func `a client's key may lack its zeros or have one more`(_ vector: Vector) throws {
        let clientKey = bytes(vector.clientKey)
        #expect(key(try negotiate(Array(clientKey.drop { $0 == 0 })).cipher) == bytes(vector.key))
        #expect(key(try negotiate([0] + clientKey).cipher) == bytes(vector.key))
    }

    @Test func `a public key outside the group is refused`() {
        let prime =
            bytes(
                """
                ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404ddef9519b3cd3a431b\
                302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7edee386bfb5a899fa5ae9f24117c4b1fe6\
                49286651ece65381ffffffffffffffff
                """)
        let beforePrime = prime.dropLast() + [0xfe]
        let all: [[UInt8]] = [
            [], [0], [1], .init(repeating: 0, count: 127) + [1], Array(beforePrime), prime,
            .init(repeating: 0xff, count: 128), [1] + .init(repeating: 0, count: 128), .init(repeating: 7, count: 4096),
        ]
        for clientKey in all {
            #expect(throws: SessionError.invalidPublicKey, "\(clientKey)") { try negotiate(clientKey) }
        }
        // The numbers beside them are in the group.
        #expect(throws: Never.self) { try negotiate([2]) }
        #expect(throws: Never.self) { try negotiate(prime.dropLast() + [0xfd]) }
    }

    @Test func `algorithms and inputs that the specification does not name are refused`() throws {
        func negotiate(_ name: String, _ input: Value) throws {
            _ = try SessionCipher.negotiate(name, input) { .init(repeating: 1, count: $0) }
        }
        #expect(throws: SessionError.unknownAlgorithm) { try negotiate("dh-ietf2048-sha256", .bytes([2])) }
        #expect(throws: SessionError.unknownAlgorithm) { try negotiate("", .string("")) }
        #expect(throws: SessionError.invalidInput) {
            try negotiate("dh-ietf1024-sha256-aes128-cbc-pkcs7", .string("key"))
        }
        #expect(throws: Never.self) { try negotiate("plain", .string("")) }
    }

    /// The key 00…0f and the vector 10…1f.
    private static let cipher = SessionCipher.aes(key: [UInt8](0..<16))
    private static let vector = [UInt8](16..<32)

    @Test(arguments: [
        ("", "0a940bb5416ef045f1c39458c653ea5a"),
        ("736563726574", "16b3a5a35d4b63417277939a116430f6"),
        ("30313233343536373839616263646566", "eb9e5ba41b902db8252982aa1a23f4be50c761ee882c090360eb92688653635f"),
        ("6100620aff", "16db8ada92828444aeba0add61455aae"),
    ])
    func `a secret is encrypted and decrypted as the vector says`(_ clear: String, _ encrypted: String) throws {
        let transport = try Self.cipher.encrypt(bytes(clear)) { Array(Self.vector.prefix($0)) }
        #expect(transport == .init(parameters: Self.vector, value: bytes(encrypted)))
        #expect(try Self.cipher.decrypt(transport) == bytes(clear))
    }

    @Test(arguments: [
        // Padding of 0 bytes, of 17 bytes, of 3 bytes with a 2, and a ciphertext of one byte too few or too many.
        "07feef74e1d5036e900eee118e949293", "9776db2abd5cf1d08d8ac1c50aca1c29", "5301fc309bff0598fdfc320597381b50",
        "16b3a5a35d4b63417277939a116430", "16b3a5a35d4b63417277939a116430f600", "",
    ])
    func `a wrong padding or length is refused`(_ encrypted: String) {
        #expect(throws: SessionError.invalidCiphertext) {
            try Self.cipher.decrypt(.init(parameters: Self.vector, value: bytes(encrypted)))
        }
    }

    @Test func `padding is removed once`() throws {
        let clear = try Self.cipher.decrypt(
            .init(parameters: Self.vector, value: bytes("495a5fb1db6124a9ca7aa584bf49ae7b")))
        #expect(clear == Array("0123456789abcde".utf8))
    }

    @Test(arguments: [0, 15, 17])
    func `a vector of another length is refused`(_ count: Int) {
        #expect(throws: SessionError.invalidParameters) {
            try Self.cipher.decrypt(
                .init(
                    parameters: .init(repeating: 0, count: count), value: bytes("16b3a5a35d4b63417277939a116430f6")))
        }
    }

    @Test func `a plain session sends bytes as they are and takes no parameters`() throws {
        let secret = bytes("6100620aff")
        let transport = try SessionCipher.plain.encrypt(secret) { .init(repeating: 1, count: $0) }
        #expect(transport == .init(parameters: [], value: secret))
        #expect(try SessionCipher.plain.decrypt(transport) == secret)
        #expect(throws: SessionError.invalidParameters) {
            try SessionCipher.plain.decrypt(.init(parameters: [0], value: secret))
        }
    }
}

/// Reads base 16.
private func bytes(_ text: String) -> [UInt8] {
    let digits = Array(text)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...($0 + 1)]), radix: 16) ?? 0 }
}
