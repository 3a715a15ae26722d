// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
public import SecretService
internal import SecretMemory
internal import Synchronization

// Collections. A keychain has no dates, so that theirs are zero.
extension KeychainStorage {
    private static let fixed = StorageError.unsupported("The collection ‘login’ cannot be deleted.")

    public func collections() throws(StorageError) -> [StoredCollection] {
        let login = try login()
        let files = try quietly { keychain throws(ClientError) in try Self.files(keychain) }
        return [login] + files.map(stored)
    }

    public func collection(_ id: CollectionID) throws(StorageError) -> StoredCollection? {
        if id == .login { return try login() }
        guard let file = FileCollection(id) else { return nil }
        let report = try quietly { keychain throws(ClientError) in try keychain.keychain(at: file.name) }
        return Self.isUsable(report) ? stored(file, report) : nil
    }

    /// Returns the keychain files of the user that can be used; none for an application in a sandbox.
    static func files(
        _ keychain: KeychainClient
    ) throws(ClientError) -> [(file: FileCollection, report: FileKeychainReport)] {
        files(try reports(keychain))
    }

    private static func files(
        _ reports: [FileKeychainReport]
    ) -> [(file: FileCollection, report: FileKeychainReport)] {
        reports.compactMap { report in
            guard isUsable(report), let file = FileCollection(path: report.path) else { return nil }
            return (file, report)
        }
    }

    private static func reports(_ keychain: KeychainClient) throws(ClientError) -> [FileKeychainReport] {
        do throws(ClientError) {
            return try keychain.keychains()
        } catch {
            guard case .refused(let refusal) = error, refusal.reason == .sandboxedApplication else { throw error }
            return []
        }
    }

    /// Returns the same files without their states. A request for each search would take a third of its time, so the list is
    /// kept as long as the folder has the same entries.
    func filesToSearch(_ keychain: KeychainClient) throws(ClientError) -> [FileCollection] {
        let kept = keptFiles.withLock { $0 }
        if let kept, let stamp = FolderStamp(path: kept.folder), stamp == kept.stamp { return kept.files }
        // Before the list, so that a change of the folder meanwhile is noticed later.
        let folder = filesFolder()
        let stamp = folder.flatMap { FolderStamp(path: $0) }
        let reports = try Self.reports(keychain)
        let files = Self.files(reports).map(\.file)
        // A file that cannot be used now may be usable later, in the same folder.
        let isLasting = reports.allSatisfy(Self.isUsable)
        keptFiles.withLock { kept in
            kept = nil
            if isLasting, let folder, let stamp { kept = KeptFiles(folder: folder, stamp: stamp, files: files) }
        }
        return files
    }

    private static func isUsable(_ report: FileKeychainReport) -> Bool {
        report.state == .locked || report.state == .unlocked
    }

    private func login() throws(StorageError) -> StoredCollection {
        StoredCollection(
            .login, label: names.label(of: .login) ?? "Login", isLocked: try status().lockState.isLocked, created: 0,
            modified: 0)
    }

    private func stored(_ file: FileCollection, _ report: FileKeychainReport) -> StoredCollection {
        StoredCollection(
            file.id, label: names.label(of: file.id) ?? file.id.name, isLocked: report.state == .locked, created: 0,
            modified: 0)
    }

    /// Returns the file of a collection; nil for `login`. Throws `.noSuchObject`.
    func file(of id: CollectionID) throws(StorageError) -> FileCollection? {
        if id == .login { return nil }
        guard let file = FileCollection(id) else { throw .noSuchObject }
        return file
    }

    // MARK: Changes

    public func createCollection(
        label: String, password: [UInt8]?, _ interaction: Interaction
    ) throws(StorageError) -> CollectionID {
        let secret = password.map { SecretBytes(copying: $0) }
        for file in FileCollection.candidates(for: label) {
            let isFree = try quietly { keychain throws(ClientError) in
                try keychain.keychain(at: file.name).state == .missing
            }
            guard isFree else { continue }
            // The password needs a prompt.
            if password == nil, !interaction.isAllowed { throw .locked }
            _ = try request(interaction) { keychain throws(ClientError) in
                try keychain.createKeychain(at: file.name, password: secret)
            }
            if label != file.id.name { try names.setLabel(of: file.id, label) }
            return file.id
        }
        throw .limitExceeded("Too many collections have this label. Choose another one.")
    }

    public func deleteCollection(_ id: CollectionID, _ interaction: Interaction) throws(StorageError) {
        guard let file = try file(of: id) else { throw Self.fixed }
        try request(interaction) { keychain throws(ClientError) in try keychain.deleteKeychain(at: file.name) }
        try names.forget(id)
    }

    public func setLabel(of collection: CollectionID, _ label: String) throws(StorageError) {
        // The keychain service does not know the labels, so that it cannot judge this.
        let program = try quietly { keychain throws(ClientError) in try keychain.identity() }
        if case .application = program.identity { throw .sandboxed }
        try names.setLabel(of: collection, label)
    }

    // MARK: Locks

    public func lock(_ collection: CollectionID) throws(StorageError) {
        let file = try file(of: collection)
        let wasLocked = try quietly { keychain throws(ClientError) -> Bool in
            if let file {
                try keychain.lockKeychain(at: file.name)
                return true
            }
            try keychain.lock()
            return try keychain.lockState() != .noPasscode
        }
        guard wasLocked else {
            throw .unsupported(
                "The keychain has no passcode, so it cannot be locked. Set one with ‘chatelaine passcode set’.")
        }
    }

    public func unlock(_ collection: CollectionID, password: [UInt8]) throws(StorageError) {
        let file = try file(of: collection)
        let secret = SecretBytes(copying: password)
        try quietly { keychain throws(ClientError) in
            if let file { return try keychain.unlockKeychain(at: file.name, password: secret) }
            // Programs that unlock the keychain at their start do so whether it has a password or not.
            if try keychain.lockState() == .noPasscode { return }
            try keychain.unlock(with: ProtectorSecret(.passcode, secret))
        }
    }

    public func changePassword(
        of collection: CollectionID, from old: [UInt8], to new: [UInt8]
    ) throws(StorageError) {
        let file = try file(of: collection)
        let (old, new) = (SecretBytes(copying: old), SecretBytes(copying: new))
        let isChanged = try quietly { keychain throws(ClientError) -> Bool in
            if let file {
                try keychain.changePassword(ofKeychainAt: file.name, old: old, new: new)
                return true
            }
            guard try keychain.lockState() != .noPasscode else { return false }
            try keychain.setPasscode(new, proof: ProtectorSecret(.passcode, old))
            return true
        }
        guard isChanged else {
            throw .unsupported("The keychain has no passcode. Set the first one with ‘chatelaine passcode set’.")
        }
    }
}

extension LockState {
    /// Whether items are locked for every client.
    var isLocked: Bool {
        switch self {
        case .noPasscode, .unlocked: false
        case .beforeFirstUnlock, .locked, .awaitingPIN: true
        }
    }
}
