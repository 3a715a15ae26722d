// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// All tests of this package, which run one at a time: they share one keychain, and each requires it to be empty.
@Suite(.serialized, .onEmptyKeychain) struct Conformance {}

extension Trait where Self == EmptyKeychain {
    /// The test starts without items of this program, and the service must still be running at its end.
    static var onEmptyKeychain: Self { EmptyKeychain() }
}

struct EmptyKeychain: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard !test.isSuite else { return try await function() }
        _ = Service.shared
        emptyKeychain()
        try await function()
        #expect(Service.shared.isUnharmed, "the service has ended, or another one has taken its place")
        emptyKeychain()
    }
}

/// Deletes all items of this program.
func emptyKeychain() {
    let classes = [kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey]
    for itemClass in classes {
        let all: [CFString: Any] = [kSecClass: itemClass, kSecAttrSynchronizable: kSecAttrSynchronizableAny]
        let status = SecItemDelete(all as CFDictionary)
        if status != errSecSuccess, status != errSecItemNotFound {
            Issue.record("the keychain cannot be emptied: deleting \(itemClass) gives \(status)")
        }
    }
}
