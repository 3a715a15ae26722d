// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// What the four functions promise, in memory and as plainly as can be: a list of items, looked through from the front.
///
/// Written from the specification, not from the sources of the keychain that it is compared with.
struct ModelKeychain {
    /// What can be wrong with a model on purpose, to see that the comparison notices.
    enum Fault: CaseIterable, Sendable {
        case synchronizableIsNotUnique, labelIsUnique, updatesFirstOnly, deletesFirstOnly, findsSynchronizable
        case forgetsDataOnUpdate, tellsTextFromData, changesOnDuplicate
    }

    struct Item {
        let itemClass: PasswordClass
        /// As stored, without those that are as the default.
        var attributes: [String: Value]
        var isSynchronizable: Bool
        var secret: [UInt8]?
        var reference: Data
        /// The dates that were seen since the last change.
        var created: Double?
        var modified: Double?
        /// The modification date is later than this.
        var modifiedAfter = -Double.infinity
    }

    var items: [Item] = []
    /// References of items that are gone. One of a synchronizable item may come back with the same item.
    var gone: [Data: Item] = [:]
    var fault: Fault?

    // MARK: Equality

    /// Text and data with the same bytes are the same; a number is not a text.
    private enum Comparable: Hashable {
        case bytes([UInt8])
        case number(Int)
    }

    private static func comparable(_ value: Value, ignoringCase: Bool = false) -> Comparable {
        switch value {
        case .text(let text): .bytes(Array((ignoringCase ? text.lowercased() : text).utf8))
        case .data(let bytes):
            if ignoringCase, let text = String(bytes: bytes, encoding: .utf8) {
                .bytes(Array(text.lowercased().utf8))
            } else {
                .bytes(bytes)
            }
        case .number(let number): .number(number)
        case .truth(let truth): .number(truth ? 1 : 0)
        }
    }

    private static let numbers: Set = ["crtr", "invi", "port", "ptcl"]

    /// Attributes that an item has without being given them.
    private static func defaults(_ itemClass: PasswordClass) -> [String: Value] {
        switch itemClass {
        case .generic: ["acct": .text(""), "svce": .text(""), "pdmn": .text("ak")]
        case .internet:
            [
                "acct": .text(""), "sdmn": .text(""), "srvr": .text(""), "ptcl": .number(0), "atyp": .text(""),
                "port": .number(0), "path": .text(""), "pdmn": .text("ak"),
            ]
        }
    }

    private static func unique(_ itemClass: PasswordClass) -> [String] {
        switch itemClass {
        case .generic: ["acct", "svce"]
        case .internet: ["acct", "sdmn", "srvr", "ptcl", "atyp", "port", "path"]
        }
    }

    /// Returns the stored form of a given value.
    private static func stored(_ name: String, _ value: Value) -> Value {
        switch value {
        case .truth(let truth): .number(truth ? 1 : 0)
        case .text(let text) where numbers.contains(name): Int(text).map(Value.number) ?? value
        case .text, .data, .number: value
        }
    }

    private static func stored(_ attributes: [String: Value]) -> [String: Value] {
        Dictionary(uniqueKeysWithValues: attributes.map { ($0.key, stored($0.key, $0.value)) })
    }

    /// Returns the attributes without those that have their default, because a result may omit them.
    static func withoutDefaults(_ attributes: [String: Value], _ itemClass: PasswordClass) -> [String: Value] {
        let defaults = defaults(itemClass)
        return attributes.filter { name, value in defaults[name].map { comparable($0) != comparable(value) } ?? true }
    }

    private func isSame(_ left: Item, _ right: Item) -> Bool {
        guard left.itemClass == right.itemClass else { return false }
        if fault != .synchronizableIsNotUnique, left.isSynchronizable != right.isSynchronizable { return false }
        let defaults = Self.defaults(left.itemClass)
        let names = Self.unique(left.itemClass) + (fault == .labelIsUnique ? ["labl"] : [])
        return names.allSatisfy { name in
            (left.attributes[name] ?? defaults[name]).map { Self.comparable($0) }
                == (right.attributes[name] ?? defaults[name]).map { Self.comparable($0) }
        }
    }

    private func hasDuplicates(_ items: [Item]) -> Bool {
        items.indices.contains { left in items[..<left].contains { isSame($0, items[left]) } }
    }

    // MARK: Queries

    private func matches(_ item: Item, _ query: Query, _ surroundings: Surroundings) -> Bool {
        guard item.itemClass == query.itemClass ?? query.reference?.itemClass else { return false }
        if let reference = query.reference, item.reference != surroundings.data(reference) { return false }
        let isUnfiltered =
            query.synchronizable == .absent && (query.reference != nil || fault == .findsSynchronizable)
        guard isUnfiltered || query.synchronizable.finds.contains(item.isSynchronizable) else { return false }
        if let host = query.host {
            guard let server = item.attributes["srvr"] else { return false }
            guard case .bytes(let bytes) = Self.comparable(server, ignoringCase: query.ignoresCase) else {
                return false
            }
            let name = String(decoding: bytes, as: UTF8.self)
            guard name == host || name.hasSuffix("." + host) else { return false }
        }
        let defaults = Self.defaults(item.itemClass)
        return query.attributes.allSatisfy { name, value in
            guard let stored = item.attributes[name] ?? defaults[name] else { return false }
            let wanted = Self.stored(name, value)
            if fault == .tellsTextFromData, stored != wanted { return false }
            return Self.comparable(stored, ignoringCase: query.ignoresCase)
                == Self.comparable(wanted, ignoringCase: query.ignoresCase)
        }
    }

