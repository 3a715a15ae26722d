// SPDX-License-Identifier: Apache-2.0

internal import SecretMemory

/// The action of an import for each record of a file. Made before any change.
struct ImportPlan {
    enum Step {
        case add
        /// The item is stored with the same secret.
        case duplicate
        /// The item is stored with another secret, or with a secret that was not read.
        case conflict(ListedItem)
        /// An earlier record of the file is the same item with the same secret.
        case repeated(line: Int)
        /// An earlier record of the file is the same item with another secret.
        case contradiction(line: Int)
    }

    let steps: [(record: PasswordRecord, step: Step)]

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - existing: the items that the command would use; of several that are the same, the preferred one first.
    ///   - secret: reads the secret of an item; nil if it must not be read.
    init<Failure: Error>(
        _ records: [PasswordRecord], existing: [ListedItem], secret: (ListedItem) throws(Failure) -> SecretBytes?
    ) throws(Failure) {
        var items: [ItemKey: ListedItem] = [:]
        for item in existing {
            if let key = ItemKey(item.attributes), items[key] == nil { items[key] = item }
        }
        var seen: [ItemKey: PasswordRecord] = [:]
        var steps: [(PasswordRecord, Step)] = []
        for record in records {
            guard let key = record.key else { continue }
            if let earlier = seen[key] {
                let isSame = record.secret.isSameEntry(as: earlier.secret)
                steps.append((record, isSame ? .repeated(line: earlier.line) : .contradiction(line: earlier.line)))
                continue
            }
            seen[key] = record
            if let item = items[key] {
                let isSame = try secret(item).map { record.secret.isSameEntry(as: $0) } ?? false
                steps.append((record, isSame ? .duplicate : .conflict(item)))
            } else {
                steps.append((record, .add))
            }
        }
        self.steps = steps
    }
}
