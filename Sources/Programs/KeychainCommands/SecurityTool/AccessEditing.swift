// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

/// `security dump-keychain -i`: shows an item's access object, entry by entry, and asks which entries to remove.
/// Questions and answers are those of macOS: only a word that begins with `y` is a yes.
struct AccessEditing {
    private let item: ListedItem
    private let client: KeychainClient
    private let invocation: SecurityInvocation
    private let listing: AccessListing

    init(_ item: ListedItem, _ client: KeychainClient, _ invocation: SecurityInvocation) {
        self.item = item
        self.client = client
        self.invocation = invocation
        listing = AccessListing(of: item)
    }

    /// Runs the dialogue.
    ///
    /// - Parameter show: shows a text before the next question; false if that failed, which was reported.
    /// - Returns: whether all requested changes were made; nil if no more text can be shown.
    func run(_ show: (String) -> Bool) -> Bool? {
        guard let access = listing.access else { return show(listing.text) ? true : nil }
        guard show(listing.head) else { return nil }
        var kept: [AccessEntry] = []
        var isDone = true
        for (number, text) in listing.entries.enumerated() {
            guard show(text) else { return nil }
            let isRemoved = says("Remove this acl? ")
            if isRemoved { say("removing acl") }
            if access.entries.indices.contains(number) {
                if !isRemoved { kept.append(access.entries[number]) }
            } else if isRemoved {
                // Without its owner the access object could no longer be changed, and the partition list can be changed
                // but not removed.
                let isOwner = number == access.entries.count
                let status: StatusCode = isOwner ? .invalidOwnerEdit : .parameter
                _ = invocation.fail("SecACLRemove", status.rawValue)
                isDone = false
            }
        }
        guard says("Update access? ") else { return isDone }
        say("Updating access")
        return set(access, kept) && isDone
    }

    private func set(_ access: AccessObject, _ entries: [AccessEntry]) -> Bool {
        do throws(ClientError) {
            guard
                let changed = AccessObject(owner: access.owner, entries: entries, partitions: access.partitions)
            else { throw .refused(Refusal(.parameter, .none)) }
            let changes: ItemAttributes
            do throws(AttributeError) {
                changes = try ItemAttributes(
                    item.reference.itemClass, for: .update, [.init(.access, .data(changed.encoded))])
            } catch {
                throw .refused(Refusal(error.status, .none))
            }
            try client.update(item.query, changes: changes, secret: nil)
            return true
        } catch {
            _ = invocation.fail("SecKeychainItemSetAccess", error)
            return false
        }
    }

    private func say(_ text: String) { invocation.context.diagnostics.writeIfPossible(text + "\n") }

    /// Returns whether the answer is yes. No answer is a no.
    private func says(_ question: String) -> Bool {
        invocation.context.diagnostics.writeIfPossible(question)
        guard case .text(let line)? = try? invocation.context.input.readLine(limit: 4096) else { return false }
        return line.bytes.first == UInt8(ascii: "y")
    }
}
