// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import KeychainSealing
import Testing

/// The third version of the device key file, as bytes.
struct GuardedDeviceKeyTests {
    private let key: GuardedDeviceKey

    init() throws {
        let cost = try #require(ScryptCost(logN: 4, blockSize: 8, parallelism: 1))
        let stretching = try #require(PINStretching(cost: cost, salt: Array(0..<32)))
        key = GuardedDeviceKey(token: 2, stretching: stretching, blob: [1, 2, 3])
    }

    @Test func `its bytes are as the page says`() throws {
        let head = Array("CHTLDEV".utf8) + [3, 2, 4, 0, 0, 0, 8, 0, 0, 0, 1] + Array(0..<32) + [1, 2, 3]
        #expect(key.bytes.dropLast(32).elementsEqual(head))
        #expect(GuardedDeviceKey(key.bytes) == key)
    }

    @Test func `a PIN is stretched to the bytes that others make of it`() throws {
        // scrypt and HKDF-SHA256 by the Python package cryptography.
        let expected = "b0b4098ae656b69e9113eeecb6a5d296a84046f059c2c48e2a0f37883741f86b"
        let bytes = try key.stretching.authorization(for: Array("2468".utf8))
        #expect(bytes.map { String(format: "%02x", $0) }.joined() == expected)
        #expect(try key.stretching.authorization(for: Array("2469".utf8)) != bytes)
    }

    @Test func `every change of a byte, and every other length, is noticed`() {
        let bytes = key.bytes
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1
            #expect(GuardedDeviceKey(changed) == nil)
        }
        for count in 0..<bytes.count { #expect(GuardedDeviceKey(bytes.prefix(count)) == nil) }
        #expect(GuardedDeviceKey(bytes + [0]) == nil)
    }

    @Test func `the other versions of the file are refused, and so is a salt of another size`() {
        #expect(GuardedDeviceKey(SealedDeviceKey(token: 2, blob: [1]).bytes) == nil)
        #expect(SealedDeviceKey(key.bytes) == nil)
        #expect(PINStretching(cost: key.stretching.cost, salt: [1]) == nil)
    }

    // MARK: Files with a correct checksum, which therefore cannot be the reason to refuse them

    private func file(_ content: some Collection<UInt8>) -> [UInt8] {
        Array(content) + Array(SHA256.hash(data: Array(content)))
    }

    private func isRead(replacing range: Range<Int>, by field: [UInt8]) -> Bool {
        var content = Array(key.bytes.dropLast(32))
        content.replaceSubrange(range, with: field)
        return GuardedDeviceKey(file(content)) != nil
    }

    @Test func `a file without a blob, or cut before it, is refused`() {
        let content = key.bytes.dropLast(32)
        #expect(content.count == 53)
        for count in 0...53 { #expect((GuardedDeviceKey(file(content.prefix(count))) != nil) == (count > 50)) }
    }

    @Test func `a file with another magic or version is refused, and one with other values is read`() throws {
        let content = Array(key.bytes.dropLast(32))
        for place in Array(0...8) + Array(18..<53) {
            var changed = content
            changed[place] ^= 1
            let read = GuardedDeviceKey(file(changed))
            if place < 8 { #expect(read == nil) } else { #expect(try #require(read).bytes == file(changed)) }
        }
    }

    @Test func `parameters of scrypt that would stop the service are refused`() {
        for logN in UInt8.min ... .max { #expect(isRead(replacing: 9..<10, by: [logN]) == (1...17).contains(logN)) }
        let blockSizes: [([UInt8], Bool)] = [
            ([0, 0, 0, 0], false), ([0, 0, 0, 1], true), ([0, 0, 0, 32], true), ([0, 0, 0, 33], false),
            ([128, 0, 0, 8], false),
        ]
        for (blockSize, isValid) in blockSizes {
            #expect(isRead(replacing: 10..<14, by: blockSize) == isValid)
        }
        let parallelisms: [([UInt8], Bool)] = [
            ([0, 0, 0, 0], false), ([0, 0, 0, 1], true), ([0, 0, 0, 16], true), ([0, 0, 0, 17], false),
            ([128, 0, 0, 1], false),
        ]
        for (parallelism, isValid) in parallelisms {
            #expect(isRead(replacing: 14..<18, by: parallelism) == isValid)
        }
    }
}
