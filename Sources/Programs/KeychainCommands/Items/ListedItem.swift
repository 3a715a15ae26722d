// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// A stored item as the commands see it: its attributes and its reference, never its data.
struct ListedItem {
    let reference: PersistentReference
    let attributes: ItemAttributes

    /// A query for this item alone.
    var query: ItemQuery { ItemQuery(reference) }

    var group: String { attributes.accessGroup ?? "" }

    /// Whether it is an item of a user. By bytes, as the service compares: equivalent spellings are two users.
    func isOf(_ user: String) -> Bool { (text(.account) ?? "").utf8.elementsEqual(user.utf8) }

    /// Whether each use of it requires an approval.
    var isPrivate: Bool { group == CommandGroup.privateItems }

    /// Returns the text of a blob attribute; bytes that are not UTF-8 are replaced.
    func text(_ key: AttributeKey) -> String? { attributes[key]?.shownText }

    /// The address of an internet password; nil for other items. By the attributes, because a seed of one-time passwords
    /// can have those of its item (``OneTimePassword/all(in:)``).
    var address: WebAddress? { attributes.itemClass == .internetPassword ? WebAddress(attributes) : nil }

    /// The name for display: the service, or the address.
    var name: String { name(address) }

    /// Returns the name, for a caller that has the address already.
    func name(_ address: WebAddress?) -> String { address?.text ?? text(.service) ?? "" }

    /// The label; nil for a label that repeats the name or the host.
    var title: String? {
        text(.label).flatMap { $0.isEmpty || $0 == name || $0 == address?.host ? nil : $0 }
    }

    /// The names and values by which the Secret Service finds the item, ascending by name.
    var lookupPairs: [(name: String, value: String)] {
        (attributes.lookupAttributes?.pairs ?? [:]).sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }

    func json(_ key: AttributeKey) -> JSONText {
        guard let value = attributes[key] else { return .null }
        switch value {
        case .string(let text): return .text(text)
        case .data(let bytes): return .bytes(bytes)
        case .number(let number): return .integer(number)
        case .date(let moment): return CivilTime(moment).map { .text($0.rfc3339) } ?? .null
        case .accessControl: return .null
        }
    }

    /// The members of an item in JSON, as described in chatelaine(1).
    var jsonMembers: [(String, JSONText)] {
        [
            ("class", .text(reference.itemClass.code)),
            ("name", reference.itemClass == .internetPassword ? .text(name) : json(.service)),
            ("user", json(.account)),
            ("label", json(.label)),
            ("comment", json(.comment)),
            ("server", json(.server)),
            ("protocol", address?.protocolCode.map(JSONText.text) ?? .null),
            ("port", address.map { .integer(Int64($0.port)) } ?? .null),
            ("path", json(.path)),
            ("group", .text(group)),
            ("program", installedPath(ofGroup: group).map(JSONText.text) ?? .null),
            ("created", json(.creationDate)),
            ("modified", json(.modificationDate)),
            ("synchronizable", .boolean(attributes.isSynchronizable)),
            ("asksFor", .array(constraints.conditionNames.map(JSONText.text))),
            ("reference", .text(base64(reference.bytes))),
        ]
    }

    var modificationDate: Timestamp? {
        if case .date(let moment) = attributes[.modificationDate] { moment } else { nil }
    }

    var creationDate: Timestamp? {
        if case .date(let moment) = attributes[.creationDate] { moment } else { nil }
    }
}
