// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

/// The search criteria of `find-key` and `set-key-partition-list`.
struct KeyFilter {
    static let flags = "dersuvw"
    static let letters = "acDjlt"

    static let usage = """
            -a  Match the application label
            -c  Match the creator, four characters
            -d  Match keys that decrypt
            -D  Match the kind of item, which keys do not have
            -e  Match keys that encrypt
            -j  Match the comment, which keys do not have
            -l  Match the label
            -r  Match keys that derive
            -s  Match keys that sign
            -t  Match the kind of key: symmetric, public or private
            -u  Match keys that unwrap
            -v  Match keys that verify
            -w  Match keys that wrap
        """

    private static let uses: [Character: AttributeKey] = [
        "d": .canDecrypt, "e": .canEncrypt, "r": .canDerive, "s": .canSign, "u": .canUnwrap, "v": .canVerify,
        "w": .canWrap,
    ]

    private var wanted: [ItemAttributes.Entry] = []
    private var matchesNone = false

    /// Parses one of ``flags``; false for another letter.
    mutating func take(_ flag: Character) -> Bool {
        guard let use = Self.uses[flag] else { return false }
        wanted.append(.init(use, .number(1)))
        return true
    }

    enum Outcome {
        case taken
        case wrongUsage
        case complaint(String)
    }

    /// Parses one of ``letters`` and its value.
    mutating func take(_ letter: Character, _ value: String) -> Outcome {
        switch (letter, value) {
        case ("a", _): wanted.append(.init(.applicationLabel, .data(Array(value.utf8))))
        case ("c", _):
            guard value.utf8.count == 4 else {
                return .complaint("creator: a four-character code has exactly four characters")
            }
            wanted.append(.init(.creator, .number(Int64(value.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }))))
        case ("D", _), ("j", _): matchesNone = true
        case ("l", _): wanted.append(.init(.label, .string(value)))
        case ("t", "public"): wanted.append(.init(.keyClass, .number(0)))
        case ("t", "private"): wanted.append(.init(.keyClass, .number(1)))
        case ("t", "symmetric"): wanted.append(.init(.keyClass, .number(2)))
        default: return .wrongUsage
        }
        return .taken
    }

    private func accepts(_ key: ListedItem) -> Bool {
        !matchesNone
            && wanted.allSatisfy { entry in
                entry.key == .label
                    ? key.text(.label).map { .string($0) == entry.value } ?? false
                    : key.attributes[entry.key] == entry.value
            }
    }

    /// Returns the matching keys of a keychain, without their bytes.
    func matches(in client: KeychainClient) throws(ClientError) -> [ListedItem] {
        try client.listKeys().filter(accepts)
    }
}
