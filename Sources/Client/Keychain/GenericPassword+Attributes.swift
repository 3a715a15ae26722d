// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

// Between the typed form of a generic password and the keychain's attributes.

extension GenericPassword {
    var entries: [ItemAttributes.Entry] {
        var entries: [ItemAttributes.Entry] = [
            .init(.service, .string(service)),
            .init(.account, .string(account)),
            .init(.accessible, .string(accessibility.code)),
            .init(.synchronizable, .number(isSynchronizable ? 1 : 0)),
        ]
        func add(_ key: AttributeKey, _ value: AttributeValue?) {
            if let value { entries.append(.init(key, value)) }
        }
        add(.label, label.map(AttributeValue.string))
        add(.itemDescription, itemDescription.map(AttributeValue.string))
        add(.comment, comment.map(AttributeValue.string))
        add(.generic, generic.map(AttributeValue.data))
        add(.creator, creator.map { .number(Int64($0)) })
        add(.type, type.map { .number(Int64($0)) })
        add(.isInvisible, isInvisible.map { .number($0 ? 1 : 0) })
        add(.isNegative, isNegative.map { .number($0 ? 1 : 0) })
        add(.accessGroup, accessGroup.map(AttributeValue.string))
        return entries
    }

    init(_ attributes: ItemAttributes) {
        self.init(
            service: attributes[.service]?.text ?? "", account: attributes[.account]?.text ?? "",
            label: attributes[.label]?.text, comment: attributes[.comment]?.text,
            accessGroup: attributes.accessGroup, accessibility: attributes.accessibility,
            isSynchronizable: attributes.isSynchronizable)
        itemDescription = attributes[.itemDescription]?.text
        generic = attributes[.generic]?.bytes
        creator = attributes[.creator]?.number.flatMap(UInt32.init(exactly:))
        type = attributes[.type]?.number.flatMap(UInt32.init(exactly:))
        isInvisible = attributes[.isInvisible]?.number.map { $0 != 0 }
        isNegative = attributes[.isNegative]?.number.map { $0 != 0 }
    }
}

extension GenericPassword.Query {
    var itemQuery: ItemQuery {
        get throws(ClientError) {
            var query = ItemQuery(.genericPassword)
            var entries: [ItemAttributes.Entry] = []
            if let service { entries.append(.init(.service, .string(service))) }
            if let account { entries.append(.init(.account, .string(account))) }
            if let label { entries.append(.init(.label, .string(label))) }
            if let generic { entries.append(.init(.generic, .data(generic))) }
            query.attributes = try checked(.query, entries)
            query.accessGroup = accessGroup
            query.synchronizable = synchronizable
            return query
        }
    }
}

extension StoredPassword {
    init(_ reference: PersistentReference, _ attributes: ItemAttributes?) {
        let attributes = attributes ?? ItemAttributes(empty: .genericPassword)
        self.reference = ItemReference(reference)
        self.attributes = GenericPassword(attributes)
        creationDate = attributes[.creationDate]?.date
        modificationDate = attributes[.modificationDate]?.date
    }
}

extension ItemReference {
    var itemQuery: ItemQuery {
        var query = ItemQuery(reference.itemClass)
        query.persistentReference = reference
        query.synchronizable = .any
        return query
    }
}

extension AttributeValue {
    /// What a person would read: other programs may have stored text as data or numbers.
    fileprivate var text: String? {
        switch self {
        case .string(let text): text
        case .data(let bytes): String(decoding: bytes, as: UTF8.self)
        case .number(let number): String(number)
        case .date, .accessControl: nil
        }
    }

    fileprivate var date: Timestamp? {
        if case .date(let date) = self { date } else { nil }
    }
}
