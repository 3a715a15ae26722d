// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainModel

/// Attributes in the keychain's form. Opaque: only this module creates and reads them.
public struct EncodedAttributes: Hashable, Sendable {
    private(set) var entries: [ItemAttributes.Entry] = []

    init() {}

    init(_ stored: ItemAttributes) {
        entries = stored.entries
    }

    init(_ entries: [ItemAttributes.Entry]) {
        self.entries = entries
    }

    func checked(_ itemClass: ItemClass, for use: AttributeUse) throws(AttributeError) -> ItemAttributes {
        try ItemAttributes(itemClass, for: use, entries)
    }

    /// The attributes of a new item in a keychain file, which has no accessibility of its own. Only the default is left
    /// out: the service refuses others, because the file does not provide their protection.
    var ofFileItem: EncodedAttributes {
        var encoded = self
        encoded.entries.removeAll { $0.key == .accessible && $0.value == .string(Accessibility.whenUnlocked.code) }
        return encoded
    }

    /// The attributes, with the descriptive attributes of another item where they have none.
    func described(by other: EncodedAttributes) -> EncodedAttributes {
        var encoded = self
        for entry in other.entries where Self.descriptive.contains(entry.key) && self[entry.key] == nil {
            encoded.entries.append(entry)
        }
        return encoded
    }

    /// The attributes that neither name nor protect an item.
    private static let descriptive: Set<AttributeKey> = [
        .label, .itemDescription, .comment, .generic, .creator, .type, .scriptCode, .alias, .isInvisible, .isNegative,
        .hasCustomIcon,
    ]

    // MARK: Writing; nil adds no attribute

    mutating func put(_ key: AttributeKey, _ text: String?) {
        if let text { entries.append(.init(key, .string(text))) }
    }

    mutating func put(_ key: AttributeKey, _ bytes: [UInt8]?) {
        if let bytes { entries.append(.init(key, .data(bytes))) }
    }

    mutating func put(_ key: AttributeKey, _ number: (some BinaryInteger)?) {
        if let number { entries.append(.init(key, .number(Int64(number)))) }
    }

    mutating func put(_ key: AttributeKey, _ flag: Bool?) {
        put(key, flag.map { $0 ? 1 : 0 })
    }

    mutating func put(_ accessibility: Accessibility?) {
        put(.accessible, accessibility?.code)
    }

    mutating func put(_ key: AttributeKey, _ control: KeychainModel.AccessControl) {
        entries.append(.init(key, .accessControl(control)))
    }

    /// Accessibility and access control are one value when the access control requires authentication.
    mutating func put(_ accessibility: Accessibility, _ control: AccessControl?, forKeyUse: Bool = false) {
        if let control {
            put(.accessControl, control.content(accessibility, forKeyUse: forKeyUse))
        } else {
            put(accessibility)
        }
    }

    // MARK: Reading; nil when the item does not have the attribute, or has a value of another type

    private subscript(key: AttributeKey) -> AttributeValue? {
        entries.first { $0.key == key }?.value
    }

    /// The attribute as text for display: other programs may have stored it as data or as a number.
    func text(_ key: AttributeKey) -> String? {
        switch self[key] {
        case .string(let text): text
        case .data(let bytes): String(decoding: bytes, as: UTF8.self)
        case .number(let number): String(number)
        case .date, .accessControl, nil: nil
        }
    }

    func bytes(_ key: AttributeKey) -> [UInt8]? { self[key]?.bytes }

    func number<N: FixedWidthInteger>(_ key: AttributeKey) -> N? {
        self[key]?.number.flatMap(N.init(exactly:))
    }

    func flag(_ key: AttributeKey) -> Bool? { self[key]?.number.map { $0 != 0 } }

    func date(_ key: AttributeKey) -> Date? {
        guard case .date(let moment) = self[key] else { return nil }
        return Date(timeIntervalSinceReferenceDate: moment.secondsSinceReferenceDate)
    }

    var accessControl: AccessControl? {
        guard case .accessControl(let control) = self[.accessControl] else { return nil }
        return AccessControl(control)
    }

    var accessibility: Accessibility { text(.accessible).flatMap(Accessibility.init(code:)) ?? .whenUnlocked }
}

/// The attributes that both classes of passwords have and that are not part of an item's primary key.
protocol DescribedPassword {
    var label: String? { get }
    var itemDescription: String? { get }
    var comment: String? { get }
    var legacy: LegacyAttributes { get }
    var accessGroup: String? { get }
}

extension EncodedAttributes {
    init(_ password: some DescribedPassword) {
        put(.label, password.label)
        put(.itemDescription, password.itemDescription)
        put(.comment, password.comment)
        put(password.legacy)
        put(.accessGroup, password.accessGroup)
    }
}
