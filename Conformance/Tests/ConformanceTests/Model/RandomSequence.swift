// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// SplitMix64: the same numbers for the same seed on all platforms.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// Random calls with a small set of values, so that items collide.
struct RandomSequence {
    private var random: SeededGenerator
    private var additions: [Query.Reference] = []

    static func operations(seed: UInt64, count: Int) -> [Operation] {
        var sequence = RandomSequence(random: SeededGenerator(seed: seed))
        return (0..<count).map { _ in sequence.operation() }
    }

    private init(random: SeededGenerator) { self.random = random }

    private mutating func one<Choice>(of choices: [Choice]) -> Choice { choices.randomElement(using: &random)! }

    private mutating func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func operation() -> Operation {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<40: return addition()
        case ..<65: return .copy(query(isCopy: true), parts: parts(), limit: one(of: Limit.allCases))
        case ..<85: return update()
        default: return .delete(query(isCopy: false))
        }
    }

    private mutating func addition() -> Operation {
        let itemClass = one(of: PasswordClass.allCases)
        var query = Query(itemClass: itemClass)
        query.attributes = attributes(itemClass, percent: 60, others: 25)
        query.synchronizable = synchronizable()
        query.group = group()
        query.mistake = mistake()
        let number = additions.count
        additions.append(Query.Reference(itemClass: itemClass, number: number))
        return .add(query, secret: secret(), parts: parts(), number: number)
    }

    private mutating func query(isCopy: Bool) -> Query {
        var query = Query()
        let itemClass: PasswordClass
        if !additions.isEmpty, happens(25) {
            // Usually one of the last additions, whose item probably still exists.
            let reference = happens(70) ? one(of: additions.suffix(5)) : one(of: additions)
            query.reference = reference
            itemClass = reference.itemClass
            if happens(30) { query.itemClass = itemClass }
            if happens(20) { query.attributes = attributes(itemClass, percent: 10, others: 10) }
            if !isCopy, happens(10) { query.synchronizable = synchronizable() }
        } else {
            itemClass = one(of: PasswordClass.allCases)
            query.itemClass = itemClass
            query.attributes = attributes(itemClass, percent: 35, others: 6)
            query.synchronizable = synchronizable()
            if isCopy {
                query.ignoresCase = happens(15)
                if itemClass == .internet, happens(15) {
                    query.host = one(of: ["example.com", "www.example.com", "com", "ample.com"])
                }
            }
        }
        query.group = group()
        query.mistake = mistake()
        return query
    }

    private mutating func update() -> Operation {
        let query = query(isCopy: false)
        let itemClass = query.itemClass ?? query.reference!.itemClass
        var changes = Changes()
        changes.attributes = attributes(itemClass, percent: 25, others: 12)
        if happens(10) { changes.synchronizable = happens(50) }
        if happens(40) { changes.secret = secret() }
        changes.group = group()
        changes.mistake = mistake()
        return .update(query, changes: changes)
    }

    /// - Parameters:
    ///   - percent: the probability of an account or a place, in percent.
    ///   - others: the probability of each of the other attributes, in percent.
    private mutating func attributes(_ itemClass: PasswordClass, percent: Int, others: Int) -> [String: Value] {
        var attributes: [String: Value] = [:]
        func add(_ name: String, _ often: Int, _ values: [Value]) {
            if happens(often) { attributes[name] = one(of: values) }
        }
        add("acct", percent, [.text("a"), .text("A"), .text("b"), .text(""), .data([0x61])])
        add("labl", others, [.text("L"), .text("l"), .data([0x4C]), .number(4)])
        add("icmt", others, [.text("x"), .data([0, 0xFF])])
        add("crtr", others, [.number(5), .text("5"), .number(-6)])
        add("invi", others, [.truth(true), .number(1), .truth(false)])
        add("pdmn", others, [.text("ak"), .text("ck"), .text("dk")])
        switch itemClass {
        case .generic:
            add("svce", percent, [.text("s"), .text("S"), .text("t"), .data([0x73])])
            add("gena", others, [.data([1]), .text("g")])
        case .internet:
            add("srvr", percent, [.text("example.com"), .text("www.example.com"), .text("anexample.com")])
            add("port", others, [.number(80), .text("80"), .number(0), .number(443)])
            add("ptcl", others, [.text("http"), .text("htps"), .number(0)])
            add("path", others, [.text("/"), .text(""), .data([0x2F])])
            add("sdmn", others / 2, [.text("realm")])
            add("atyp", others / 2, [.text("dflt")])
        }
        return attributes
    }

    private mutating func synchronizable() -> SynchronizableEntry {
        happens(60) ? .absent : one(of: SynchronizableEntry.allCases)
    }

    private mutating func group() -> Group { happens(90) ? .absent : happens(60) ? .own : .foreign }

    private mutating func mistake() -> Mistake? { happens(3) ? one(of: Mistake.allCases) : nil }

    private mutating func secret() -> [UInt8]? {
        happens(20) ? nil : one(of: [[], [1], [2], Array(repeating: 7, count: 300)])
    }

    private mutating func parts() -> Parts { one(of: Parts.combinations) }
}
