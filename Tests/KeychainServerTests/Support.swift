// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainClient
import KeychainModel
import KeychainTesting
import Testing

/// A query for generic passwords.
func query(service: String? = nil, account: String? = nil, group: String? = nil) throws -> ItemQuery {
    var query = ItemQuery(.genericPassword)
    var entries: [ItemAttributes.Entry] = []
    if let service { entries.append(.init(.service, .string(service))) }
    if let account { entries.append(.init(.account, .string(account))) }
    query.attributes = try ItemAttributes(.genericPassword, for: .query, entries)
    query.accessGroup = group
    return query
}

/// Attributes of a new item.
func attributes(_ entries: [(AttributeKey, AttributeValue)]) throws -> ItemAttributes {
    try attributes(.add, entries)
}

func attributes(
    _ use: AttributeUse, _ entries: [(AttributeKey, AttributeValue)]
) throws -> ItemAttributes {
    try ItemAttributes(.genericPassword, for: use, entries.map { .init($0.0, $0.1) })
}

extension KeychainClient {
    @discardableResult
    func add(_ attributes: ItemAttributes, secret: [UInt8]?) throws -> PersistentReference {
        try add(attributes, secret: secret) { _ in }.reference
    }

    @discardableResult
    func addPassword(
        service: String = "mail", account: String = "ann", secret: String? = "correct horse", group: String? = nil
    ) throws -> PersistentReference {
        var entries: [(AttributeKey, AttributeValue)] = [(.service, .string(service)), (.account, .string(account))]
        if let group { entries.append((.accessGroup, .string(group))) }
        return try add(try attributes(entries), secret: secret.map { Array($0.utf8) }) { Array($0) }.reference
    }

    func secrets(_ query: ItemQuery, limit: MatchLimit = .all) throws -> [String?] {
        try copyMatching(query, limit: limit, returning: .data) { String(decoding: $0, as: UTF8.self) }.map(\.secret)
    }

    func attributeSets(_ query: ItemQuery, limit: MatchLimit = .all) throws -> [ItemAttributes] {
        try copyMatching(query, limit: limit, returning: .attributes) { _ in }.compactMap(\.attributes)
    }
}

/// Returns the refusal of the call.
func refusal(_ body: () throws -> Void) throws -> Refusal {
    do {
        try body()
    } catch ClientError.refused(let refusal) {
        return refusal
    }
    return Refusal(.success, .none)
}

/// The fields of an audit line, which must be a JSON object.
func fields(_ line: String) throws -> [String: String] {
    let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    return object.mapValues { "\($0)" }
}
