// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Reduces a sequence with a difference to a sequence that is as short and simple as possible.
struct Shrinking {
    /// Returns the difference of a sequence, if there is one.
    let difference: ([Operation]) -> Difference?
    /// The maximum number of sequences to try.
    var attempts = 3000

    mutating func shortest(_ found: Difference) -> Difference {
        var best = found
        var progress = true
        while progress, attempts > 0 {
            progress = removeCalls(&best)
            progress = simplifyCalls(&best) || progress
        }
        return best
    }

    /// Keeps the sequence if it still has a difference.
    private mutating func take(_ operations: [Operation], _ best: inout Difference) -> Bool {
        guard attempts > 0 else { return false }
        attempts -= 1
        guard let found = difference(operations) else { return false }
        best = found
        return true
    }

    /// Removes runs of calls, long ones first.
    private mutating func removeCalls(_ best: inout Difference) -> Bool {
        var progress = false
        var length = max(1, best.operations.count / 2)
        while true {
            var start = 0
            while start < best.operations.count, best.operations.count > 1 {
                var shorter = best.operations
                shorter.removeSubrange(start..<min(start + length, shorter.count))
                if take(shorter, &best) { progress = true } else { start += length }
            }
            if length == 1 { return progress }
            length /= 2
        }
    }

    private mutating func simplifyCalls(_ best: inout Difference) -> Bool {
        var progress = false
        var index = 0
        while index < best.operations.count {
            var again = false
            for simpler in best.operations[index].simpler {
                var operations = best.operations
                operations[index] = simpler
                if take(operations, &best) {
                    (progress, again) = (true, true)
                    break
                }
            }
            if !again { index += 1 }
        }
        return progress
    }
}

extension Operation {
    /// The same call with one element less.
    fileprivate var simpler: [Operation] {
        switch self {
        case .add(let query, let secret, let parts, let number):
            query.simpler.map { .add($0, secret: secret, parts: parts, number: number) }
                + (secret == nil ? [] : [.add(query, secret: nil, parts: parts, number: number)])
                + parts.simpler.map { .add(query, secret: secret, parts: $0, number: number) }
        case .copy(let query, let parts, let limit):
            query.simpler.map { .copy($0, parts: parts, limit: limit) }
                + parts.simpler.map { .copy(query, parts: $0, limit: limit) }
                + (limit == .none ? [] : [.copy(query, parts: parts, limit: .none)])
        case .update(let query, let changes):
            query.simpler.map { .update($0, changes: changes) } + changes.simpler.map { .update(query, changes: $0) }
        case .delete(let query):
            query.simpler.map { .delete($0) }
        }
    }
}

extension Query {
    fileprivate var simpler: [Query] {
        var all = attributes.keys.sorted().map { name in with { $0.attributes[name] = nil } }
        if reference != nil {
            if itemClass != nil { all.append(with { $0.itemClass = nil }) }
            all.append(
                with {
                    $0.itemClass = $0.reference?.itemClass
                    $0.reference = nil
                })
        }
        if synchronizable != .absent { all.append(with { $0.synchronizable = .absent }) }
        if group != .absent { all.append(with { $0.group = .absent }) }
        if ignoresCase { all.append(with { $0.ignoresCase = false }) }
        if host != nil { all.append(with { $0.host = nil }) }
        if mistake != nil { all.append(with { $0.mistake = nil }) }
        return all
    }

    private func with(_ change: (inout Query) -> Void) -> Query {
        var query = self
        change(&query)
        return query
    }
}

extension Changes {
    fileprivate var simpler: [Changes] {
        var all = attributes.keys.sorted().map { name in with { $0.attributes[name] = nil } }
        if synchronizable != nil { all.append(with { $0.synchronizable = nil }) }
        if group != .absent { all.append(with { $0.group = .absent }) }
        if secret != nil { all.append(with { $0.secret = nil }) }
        if mistake != nil { all.append(with { $0.mistake = nil }) }
        return all
    }

    private func with(_ change: (inout Changes) -> Void) -> Changes {
        var changes = self
        change(&changes)
        return changes
    }
}

extension Parts {
    fileprivate var simpler: [Parts] {
        (0..<4).map { Parts(rawValue: 1 << $0) }.filter(contains).map { subtracting($0) }
    }
}
