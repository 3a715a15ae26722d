// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

/// The search criteria of `find-…-password` and `delete-…-password`, and the attributes that `add-…-password` sets.
struct PasswordFilter {
    private let passwordClass: PasswordClass
    private let options: [Option]
    /// Few values, each key once. Creating a dictionary, even once for the process, would take longer than all other
    /// work here.
    private var values: [ItemAttributes.Entry] = []

    init(_ passwordClass: PasswordClass) {
        self.passwordClass = passwordClass
        options =
            switch passwordClass {
            case .generic: Self.generic
            case .internet: Self.internet
            }
    }

    /// The letters of the options, all of which take a value.
    var letters: String { String(options.map(\.letter)) }

    private struct Option {
        let letter: Character
        let key: AttributeKey
        let form: Form

        init(_ letter: Character, _ key: AttributeKey, _ form: Form = .text) {
            self.letter = letter
            self.key = key
            self.form = form
        }
    }

    /// The format of a value.
    private enum Form {
        case text
        case bytes
        /// Four characters that represent a number, with a name for error messages.
        case code(String)
        /// Four characters that stay text, as the constants of protocols and authentication types do.
        case word(String)
        case port
    }

    private static let common = [
        Option("a", .account), Option("c", .creator, .code("creator")), Option("C", .type, .code("type")),
        Option("D", .itemDescription), Option("j", .comment), Option("l", .label),
    ]
    private static let generic = common + [Option("s", .service), Option("G", .generic, .bytes)]
    private static let internet =
        common + [
            Option("s", .server), Option("d", .securityDomain), Option("p", .path), Option("P", .port, .port),
            Option("r", .protocol, .word("protocol")), Option("t", .authenticationType, .word("authentication type")),
        ]

    /// Parses an option of ``letters``.
    ///
    /// - Returns: the error in the value; nil if it is valid.
    mutating func take(_ letter: Character, _ value: String) -> String? {
        guard let option = options.first(where: { $0.letter == letter }) else { return "unknown option -\(letter)" }
        switch option.form {
        case .text: self[option.key] = .string(value)
        case .bytes: self[option.key] = .data(Array(value.utf8))
        case .code(let name), .word(let name):
            guard value.utf8.count == 4 else { return "\(name): a four-character code has exactly four characters" }
            if case .word = option.form {
                self[option.key] = .string(value)
            } else {
                self[option.key] = .number(Int64(value.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }))
            }
        case .port:
            guard let port = UInt16(value) else { return "port: a number from 0 to 65535 is expected" }
            self[option.key] = .number(Int64(port))
        }
        return nil
    }

    private(set) subscript(key: AttributeKey) -> AttributeValue? {
        get { values.first { $0.key == key }?.value }
        set {
            values.removeAll { $0.key == key }
            if let newValue { values.append(.init(key, newValue)) }
        }
    }

    /// The attribute that is required to add an item of the class, in addition to the account.
    var subject: AttributeKey {
        switch passwordClass {
        case .generic: .service
        case .internet: .server
        }
    }

    var isEmpty: Bool { values.isEmpty }

    /// The search criteria. If all identifying attributes are given, they identify one item, so the others are ignored.
    var criteria: [ItemAttributes.Entry] {
        names.count == passwordClass.keyDefaults.count ? names : names + rest
    }

    /// The identifying attributes of a new item. The authentication type is the default unless another is given, as on
    /// macOS.
    var keyOfNewItem: [ItemAttributes.Entry] {
        switch passwordClass {
        case .internet where self[.authenticationType] == nil:
            names + [.init(.authenticationType, .string("dflt"))]
        case .generic, .internet: names
        }
    }

    private var names: [ItemAttributes.Entry] {
        passwordClass.keyDefaults.compactMap { entry in self[entry.key].map { .init(entry.key, $0) } }
    }

    /// All given attributes except the identifying ones.
    var rest: [ItemAttributes.Entry] {
        let names = passwordClass.keyDefaults.map(\.key)
        return options.map(\.key).filter { !names.contains($0) }.compactMap { key in
            self[key].map { .init(key, $0) }
        }
    }

    /// Returns the first match: this command's own items come before those of other programs.
    func firstMatch(in client: KeychainClient) throws(ClientError) -> ListedItem? {
        try client.preferred(of: try client.listItems(passwordClass, criteria))
    }
}

extension SecurityInvocation {
    /// Finds the item of a command, and reports why it could not.
    ///
    /// - Parameter names: the names of the keychains to search; none: as ``first(in:_:)``.
    func find(
        _ filter: PasswordFilter, in names: some Sequence<String>
    ) -> Result<(ListedItem, ToolKeychain), SecurityFailure> {
        let function = "SecKeychainSearchCopyNext"
        do throws(ClientError) {
            let found = try first(in: names) { keychain throws(ClientError) -> (ListedItem, ToolKeychain)? in
                try filter.firstMatch(in: keychain.client).map { ($0, keychain) }
            }
            if let found { return .success(found) }
        } catch {
            return .failure(.init(fail(function, error)))
        }
        return .failure(.init(fail(function, StatusCode.itemNotFound.rawValue)))
    }

    /// Reports an error of the client, with the reason if the service is unavailable.
    func fail(_ function: String, _ error: ClientError) -> SecurityResult {
        let result = fail(function, error.status.rawValue)
        switch error {
        case .unavailable(let reason, let hint):
            for sentence in [reason, hint] { sentence.map(complain) }
        case .refused(let refusal) where [.macKeychain, .notInspectable].contains(refusal.reason):
            // The reason and the hint, which are not obvious from the status.
            for sentence in [refusal.reason.explanation, refusal.reason.hint] { sentence.map(complain) }
        default: break
        }
        return result
    }
}

/// A result that ends a command, already reported.
struct SecurityFailure: Error {
    let result: SecurityResult

    init(_ result: SecurityResult) {
        self.result = result
    }
}
