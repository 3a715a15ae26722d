// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainWire

/// A word that finds items by their name, title, server, URL or user. Case is ignored.
struct ItemWord {
    /// The part of an item that a word matches. The first cases take precedence.
    enum Match: Int, Comparable, CaseIterable {
        /// The name: the service, or the URL with or without its scheme.
        case name
        /// The label.
        case title
        case server
        /// The URL with any path; its scheme and port only as far as the word has them.
        case url
        case user
        /// A part of one of these texts. These matches have no order: two of them are two candidates.
        case part

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

        /// The name for display.
        var title: String {
            switch self {
            case .name: "name"
            case .title: "title"
            case .server: "server"
            case .url: "URL"
            case .user: "user"
            case .part: "a part"
            }
        }
    }

    let text: String
    private let folded: String
    private let parsed: WebAddress.Parsed?

    init(_ text: String) {
        self.text = text
        folded = text.lowercased()
        parsed = try? WebAddress.parse(text)
    }

    /// Returns the first part of an item that the word matches; nil for no match.
    func match(_ item: ListedItem) -> Match? {
        let own = item.address
        let shownName = item.name(own)
        let name = shownName.lowercased()
        if name == folded || Self.withoutScheme(name) == folded { return .name }
        let label = item.text(.label)?.lowercased()
        if label == folded { return .title }
        // Programs also store URLs as services.
        let address =
            own ?? (Self.contains(shownName.utf8, "://".utf8) ? try? WebAddress.parse(shownName).address : nil)
        if address?.host.lowercased() == folded { return .server }
        let user = item.text(.account)?.lowercased()
        if let parsed, let address, isPlace(parsed, address, user: user) { return .url }
        if user == folded, !folded.isEmpty { return .user }
        let hasPart = [name, label ?? "", user ?? ""].contains { Self.contains($0.utf8, folded.utf8) }
        return hasPart ? .part : nil
    }

    private func isPlace(_ parsed: WebAddress.Parsed, _ address: WebAddress, user: String?) -> Bool {
        let wanted = parsed.address
        guard wanted.host == address.host, parsed.user == nil || parsed.user?.lowercased() == user else { return false }
        if let scheme = wanted.protocolCode { return scheme == address.protocolCode && wanted.port == address.port }
        let port = WebAddress(host: wanted.host, protocolCode: address.protocolCode, port: wanted.port).port
        return wanted.port == 0 || port == address.port
    }

    private static func withoutScheme(_ name: String) -> Substring {
        let bytes = name.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
            return name[...]
        }
        return name[bytes.index(colon, offsetBy: 3)...]
    }

    /// Returns whether a text contains another one. By bytes, because comparing characters takes ten times as long.
    private static func contains(_ text: String.UTF8View, _ part: String.UTF8View) -> Bool {
        guard let first = part.first else { return true }
        var rest = text[...]
        while let index = rest.firstIndex(of: first) {
            rest = rest[index...]
            if rest.starts(with: part) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    // MARK: Requests

    /// An item that a word matches.
    struct Found {
        let item: ListedItem
        let match: Match
    }

    /// Returns the items of all programs whose name, title, server, URL or user is the word, in order of precedence.
    /// The service finds them by its indices, so the time does not depend on the number of items. The setups of
    /// one-time passwords are left out, because they have the title and the user of their passwords.
    func whole(in client: KeychainClient) throws(ClientError) -> [Found] {
        var found: [Found] = []
        func add(_ passwordClass: PasswordClass, _ key: AttributeKey, _ value: String, _ match: Match?)
            throws(ClientError)
        {
            var query = ItemQuery(passwordClass.itemClass)
            query.attributes = try client.attributes(passwordClass, for: .query, [.init(key, .string(value))])
            query.textMatching = .caseInsensitive
            for item in try client.listItems(query) where OneTimePassword.subject(item.attributes) == nil {
                // The service folds letters in more ways than the standard library, so its answer counts as well.
                let own = self.match(item).flatMap { $0 == .part ? nil : $0 }
                guard let best = [own, match].compactMap(\.self).min() else { continue }
                guard !found.contains(where: { $0.item.reference == item.reference }) else { continue }
                found.append(Found(item: item, match: best))
            }
        }
        try add(.generic, .service, text, .name)
        try add(.generic, .label, text, .title)
        try add(.internet, .label, text, .title)
        try add(.internet, .server, parsed?.address.host ?? text, nil)
        try add(.generic, .account, text, .user)
        try add(.internet, .account, text, .user)
        return Self.inOrder(found)
    }

    /// Returns the items of all programs that match in any way, in order of precedence. The service compares the texts,
    /// and sends only items that may match.
    ///
    /// - Parameter withSeeds: whether the seeds of one-time passwords are searched as well.
    func all(in client: KeychainClient, withSeeds: Bool = false) throws(ClientError) -> [Found] {
        var found: [Found] = []
        for passwordClass in PasswordClass.allCases {
            var query = ItemQuery(passwordClass.itemClass)
            query.containedText = containedText(in: passwordClass)
            // The service ignores more differences between letters than this type, so its answer counts as well.
            let isDecided = query.containedText == text
            for item in try client.listItems(query)
            where withSeeds || OneTimePassword.subject(item.attributes) == nil {
                guard let match = match(item) ?? (isDecided ? .part : nil) else { continue }
                found.append(Found(item: item, match: match))
            }
        }
        return Self.inOrder(found)
    }

    /// Returns a text that an attribute of each matching item contains; nil if there may be none: the name of a web
    /// password is put together from several attributes, and the service does not compare its scheme and its port.
    private func containedText(in passwordClass: PasswordClass) -> String? {
        guard !text.isEmpty, text.utf8.count <= WireLimits.containedTextBytes else { return nil }
        var part = text
        if text.utf8.contains(where: ":/?#@".utf8.contains) {
            let host = parsed?.address.host ?? ""
            if !host.isEmpty, !host.contains(":"), Self.contains(folded.utf8, host.utf8) {
                part = host
            } else if passwordClass == .internet || parsed != nil {
                return nil
            }
        }
        guard passwordClass == .internet else { return part }
        let isPort = part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isPort || URLScheme.isPartOfName(part.lowercased()) ? nil : part
    }

    /// Returns the matching items of a list, in order of precedence.
    func matches(among items: [ListedItem]) -> [Found] {
        Self.inOrder(
            items.filter { OneTimePassword.subject($0.attributes) == nil }
                .compactMap { item in match(item).map { Found(item: item, match: $0) } })
    }

    private static func inOrder(_ found: [Found]) -> [Found] {
        // Each key once, because the name of a web password is put together from its parts.
        found.map { (order: ($0.match.rawValue, $0.item.name, $0.item.text(.account) ?? ""), found: $0) }
            .sorted { $0.order < $1.order }
            .map(\.found)
    }

    /// Returns the matches of the first kind, which alone are candidates.
    static func best(_ found: [Found]) -> [Found] {
        guard let first = found.map(\.match).min() else { return [] }
        return found.filter { $0.match == first }
    }
}
