// SPDX-License-Identifier: Apache-2.0

import Keychain

/// Stores a password, reads it back and deletes it, with the typed interface.
@main
struct Main {
    static func main() async throws {
        let keychain = UserKeychain()
        let item = GenericPassword(service: "com.example.quickstart", account: "ann", label: "Quick start")
        try await keychain.store(item, secret: SecretData(utf8: "correct horse battery staple"))
        if let secret = try await keychain.secret(for: item) {
            print("stored and read back \(secret)")
        }
        try await keychain.delete(item)
    }
}
