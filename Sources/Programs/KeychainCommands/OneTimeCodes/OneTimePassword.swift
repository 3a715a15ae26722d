// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

/// The seed of one-time passwords (an `otpauth:` URI) as a separate item, beside the password that it belongs to.
///
/// It is a secret like the password, so no attribute can hold it. Its user is the user of the password, and its service
/// is `otpauth:` and one of these texts, so that no two items have the same seed:
/// - the URL of a web password, and `//` before an address without a scheme,
/// - the name of another item, and `name:` before a name that contains `://` or begins with `//`.
///
/// Earlier versions added neither `//` nor `name:`. Such a seed belongs to the item that has its service now, if there is
/// one, and otherwise to the item that had it then.
enum OneTimePassword {
    private static let prefix = "otpauth:"
    private static let namePrefix = "name:"
    private static let kind = "one-time password"

    // MARK: Names

    /// Returns the service of an item's seed.
    static func service(of subject: ItemName.Subject) -> String {
        let text = subject.text
        return switch subject {
        case .name: prefix + (isLikeAddress(text) ? namePrefix : "") + text
        case .server, .address: prefix + (isLikeAddress(text) ? "" : "//") + text
        }
    }

    /// Returns the service that the seed of an item had in earlier versions, and the item that has this service now; nil
    /// if the service is the same.
    static func earlier(_ subject: ItemName.Subject) -> (service: String, other: ItemName.Subject)? {
        let service = prefix + subject.text
        guard !service.utf8.elementsEqual(Self.service(of: subject).utf8) else { return nil }
        return Self.subject(service: service).map { (service, $0) }
    }

    /// Returns the subject of the item that a service's seed belongs to; nil for other services.
    static func subject(service: String) -> ItemName.Subject? {
        guard let text = service.dropping(prefix) else { return nil }
        if let name = text.dropping(namePrefix), isLikeAddress(name) { return .name(name) }
        guard isLikeAddress(text) else { return .name(text) }
        let address = try? WebAddress.parse(text.dropping("//") ?? text).address
        // The text of another program's item may be a different spelling of the address, and is then a name.
        guard let address, service.utf8.elementsEqual(Self.service(of: .address(address)).utf8) else {
            return .name(text)
        }
        return .address(address)
    }

    /// Returns the subject of the item that a seed belongs to; nil for other items.
    static func subject(_ attributes: ItemAttributes) -> ItemName.Subject? {
        guard attributes.itemClass == .genericPassword, attributes[.itemDescription]?.shownText == kind else {
            return nil
        }
        return attributes[.service]?.shownText.flatMap(subject(service:))
    }

    private static func isLikeAddress(_ text: String) -> Bool {
        text.utf8.starts(with: "//".utf8) || text.utf8.contains("://".utf8)
    }

    /// Returns the attributes of the seed of an item.
    static func entries(_ subject: ItemName.Subject, user: String, label: String) -> [ItemAttributes.Entry] {
        key(subject, user: user) + [.init(.label, .string(label)), .init(.itemDescription, .string(kind))]
    }

    /// Returns the identifying attributes of the seed of an item.
    static func key(_ subject: ItemName.Subject, user: String) -> [ItemAttributes.Entry] {
        [.init(.service, .string(service(of: subject))), .init(.account, .string(user))]
    }

    // MARK: Stored seeds

    /// Returns the seeds of all programs, each with the name or the address of its item.
    static func all(in client: KeychainClient) throws(ClientError) -> [ListedItem] {
        try client.listItems(.generic, [.init(.itemDescription, .string(kind))]).compactMap { seed in
            subject(seed.attributes).map { named(seed, $0) }
        }
    }

    /// Returns a seed with the name or the address of its item.
    static func named(_ seed: ListedItem, _ subject: ItemName.Subject) -> ListedItem {
        var attributes = seed.attributes
        switch subject {
        case .name(let name): attributes[.service] = .string(name)
        case .server(let host): return named(seed, .address(WebAddress(host: host)))
        case .address(let address):
            attributes = ItemAttributes(empty: .internetPassword)
            let kept: [AttributeKey] = [
                .account, .label, .comment, .accessGroup, .synchronizable, .accessible, .accessControl, .creationDate,
                .modificationDate,
            ]
            for key in kept { attributes[key] = seed.attributes[key] }
            for entry in address.entries { attributes[entry.key] = entry.value }
        }
        return ListedItem(reference: seed.reference, attributes: attributes)
    }

    /// Returns the seeds of an item, of all access groups.
    static func seeds(of name: ItemName, in client: KeychainClient) throws(ClientError) -> [ListedItem] {
        func stored(_ service: String) throws(ClientError) -> [ListedItem] {
            try client.listItems(
                .generic,
                [
                    .init(.service, .string(service)), .init(.account, .string(name.user)),
                    .init(.itemDescription, .string(kind)),
                ])
        }
        let seeds = try stored(service(of: name.subject))
        guard seeds.isEmpty, let earlier = earlier(name.subject) else { return seeds }
        return try exists(earlier.other, name.user, in: client) ? [] : try stored(earlier.service)
    }

    private static func exists(
        _ subject: ItemName.Subject, _ user: String, in client: KeychainClient
    ) throws(ClientError) -> Bool {
        try subject.candidates(in: client).contains { $0.isOf(user) }
    }

    /// Gives seeds that an earlier version stored the service that belongs to their item alone, before an item or a seed
    /// is stored that would otherwise take them.
    static func separate(_ name: ItemName, in client: KeychainClient) throws(ClientError) {
        let other: ItemName.Subject? =
            switch name.subject {
            case .name(let text): (try? WebAddress.parse(text).address).map { .address($0) }
            case .server, .address: .name(name.subjectText)
            }
        guard let other, try exists(other, name.user, in: client) else { return }
        try moveEarlier(ItemName(other, sameUserAs: name), in: client)
    }

