// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory

/// Items that `chatelaine doctor` stores: the secrets that it found, and the files that contained them.
struct StoredFiles {
    let client: KeychainClient
    /// The group of the items, regardless of the setting `private-items`: programs that read the files needed no
    /// approval either, and moved secrets are read back.
    private static let group = ItemAttributes.Entry(.accessGroup, .string(CommandGroup.shared))

    enum Outcome {
        case added
        /// The same secret is stored already.
        case present
        /// Another secret is stored; it is not changed.
        case conflict
    }

    /// Stores a secret unless one exists, and reads it back.
    ///
    /// - Throws: also `errSecIO` if the secret read back differs from the stored one.
    func store(_ item: CredentialItem, _ secret: SecretBytes) throws(ClientError) -> Outcome {
        let new = item.key + [.init(.label, .string(item.label)), Self.group]
        var outcome = Outcome.added
        do throws(ClientError) {
            try client.add(try client.attributes(item.passwordClass, for: .add, new), secret: secret)
        } catch {
            guard case .refused(let refusal) = error, refusal.status == .duplicateItem else { throw error }
            outcome = .present
        }
        let stored = try read(try query(item.passwordClass, item.key))
        if stored.isSameEntry(as: secret) { return outcome }
        guard outcome == .present else { throw .refused(Refusal(.inputOutput, .none)) }
        return .conflict
    }

    func remove(_ item: CredentialItem) throws(ClientError) {
        try client.delete(try query(item.passwordClass, item.key))
    }

    // MARK: Old files

    /// A file as it was before secrets were removed from it.
    struct OldFile {
        let item: ListedItem
        /// The twelve bits of chmod(2).
        let mode: UInt32?
        /// SHA-256 of the remainder of the file.
        let remainder: [UInt8]
        /// The time of the move, as in its item.
        let name: String
    }

    /// Returns the service name of the item of an old file.
    static func service(of path: String) -> String { "doctor:" + path }

    static func digest(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: Array(bytes))
        return Array(hash.finalize())
    }

    private static let comment = "What the file was before chatelaine doctor --move; mode "

    /// Stores a whole file, and reads it back.
    ///
    /// - Parameter moment: distinguishes several versions of one file, and gives their order.
    /// - Returns: the attributes that identify the item.
    func store(
        file path: String, _ bytes: SecretBytes, mode: UInt32, remainder: [UInt8], at moment: String
    ) throws(ClientError) -> [ItemAttributes.Entry] {
        let new: [ItemAttributes.Entry] = [
            .init(.label, .string("\(path), old contents")), .init(.generic, .data(Self.digest(remainder))),
            .init(.comment, .string(Self.comment + String(mode, radix: 8))), Self.group,
        ]
        var refusal: ClientError?
        // The file was stored before in the same second, by an interrupted run.
        for suffix in ["", " (2)", " (3)", " (4)"] {
            let key: [ItemAttributes.Entry] = [
                .init(.service, .string(Self.service(of: path))), .init(.account, .string(moment + suffix)),
            ]
            do throws(ClientError) {
                try client.add(try client.attributes(.generic, for: .add, key + new), secret: bytes)
            } catch {
                guard case .refused(let reason) = error, reason.status == .duplicateItem else { throw error }
                refusal = error
                continue
            }
            guard try read(try query(.generic, key)).isSameEntry(as: bytes) else {
                throw .refused(Refusal(.inputOutput, .none))
            }
            return key
        }
        throw refusal ?? .refused(Refusal(.duplicateItem, .none))
    }

    func removeFile(_ key: [ItemAttributes.Entry]) throws(ClientError) { try client.delete(try query(.generic, key)) }

    /// Returns the stored versions of a file, the latest first.
    func oldFiles(of path: String) throws(ClientError) -> [OldFile] {
        let items = try client.ownItems(
            try client.listItems(.generic, [.init(.service, .string(Self.service(of: path)))]))
        return items.compactMap { item in
            guard case .data(let remainder)? = item.attributes[.generic], let name = item.text(.account) else {
                return nil
            }
            let comment = item.text(.comment) ?? ""
            let mode = comment.hasPrefix(Self.comment) ? UInt32(comment.dropFirst(Self.comment.count), radix: 8) : nil
            return OldFile(item: item, mode: mode, remainder: remainder, name: name)
        }.sorted { $0.name > $1.name }
    }

    // MARK: Requests

    private func query(
        _ passwordClass: PasswordClass, _ key: [ItemAttributes.Entry]
    ) throws(ClientError) -> ItemQuery {
        var query = ItemQuery(passwordClass.itemClass)
        query.attributes = try client.attributes(passwordClass, for: .query, passwordClass.keys(of: key))
        query.accessGroup = CommandGroup.shared
        return query
    }

    private func read(_ query: ItemQuery) throws(ClientError) -> SecretBytes {
        let items = try client.copyMatching(query, limit: .one, returning: .data) { SecretBytes(copying: $0) }
        return items.first?.secret ?? SecretBytes(copying: [])
    }
}
