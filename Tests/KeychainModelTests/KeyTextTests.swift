// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import KeychainModel

@Suite("recovery keys and credentials as text")
struct KeyTextTests {
    static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    /// Zeros, ones, and some that are neither.
    static let keys: [[UInt8]] = [
        [UInt8](repeating: 0, count: 16), [UInt8](repeating: 0xFF, count: 16), Array(0..<16),
        (0..<16).map { UInt8(truncatingIfNeeded: $0 * 73 + 41) },
    ]

    private func text(_ key: [UInt8]) -> String { String(decoding: RecoveryKey.text(of: key), as: UTF8.self) }

    private func key(_ text: some Sequence<UInt8>) throws(KeyTextError) -> [UInt8] {
        var key: [UInt8] = []
        try RecoveryKey.read(text, into: &key)
        return key
    }

    /// The characters without their hyphens.
    private func characters(_ key: [UInt8]) -> [UInt8] { RecoveryKey.text(of: key).filter { $0 != UInt8(ascii: "-") } }

    /// Returns the error for a text; nil for a key.
    private func error(_ text: [UInt8]) -> KeyTextError? {
        do throws(KeyTextError) {
            _ = try key(text)
            return nil
        } catch {
            return error
        }
    }

    @Test func `the checksums are those of the standards`() {
        // The check values that catalogues of such checksums give: of the digits 1 to 9.
        func check(_ checksum: CheckedBase32.Checksum) -> UInt32 {
            "123456789".utf8.reduce(into: checksum.initial) { checksum.add($1, to: &$0) }
        }
        #expect(check(.dect) == 0xF5B)
        #expect(check(.openPGP) == 0x21_CF02)
    }

    @Test func `a recovery key is seven groups of four characters`() throws {
        let text = text(Self.keys[2])
        #expect(text.split(separator: "-").map(\.count) == [4, 4, 4, 4, 4, 4, 4])
        #expect(RecoveryKey.characterCount == 28)
        #expect(text.utf8.filter { $0 != UInt8(ascii: "-") }.allSatisfy(Self.alphabet.contains))
    }

    @Test(arguments: keys) func `what was written is read again`(bytes: [UInt8]) throws {
        #expect(try key(RecoveryKey.text(of: bytes)) == bytes)
    }

    @Test func `keys from anywhere survive`() throws {
        var generator = SeededGenerator(searchFrom: 1)
        for _ in 0..<1000 {
            let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(try key(RecoveryKey.text(of: bytes)) == bytes)
        }
    }

