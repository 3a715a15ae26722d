// SPDX-License-Identifier: Apache-2.0

import Testing

extension Conformance.Locking {
    @Test(
        "C092 before the first unlock only items that are always accessible can be read",
        arguments: PasswordClass.allCases)
    func beforeFirstUnlock(_ itemClass: PasswordClass) async throws {
        try await withPasscode { passcode in
            addAll(itemClass)
            try passcode.restart()
            #expect(readable(itemClass) == ["dk", "dku"])
            try await passcode.unlock()
            #expect(readable(itemClass) == Self.classes.map(\.code))
        }
    }
}