    /// The status that the dictionaries alone lead to, nil if they are all right.
    private func refusal(_ query: Query, isCopy: Bool = false) -> OSStatus? {
        switch query.mistake {
        case .wrongType, .unknownKey: return errSecParam
        case .unknownAttribute: return errSecNoSuchAttr
        case nil: break
        }
        if isCopy, query.reference != nil, !query.attributes.isEmpty || query.group != .absent { return errSecParam }
        return query.group == .foreign ? errSecMissingEntitlement : nil
    }

    // MARK: The functions

    struct Answer {
        /// Any of these is right.
        var statuses: Set<OSStatus>
        /// On success, the places of the items that were found or changed.
        var found: [Int] = []

        init(_ statuses: OSStatus..., found: [Int] = []) {
            self.statuses = Set(statuses)
            self.found = found
        }
    }

    mutating func add(_ query: Query, secret: [UInt8]?) -> Answer {
        if let status = refusal(query) { return Answer(status) }
        let item = Item(
            itemClass: query.itemClass!,
            attributes: Self.withoutDefaults(Self.stored(query.attributes), query.itemClass!),
            isSynchronizable: query.synchronizable.adds, secret: secret, reference: Data())
        guard !items.contains(where: { isSame($0, item) }) else { return Answer(errSecDuplicateItem) }
        items.append(item)
        return Answer(errSecSuccess, found: [items.count - 1])
    }

    /// Sets the reference of the new item; returns an error text if the reference is wrong.
    mutating func setReference(_ reference: Data, ofItem index: Int) -> String? {
        items[index].reference = reference
        guard reference.count == 20, reference.starts(with: items[index].itemClass.rawValue.utf8) else {
            return "no persistent reference of this class"
        }
        if items.dropLast().contains(where: { $0.reference == reference }) { return "the reference of another item" }
        guard let before = gone.removeValue(forKey: reference) else { return nil }
        let isRevived = before.isSynchronizable && isSame(before, items[index])
        return isRevived ? nil : "the reference of an item that is gone"
    }

    func copy(_ query: Query, _ surroundings: Surroundings) -> Answer {
        // Two mistakes: an attribute that there is not, and any attribute beside a reference.
        if query.reference != nil, query.mistake == .unknownAttribute { return Answer(errSecParam, errSecNoSuchAttr) }
        if let status = refusal(query, isCopy: true) { return Answer(status) }
        let found = items.indices.filter { matches(items[$0], query, surroundings) }
        return found.isEmpty ? Answer(errSecItemNotFound) : Answer(errSecSuccess, found: found)
    }

    mutating func update(_ query: Query, _ changes: Changes, _ surroundings: Surroundings) -> Answer {
        var statuses: Set<OSStatus> = []
        switch changes.mistake {
        case .wrongType: statuses.insert(errSecParam)
        case .unknownAttribute, .unknownKey: statuses.insert(errSecNoSuchAttr)
        case nil: break
        }
        if changes.group == .foreign { statuses.insert(errSecMissingEntitlement) }
        if let status = refusal(query) { statuses.insert(status) }
        var found = items.indices.filter { matches(items[$0], query, surroundings) }
        if fault == .updatesFirstOnly { found = Array(found.prefix(1)) }
        // Which of two reasons is given is not promised, but nothing is changed.
        if found.isEmpty, refusal(query) == nil, changes.mistake == nil { statuses.insert(errSecItemNotFound) }
        guard statuses.isEmpty else {
            var answer = Answer()
            answer.statuses = statuses
            return answer
        }
        var changed = items
        for index in found {
            let attributes = changed[index].attributes.merging(Self.stored(changes.attributes)) { $1 }
            changed[index].attributes = Self.withoutDefaults(attributes, changed[index].itemClass)
            if let isSynchronizable = changes.synchronizable { changed[index].isSynchronizable = isSynchronizable }
            if let secret = changes.secret { changed[index].secret = secret }
            if fault == .forgetsDataOnUpdate { changed[index].secret = changes.secret }
            changed[index].modifiedAfter = changed[index].modified ?? changed[index].modifiedAfter
            changed[index].modified = nil
        }
        if hasDuplicates(changed) {
            if fault == .changesOnDuplicate { items = changed }
            return Answer(errSecDuplicateItem)
        }
        items = changed
        return Answer(errSecSuccess, found: found)
    }

    mutating func delete(_ query: Query, _ surroundings: Surroundings) -> Answer {
        if let status = refusal(query) { return Answer(status) }
        var found = items.indices.filter { matches(items[$0], query, surroundings) }
        if fault == .deletesFirstOnly { found = Array(found.prefix(1)) }
        guard !found.isEmpty else { return Answer(errSecItemNotFound) }
        for index in found.reversed() {
            let item = items.remove(at: index)
            gone[item.reference] = item
        }
        return Answer(errSecSuccess, found: [])
    }
}
