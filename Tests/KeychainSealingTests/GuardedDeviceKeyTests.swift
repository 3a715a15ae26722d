// SPDX-License-Identifier: Apache-2.0

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

    @Test func `neither of the other versions is one of these, and parameters that would stop the service are refused`()
        throws
    {
        #expect(GuardedDeviceKey(SealedDeviceKey(token: 2, blob: [1]).bytes) == nil)
        #expect(SealedDeviceKey(key.bytes) == nil)
        #expect(PINStretching(cost: key.stretching.cost, salt: [1]) == nil)
        var random = SeededBytes("no guarded device key")
        for count in 0..<200 { #expect(GuardedDeviceKey(random.next(count)) == nil) }
    }
}
