// SPDX-License-Identifier: Apache-2.0

/// Why a search found nothing, or an item could not be added: what was looked at and what came of it, for the person who
/// wrote the program.
///
/// Holds names of attributes and numbers of items, never a value. It tells of no item that the program may not see, but for
/// how many there are in other access groups of the same signing team.
public struct Explanation: Hashable, Sendable {
    /// In the order in which they are best told.
    public var facts: [Fact]

    public init(_ facts: [Fact] = []) { self.facts = facts }

    public enum Fact: Hashable, Sendable {
        /// The search looked at this many items: all of the class, synchronizable or not, in the access groups that the
        /// program may use. At most ``countLimit``, which stands for that many or more.
        case candidates(Int)
        /// With this filter, too, so many are left.
        case narrowed(by: Filter, to: Int)
        /// All filters but this one match so many.
        case without(Filter, matches: Int)
        /// With these differences between texts overlooked, too, so many match.
        case overlooking(TextMatching, matches: Int)
        /// So many match in an access group of the program's own team that its entitlements do not name: another
        /// program's of that team, or one that this program has lost.
        case inOtherGroup(String, matches: Int)
        /// The item that is the same one: equal in all that makes an item of its class unique.
        case existing(PersistentReference)
    }

    /// A condition of a query.
    public enum Filter: Hashable, Sendable {
        case attribute(AttributeKey)
        /// `kSecMatchHostOrSubdomainOfHost`
        case host

        var title: String {
            switch self {
            case .attribute(let key): key.title
            case .host: "host"
            }
        }
    }

    /// Counting stops here.
    public static let countLimit = 1000
    /// An explanation has no more facts than this.
    public static let factLimit = 300

    /// The existing item of an addition that failed.
    public var existing: PersistentReference? {
        for case .existing(let reference) in facts { return reference }
        return nil
    }

    /// The filters each of which alone keeps the search from finding anything.
    public var decisiveFilters: [Filter] {
        facts.compactMap { if case .without(let filter, matches: 1...) = $0 { filter } else { nil } }
    }

    /// How many items match in the end; for an addition, nil.
    public var matchCount: Int? {
        facts.reduce(nil) { count, fact in
            switch fact {
            case .candidates(let count), .narrowed(_, let count): count
            case .without, .overlooking, .inOtherGroup, .existing: count
            }
        }
    }

    /// The facts as sentences in English.
    ///
    /// - Parameter place: where the search looked.
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
                    "\(Self.text(count, "match", "matches")) on the other side of synchronizable: items that synchronize are "
                        + "searched only with kSecAttrSynchronizable true or kSecAttrSynchronizableAny.")
            case .without(let filter, let count):
                sentences.append("Without \(filter.title), \(Self.text(count, "item", "items")) would match.")
            case .overlooking(let matching, let count):
                sentences.append(
                    "\(Self.text(count, "item", "items")) would match if \(matching.titles) were overlooked.")
            case .inOtherGroup(let group, let count):
                sentences.append(
                    "\(Self.text(count, "match", "matches")) in the access group \"\(group)\", which the program's "
                        + "entitlements do not name (any more).")
            case .existing(let reference):
                sentences.append(
                    "There is an item with the same \(Self.uniqueness(itemClass)): persistent reference "
                        + "\(reference.bytes.hexadecimal). Other attributes do not tell items apart.")
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
