// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCertificates
import KeychainKeys
import KeychainTransfer
import Testing

/// TestVectors/transfer-v1.json: files as other programs write them.
struct TransferVector: Decodable, Sendable, CustomTestStringConvertible {
    let about: String
    let file: String
    let passphrase: String?
    /// `read`, or the name of an error's kind.
    let outcome: String
    let format: String?
    let items: [Item]
    /// The names of the identities of a PKCS #12 file.
    let names: [String?]?

    struct Item: Decodable, Sendable {
        let certificate, privateKey, publicKey: String?
    }

    var bytes: [UInt8] { Array(hexadecimal: file) }

    var reader: TransferReader { TransferReader(passphrase: passphrase.map { Passphrase($0) }) }

    var testDescription: String { about }

    static let all: [TransferVector] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        // A file of this repository: where it is missing or broken, no test can say anything.
        let content = try! Data(contentsOf: root.appending(path: "TestVectors/transfer-v1.json"))
        return try! JSONDecoder().decode([TransferVector].self, from: content)
    }()

    static var read: [TransferVector] { all.filter { $0.outcome == "read" } }

    static var refused: [TransferVector] { all.filter { $0.outcome != "read" } }

    static func about(_ text: String) -> TransferVector { all.first { $0.about == text }! }

    /// Returns the content of a file, for tests with another subject.
    static func contents(_ text: String) throws -> TransferContents {
        let vector = about(text)
        return try vector.reader.contents(of: vector.bytes)
    }

    static func privateKey(_ text: String) throws -> PrivateKey {
        guard case .privateKey(let key) = try #require(contents(text).items.first) else { throw WrongItem() }
        return key
    }

    private struct WrongItem: Error {}
}

extension TransferContents.Item {
    var hexadecimal: [String] {
        switch self {
        case .certificate(let certificate): ["certificate", certificate.encoded.hexadecimal]
        case .privateKey(let key): ["privateKey", key.pkcs8.hexadecimal]
        case .publicKey(let key): ["publicKey", key.subjectPublicKeyInfo.hexadecimal]
        }
    }
}

extension TransferVector.Item {
    var hexadecimal: [String] {
        if let certificate { return ["certificate", certificate] }
        if let privateKey { return ["privateKey", privateKey] }
        return ["publicKey", publicKey ?? ""]
    }
}

extension [UInt8] {
    init(hexadecimal text: String) {
        let digits = text.compactMap { $0.hexDigitValue.map(UInt8.init) }
        self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    var hexadecimal: String { map { String(format: "%02x", $0) }.joined() }
}

/// Numbers that look random, the same each time (SplitMix64).
struct SteadyGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