    @Test func `small letters, look-alikes, spaces and missing hyphens are understood`() throws {
        let bytes = Self.keys[2]
        let text = text(bytes)
        #expect(text.contains("0") && text.contains("1"))
        #expect(try key(text.lowercased().utf8) == bytes)
        #expect(try key(text.replacing("-", with: " ").utf8) == bytes)
        #expect(try key(("  " + text.replacing("-", with: "") + "\r\n").utf8) == bytes)
        #expect(try key(text.replacing("0", with: "O").utf8) == bytes)
        #expect(try key(text.replacing("0", with: "o").utf8) == bytes)
        for letter in ["I", "i", "L", "l"] { #expect(try key(text.replacing("1", with: letter).utf8) == bytes) }
    }

    @Test(arguments: keys) func `every wrong character is found, at every place`(bytes: [UInt8]) {
        let right = characters(bytes)
        for place in right.indices {
            for other in Self.alphabet where other != right[place] {
                var wrong = right
                wrong[place] = other
                #expect(error(wrong) == .checksum)
            }
        }
    }

    @Test func `every exchange of two neighbours is found, whatever they are and wherever they stand`() {
        // The check is linear: whether it finds an exchange depends on the difference of the two alone.
        let right = characters(Self.keys[0])
        for place in right.indices.dropLast() {
            for difference in 1..<32 {
                var wrong = right
                wrong[place] = Self.alphabet[difference]
                wrong[place + 1] = Self.alphabet[difference]
                #expect(error(wrong) == .checksum)
            }
        }
    }

    @Test(arguments: keys.dropFirst(2))
    func `every exchange of two characters is found, neighbours or not`(bytes: [UInt8]) {
        let right = characters(bytes)
        for first in right.indices {
            for second in right.indices where right[first] != right[second] {
                var wrong = right
                wrong.swapAt(first, second)
                #expect(error(wrong) == .checksum)
            }
        }
    }

    @Test func `a character that no key has is named by its place`() {
        let right = characters(Self.keys[2])
        for (place, character) in [(0, "U"), (13, "u"), (27, "!"), (5, "_"), (6, "\u{0}"), (7, "\u{7F}")] {
            var wrong = right
            wrong[place] = character.utf8.first!
            #expect(error(wrong) == .character(position: place + 1))
        }
        // Hyphens and spaces do not count, and neither do the bytes of a character behind the first one.
        #expect(error(Array("AB-CD é".utf8)) == .character(position: 5))
    }

    @Test func `a key that is too short or too long says how long it is`() {
        let right = characters(Self.keys[3])
        #expect(error([]) == .length(0, expected: 28))
        #expect(error(right.dropLast()) == .length(27, expected: 28))
        #expect(error(right + right.prefix(1)) == .length(29, expected: 28))
        #expect(error([UInt8](repeating: UInt8(ascii: "A"), count: 1 << 20)) == .length(1 << 20, expected: 28))
    }

    @Test func `a credential is one line that says what it is`() throws {
        let bytes = (0..<32).map { UInt8($0 * 7) }
        let text = CredentialText.text(of: bytes)
        #expect(text.starts(with: "chatelaine-credential-1-".utf8))
        #expect(text.count == CredentialText.textByteCount && text.count == 80)
        for end in ["", "\n", "\r\n"] {
            var read: [UInt8] = []
            try CredentialText.read(text + Array(end.utf8), into: &read)
            #expect(read == bytes)
        }
    }

    @Test func `a damaged credential is found`() {
        let text = CredentialText.text(of: [UInt8](repeating: 0x5A, count: 32))
        func error(_ text: [UInt8]) -> KeyTextError? {
            var credential: [UInt8] = []
            do throws(KeyTextError) {
                try CredentialText.read(text, into: &credential)
                return nil
            } catch {
                return error
            }
        }
        #expect(error(text) == nil)
        for place in 24..<80 {
            for other in Self.alphabet where other != text[place] {
                var wrong = text
                wrong[place] = other
                #expect(error(wrong) == .checksum)
            }
        }
        #expect(error(text.dropLast()) == .length(55, expected: 56))
        #expect(error(Array("chatelaine-credential-2-".utf8) + text.dropFirst(24)) == .prefix)
        #expect(error([]) == .prefix)
    }

    @Test func `any bytes are read without a trap`() {
        var generator = SeededGenerator(searchFrom: 1)
        let prefix = Array("chatelaine-credential-1-".utf8)
        for _ in 0..<(isLong ? 20_000 : 3_000) {
            let count = Int.random(in: 0...64, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let letters = bytes.map { Self.alphabet[Int($0 & 31)] }
            var read: [UInt8] = []
            try? RecoveryKey.read(bytes, into: &read)
            try? RecoveryKey.read(letters, into: &read)
            try? CredentialText.read(bytes, into: &read)
            try? CredentialText.read(prefix + letters, into: &read)
            #expect(read.count <= 2 * RecoveryKey.byteCount + CredentialText.byteCount)
        }
    }

    @Test(arguments: Vector.all) func `the vectors hold`(vector: Vector) throws {
        let bytes = try #require(vector.bytes)
        switch vector.kind {
        case "recovery-key":
            #expect(RecoveryKey.text(of: bytes) == Array(vector.text.utf8))
            #expect(try key(vector.text.utf8) == bytes)
        case "credential":
            #expect(CredentialText.text(of: bytes) == Array(vector.text.utf8))
        default:
            Issue.record("a kind that nobody knows: \(vector.kind)")
        }
    }

    /// TestVectors/key-texts-v1.json, which is never changed.
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        let kind: String
        let key: String
        let text: String

        var testDescription: String { "\(kind) \(key)" }

        var bytes: [UInt8]? {
            let digits = Array(key.utf8)
            let bytes = stride(from: 0, to: digits.count, by: 2).map { place in
                UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16)
            }
            return bytes.contains(nil) ? nil : bytes.compactMap(\.self)
        }

        static let all: [Vector] = {
            let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            // Without its vectors the test must not pass.
            let data = try! Data(contentsOf: root.appending(path: "TestVectors/key-texts-v1.json"))
            return try! JSONDecoder().decode([Vector].self, from: data)
        }()
    }
}

/// Whether the tests may take long: `make test-all` sets CHATELAINE_LONG to 1.
private let isLong = ProcessInfo.processInfo.environment["CHATELAINE_LONG"] == "1"
