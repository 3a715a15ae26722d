// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

/// The name of a secret on the command line: its subject, and a user (the item's account).
struct ItemName: Hashable {
    enum Subject: Hashable {
        /// Any word: the service of a generic password.
        case name(String)
        /// A host, for any protocol: the server of an internet password.
        case server(String)
        /// A URL: protocol, server, port and path of an internet password.
        case address(WebAddress)

        /// The name, the host or the URL.
        var text: String {
            switch self {
            case .name(let text), .server(let text): text
            case .address(let address): address.text
            }
        }
    }

    let subject: Subject
    let user: String

    /// Creates a name.
    ///
    /// - Throws: a usage failure for an empty name, and for a NUL byte in either, which no argument can contain.
    init(_ name: String, user: String) throws(CommandFailure) {
        guard !name.isEmpty else { throw CommandFailure("NAME must not be empty", exitCode: .usage) }
        guard !name.utf8.contains(0) else { throw Self.nulByte }
        try self.init(.name(name), user: user)
    }

    /// Creates the name of an internet password by its server.
    ///
    /// - Throws: a usage failure for a text that is not a host.
    init(server: String, user: String) throws(CommandFailure) {
        do {
            let parsed = try WebAddress.parse(server)
            guard parsed.address == WebAddress(host: parsed.address.host) else { throw WebAddress.Problem.badHost }
            try self.init(.server(parsed.address.host), user: user)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(
                "HOST must be the name of a machine only", hint: "use --url for a URL", exitCode: .usage)
        }
    }

    /// Creates the name of an internet password by its URL.
    ///
    /// - Parameter user: nil uses the user in the URL, if it has one.
    /// - Throws: a usage failure for a text that is not a URL the keychain can represent, and for two users.
    init(url: String, user: String?) throws(CommandFailure) {
        let parsed: WebAddress.Parsed
        do {
            parsed = try WebAddress.parse(url)
        } catch {
            throw CommandFailure("--url: \(error.reason)", exitCode: .usage)
        }
        if let user, let named = parsed.user, user != named {
            throw CommandFailure("--url and --user name different users", exitCode: .usage)
        }
        try self.init(.address(parsed.address), user: user ?? parsed.user ?? "")
    }

    /// Creates the name of another user's item with the same subject.
    init(_ subject: Subject, user: String) throws(CommandFailure) {
        guard !user.utf8.contains(0) else { throw Self.nulByte }
        self.subject = subject
        self.user = user
    }

    /// Creates the name of the same user's item with another subject.
    init(_ subject: Subject, sameUserAs other: ItemName) { (self.subject, user) = (subject, other.user) }

    /// Creates the name of a stored item.
    init(of item: ListedItem) {
        subject = item.address.map(Subject.address) ?? .name(item.name)
        user = item.text(.account) ?? ""
    }

    private static var nulByte: CommandFailure {
        CommandFailure("names must not contain NUL bytes", exitCode: .usage)
    }

    var passwordClass: PasswordClass {
        switch subject {
        case .name: .generic
        case .server, .address: .internet
        }
    }

    /// The label of a new item in lists.
    var label: String {
        switch subject {
        case .name(let text), .server(let text): text
        case .address(let address): address.host
        }
    }

    /// The name, the host or the URL.
    var subjectText: String { subject.text }

    /// `"github"`, or `"github" (user octo)`.
    var quoted: String { user.isEmpty ? "\"\(subjectText)\"" : "\"\(subjectText)\" (user \(user))" }

    /// The arguments of a command that name the item exactly.
    var arguments: String {
        let option =
            switch subject {
            case .name(let name): shellWord(name)
            case .server(let host): "--server " + shellWord(host)
            case .address(let address):
                (address.protocolCode == nil ? "--server " : "--url ") + shellWord(address.text)
            }
        return user.isEmpty ? option : option + " --user " + shellWord(user)
    }

    /// The attributes that give a new item this name.
    var entries: [ItemAttributes.Entry] {
        let account = ItemAttributes.Entry(.account, .string(user))
        return switch subject {
        case .name(let name): [.init(.service, .string(name)), account]
        case .server(let host): [.init(.server, .string(host)), account]
        case .address(let address): address.entries + [account]
        }
    }

    var json: [(String, JSONText)] {
        switch subject {
        case .name(let name): [("name", .text(name)), ("user", .text(user))]
        case .server(let host): [("server", .text(host)), ("user", .text(user))]
        case .address(let address):
            [("server", .text(address.host)), ("url", .text(address.text)), ("user", .text(user))]
        }
    }
}

extension ItemName.Subject {
    /// Returns all items with this subject, of any user.
    func candidates(in client: KeychainClient) throws(ClientError) -> [ListedItem] {
        switch self {
        case .name(let name): try client.listItems(.generic, [.init(.service, .string(name))])
        case .server(let host): try client.listItems(onHost: host)
        case .address(let address): try client.listItems(onHost: address.host).filter { $0.address == address }
        }
    }
}

/// Functions that find the items for a name.
extension ItemName {
    /// Returns all items with this subject, of any user.
    func candidates(in client: KeychainClient) throws(ClientError) -> [ListedItem] {
        try subject.candidates(in: client)
    }

    /// Returns the items of a list with this subject, of any user.
    func candidates(among items: [ListedItem]) -> [ListedItem] {
        switch subject {
        case .name(let name): items.filter { $0.address == nil && $0.name.utf8.elementsEqual(name.utf8) }
        case .server(let host): items.filter { $0.address?.host == WebAddress(host: host).host }
        case .address(let wanted): items.filter { $0.address == wanted }
        }
    }
}
