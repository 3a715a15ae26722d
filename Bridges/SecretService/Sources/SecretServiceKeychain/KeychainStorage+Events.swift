// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
public import SecretService

// Changes that programs make through any interface of the keychain.
extension KeychainStorage {
    private static let kinds: [KeychainNotice.Kind] = [
        .added, .modified, .deleted, .accessChanged, .locked, .unlocked,
    ]

    public func watch(
        until cancellation: Cancellation, _ deliver: (StorageEvent) -> Void
    ) throws(StorageError) {
        // It may not know of other programs' items.
        guard try !program().isSandboxed else { throw .sandboxed }
        let stream: any KeychainNoticeStream
        do throws(ClientError) {
            // Without the bound of time: there may be no change for hours.
            stream = try keychain.separate().watchKeychains(KeychainNoticeFilter(Self.kinds))
        } catch {
            throw StorageError(error, .none)
        }
        // Afterwards, so that no keychain file is missed.
        let reports = try quietly { keychain throws(ClientError) in try Self.files(keychain) }
        var files = Set(reports.map(\.report.path))
        try cancellation.ending(with: { stream.cancel() }) { () throws(StorageError) in
            while let notice = try Self.next(stream) {
                guard let change = try change(notice, &files) else { continue }
                deliver(StorageEvent(change, by: UInt32(clamping: notice.processID)))
            }
        }
        throw .dismissed
    }

    private static func next(_ stream: any KeychainNoticeStream) throws(StorageError) -> KeychainNotice? {
        do throws(ClientError) { return try stream.next() } catch { throw StorageError(error, .none) }
    }

    /// Returns the change that a notice reports; nil if it concerns no collection.
    ///
    /// - Parameter files: the paths of the keychain files that are collections.
    private func change(
        _ notice: KeychainNotice, _ files: inout Set<String>
    ) throws(StorageError) -> StorageEvent.Change? {
        var collection = CollectionID.login
        if let path = notice.keychain {
            guard let file = FileCollection(path: path) else { return nil }
            collection = file.id
            let report = try quietly { keychain throws(ClientError) in try keychain.keychain(at: file.name) }
            // A file elsewhere is no collection.
            guard report.path == path else { return nil }
            // A new file is unlocked, and a deleted one locked.
            guard report.state != .missing else {
                return files.remove(path) == nil ? nil : .collectionDeleted(collection)
            }
            if files.insert(path).inserted { return .collectionCreated(collection) }
        }
        let item = notice.item.flatMap(StoredReference.name).map { ItemID(collection, $0) }
        switch notice.kind {
        case .added: return item.map { .itemCreated($0) }
        case .modified, .accessChanged: return item.map { .itemChanged($0) }
        case .deleted: return item.map { .itemDeleted($0) }
        case .locked: return .collectionLocked(collection)
        case .unlocked: return .collectionUnlocked(collection)
        case .passwordChanged, .defaultChanged, .listChanged: return nil
        }
    }
}
