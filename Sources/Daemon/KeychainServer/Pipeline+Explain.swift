// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainStore

// Why something was not found or is there already. Looks where the caller's own searches look and nowhere else, so it
// tells nothing that the caller could not find out by searching.
extension Pipeline {
    func explanation(of query: ItemQuery, for caller: Caller) throws(Stop) -> Explanation {
        let named = try scope(of: caller, .probe, query.accessGroup)
        let all = try scope(of: caller, .probe, nil)
        func count(_ query: ItemQuery) throws(Stop) -> Int {
            let scope = query.accessGroup == nil ? all : named
            return try find(query, in: scope, .atMost(UInt32(Explanation.countLimit)), [], for: caller).count
        }

        // From everything of the class, one filter more at each step.
        let filters = query.filters
        var partial = query.without(filters)
        var left = try count(partial)
        var facts: [Explanation.Fact] = [.candidates(left)]
        for filter in filters {
            guard left > 0 else { break }
            partial.take(filter, from: query)
            let narrower = try count(partial)
            // A filter that keeps everything explains nothing.
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
        return Explanation(facts)
    }

    func explanation(ofAdding given: ItemAttributes, for caller: Caller) throws(Stop) -> Explanation {
        let scope = try scope(of: caller, .add, given.accessGroup)
        let found = try find(ItemQuery(sameItemAs: given), in: scope, .one, [], for: caller)
        return Explanation(found.references.map { .existing($0) })
    }
}

extension ItemQuery {
    /// All conditions but a persistent reference, in the order in which a person would look.
    fileprivate var filters: [Explanation.Filter] {
        var filters: [Explanation.Filter] = []
        if accessGroup != nil { filters.append(.attribute(.accessGroup)) }
        for entry in attributes.entries { filters.append(.attribute(entry.key)) }
        if hostOrSubdomain != nil { filters.append(.host) }
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
        }
    }
}