    private static func moveEarlier(_ name: ItemName, in client: KeychainClient) throws(ClientError) {
        let service = service(of: name.subject)
        for seed in try client.ownItems(try seeds(of: name, in: client))
        where !seed.name.utf8.elementsEqual(service.utf8) {
            let changes = try client.attributes(.generic, for: .update, [.init(.service, .string(service))])
            try client.update(seed.query, changes: changes, secret: nil)
        }
    }

    /// Returns the setup that an item stores.
    static func setup(
        of found: FoundItem, _ client: KeychainClient, in context: CommandContext
    ) throws(CommandFailure) -> OneTimeCodeSetup {
        let text = try GetCommand.secret(of: found, client, in: context)
        do throws(OneTimeCodeSetup.Problem) {
            return try OneTimeCodeSetup(text)
        } catch {
            throw CommandFailure(
                "the seed of \(found.name.quoted) cannot be used: \(error.reason)",
                hint: "`chatelaine set --totp` stores another one")
        }
    }

    // MARK: Storing

    /// Stores the seed of an item's one-time passwords, or replaces it. It gets the protection of the item.
    ///
    /// - Parameters:
    ///   - text: an `otpauth:` URI, or the key alone in Base32.
    ///   - group: the access group; nil for the private group if the item is private, and otherwise as for
    ///     ``KeychainClient/addOrUpdate(_:key:new:changes:secret:isSeed:in:)``.
    /// - Returns: the name of the item.
    static func store(
        _ text: SecretBytes, for given: ItemName, label: String?, comment: String?, in group: String?,
        _ client: KeychainClient, in context: CommandContext
    ) throws(CommandFailure) -> (result: AddOrUpdateResult, name: ItemName) {
        do throws(OneTimeCodeSetup.Problem) {
            _ = try OneTimeCodeSetup(text)
        } catch {
            throw CommandFailure(
                "the seed cannot be used: \(error.reason)",
                hint: "nothing was stored; enter the otpauth: URI or the key in Base32 that the site shows")
        }
        let item = try ownItem(given, in: context)
        let name = item.map(ItemName.init(of:)) ?? given
        let secret = OneTimeCodeSetup.uri(text, label: name.user.isEmpty ? name.label : name.user)
        var changes: [ItemAttributes.Entry] = []
        if let label { changes.append(.init(.label, .string(label))) }
        if let comment { changes.append(.init(.comment, .string(comment))) }
        var new = entries(name.subject, user: name.user, label: label ?? name.label)
            .filter { ![.service, .account].contains($0.key) }
        if let comment { new.append(.init(.comment, .string(comment))) }
        if let item, !item.constraints.isEmpty, let control = item.attributes[.accessControl] {
            new.append(.init(.accessControl, control))
            changes.append(.init(.accessControl, control))
        }
        let group = group ?? (item?.isPrivate == true ? CommandGroup.privateItems : nil)
        let result = try context.items(name) { _ throws(ClientError) in
            try separate(name, in: client)
            try moveEarlier(name, in: client)
            return try client.addOrUpdate(
                .generic, key: key(name.subject, user: name.user), new: new, changes: changes, secret: secret,
                isSeed: true, in: group)
        }
        return (result, name)
    }

    /// Returns whether a change would replace a seed by a secret that is no seed, or the other way round, or would remove
    /// the description by which a seed is found.
    ///
    /// No command makes such a change, because many sites show a seed only once. Every command that replaces the secret
    /// of an existing item asks this function.
    static func isMismatch(
        _ item: ListedItem, isSeed: Bool, secret: SecretBytes?, changes: [ItemAttributes.Entry]
    ) -> Bool {
        let isReplaced = secret != nil || changes.contains { $0.key == .itemDescription }
        return isReplaced && (subject(item.attributes) != nil) != isSeed
    }

    /// Returns the failure of a command that would replace such an item.
    static func mismatch(_ item: ListedItem) -> CommandFailure {
        let name = ItemName(of: item)
        guard let subject = subject(item.attributes) else {
            return CommandFailure(
                "the seed would replace the item \(name.quoted), which is no seed",
                hint: "nothing was stored; give that item another name with `chatelaine rename`")
        }
        return CommandFailure(
            "the secret would replace the seed of \(ItemName(subject, sameUserAs: name).quoted)",
            hint: "nothing was stored; use another name, or replace the seed with `chatelaine set --totp`")
    }

    /// Returns the command's own item of a name, of several the preferred one; nil without one.
    ///
    /// - Throws: a failure if a server has several passwords of the user.
    private static func ownItem(_ name: ItemName, in context: CommandContext) throws(CommandFailure) -> ListedItem? {
        let items = try context.items(name) { client throws(ClientError) in
            try client.ownItems(try name.candidates(in: client).filter { $0.isOf(name.user) })
        }
        guard case .server(let host) = name.subject else { return items.first }
        if let item = items.first(where: { $0.address == WebAddress(host: host) }) { return item }
        try checkOneAddress(items, name)
        return items.first
    }
}

extension String {
    /// Returns the text after a beginning; nil for another beginning. By bytes, because a mark may follow.
    fileprivate func dropping(_ beginning: String) -> String? {
        guard utf8.starts(with: beginning.utf8) else { return nil }
        return String(decoding: utf8.dropFirst(beginning.utf8.count), as: UTF8.self)
    }
}
