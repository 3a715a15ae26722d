// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import KeychainModel
import TestSupport
import Testing

@testable import KeychainWire

/// Any bytes give a value or an error. A trap in here ends the test program.
struct TotalityTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `random bytes are no frame, or are refused`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let bytes = generator.bytes(atMost: 200)
            #expect(decodeEverything(bytes) == 0)
        }
    }

    @Test(arguments: FrameKind.allCases)
    func `random payloads behind a good header are refused or read`(kind: FrameKind) {
        var generator = SeededGenerator(seed: UInt64(kind.rawValue))
        for _ in 0..<(isLong ? 2000 : 300) {
            var payload = generator.bytes(atMost: 120)
            if kind.isRequest { payload = testNonce + payload }
            // Mostly small numbers, so that lengths and counts get past the first check.
            payload = payload.map { Bool.random(using: &generator) ? $0 : $0 & 3 }
            let header: [UInt8] = [1, kind.rawValue, 0, 0, 0, 0, 0, UInt8(payload.count)]
            _ = decodeEverything(header + payload)
        }
    }

    @Test func `every frame cut short is refused`() throws {
        for frame in try framesOfAllKinds() {
            for count in 0..<frame.count {
                #expect(decodeEverything(Array(frame[..<count])) == 0)
                // The same with a header that agrees with the shorter payload.
                guard count >= FrameHeader.size else { continue }
                var shorter = Array(frame[..<count])
                let size = UInt16(count - FrameHeader.size)
                shorter[4...7] = [0, 0, UInt8(size >> 8), UInt8(truncatingIfNeeded: size)]
                // A status begins like an answer without items, facts or grants, and cut there it is one.
                let isEmptyAnswer =
                    shorter == ReplyWriter.emptyAnswer || shorter == Explanation().frame
                    || shorter == GrantPage([], next: nil).frame
                #expect(decodeEverything(shorter) == (isEmptyAnswer ? 1 : 0), "kind \(frame[1]) cut to \(count)")
            }
        }
    }

    @Test
    func `answers about the keychain as a whole are refused when cut or lengthened, and crash nothing when changed`() {
        func decode(_ bytes: [UInt8]) -> [Bool] {
            guard let frame = try? frame(bytes) else { return [Bool](repeating: false, count: 8) }
            return [
                (try? ProtectorReport(frame)) != nil, (try? AddedProtector(frame)) != nil,
                (try? SettingsReport(frame)) != nil, (try? RevokedGrants(frame)) != nil,
                (try? AuditPage(frame)) != nil, (try? AuditVerification(frame)) != nil,
                (try? KeyResult(frame) { Array($0) }) != nil, (try? FileKeychainAnswer(frame)) != nil,
            ]
        }
        for (place, answer) in administrationAnswers().enumerated() {
            #expect(decode(answer)[place])
            for count in FrameHeader.size..<answer.count + 2 where count != answer.count {
                var other = Array((answer + [0]).prefix(count))
                other[4...7] = [0, 0, 0, UInt8(count - FrameHeader.size)]
                #expect(!decode(other)[place], "\(place) with \(count) bytes")
            }
            for index in answer.indices {
                for bit in 0..<8 as Range<UInt8> {
                    var changed = answer
                    changed[index] ^= 1 << bit
                    _ = decode(changed)
                }
            }
        }
    }

    @Test func `every frame with a byte too many is refused`() throws {
        for frame in try framesOfAllKinds() {
            #expect(throws: WireError.trailingBytes) { try KeychainWireTests.frame(frame + [0]) }
            var longer = frame + [0]
            longer[7] += 1
            #expect(decodeEverything(longer) == 0, "kind \(frame[1])")
        }
    }

    @Test func `no change of a single byte crashes a reader, and a message that is read can be written`() throws {
        for frame in try framesOfAllKinds() {
            for index in frame.indices {
                for mask in (isLong ? [1, 2, 4, 8, 16, 32, 64, 128, 0xFF] : [1, 128, 0xFF]) as [UInt8] {
                    var changed = frame
                    changed[index] ^= mask
                    _ = decodeEverything(changed)
                    // Decoding, encoding and decoding again gives the same values, because values are converted once.
                    if let first = try? request(changed) {
                        let again = try request(first.frame(nonce: testNonce))
                        #expect(again.isSame(as: first))
                    }
                }
            }
        }
    }

    @Test func `lengths and counts that lie cost no memory`() async {
        await #expect(processExitsWith: .success) {
            // The address space may grow by 64 MiB; the false sizes below are far larger.
            let pages = try String(decoding: readFile("/proc/self/statm"), as: UTF8.self).split(separator: " ")[0]
            var limit = rlimit()
            limit.rlim_cur = rlim_t(pages)! * 4096 + 64 << 20
            limit.rlim_max = limit.rlim_cur
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
            var lies = 0
            for frame in try framesOfAllKinds() {
                for index in FrameHeader.size..<max(FrameHeader.size, frame.count - 4) {
                    var changed = frame
                    changed[index..<index + 4] = [0xFF, 0xFF, 0xFF, 0xFF]
                    _ = decodeEverything(changed)
                    changed[index..<index + 4] = [0x00, 0xFF, 0xFF, 0xFF]
                    _ = decodeEverything(changed)
                    lies += 2
                }
            }
            try #require(lies > 100)
        }
    }
}

extension ReplyWriter {
    fileprivate static var emptyAnswer: [UInt8] {
        var writer = ReplyWriter()
        return writer.finish()
    }
}

private func readFile(_ path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY)
    try #require(file >= 0)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(file, &bytes, bytes.count)
    return Array(bytes[..<max(0, count)])
}

/// Whether the tests may take long: `make test-all` sets CHATELAINE_LONG to 1.
private let isLong = ProcessInfo.processInfo.environment["CHATELAINE_LONG"] == "1"
