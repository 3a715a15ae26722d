// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

/// `security set-generic-password-partition-list`, `set-internet-password-partition-list` and `set-key-partition-list`
enum SetPartitionList {
    enum Subject {
        case password(PasswordClass)
        case key
    }

    static let keyUsage = """
        [-a application-label] [-c creator] [-l label] [-t symmetric|public|private] [-derswuv] -S partitions [-k password] [keychain]
        \(KeyFilter.usage)
        \(newList)
        """

    static let newList = """
            -S  The partitions whose programs may use the items, with commas between them (required): apple-tool: for this command,
                apple: for installed programs, teamid:TEAM, cdhash:SHA256 for one unsigned program, unsigned: for interpreters
            -k  The password of the keychain (the command asks for it, if omitted)
        """

    /// The parsed words.
    private struct Arguments {
        var find: (KeychainClient) throws(ClientError) -> [ListedItem]
        var partitions: [PartitionID]
        var password: SecretBytes?
        var keychain: String?
    }

    static func run(_ subject: Subject, _ invocation: SecurityInvocation) -> SecurityResult {
        let arguments: Arguments
        switch subject {
        case .password(let passwordClass):
            var filter = PasswordFilter(passwordClass)
            switch read(flags: "", letters: filter.letters, invocation, { _ in false }, { filter.outcome($0, $1) }) {
            case .failure(let failure): return failure.result
            case .success(let words):
                let chosen = filter
                arguments = Arguments(
                    find: { client throws(ClientError) in try client.listItems(passwordClass, chosen.criteria) },
                    partitions: words.partitions, password: words.password, keychain: words.keychain)
            }
        case .key:
            var filter = KeyFilter()
            switch read(
                flags: KeyFilter.flags, letters: KeyFilter.letters, invocation, { filter.take($0) },
                { filter.take($0, $1) })
            {
            case .failure(let failure): return failure.result
            case .success(let words):
                let chosen = filter
                arguments = Arguments(
                    find: { client throws(ClientError) in try chosen.matches(in: client) },
                    partitions: words.partitions, password: words.password, keychain: words.keychain)
            }
        }
        return set(arguments, invocation)
    }

    private typealias Words = (partitions: [PartitionID], password: SecretBytes?, keychain: String?)

    private static func read(
        flags: String, letters: String, _ invocation: SecurityInvocation, _ takeFlag: (Character) -> Bool,
        _ takeValue: (Character, String) -> KeyFilter.Outcome
    ) -> Result<Words, SecurityFailure> {
        var options = ShortOptions(flags: "h" + flags, withValue: letters + "Sk", invocation.words)
        var partitions: [PartitionID]?
        var password: SecretBytes?
        while let option = options.next() {
            switch option {
            case .value("S", let list):
                guard let read = Self.partitions(list) else {
                    invocation.complain("-S: a partition is a word without blanks and commas, such as apple:")
                    return .failure(.init(.failure))
                }
                partitions = read
            case .value("k", let text): password = SecretBytes(copying: text.utf8)
            case .value(let letter, let value):
                switch takeValue(letter, value) {
                case .taken: break
                case .wrongUsage: return .failure(.init(.usage))
                case .complaint(let text):
                    invocation.complain(text)
                    return .failure(.init(.failure))
                }
            case .flag(let letter): guard takeFlag(letter) else { return .failure(.init(.usage)) }
            case .missingValue, .unknown: return .failure(.init(.usage))
            }
        }
        guard let partitions, options.operands.count <= 1, options.operands.first != "" else {
            return .failure(.init(.usage))
        }
        return .success((partitions, password, options.operands.first))
    }

    /// Parses a partition list; nil for an invalid one. An empty list is valid: each program then requires a prompt.
    static func partitions(_ list: String) -> [PartitionID]? {
        guard !list.isEmpty else { return [] }
        var partitions: [PartitionID] = []
        for word in list.split(separator: ",", omittingEmptySubsequences: false) {
            guard let partition = PartitionID(String(word)) else { return nil }
            if !partitions.contains(partition) { partitions.append(partition) }
        }
        return partitions.count <= AccessLimits.partitions ? partitions : nil
    }

    private static func set(_ arguments: Arguments, _ invocation: SecurityInvocation) -> SecurityResult {
        var function = "SecKeychainUnlock"
        do throws(ClientError) {
            let keychain = try invocation.keychain(namedOrDefault: arguments.keychain)
            guard keychain.isFile else {
                invocation.complain(
                    "items of the data-protection keychain have access groups instead of partition lists")
                return .failure
            }
            // Before the user types a password for a keychain that does not exist.
            try invocation.checkKeychain(keychain)
            let question = "password to unlock \(visible(arguments.keychain ?? "default")): "
            guard let password = arguments.password ?? invocation.ask(question) else { return .failure }
            let client = invocation.context.client
            if try client.keychain(at: keychain.path).state == .locked {
                try client.unlockKeychain(at: keychain.path, password: password)
            }
            function = "SecItemCopyMatching"
            let items = try arguments.find(keychain.client)
            guard !items.isEmpty else { throw .refused(Refusal(.itemNotFound, .none)) }
            for item in items {
                guard invocation.print(ItemListing(item: item, keychainPath: keychain.path).text) else {
                    return .failure
                }
            }
            function = "SecKeychainItemSetAccessWithPassword"
            try client.setPartitions(
                arguments.partitions, of: items.map(\.reference), inKeychainAt: keychain.path, password: password)
            return .success
        } catch {
            // As on macOS, for every reason.
            _ = invocation.fail(function, error)
            return .failure
        }
    }
}

extension PasswordFilter {
    /// Parses a letter and its value like ``take(_:_:)``.
    fileprivate mutating func outcome(_ letter: Character, _ value: String) -> KeyFilter.Outcome {
        take(letter, value).map(KeyFilter.Outcome.complaint) ?? .taken
    }
}
