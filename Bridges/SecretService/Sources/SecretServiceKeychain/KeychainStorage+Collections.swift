// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
public import SecretService
internal import SecretMemory

// Collections. A keychain has no dates, so that theirs are zero.
extension KeychainStorage {
    private static let fixed = StorageError.unsupported("The collection ‘login’ cannot be deleted.")

    public func collections() async throws(StorageError) -> [StoredCollection] {
        let login = try await login()
        let files = try await quietly { keychain throws(ClientError) in try Self.files(keychain) }
        return [login] + files.map(stored)
    }

    public func collection(_ id: CollectionID) async throws(StorageError) -> StoredCollection? {
        if id == .login { return try await login() }
        guard let file = FileCollection(id) else { return nil }
        let report = try await quietly { keychain throws(ClientError) in try keychain.keychain(at: file.name) }
        return Self.isUsable(report) ? stored(file, report) : nil
    }

    /// Returns the keychain files of the user that can be used; none for an application in a sandbox.
    static func files(
        _ keychain: KeychainClient
    ) throws(ClientError) -> [(file: FileCollection, report: FileKeychainReport)] {
        let reports: [FileKeychainReport]
        do throws(ClientError) {
            reports = try keychain.keychains()
        } catch {
            guard case .refused(let refusal) = error, refusal.reason == .sandboxedApplication else { throw error }
            return []
        }
        return reports.compactMap { report in
            guard isUsable(report), let file = FileCollection(path: report.path) else { return nil }
            return (file, report)
        }
    }

    private static func isUsable(_ report: FileKeychainReport) -> Bool {
        report.state == .locked || report.state == .unlocked
    }

    private func login() async throws(StorageError) -> StoredCollection {
        let isLocked: Bool
        switch try await status().lockState {
        case .noPasscode, .unlocked: isLocked = false
        case .beforeFirstUnlock, .locked, .awaitingPIN: isLocked = true
        }
        return StoredCollection(
            .login, label: names.label(of: .login) ?? "Login", isLocked: isLocked, created: 0, modified: 0)
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
    ) async throws(StorageError) -> CollectionID {
        let secret = password.map { SecretBytes(copying: $0) }
        for file in FileCollection.candidates(for: label) {
            let isFree = try await quietly { keychain throws(ClientError) in
                try keychain.keychain(at: file.name).state == .missing
            }
            guard isFree else { continue }
            // The password needs a prompt.
            if password == nil, interaction == .none { throw .locked }
            _ = try await request(interaction) { keychain throws(ClientError) in
                try keychain.createKeychain(at: file.name, password: secret)
            }
            if label != file.id.name { try names.setLabel(of: file.id, label) }
            return file.id
        }
        throw .limitExceeded("Too many collections have this label. Choose another one.")
    }

    public func deleteCollection(_ id: CollectionID, _ interaction: Interaction) async throws(StorageError) {
        guard let file = try file(of: id) else { throw Self.fixed }
        try await request(interaction) { keychain throws(ClientError) in try keychain.deleteKeychain(at: file.name) }
        try names.forget(id)
    }

    public func setLabel(of collection: CollectionID, _ label: String) async throws(StorageError) {
        // The keychain service does not know the labels, so that it cannot judge this.
        let program = try await quietly { keychain throws(ClientError) in try keychain.identity() }
        if case .application = program.identity { throw .sandboxed }
        try names.setLabel(of: collection, label)
    }

    // MARK: Locks

    public func lock(_ collection: CollectionID) async throws(StorageError) {
        let file = try file(of: collection)
        let wasLocked = try await quietly { keychain throws(ClientError) -> Bool in
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

    public func unlock(_ collection: CollectionID, password: [UInt8]) async throws(StorageError) {
        let file = try file(of: collection)
        let secret = SecretBytes(copying: password)
        try await quietly { keychain throws(ClientError) in
            if let file { return try keychain.unlockKeychain(at: file.name, password: secret) }
            // Programs that unlock the keychain at their start do so whether it has a password or not.
            if try keychain.lockState() == .noPasscode { return }
            try keychain.unlock(with: ProtectorSecret(.passcode, secret))
        }
    }

    public func changePassword(
        of collection: CollectionID, from old: [UInt8], to new: [UInt8]
    ) async throws(StorageError) {
        let file = try file(of: collection)
        let (old, new) = (SecretBytes(copying: old), SecretBytes(copying: new))
        let isChanged = try await quietly { keychain throws(ClientError) -> Bool in
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
