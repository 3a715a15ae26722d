// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainHelperWire
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory

/// Stores the items of another provider of the Secret Service in the keychain.
///
/// Another provider does not know which program an item belongs to. So the items become private items of the command:
/// each program needs an approval for its first use, and no program gains anything by running the command. An item is
/// stored as a shared item first, because only those can be read back without an approval, and becomes private when it
/// has been verified. An item is not stored again if the command has a private item with the same attributes and label.
/// Items of other programs do not count, because any program can store one before the import; they are reported.
struct ProviderImport {
    /// What identifies an item: its encoded lookup attributes, and its label.
    private struct Identity: Hashable {
        let lookup: [UInt8]
        let label: [UInt8]
    }

    /// The name under which the keychain lists an item.
    fileprivate struct Name: Hashable {
        let service: [UInt8]
        let account: [UInt8]

        init(service: String, account: String) {
            (self.service, self.account) = (Array(service.utf8), Array(account.utf8))
        }
    }

    private let context: CommandContext
    private let link: any ProviderLink
    /// The command's own items.
    private var stored: [Identity: ListedItem] = [:]
    /// The access groups of other programs' items, by their encoded lookup attributes.
    private var others: [[UInt8]: [String]] = [:]
    /// The lookup attributes of the provider's items.
    private var provided: Set<[UInt8]> = []
    /// The names of the command's own items, of which the keychain has each only once.
    private var taken: Set<Name> = []
    private(set) var importedCount = 0
    private(set) var presentCount = 0
    private(set) var problems: [ProviderContents.Problem] = []

    /// The content type of most secrets, which is not stored.
    private static let usualContentType = "text/plain"

    /// Lists the stored items with lookup attributes: the command's own, and those of other programs.
    init(from link: any ProviderLink, in context: CommandContext) throws(CommandFailure) {
        self.link = link
        self.context = context
        do throws(ClientError) {
            for item in try context.client.listItems(.generic) {
                let isOwn = item.isPrivate || item.group == CommandGroup.shared
                if isOwn { taken.insert(Name(service: item.name, account: item.text(.account) ?? "")) }
                guard case .data(let lookup)? = item.attributes[.lookup] else { continue }
                guard isOwn else {
                    others[lookup, default: []].append(item.group)
                    continue
                }
                let identity = Identity(lookup: lookup, label: Array((item.text(.label) ?? "").utf8))
                // A shared item, which any program can make the command store, does not hide the private one.
                if stored[identity]?.isPrivate != true { stored[identity] = item }
            }
        } catch {
            throw CommandFailure(error, message: context.statusMessage)
        }
    }

    /// Stores all items, the last changed item at the end, because the Secret Service sorts results by date.
    mutating func store(_ contents: ProviderContents) throws(CommandFailure) {
        problems = contents.problems
        for item in contents.items.sorted(by: { $0.item.modified < $1.item.modified }) { try store(item) }
    }

    private mutating func store(_ item: ProviderContents.Item) throws(CommandFailure) {
        let name = "\"\(item.item.label)\""
        let lookup: LookupAttributes
        do throws(LookupAttributesError) {
            lookup = try LookupAttributes(item.item.attributes)
        } catch {
            return problems.append(.init(name, "\(error)"))
        }
        provided.insert(lookup.encoded)
        let identity = Identity(lookup: lookup.encoded, label: Array(item.item.label.utf8))
        let earlier = stored[identity]
        // A shared item is left from an import that was ended in between.
        if let earlier, earlier.group != CommandGroup.shared {
            presentCount += 1
            return
        }
        let secret: ProvidedSecret
        do throws(CommandFailure) {
            let request = ProviderRequest.secret(collection: item.collection, item: item.index)
            guard case .secret(let provided) = try link.answer(to: request) else { throw ProviderContents.wrongReply }
            secret = provided
        } catch {
            return problems.append(.init(name, error.message))
        }
        do throws(ClientError) {
            if let earlier {
                try context.client.delete(earlier.query)
                taken.remove(Name(service: earlier.name, account: earlier.text(.account) ?? ""))
            }
            let new = NewItem(label: item.item.label, lookup: lookup, secret: secret)
            let (item, name) = try context.client.store(new, besides: taken)
            stored[identity] = item
            taken.insert(name)
            importedCount += 1
        } catch .refused(let refusal) where Self.concernsTheItem(refusal) {
            let failure = CommandFailure(.refused(refusal), message: context.statusMessage)
            problems.append(.init(name, failure.message))
        } catch {
            let failure = CommandFailure(error, message: context.statusMessage)
            let progress = "\(importedCount) items were imported; run the same command again to continue"
            throw CommandFailure(
                "\(name): \(failure.message)", hint: failure.hint.map { "\($0); \(progress)" } ?? progress,
                exitCode: failure.exitCode)
        }
    }

