// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The attributes that items of the keychain have in the Secret Service, and the queries that find items by them.
///
/// An item of the Secret Service keeps its attributes as they are (`AttributeKey.lookup`). The attributes of other items
/// are those of libsecret's schemas, made of the attributes that the keychain knows (Documentation/SecretService.md).
enum AttributeMapping {
    private static let schema = LookupAttributes.schemaName
    private static let genericSchema = "org.freedesktop.Secret.Generic"
    private static let networkSchema = "org.gnome.keyring.NetworkPassword"

    // MARK: The attributes of an item

    /// Returns the attributes of a password.
    static func attributes(of item: ItemAttributes) -> [String: String] {
        if let lookup = item.lookupAttributes { return lookup.pairs }
        var attributes: [String: String] = [:]
        func add(_ name: String, _ value: String?) {
            if let value, !value.isEmpty { attributes[name] = value }
        }
        if item.itemClass == .internetPassword {
            attributes[schema] = networkSchema
            for (name, key) in networkTexts { add(name, text(item[key])) }
            add("protocol", protocolName(item[.protocol]))
            add("authtype", text(item[.authenticationType]).map { authenticationNames[$0] ?? $0 })
            if let port = item[.port]?.number, port != 0 { add("port", String(port)) }
        } else {
            attributes[schema] = genericSchema
            add("service", text(item[.service]))
            let account = text(item[.account])
            for name in accountNames { add(name, account) }
        }
        return attributes
    }

    /// Returns the label of an item; for an item without a label what it belongs to.
    static func label(of item: ItemAttributes) -> String {
        let keys: [AttributeKey] = [.label, .service, .server, .account]
        return keys.lazy.compactMap { text(item[$0]) }.first { !$0.isEmpty } ?? ""
    }

    private static func text(_ value: AttributeValue?) -> String? {
        value?.bytes.flatMap { String(validating: $0, as: UTF8.self) }
    }

    // MARK: Searches

    /// A search of the keychain for items with certain attributes.
    struct Search {
        let query: ItemQuery
        /// Whether the query also finds items that have other attributes in the Secret Service.
        let isBroader: Bool
    }

    /// Returns the searches that find the items with all of the given attributes.
    ///
    /// Each of them names attributes, so that the keychain answers it by its index. Therefore a search for nothing but a
    /// schema finds only items that the Secret Service stored.
    ///
    /// - Parameter attributes: at least one.
    static func searches(for attributes: [String: String]) -> [Search] {
        var searches: [Search] = []
        if let lookup = try? LookupAttributes(attributes) {
            searches.append(Search(query: query(.genericPassword, [lookupEntry(lookup)]), isBroader: false))
        }
        if let entries = genericEntries(attributes) {
            searches.append(Search(query: query(.genericPassword, entries), isBroader: true))
        }
        if let entries = networkEntries(attributes) {
            searches.append(Search(query: query(.internetPassword, entries), isBroader: false))
        }
        return searches
    }

    /// Returns a query for items that may have exactly these attributes.
    static func query(forExactly lookup: LookupAttributes) -> ItemQuery {
        // The empty set is contained in each set, so those items are found by their service.
        guard lookup.pairs.isEmpty else { return query(.genericPassword, [lookupEntry(lookup)]) }
        return query(service: lookup.itemName.service)
    }

    /// Returns a query for the generic passwords of a service.
    static func query(service: String) -> ItemQuery { query(.genericPassword, [.init(.service, .string(service))]) }

    private static func genericEntries(_ attributes: [String: String]) -> [ItemAttributes.Entry]? {
        var rest = attributes
        guard rest.removeValue(forKey: schema) ?? genericSchema == genericSchema else { return nil }
        var entries: [ItemAttributes.Entry] = []
        if let service = rest.removeValue(forKey: "service") { entries.append(.init(.service, .string(service))) }
        let accounts = Set(accountNames.compactMap { rest.removeValue(forKey: $0) })
        guard rest.isEmpty, accounts.count <= 1 else { return nil }
        if let account = accounts.first { entries.append(.init(.account, .string(account))) }
        return named(entries)
    }

    private static func networkEntries(_ attributes: [String: String]) -> [ItemAttributes.Entry]? {
        var rest = attributes
        guard rest.removeValue(forKey: schema) ?? networkSchema == networkSchema else { return nil }
        var entries: [ItemAttributes.Entry] = []
        for (name, key) in networkTexts {
            if let value = rest.removeValue(forKey: name) { entries.append(.init(key, .string(value))) }
        }
        if let name = rest.removeValue(forKey: "protocol") {
            entries.append(.init(.protocol, .string(URLScheme(name: name)?.protocolCode ?? name)))
        }
        if let name = rest.removeValue(forKey: "authtype") {
            let code = authenticationNames.first { $0.value == name }?.key
            entries.append(.init(.authenticationType, .string(code ?? name)))
        }
        if let port = rest.removeValue(forKey: "port") {
            guard let number = UInt16(port), String(number) == port, number != 0 else { return nil }
            entries.append(.init(.port, .number(Int64(number))))
        }
        return rest.isEmpty ? named(entries) : nil
    }

    /// Returns the entries; nil if there is none, or an empty one, which no item has in the Secret Service.
    private static func named(_ entries: [ItemAttributes.Entry]) -> [ItemAttributes.Entry]? {
        entries.isEmpty || entries.contains { $0.value == .string("") } ? nil : entries
    }

    private static func query(_ itemClass: ItemClass, _ entries: [ItemAttributes.Entry]) -> ItemQuery {
        var query = ItemQuery(itemClass)
        query.synchronizable = .any
        for entry in entries { query.attributes[entry.key] = entry.value }
        return query
    }

    // MARK: New items

    static func lookupEntry(_ lookup: LookupAttributes) -> ItemAttributes.Entry {
        .init(.lookup, .data(lookup.encoded))
    }

    /// Returns changes that give an internet password these attributes; nil if it cannot have them.
    static func changes(ofInternetPassword attributes: [String: String]) -> [ItemAttributes.Entry]? {
        guard let entries = networkEntries(attributes) else { return nil }
        // An attribute that is not named is removed: it gets its default.
        let texts = networkTexts.map(\.key) + [.authenticationType]
        let defaults =
            texts.map { ItemAttributes.Entry($0, .string("")) }
            + [AttributeKey.protocol, .port].map { ItemAttributes.Entry($0, .number(0)) }
        return entries + defaults.filter { entry in !entries.contains { $0.key == entry.key } }
    }

    // MARK: Names

    /// The names of an account: of libsecret's tools, and of Python's keyring.
    private static let accountNames = ["account", "username"]

    private static let networkTexts: [(name: String, key: AttributeKey)] = [
        ("user", .account), ("domain", .securityDomain), ("server", .server), ("object", .path),
    ]

    /// Apple's codes of authentication types, and libsecret's names.
    private static let authenticationNames = ["http": "basic", "httd": "digest", "form": "form", "ntlm": "ntlm"]

    private static func protocolName(_ value: AttributeValue?) -> String? {
        switch value {
        case .string(let code): URLScheme(protocolCode: code)?.name ?? code
        // Apple's older functions name a protocol by the number of its four characters.
        case .number(let number):
            UInt32(exactly: number).map { AttributeKey(code: $0).name }.flatMap(URLScheme.init(protocolCode:))?.name
        case .data, .date, .accessControl, nil: nil
        }
    }
}
