// SPDX-License-Identifier: Apache-2.0

import Keychain
import Testing

/// Records an issue unless the call fails with this code.
func expectError<R>(
    _ code: KeychainError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ call: () async throws(KeychainError) -> R
) async {
    do throws(KeychainError) {
        _ = try await call()
        Issue.record("no error", sourceLocation: sourceLocation)
    } catch {
        #expect(error.code == code, sourceLocation: sourceLocation)
    }
}
