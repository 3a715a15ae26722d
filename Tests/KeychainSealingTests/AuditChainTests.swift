// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import KeychainModel
import KeychainSealing
import Testing

@Suite("the audit log's keys")
struct AuditChainTests {
    private let key: AuditChainKey

    init() throws { key = try Self.key(1) }

    private static func key(_ byte: UInt8) throws -> AuditChainKey {
        let storage = PlainKeyStorage()
        let device = try DeviceKey(key: SymmetricKey(data: [UInt8](repeating: byte, count: 32)), in: storage)
        return try AuditChainKey(deviceKey: device, in: storage)
    }

    @Test func `a link depends on the device, the link before and each byte of the line`() throws {
        let line = Array("{\"seq\":1".utf8)
        var links: Set<AuditLink> = [key.link(after: .beginning, line)]
        #expect(links == [key.link(after: .beginning, line)])
        links.insert(try Self.key(2).link(after: .beginning, line))
        links.insert(key.link(after: AuditLink(value: 1), line))
        links.insert(key.link(after: AuditLink(value: 1 << 127), line))
        for index in line.indices {
            var changed = line
            changed[index] ^= 1
            links.insert(key.link(after: .beginning, changed))
        }
        #expect(links.count == 4 + line.count)
    }

    @Test func `a checkpoint opens as it was sealed, and with no bit changed`() throws {
        let checkpoint = AuditCheckpoint(sequence: 300, link: AuditLink(value: 7), starts: [1, 200])
        let sealed = key.seal(checkpoint)
        #expect(sealed.count == 34 + 2 * 8 + 32)
        #expect(try key.open(sealed) == checkpoint)
        for bit in 0..<(8 * sealed.count) {
            var changed = sealed
            changed[bit / 8] ^= 1 << (bit % 8)
            // The eighth byte is the version.
            let error: SealingError = bit / 8 == 7 ? .unsupportedVersion : .damaged
            #expect(throws: error) { try key.open(changed) }
        }
        for count in 0..<sealed.count {
            #expect(throws: SealingError.damaged) { try key.open(Array(sealed[..<count])) }
        }
        #expect(throws: SealingError.damaged) { try key.open(sealed + [0]) }
        #expect(throws: SealingError.damaged) { try Self.key(2).open(sealed) }
    }

    // MARK: Vectors

    private struct LogVector: Decodable {
        var outcome: String
        var deviceKey: String
        var lines: [String]?
        var checkpoint: String?
        var sequence: UInt64?
        var link: String?
        var starts: [UInt64]?
    }

    private static let folder = Vector.directory.deletingLastPathComponent().appendingPathComponent("audit-log-v1")
    private static let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []

    @Test func `there are vectors`() { #expect(Self.names.count == 12) }

    @Test(arguments: names) func `a vector has the outcome it names`(name: String) throws {
        let file = Self.folder.appendingPathComponent(name)
        let vector = try JSONDecoder().decode(LogVector.self, from: Data(contentsOf: file))
        let storage = PlainKeyStorage()
        let secret = try #require(Self.bytes(vector.deviceKey))
        let device = try DeviceKey(key: SymmetricKey(data: secret), in: storage)
        let key = try AuditChainKey(deviceKey: device, in: storage)
        if let lines = vector.lines {
            #expect(Self.isChain(lines, key) == (vector.outcome == "opens"))
            return
        }
        let text = try #require(vector.checkpoint)
        let checkpoint = try #require(Self.bytes(text))
        switch vector.outcome {
        case "opens":
            let opened = try key.open(checkpoint)
            #expect(opened.sequence == vector.sequence && opened.link.hexadecimal == vector.link)
            #expect(opened.starts == vector.starts)
            #expect(key.seal(opened) == checkpoint)
        case "unsupported-version": #expect(throws: SealingError.unsupportedVersion) { try key.open(checkpoint) }
        default: #expect(throws: SealingError.damaged) { try key.open(checkpoint) }
        }
    }

    private static func isChain(_ lines: [String], _ key: AuditChainKey) -> Bool {
        var last = AuditLink.beginning
        for (index, line) in lines.enumerated() {
            let bytes = Array(line.utf8)
            guard let ending = AuditLineEnding(bytes.span), ending.sequence == index + 1 else { return false }
            last = key.link(after: last, Array(bytes[..<ending.linkedByteCount]))
            guard last == ending.link else { return false }
        }
        return true
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text)
        let pairs = stride(from: 0, to: digits.count, by: 2).map { String(digits[$0...($0 + 1)]) }
        let bytes = pairs.compactMap { UInt8($0, radix: 16) }
        return bytes.count == pairs.count ? bytes : nil
    }
}
