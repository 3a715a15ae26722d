// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

/// `security find-key`
enum FindKey {
    static let usage = """
        [-a application-label] [-c creator] [-l label] [-t symmetric|public|private] [-derswuv] [keychain...]
        \(KeyFilter.usage)
        """

    @Sendable static func run(_ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(flags: "h" + KeyFilter.flags, withValue: KeyFilter.letters, invocation.words)
        var filter = KeyFilter()
        while let option = options.next() {
            switch option {
            case .flag(let letter): guard filter.take(letter) else { return .usage }
            case .value(let letter, let value):
                switch filter.take(letter, value) {
                case .taken: break
                case .wrongUsage: return .usage
                case .complaint(let text):
                    invocation.complain(text)
                    return .failure
                }
            case .missingValue, .unknown: return .usage
            }
        }
        // The function of macOS that is reported; its exit status is 1 for every error.
        let function = "SecItemCopyMatching"
        let found: [(ListedItem, ToolKeychain)]
        do throws(ClientError) {
            found = try invocation.all(in: options.operands) { keychain throws(ClientError) in
                try filter.matches(in: keychain.client).map { ($0, keychain) }
            }
        } catch {
            _ = invocation.fail(function, error)
            return .failure
        }
        guard !found.isEmpty else {
            _ = invocation.fail(function, StatusCode.itemNotFound.rawValue)
            return .failure
        }
        let listings = found.map { ItemListing(item: $0, keychainPath: $1.path).text }
        return invocation.print(Array(listings.joined())) ? .success : .failure
    }
}
