// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient

/// `security delete-generic-password` and `delete-internet-password`
enum DeletePassword {
    static func run(_ passwordClass: PasswordClass, _ invocation: SecurityInvocation) -> SecurityResult {
        var filter = PasswordFilter(passwordClass)
        var options = ShortOptions(flags: "h", withValue: filter.letters, invocation.words)
        while let option = options.next() {
            switch option {
            case .value(let letter, let value):
                if let complaint = filter.take(letter, value) {
                    invocation.complain(complaint)
                    return .failure
                }
            case .flag, .missingValue, .unknown: return .usage
            }
        }
        // Without a filter any item would match, which cannot be intended.
        guard !filter.isEmpty else { return .usage }
        let item: ListedItem
        let keychain: ToolKeychain
        switch invocation.find(filter, in: options.operands) {
        case .success(let found): (item, keychain) = found
        case .failure(let failure): return failure.result
        }
        let listing = ItemListing(item: item, keychainPath: keychain.path)
        guard invocation.print(listing.text) else { return .failure }
        do {
            try keychain.client.delete(item.query)
        } catch {
            // Unlike macOS, which reports success here in every case.
            return invocation.fail("SecKeychainItemDelete", error)
        }
        invocation.context.diagnostics.writeIfPossible("password has been deleted.\n")
        return .success
    }
}
