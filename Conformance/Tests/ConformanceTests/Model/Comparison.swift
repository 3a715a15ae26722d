// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// A sequence of calls that the keychain answers differently than the model.
struct Difference: CustomStringConvertible {
    /// The calls up to the first call with a difference.
    let operations: [Operation]
    let reason: String

    var description: String {
        operations.map(\.description).joined(separator: "\n") + "\n// \(reason)"
    }
}

/// Makes the same calls to the keychain, which it empties first, and to the model.
struct Comparison {
    private var model = ModelKeychain()
    private var surroundings: Surroundings

    /// The first difference.
    ///
    /// - Parameter group: the access group of this program.
    static func difference(
        in operations: [Operation], group: String, fault: ModelKeychain.Fault? = nil
    ) -> Difference? {
        emptyKeychain()
        var comparison = Comparison(surroundings: Surroundings(group: group))
        comparison.model.fault = fault
        for (index, operation) in operations.enumerated() {
            if let reason = comparison.compare(operation) {
                return Difference(operations: Array(operations[...index]), reason: reason)
            }
        }
        return nil
    }

    private init(surroundings: Surroundings) { self.surroundings = surroundings }

    /// What differs in one call, or in everything after it.
    private mutating func compare(_ operation: Operation) -> String? {
        switch operation {
        case .add(let query, let secret, let parts, let number):
            return add(query, secret, parts.union(.persistentReference), number) ?? compareAll()
        case .copy(let query, let parts, let limit):
            return copy(query, parts, limit)
        case .update(let query, let changes):
            let answer = model.update(query, changes, surroundings)
            let status = SecItemUpdate(
                surroundings.entries(query) as CFDictionary, surroundings.entries(changes) as CFDictionary)
            return compare(status, answer) ?? compareAll()
        case .delete(let query):
            let answer = model.delete(query, surroundings)
            return compare(SecItemDelete(surroundings.entries(query) as CFDictionary), answer) ?? compareAll()
        }
    }

    private func compare(_ status: OSStatus, _ answer: ModelKeychain.Answer) -> String? {
        if answer.statuses.contains(status) { return nil }
        let expected = answer.statuses.sorted().map { "\($0)" }.joined(separator: " or ")
        return "status \(status), expected \(expected)"
    }

    private mutating func add(_ query: Query, _ secret: [UInt8]?, _ parts: Parts, _ number: Int) -> String? {
        let answer = model.add(query, secret: secret)
        var entries = surroundings.entries(query).merging(parts.entries) { $1 }
        if let secret { entries[kSecValueData] = Data(secret) }
        var result: CFTypeRef?
        let status = SecItemAdd(entries as CFDictionary, &result)
        if let reason = compare(status, answer) { return reason }
        guard status == errSecSuccess, let index = answer.found.first else {
            return result == nil ? nil : "a result without success"
        }
        let reference = (result as? Data) ?? (result as? Entries)?[kSecValuePersistentRef] as? Data
        guard let reference else { return "no persistent reference in \(String(describing: result))" }
        surroundings.references[number] = reference
        if let reason = model.setReference(reference, ofItem: index) { return reason }
        return compare([result as Any], with: [index], count: 1, parts)
    }

    private mutating func copy(_ query: Query, _ parts: Parts, _ limit: Limit) -> String? {
        let answer = model.copy(query, surroundings)
        let entries = surroundings.entries(query).merging(parts.entries) { $1 }.merging(limit.entries) { $1 }
        var result: CFTypeRef?
        let status = SecItemCopyMatching(entries as CFDictionary, &result)
        if let reason = compare(status, answer) { return reason }
        guard status == errSecSuccess else { return result == nil ? nil : "a result without success" }
        let hasElements = parts != [] && parts != .reference
        guard limit.isArray else {
            if hasElements { return compare([result as Any], with: answer.found, count: 1, parts) }
            return result == nil ? nil : "a result where nothing was asked for"
        }
        guard let elements = result as? [Any] else { return "no array" }
        let most = limit == .two ? 2 : Int.max
        return compare(elements, with: answer.found, count: hasElements ? min(answer.found.count, most) : 0, parts)
    }

