// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
public import KeychainModel

extension Explanation {
    /// Reads the reply to `explain`: a `reply` frame without items, followed by the facts.
    public init(_ frame: Frame) throws(WireError) {
        var reader = try frame.answer()
        let count = Int(try reader.u16())
        guard count <= Self.factLimit else { throw .tooLarge }
        self.init()
        for _ in 0..<count { facts.append(try reader.fact()) }
        try reader.finish()
    }

    public var frame: [UInt8] {
        var writer = WireWriter.answer(reserving: 16 + facts.count * 24)
        let facts = facts.prefix(Self.factLimit)
        writer.u16(UInt16(facts.count))
        for fact in facts { writer.fact(fact) }
        return writer.frame()
    }
}

/// The first byte of a fact.
private enum FactKind: UInt8 {
    case candidates = 1
    case narrowed = 2
    case without = 3
    case overlooking = 4
    case existing = 5
    case inOtherGroup = 6
}

extension WireReader {
    fileprivate mutating func fact() throws(WireError) -> Explanation.Fact {
        switch try value(FactKind.self) {
        case .candidates:
            return .candidates(Int(try u32()))
        case .narrowed:
            let filter = try filter()
            return .narrowed(by: filter, to: Int(try u32()))
        case .without:
            let filter = try filter()
            return .without(filter, matches: Int(try u32()))
        case .overlooking:
            let matching = TextMatching(rawValue: try u8())
            guard matching.isSubset(of: .all) else { throw .malformed }
            return .overlooking(matching, matches: Int(try u32()))
        case .existing:
            return .existing(try persistentReference())
        case .inOtherGroup:
            let group = try text(atMost: WireLimits.accessGroupBytes)
            return .inOtherGroup(group, matches: Int(try u32()))
        }
    }

    /// Reads a filter. Zero means the host and one the contained text, which are not attributes.
    private mutating func filter() throws(WireError) -> Explanation.Filter {
        switch try u32() {
        case 0: .host
        case 1: .text
        case let code: .attribute(AttributeKey(code: code))
        }
    }
}

extension WireWriter {
    fileprivate mutating func fact(_ fact: Explanation.Fact) {
        switch fact {
        case .candidates(let count):
            u8(FactKind.candidates.rawValue)
            u32(UInt32(clamping: count))
        case .narrowed(let filter, let count):
            u8(FactKind.narrowed.rawValue)
            self.filter(filter)
            u32(UInt32(clamping: count))
        case .without(let filter, let count):
            u8(FactKind.without.rawValue)
            self.filter(filter)
            u32(UInt32(clamping: count))
        case .overlooking(let matching, let count):
            u8(FactKind.overlooking.rawValue)
            u8(matching.rawValue)
            u32(UInt32(clamping: count))
        case .existing(let reference):
            u8(FactKind.existing.rawValue)
            persistentReference(reference)
        case .inOtherGroup(let group, let count):
            u8(FactKind.inOtherGroup.rawValue)
            block(group)
            u32(UInt32(clamping: count))
        }
    }

    private mutating func filter(_ filter: Explanation.Filter) {
        switch filter {
        case .attribute(let key): u32(key.code)
        case .host: u32(0)
        case .text: u32(1)
        }
    }
}
