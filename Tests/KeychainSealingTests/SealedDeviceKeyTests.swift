// SPDX-License-Identifier: Apache-2.0

import KeychainSealing
import Testing

struct SealedDeviceKeyTests {
    @Test func `a file is read as it was written, and refused when anything of it is changed`() throws {
        let key = SealedDeviceKey(token: 2, blob: [1, 2, 3, 4, 5])
        let bytes = key.bytes
        #expect(bytes.starts(with: Array("CHTLDEV".utf8) + [2, 2, 1, 2, 3, 4, 5]) && bytes.count == 9 + 5 + 32)
        #expect(SealedDeviceKey(bytes) == key)
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1
            #expect(SealedDeviceKey(changed) == nil)
            #expect(SealedDeviceKey(bytes.prefix(place)) == nil)
        }
        #expect(SealedDeviceKey(bytes + [0]) == nil)
        #expect(SealedDeviceKey(SealedDeviceKey(token: 2, blob: []).bytes) == nil)
    }
}