    /// Compares all items.
    private mutating func compareAll() -> String? {
        for itemClass in PasswordClass.allCases {
            let query = Query(itemClass: itemClass, synchronizable: .any)
            if let reason = copy(query, [.data, .attributes, .persistentReference], .all) {
                return "afterwards, of all items: \(reason)"
            }
        }
        return nil
    }

    // MARK: Results

    /// One element of a result, without the parts that are compared by other rules.
    private struct Element: Hashable {
        var attributes: [String: Value]?
        var secret: [UInt8]?
        var reference: Data?
        var itemClass: String?
    }

    /// Whether the elements are so many different ones of the items, in whatever order.
    private mutating func compare(
        _ elements: [Any], with items: [Int], count: Int, _ parts: Parts
    ) -> String? {
        guard elements.count == count else { return "\(elements.count) elements, expected \(count)" }
        var left = items
        for object in elements {
            guard let element = element(object, parts) else { return "an element that is not as asked for: \(object)" }
            guard let place = left.firstIndex(where: { expected(model.items[$0], parts) == element }) else {
                let wanted = left.map { "\(expected(model.items[$0], parts))" }.joined(separator: " or ")
                return "an element \(element), expected \(wanted)"
            }
            let index = left.remove(at: place)
            if parts.contains(.attributes), let reason = compareDates(object, index) { return reason }
        }
        return nil
    }

    private func element(_ object: Any, _ parts: Parts) -> Element? {
        if parts == .data { return (object as? Data).map { Element(secret: Array($0)) } }
        if parts == .persistentReference { return (object as? Data).map { Element(reference: $0) } }
        guard let entries = object as? Entries else { return nil }
        var element = Element()
        element.secret = (entries[kSecValueData] as? Data).map(Array.init)
        element.reference = entries[kSecValuePersistentRef] as? Data
        element.itemClass = entries[kSecClass] as? String
        guard parts.contains(.attributes) else {
            let known = ["v_Data", "v_PersistentRef", "class"]
            return entries.keys.allSatisfy { known.contains($0 as String) } ? element : nil
        }
        var attributes: [String: Value] = [:]
        for (key, object) in entries {
            let name = key as String
            switch object {
            case _ where ["v_Data", "v_PersistentRef", "class", "cdat", "mdat", "accc"].contains(name): break
            case let text as String: attributes[name] = .text(text)
            case let data as Data: attributes[name] = .data(Array(data))
            case let number as Int: attributes[name] = .number(number)
            default: return nil
            }
        }
        // Both classes have all defaults that matter here; which class it is shows in the attributes themselves.
        let itemClass: PasswordClass = attributes["svce"] == nil ? .internet : .generic
        element.attributes = ModelKeychain.withoutDefaults(attributes, itemClass)
        return element
    }

    private func expected(_ item: ModelKeychain.Item, _ parts: Parts) -> Element {
        var element = Element()
        if parts.contains(.data) {
            // Alone, the data of an item without any is empty.
            element.secret = parts == .data ? item.secret ?? [] : item.secret
        }
        if parts.contains(.persistentReference) { element.reference = item.reference }
        if parts.contains(.reference) { element.itemClass = item.itemClass.rawValue }
        if parts.contains(.attributes) {
            element.attributes = item.attributes.merging([
                "agrp": .text(surroundings.group), "sync": .number(item.isSynchronizable ? 1 : 0),
            ]) { $1 }
        }
        return element
    }

    /// The creation date stays, the modification date grows with each update and stays without one.
    private mutating func compareDates(_ object: Any, _ index: Int) -> String? {
        guard let entries = object as? Entries, let created = entries[kSecAttrCreationDate] as? Date,
            let modified = entries[kSecAttrModificationDate] as? Date
        else { return "no dates" }
        let (creation, modification) = (
            created.timeIntervalSinceReferenceDate, modified.timeIntervalSinceReferenceDate
        )
        let item = model.items[index]
        if let known = item.created, known != creation { return "the creation date has changed" }
        if let known = item.modified, known != modification { return "the modification date has changed by itself" }
        guard modification > item.modifiedAfter else { return "the modification date has not grown" }
        guard modification >= creation else { return "modified before it was created" }
        model.items[index].created = creation
        model.items[index].modified = modification
        return nil
    }
}
