// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// References by row, whose number is known in a new keychain only.
@Suite(.onEmptyKeychain) struct `References by row` {
    // C045
    @Test func `an old reference by row updates its item, whose new reference has the current form`() {
        add(password("joe", "mail"))
        // The first item of a new keychain is in its first row.
        let old = Data("genp".utf8) + Data([0, 0, 0, 0, 0, 0, 0, 1])
        let query = [kSecValuePersistentRef: old] as CFDictionary
        #expect(SecItemUpdate(query, [kSecAttrLabel: "x"] as CFDictionary) == errSecSuccess)
        let reference = find(password("joe", "mail", [kSecReturnPersistentRef: true, kSecAttrLabel: "x"]))
        #expect((reference as? Data)?.count == 20)
        #expect(probe(query) == errSecSuccess)
    }
}
