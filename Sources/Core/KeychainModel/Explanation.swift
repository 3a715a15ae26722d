// SPDX-License-Identifier: Apache-2.0

/// The explanation for the developer of a program why a search found nothing, or why an item could not be added.
///
/// Contains names of attributes and numbers of items, never a value. It reveals no item that the program may not see,
/// except the number of items in other access groups of the same signing team.
public struct Explanation: Hashable, Sendable {
    /// The facts in the order in which they are presented.
    public var facts: [Fact]

    public init(_ facts: [Fact] = []) { self.facts = facts }

    public enum Fact: Hashable, Sendable {
        /// The search considered this many items: all of the class, synchronizable or not, in the access groups that
        /// the program may use. At most ``countLimit``, which stands for that many or more.
        case candidates(Int)
        /// With this additional filter, so many items are left.
        case narrowed(by: Filter, to: Int)
        /// All filters except this one match so many items.
        case without(Filter, matches: Int)
        /// If the search also ignores these differences between texts, so many items match.
        case overlooking(TextMatching, matches: Int)
        /// So many items match in an access group of the program's own team that its entitlements do not name: a group
        /// of another program of that team, or a group that this program has lost.
        case inOtherGroup(String, matches: Int)
        /// The existing item with the same unique attributes of its class.
        case existing(PersistentReference)
    }

    /// A condition of a query.
    public enum Filter: Hashable, Sendable {
        case attribute(AttributeKey)
        /// `kSecMatchHostOrSubdomainOfHost`
        case host
        /// `ItemQuery.containedText`
        case text

        var title: String {
            switch self {
            case .attribute(let key): key.title
            case .host: "host"
            case .text: "text"
            }
        }
    }

    /// The number at which counting stops.
    public static let countLimit = 1000
    /// The largest number of facts in an explanation.
    public static let factLimit = 300

    /// The existing item of an addition that failed.
    public var existing: PersistentReference? {
        for case .existing(let reference) in facts { return reference }
        return nil
    }

    /// The filters that alone keep the search from finding anything.
    public var decisiveFilters: [Filter] {
        facts.compactMap { if case .without(let filter, matches: 1...) = $0 { filter } else { nil } }
    }

    /// The number of items that match in the end; nil for an addition.
    public var matchCount: Int? {
        facts.reduce(nil) { count, fact in
            switch fact {
            case .candidates(let count), .narrowed(_, let count): count
            case .without, .overlooking, .inOtherGroup, .existing: count
            }
        }
    }

    /// Returns the facts as sentences in English.
    ///
    /// - Parameter place: the place that was searched.
    public func sentences(
        about itemClass: ItemClass, searched place: String = "in the program's access groups"
    ) -> [String] {
        var sentences: [String] = []
        var steps = ""
        for fact in facts {
            switch fact {
            case .candidates(let count):
                steps = "Searched \(Self.text(count, itemClass.title, itemClass.pluralTitle)) \(place)"
            case .narrowed(let filter, let count):
                steps += "; \(filter.title) leaves \(count == 0 ? "none" : Self.number(count))"
            case .without(.attribute(.synchronizable), let count):
                sentences.append(
                    "\(Self.text(count, "match", "matches")) with the other value of synchronizable: synchronizable items are "
                        + "found only with kSecAttrSynchronizable true or kSecAttrSynchronizableAny.")
            case .without(let filter, let count):
                sentences.append("Without \(filter.title), \(Self.text(count, "item", "items")) would match.")
            case .overlooking(let matching, let count):
                sentences.append(
                    "\(Self.text(count, "item", "items")) would match if \(matching.titles) were ignored.")
            case .inOtherGroup(let group, let count):
                sentences.append(
                    "\(Self.text(count, "match", "matches")) in the access group \"\(group)\", which the program's "
                        + "entitlements do not include, or no longer include.")
            case .existing(let reference):
                sentences.append(
                    "There is an item with the same \(Self.uniqueness(itemClass)): persistent reference "
                        + "\(reference.bytes.hexadecimal). Other attributes do not distinguish items.")
            }
        }
        return (steps.isEmpty ? [] : [steps + "."]) + sentences
    }

    private static func uniqueness(_ itemClass: ItemClass) -> String {
        let titles = (ItemSchema.schema(for: itemClass)?.attributes ?? []).filter {
            $0.isUnique && $0.uses.contains(.add)
        }
        .map(\.key.title)
        return titles.dropLast().joined(separator: ", ") + (titles.count > 1 ? " and " : "") + (titles.last ?? "")
    }

    private static func number(_ count: Int) -> String { count >= countLimit ? "\(countLimit) or more" : "\(count)" }

    private static func text(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        count == 1 ? "1 \(one)" : "\(count == 0 ? "no" : number(count)) \(many ?? one + "s")"
    }
}

extension TextMatching {
    fileprivate var titles: String {
        var titles: [String] = []
        if contains(.caseInsensitive) { titles.append("case") }
        if contains(.diacriticInsensitive) { titles.append("diacritics") }
        if contains(.widthInsensitive) { titles.append("width") }
        return titles.joined(separator: " and ")
    }
}
