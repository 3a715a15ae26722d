// SPDX-License-Identifier: Apache-2.0

internal import KeychainHelperWire
internal import KeychainModel

/// What a provider of the Secret Service holds, without secrets.
struct ProviderContents {
    /// An item and its place in the provider.
    struct Item {
        let collection: UInt32
        let index: UInt32
        let item: ProvidedItem
    }

    /// An item that is not imported, and the reason.
    struct Problem: Hashable {
        let name: String
        let reason: String

        init(_ name: String, _ reason: String) {
            self.name = name
            self.reason = reason
        }
    }

    /// All collections except those in memory, by their index.
    private(set) var collections: [(index: UInt32, collection: ProvidedCollection)] = []
    /// The items of unlocked collections.
    private(set) var items: [Item] = []
    private(set) var problems: [Problem] = []
    private let link: any ProviderLink

    /// Lists the collections, and the items of those that are unlocked. Prompts nothing.
    init(_ link: any ProviderLink) throws(CommandFailure) {
        self.link = link
        guard case .collections(let all) = try link.answer(to: .collections) else { throw Self.wrongReply }
        collections = all.enumerated().map { (index: UInt32($0.offset), collection: $0.element) }
            .filter { !$0.collection.isTemporary }
        for (index, collection) in collections where !collection.isLocked { try load(index, collection.label) }
    }

    /// Unlocks the locked collections, for which the provider prompts the user, and lists their items.
    mutating func unlock() throws(CommandFailure) {
        let locked = collections.filter { $0.collection.isLocked && $0.collection.itemCount > 0 }
        var unlocked: Set<UInt32> = []
        for (index, collection) in locked {
            let label = collection.label
            do throws(CommandFailure) {
                guard case .unlocked(let isUnlocked) = try link.answer(to: .unlock(collection: index)) else {
                    throw Self.wrongReply
                }
                if isUnlocked {
                    unlocked.insert(index)
                } else {
                    problems.append(Problem(label, "the collection (\(collection.itemCount) items) was not unlocked"))
                }
            } catch {
                problems.append(Problem(label, "the collection cannot be unlocked: \(error.message)"))
            }
        }
        guard !unlocked.isEmpty else { return }
        // Some providers list the items of a collection only when it is unlocked.
        guard case .collections(let all) = try link.answer(to: .collections) else { throw Self.wrongReply }
        for (index, collection) in locked where unlocked.contains(index) {
            guard all.indices.contains(Int(index)), all[Int(index)].label == collection.label else {
                throw CommandFailure(
                    "the collections of the provider have changed meanwhile", hint: "run the command again")
            }
            try load(index, collection.label)
        }
    }

    private mutating func load(_ collection: UInt32, _ label: String) throws(CommandFailure) {
        var first: UInt32 = 0
        while true {
            guard case .items(let list) = try link.answer(to: .items(collection: collection, first: first)) else {
                throw Self.wrongReply
            }
            guard !list.isEmpty else { return }
            for (offset, item) in list.enumerated() {
                switch item {
                case .item(let item):
                    items.append(Item(collection: collection, index: first + UInt32(offset), item: item))
                case .unreadable(let reason): problems.append(Problem("an item of \(label)", reason))
                }
            }
            first += UInt32(list.count)
        }
    }

    static let wrongReply = CommandFailure(
        "\(ThisDesktop.helper) gave an invalid answer", exitCode: .unavailable)

    /// The preview: the collections, and the kinds of the items by their schemas, by which programs can be told apart.
    func preview(styled: Bool) -> String {
        guard !collections.isEmpty else { return "It has no collections.\n" }
        var table = TextTable(["COLLECTION", "ITEMS"], ofNumbers: true)
        for (_, collection) in collections {
            table.append([
                collection.label + (collection.isLocked ? " (locked)" : ""), String(collection.itemCount),
            ])
        }
        var text = table.text(styled: styled)
        if !items.isEmpty {
            let counts = Dictionary(grouping: items) { $0.item.attributes[LookupAttributes.schemaName] ?? "" }
                .mapValues(\.count)
            var schemas = TextTable(["SCHEMA", "ITEMS"], ofNumbers: true)
            for (schema, count) in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
                schemas.append([schema.isEmpty ? "(none)" : schema, String(count)])
            }
            text += "\n" + schemas.text(styled: styled)
        }
        return text
    }
}
