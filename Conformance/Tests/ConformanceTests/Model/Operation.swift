// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// A value in a dictionary and in the model.
enum Value: Hashable, Sendable {
    case text(String)
    case data([UInt8])
    case number(Int)
    case truth(Bool)

    var object: Any {
        switch self {
        case .text(let text): text
        case .data(let bytes): Data(bytes)
        case .number(let number): number
        case .truth(let truth): truth
        }
    }

    var source: String {
        switch self {
        case .text(let text): "\"\(text)\""
        case .data(let bytes): "Data(\(bytes))"
        case .number(let number): "\(number)"
        case .truth(let truth): "\(truth)"
        }
    }
}

/// One call, in terms that mean something without the calls before it, so that these can be left out.
enum Operation: Sendable {
    case add(Query, secret: [UInt8]?, parts: Parts, number: Int)
    case copy(Query, parts: Parts, limit: Limit)
    case update(Query, changes: Changes)
    case delete(Query)
}

/// An item dictionary of one of the functions.
struct Query: Sendable {
    /// The item that another call of this sequence adds.
    struct Reference: Hashable, Sendable {
        let itemClass: PasswordClass
        /// The number of the addition. An addition that failed, or does not exist, gives a reference of no item.
        let number: Int
    }

    var itemClass: PasswordClass?
    var reference: Reference?
    var attributes: [String: Value] = [:]
    var synchronizable: SynchronizableEntry = .absent
    var group: Group = .absent
    var ignoresCase = false
    var host: String?
    var mistake: Mistake?
}

/// The second dictionary of an update.
struct Changes: Sendable {
    var attributes: [String: Value] = [:]
    var synchronizable: Bool?
    var group: Group = .absent
    var secret: [UInt8]?
    var mistake: Mistake?
}

enum Group: Sendable { case absent, own, foreign }

/// At most one in a dictionary: which of several is reported is not promised.
enum Mistake: CaseIterable, Sendable {
    case wrongType, unknownAttribute, unknownKey

    var entry: (name: String, value: Any, source: String) {
        switch self {
        case .wrongType: ("labl", NSNull(), "kSecAttrLabel: NSNull()")
        case .unknownAttribute: ("skid", Data([1]), "kSecAttrSubjectKeyID: Data([1])")
        case .unknownKey: ("u_Unknown", "x", "\"u_Unknown\": \"x\"")
        }
    }
}

// MARK: Into dictionaries

/// What a sequence has to know for that.
struct Surroundings {
    let group: String
    /// By the number of the addition.
    var references: [Int: Data] = [:]

    func data(_ reference: Query.Reference) -> Data {
        references[reference.number] ?? Data(reference.itemClass.rawValue.utf8) + Data(count: 16)
    }

    func entries(_ query: Query) -> Entries {
        var entries: Entries = query.synchronizable.entries
        if let itemClass = query.itemClass { entries[kSecClass] = itemClass.constant }
        if let reference = query.reference { entries[kSecValuePersistentRef] = data(reference) }
        for (name, value) in query.attributes { entries[name as CFString] = value.object }
        add(query.group, to: &entries)
        if query.ignoresCase { entries[kSecMatchCaseInsensitive] = true }
        if let host = query.host { entries[kSecMatchHostOrSubdomainOfHost] = host }
        if let mistake = query.mistake { entries[mistake.entry.name as CFString] = mistake.entry.value }
        return entries
    }

    func entries(_ changes: Changes) -> Entries {
        var entries: Entries = [:]
        for (name, value) in changes.attributes { entries[name as CFString] = value.object }
        if let isSynchronizable = changes.synchronizable { entries[kSecAttrSynchronizable] = isSynchronizable }
        add(changes.group, to: &entries)
        if let secret = changes.secret { entries[kSecValueData] = Data(secret) }
        if let mistake = changes.mistake { entries[mistake.entry.name as CFString] = mistake.entry.value }
        return entries
    }

    private func add(_ group: Group, to entries: inout Entries) {
        switch group {
        case .absent: break
        case .own: entries[kSecAttrAccessGroup] = self.group
        case .foreign: entries[kSecAttrAccessGroup] = "com.example.foreign"
        }
    }
}

