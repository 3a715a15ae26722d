// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import SecretMemory

/// The action of an import for each record of a file. Made before any change.
struct ImportPlan {
    enum Step {
        case add
        /// The item is stored with the same secret.
        case duplicate
        /// The same secret of the same user is stored for another path of the site, as another browser exports it.
        case sameLogin(ListedItem)
        /// The item is stored with another secret, or with a secret that was not read.
        case conflict(ListedItem)
        /// The item is a seed of one-time passwords and the record is no usable seed, or the other way round.
        case otherKind(ListedItem)
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
    ///   - mergesLogins: whether a password that is stored for another path of its site is a duplicate.
    ///   - secret: reads the secret of an item; nil if it must not be read.
    init<Failure: Error>(
        _ records: [PasswordRecord], existing: [ListedItem], mergesLogins: Bool,
        secret: (ListedItem) throws(Failure) -> SecretBytes?
    ) throws(Failure) {
        var logins: [Login: [ListedItem]] = [:]
        for item in mergesLogins ? existing : [] {
            if let login = Login(item.attributes) { logins[login, default: []].append(item) }
        }
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
                let isMismatch = OneTimePassword.isMismatch(
                    item, isSeed: record.isUsableSeed, secret: record.secret, changes: [])
                steps.append((record, isSame ? .duplicate : isMismatch ? .otherKind(item) : .conflict(item)))
            } else {
                var step = Step.add
                for item in Login(record.attributes).flatMap({ logins[$0] }) ?? [] {
                    // A note that is not stored would be lost.
                    guard [nil, item.attributes[.comment]].contains(record.attributes[.comment]),
                        let stored = try secret(item), record.secret.isSameEntry(as: stored)
                    else { continue }
                    step = .sameLogin(item)
                    break
                }
                steps.append((record, step))
            }
        }
        self.steps = steps
    }

    /// The names of the items whose seeds are stored differently than in the file.
    var differentSeeds: [ItemName] {
        steps.compactMap { record, step in
            guard case .conflict(let item) = step, let subject = OneTimePassword.subject(item.attributes) else {
                return nil
            }
            return ItemName(subject, sameUserAs: ItemName(of: item))
        }
    }
}

/// The part of a web password that all browsers export in the same way: the site without a path, and the user.
private struct Login: Hashable {
    private let site: WebAddress
    private let user: [UInt8]

    /// Creates the value; nil for an item other than a web password.
    init?(_ attributes: ItemAttributes) {
        guard attributes.itemClass == .internetPassword, let address = WebAddress(attributes) else { return nil }
        site = WebAddress(host: address.host, protocolCode: address.protocolCode, port: address.port)
        user = Array((attributes[.account]?.shownText ?? "").utf8)
    }
}
