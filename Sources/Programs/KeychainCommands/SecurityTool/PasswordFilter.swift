// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

/// What `find-…-password` and `delete-…-password` look for, and the attributes that `add-…-password` gives.
struct PasswordFilter {
    private let passwordClass: PasswordClass
    private let options: [Option]
    /// Few, each key once. A dictionary would take longer to be made, once for the process, than all else that is done here.
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

    /// How a value is read.
    private enum Form {
        case text
        case bytes
        /// Four characters that stand for a number, with a name for complaints.
        case code(String)
        /// Four characters that stay text, as the constants of protocols and authentication types are.
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

    /// Takes an option of ``letters``.
    ///
    /// - Returns: what is wrong with the value; nil when it was taken.
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

    /// What an item of the class cannot be added without, beside the account.
    var subject: AttributeKey {
        switch passwordClass {
        case .generic: .service
        case .internet: .server
        }
    }

    var isEmpty: Bool { values.isEmpty }

    /// What to search for. All attributes together that make an item which it is name one item, so nothing else is looked
    /// at then.
    var criteria: [ItemAttributes.Entry] {
        names.count == passwordClass.keyDefaults.count ? names : names + rest
    }

    /// What makes a new item which it is. The authentication type is the default one unless another is given, as on macOS.
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

    /// All attributes given except those that make the item which it is.
    var rest: [ItemAttributes.Entry] {
        let names = passwordClass.keyDefaults.map(\.key)
        return options.map(\.key).filter { !names.contains($0) }.compactMap { key in
            self[key].map { .init(key, $0) }
        }
    }

    /// The first match: an item of this command's own before those of other programs.
    func firstMatch(in client: KeychainClient) throws(ClientError) -> ListedItem? {
        try client.preferred(of: try client.listItems(passwordClass, criteria))
    }
}

extension SecurityInvocation {
    /// Finds the item that a command is about, and reports why it could not.
    ///
    /// - Parameter names: of the keychains to look in; none: as ``first(in:_:)``.
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

    /// Reports an error of the client, with the reason why there is no service if that is it.
    func fail(_ function: String, _ error: ClientError) -> SecurityResult {
        let result = fail(function, error.status.rawValue)
        switch error {
        case .unavailable(let reason) where !reason.isEmpty: complain(reason)
        case .refused(let refusal) where refusal.reason == .macKeychain:
            // What nobody can guess.
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