// MARK: For people

extension Operation: CustomStringConvertible {
    /// The call as one would write it in Swift.
    var description: String {
        switch self {
        case .add(let query, let secret, let parts, let number):
            var entries = query.source
            if let secret { entries.append("kSecValueData: Data(\(secret))") }
            entries += parts.union(.persistentReference).source
            return "SecItemAdd(\(dictionary(entries)), &result)  // reference\(number)"
        case .copy(let query, let parts, let limit):
            let entries = query.source + parts.source + limit.source
            return "SecItemCopyMatching(\(dictionary(entries)), &result)"
        case .update(let query, let changes):
            return "SecItemUpdate(\(dictionary(query.source)), \(dictionary(changes.source)))"
        case .delete(let query):
            return "SecItemDelete(\(dictionary(query.source)))"
        }
    }

    private func dictionary(_ entries: [String]) -> String {
        "[\(entries.isEmpty ? ":" : entries.joined(separator: ", "))] as CFDictionary"
    }
}

extension Query {
    fileprivate var source: [String] {
        var entries: [String] = []
        if let itemClass {
            entries.append(
                "kSecClass: \(itemClass == .generic ? "kSecClassGenericPassword" : "kSecClassInternetPassword")")
        }
        if let reference { entries.append("kSecValuePersistentRef: reference\(reference.number)") }
        entries += attributes.source + group.source
        switch synchronizable {
        case .absent: break
        case .any: entries.append("kSecAttrSynchronizable: kSecAttrSynchronizableAny")
        case .no, .yes, .numberZero, .numberOne, .textZero, .textOne:
            entries += synchronizable.entries.values.map { value in
                "kSecAttrSynchronizable: " + ((value as? String).map { "\"\($0)\"" } ?? "\(value)")
            }
        }
        if ignoresCase { entries.append("kSecMatchCaseInsensitive: true") }
        if let host { entries.append("kSecMatchHostOrSubdomainOfHost: \"\(host)\"") }
        if let mistake { entries.append(mistake.entry.source) }
        return entries
    }
}

extension Changes {
    fileprivate var source: [String] {
        var entries = attributes.source + group.source
        if let synchronizable { entries.append("kSecAttrSynchronizable: \(synchronizable)") }
        if let secret { entries.append("kSecValueData: Data(\(secret))") }
        if let mistake { entries.append(mistake.entry.source) }
        return entries
    }
}

extension [String: Value] {
    fileprivate var source: [String] {
        let names = [
            "acct": "kSecAttrAccount", "svce": "kSecAttrService", "srvr": "kSecAttrServer", "labl": "kSecAttrLabel",
            "icmt": "kSecAttrComment", "crtr": "kSecAttrCreator", "invi": "kSecAttrIsInvisible",
            "pdmn": "kSecAttrAccessible", "port": "kSecAttrPort", "ptcl": "kSecAttrProtocol", "path": "kSecAttrPath",
            "sdmn": "kSecAttrSecurityDomain", "atyp": "kSecAttrAuthenticationType", "gena": "kSecAttrGeneric",
        ]
        return sorted { $0.key < $1.key }.map { "\(names[$0.key] ?? "\"\($0.key)\""): \($0.value.source)" }
    }
}

extension Group {
    fileprivate var source: [String] {
        switch self {
        case .absent: []
        case .own: ["kSecAttrAccessGroup: ownGroup"]
        case .foreign: ["kSecAttrAccessGroup: \"com.example.foreign\""]
        }
    }
}

extension Parts {
    fileprivate var source: [String] { entries.keys.map { "k\(constantName($0)): true" }.sorted() }

    private func constantName(_ key: CFString) -> String {
        "SecReturn" + (key as String).dropFirst(2)
    }
}

extension Limit {
    fileprivate var source: [String] {
        switch self {
        case .none: []
        case .one: ["kSecMatchLimit: kSecMatchLimitOne"]
        case .numberOne: ["kSecMatchLimit: 1"]
        case .all: ["kSecMatchLimit: kSecMatchLimitAll"]
        case .two: ["kSecMatchLimit: 2"]
        }
    }
}
