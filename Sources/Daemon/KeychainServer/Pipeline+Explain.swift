// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainStore

// Explains why an item was not found or exists already. Searches only where the caller's own searches do, so it reveals
// nothing that the caller could not find by searching; and, for a signed program, counts in the other groups of its
// team.
extension Pipeline {
    func explanation(of query: ItemQuery, for caller: Caller) throws(RequestInterruption) -> Explanation {
        try checkExplanation(for: caller)
        let named = try scope(of: caller, .probe, query.accessGroup)
        let all = try scope(of: caller, .probe, nil)
        func count(_ query: ItemQuery) throws(RequestInterruption) -> Int {
            let scope = query.accessGroup == nil ? all : named
            let limit = MatchLimit.atMost(UInt32(Explanation.countLimit))
            return query.itemClass == .identity
                ? try findIdentities(query, in: scope, limit, [], for: caller).count
                : try find(query, in: scope, limit, [], for: caller).count
        }

        // Starts with all items of the class, and adds one filter at each step.
        let filters = query.filters
        var partial = query.without(filters)
        var left = try count(partial)
        var facts: [Explanation.Fact] = [.candidates(left)]
        for filter in filters {
            guard left > 0 else { break }
            partial.take(filter, from: query)
            let narrower = try count(partial)
            // A filter that keeps all items explains nothing.
            if narrower < left { facts.append(.narrowed(by: filter, to: narrower)) }
            left = narrower
        }
        guard left == 0 else { return Explanation(facts) }

        for filter in filters where filters.count > 1 {
            let matches = try count(query.without([filter]))
            if matches > 0 { facts.append(.without(filter, matches: matches)) }
        }
        for matching in [TextMatching.caseInsensitive, .diacriticInsensitive, .widthInsensitive] {
            guard !query.textMatching.contains(matching) else { continue }
            var lenient = query
            lenient.textMatching.insert(matching)
            let matches = try count(lenient)
            if matches > 0 { facts.append(.overlooking(matching, matches: matches)) }
        }
        facts += try otherGroups(query, for: caller)
        return Explanation(facts)
    }

    /// Returns the number of matching items in other groups of the same team.
    private func otherGroups(_ query: ItemQuery, for caller: Caller) throws(RequestInterruption) -> [Explanation.Fact] {
        guard query.accessGroup == nil, case .signed(let team, _) = caller.identity,
            let grant = AccessPolicy.grantToExplain(to: caller, lockState: service.store.lockState)
        else { return [] }
        var counts: [String: Int] = [:]
        do {
            let scope = SearchScope.everything(own: caller.accessGroups)
            let limit = MatchLimit.atMost(UInt32(Explanation.countLimit))
            let found = try service.store.find(
                query, in: scope, limit: limit, parts: .attributes, allowance: takesMemory)
            guard !found.isEmpty, !found.needsOpening else { return [] }
            _ = try service.store.open(found, parts: .attributes, with: grant) { item in
                guard let group = item.attributes?.accessGroup, !caller.accessGroups.contains(group),
                    group.utf8.starts(with: "\(team).".utf8)
                else { return }
                counts[group, default: 0] += 1
            }
        } catch let error as StoreError {
            throw .refused(error.refusal)
        } catch {
            throw .refused(Refusal(.internalError, .none))
        }
        return counts.sorted { $0.key < $1.key }.prefix(Self.otherGroupLimit)
            .map { .inOtherGroup($0.key, matches: $0.value) }
    }

    private static let otherGroupLimit = 8

    private func checkExplanation(for caller: Caller) throws(RequestInterruption) {
        try refusing { () throws(Refusal) in try policy.checkExplanation(for: caller) }
    }

    func explanation(ofAdding given: ItemAttributes, for caller: Caller) throws(RequestInterruption) -> Explanation {
        try checkExplanation(for: caller)
        let scope = try scope(of: caller, .add, given.accessGroup)
        let found = try find(ItemQuery(sameItemAs: given), in: scope, .one, [], for: caller)
        return Explanation(found.references.map { .existing($0) })
    }
}

extension ItemQuery {
    /// All conditions but a persistent reference, in the order in which a user would check them.
    fileprivate var filters: [Explanation.Filter] {
        var filters: [Explanation.Filter] = []
        if accessGroup != nil { filters.append(.attribute(.accessGroup)) }
        for entry in attributes.entries { filters.append(.attribute(entry.key)) }
        if hostOrSubdomain != nil { filters.append(.host) }
        if containedText != nil { filters.append(.text) }
        if synchronizable != .any { filters.append(.attribute(.synchronizable)) }
        return filters
    }

    fileprivate func without(_ filters: [Explanation.Filter]) -> ItemQuery {
        var rest = self
        var nothing = ItemQuery(itemClass)
        nothing.synchronizable = .any
        for filter in filters { rest.take(filter, from: nothing) }
        return rest
    }

    fileprivate mutating func take(_ filter: Explanation.Filter, from other: ItemQuery) {
        switch filter {
        case .attribute(.accessGroup): accessGroup = other.accessGroup
        case .attribute(.synchronizable): synchronizable = other.synchronizable
        case .attribute(let key): attributes[key] = other.attributes[key]
        case .host: hostOrSubdomain = other.hostOrSubdomain
        case .text: containedText = other.containedText
        }
    }
}