    /// Whether the refusal says nothing about other items.
    private static func concernsTheItem(_ refusal: Refusal) -> Bool {
        switch refusal.status {
        case .dataTooLarge, .parameter, .duplicateItem, .itemNotFound, .decode: true
        default: false
        }
    }

    /// The result in a line, a line for each item that was not imported, and a line with the programs whose items have
    /// the same attributes.
    var report: String {
        let counts = "\(importedCount) imported, \(presentCount) already stored, \(problems.count) not imported"
        let groups = provided.flatMap { others[$0] ?? [] }
        let programs = Set(groups.map { programName(ofGroup: $0) }).sorted().joined(separator: ", ")
        let note = "\(groups.count) items with the same attributes belong to other programs: \(programs)"
        return problems.map { visible("not imported: \($0.name): \($0.reason)") + "\n" }.joined() + counts + "\n"
            + (groups.isEmpty ? "" : visible(note) + "\n")
    }

    /// An item to store.
    fileprivate struct NewItem {
        let label: String
        let lookup: LookupAttributes
        let secret: ProvidedSecret

        func entries(account: String) -> [ItemAttributes.Entry] {
            var entries: [ItemAttributes.Entry] = [
                .init(.service, .string(lookup.itemName.service)), .init(.account, .string(account)),
                .init(.label, .string(label)), .init(.lookup, .data(lookup.encoded)),
                .init(.accessGroup, .string(CommandGroup.shared)),
            ]
            if secret.contentType != ProviderImport.usualContentType {
                entries.append(.init(.generic, .string(secret.contentType)))
            }
            return entries
        }

        /// Whether a stored item is this one.
        func matches(_ attributes: ItemAttributes?, _ secret: SecretBytes?) -> Bool {
            attributes?[.lookup] == .data(lookup.encoded) && attributes?[.label]?.shownText == label
                && secret?.bytes.elementsEqual(self.secret.value) ?? self.secret.value.isEmpty
        }
    }
}

extension KeychainClient {
    /// Stores a new item under a name that is not taken, reads it back, and makes it private.
    fileprivate func store(
        _ new: ProviderImport.NewItem, besides taken: Set<ProviderImport.Name>
    ) throws(ClientError) -> (ListedItem, ProviderImport.Name) {
        for account in new.lookup.accounts(number: .random(in: 0 ... .max)) {
            let name = ProviderImport.Name(service: new.lookup.itemName.service, account: account)
            if taken.contains(name) { continue }
            do {
                return (try store(new, as: account), name)
            } catch .refused(let refusal) where refusal.status == .duplicateItem {
                // Another program has stored an item with this name meanwhile.
                continue
            }
        }
        throw .refused(Refusal(.duplicateItem, .none))
    }

    private func store(_ new: ProviderImport.NewItem, as account: String) throws(ClientError) -> ListedItem {
        let attributes = try attributes(.generic, for: .add, new.entries(account: account))
        let added = try add(attributes, secret: new.secret.value) { _ in }
        let query = ItemQuery(added.reference)
        do throws(ClientError) {
            let found = try copyMatching(query, limit: .one, returning: [.data, .attributes]) {
                SecretBytes(copying: $0)
            }.first
            guard let found, new.matches(found.attributes, found.secret) else {
                throw .refused(Refusal(.decode, .none))
            }
            let place = ItemAttributes.Entry(.accessGroup, .string(CommandGroup.privateItems))
            try update(query, changes: try self.attributes(.generic, for: .update, [place]), secret: nil)
            return ListedItem(reference: added.reference, attributes: found.attributes ?? attributes)
        } catch {
            // Nothing that is not verified, or not private, may stay. The first failure is the one to report.
            try? delete(query)
            throw error
        }
    }
}
