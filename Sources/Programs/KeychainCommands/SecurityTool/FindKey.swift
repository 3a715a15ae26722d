// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

/// `security find-key`
enum FindKey {
    static let usage = """
        [-a application-label] [-c creator] [-l label] [-t symmetric|public|private] [-derswuv] [keychain...]
            -a  Match the application label
            -c  Match the creator, four characters
            -d  Match keys that decrypt
            -D  Match the kind of item, which keys do not have
            -e  Match keys that encrypt
            -j  Match the comment, which keys do not have
            -l  Match the label
            -r  Match keys that derive
            -s  Match keys that sign
            -t  Match the kind of key
            -u  Match keys that unwrap
            -v  Match keys that verify
            -w  Match keys that wrap
        """

    private static let uses: [Character: AttributeKey] = [
        "d": .canDecrypt, "e": .canEncrypt, "r": .canDerive, "s": .canSign, "u": .canUnwrap, "v": .canVerify,
        "w": .canWrap,
    ]

    @Sendable static func run(_ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(flags: "hdersuvw", withValue: "acDjlt", invocation.words)
        var wanted: [ItemAttributes.Entry] = []
        var matchesNone = false
        while let option = options.next() {
            switch option {
            case .flag(let letter):
                guard let use = uses[letter] else { return .usage }
                wanted.append(.init(use, .number(1)))
            case .value("a", let text): wanted.append(.init(.applicationLabel, .data(Array(text.utf8))))
            case .value("c", let code):
                guard code.utf8.count == 4 else {
                    invocation.complain("creator: a four-character code has exactly four characters")
                    return .failure
                }
                wanted.append(.init(.creator, .number(Int64(code.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }))))
            case .value("D", _), .value("j", _): matchesNone = true
            case .value("l", let label): wanted.append(.init(.label, .string(label)))
            case .value("t", "public"): wanted.append(.init(.keyClass, .number(0)))
            case .value("t", "private"): wanted.append(.init(.keyClass, .number(1)))
            case .value("t", "symmetric"): wanted.append(.init(.keyClass, .number(2)))
            case .value, .missingValue, .unknown: return .usage
            }
        }
        // The function of macOS that is reported; its exit status is 1 whatever the reason.
        let function = "SecItemCopyMatching"
        let keys: [(ListedItem, ToolKeychain)]
        do throws(ClientError) {
            keys = try invocation.all(in: options.operands) { keychain throws(ClientError) in
                try keychain.client.listKeys().map { ($0, keychain) }
            }
        } catch {
            _ = invocation.fail(function, error)
            return .failure
        }
        let found = keys.filter { key, _ in
            !matchesNone
                && wanted.allSatisfy { entry in
                    entry.key == .label
                        ? key.text(.label).map { .string($0) == entry.value } ?? false
                        : key.attributes[entry.key] == entry.value
                }
        }
        guard !found.isEmpty else {
            _ = invocation.fail(function, StatusCode.itemNotFound.rawValue)
            return .failure
        }
        let listings = found.map { ItemListing(item: $0, keychainPath: $1.path).text }
        return invocation.print(Array(listings.joined())) ? .success : .failure
    }
}
