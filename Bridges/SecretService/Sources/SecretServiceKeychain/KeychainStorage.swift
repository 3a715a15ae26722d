// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
public import KeychainClient
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainWire
public import SecretService
internal import SecretMemory
internal import Synchronization

/// The keychain as one client of the Secret Service sees it.
///
/// The collection `login` is the data-protection keychain; the others are the keychain files of the user
/// (Documentation/SecretService.md). The service decides what the client may do: each request is made on its behalf.
public final class KeychainStorage: SecretStorage {
    /// The longest time that a request without a prompt may take. Clients on the bus wait for 25 seconds.
    public static let timeout = Duration.seconds(20)
    /// The time without a request after which the connection of a client is closed, so that a keychain service without
    /// work can end.
    private static let idleTime = DispatchTimeInterval.seconds(10)

    /// The keychain files in a folder.
    struct KeptFiles {
        let folder: String
        let stamp: FolderStamp
        let files: [FileCollection]
    }

    private struct Activity {
        var requestCount: UInt64 = 0
        /// The count when the timer was set; nil without a timer.
        var timerCount: UInt64?
    }

    /// For requests that may prompt, each on a separate connection.
    let keychain: KeychainClient
    /// For requests that never prompt.
    private let quiet: KeychainClient
    private let activity = Mutex(Activity())
    let unproven = Mutex(UnprovenItems())
    /// The keychain files that the last search found.
    let keptFiles = Mutex<KeptFiles?>(nil)
    let filesFolder: @Sendable () -> String?
    let names: CollectionNames

    /// - Parameters:
    ///   - keychain: the keychain on behalf of the client, with the time limit ``timeout``.
    ///   - names: the labels of collections.
    ///   - filesFolder: returns the folder of the user's keychain files; nil if it is not known.
    /// - Throws: nothing in practice: `.unavailable` if the settings of a request were not valid.
    public init(
        _ keychain: KeychainClient, names: CollectionNames, filesFolder: @escaping @Sendable () -> String? = { nil }
    ) throws(StorageError) {
        self.keychain = keychain
        self.names = names
        self.filesFolder = filesFolder
        var fields = RequestAuthentication<SecretBytes.BytesView>()
        fields.interaction = .fail
        do throws(ClientError) {
            quiet = try keychain.authenticating(ClientAuthentication(fields))
        } catch {
            throw StorageError(error, .none)
        }
    }

    public func close() {
        // The connections end with the last request.
    }

    // MARK: Requests

    /// Makes requests that never prompt.
    func quietly<Success>(
        _ body: (KeychainClient) throws(ClientError) -> Success
    ) throws(StorageError) -> Success {
        defer { noteRequest() }
        do throws(ClientError) { return try body(quiet) } catch { throw StorageError(error, .none) }
    }

    /// Sets a timer that closes the connection, unless one is set.
    private func noteRequest() {
        let isSet = activity.withLock { activity in
            activity.requestCount += 1
            defer { activity.timerCount = activity.timerCount ?? activity.requestCount }
            return activity.timerCount != nil
        }
        if !isSet { setTimer() }
    }

    private func setTimer() {
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.idleTime) { [weak self] in
            guard let self else { return }
            let isIdle = activity.withLock { activity in
                let isIdle = activity.timerCount == activity.requestCount
                activity.timerCount = isIdle ? nil : activity.requestCount
                return isIdle
            }
            guard isIdle else { return setTimer() }
            quiet.disconnect()
            keptFiles.withLock { $0 = nil }
            ProgramMemory.releaseStartPages()
        }
    }

    /// Makes requests that prompt if `interaction` allows it. A cancellation ends the prompt.
    func request<Success>(
        _ interaction: Interaction, _ body: (KeychainClient) throws(ClientError) -> Success
    ) throws(StorageError) -> Success {
        guard case .allowed(let cancellation) = interaction else { return try quietly(body) }
        let keychain = keychain.separate()
        do throws(ClientError) {
            return try cancellation.ending(with: { keychain.interrupt() }) { () throws(ClientError) in
                try body(keychain)
            }
        } catch {
            throw cancellation.isCancelled ? .dismissed : StorageError(error, interaction)
        }
    }

    /// Returns the facts about the client and its keychain.
    func status() throws(StorageError) -> ServiceStatus {
        try quietly { keychain throws(ClientError) in try keychain.status() }
    }

    /// Returns the client's program, named by its first access group, to which its new items belong.
    public func program() throws(StorageError) -> ClientProgram {
        let program = try quietly { keychain throws(ClientError) in try keychain.identity() }
        let name = try Self.group(program.accessGroups)
        if case .application = program.identity { return ClientProgram(name, isSandboxed: true) }
        return ClientProgram(name)
    }

    static func group(_ groups: [String]) throws(StorageError) -> String {
        guard let group = groups.first else {
            throw .unavailable("The keychain service cannot identify the program, so the program has no items.")
        }
        return group
    }

    // MARK: Unlocking

    public func unlock(
        _ targets: [LockTarget], _ interaction: Interaction
    ) throws(StorageError) -> [LockTarget] {
        var unlocked: [LockTarget] = []
        var wasLocked = false
        var unsupported: StorageError?
        for target in targets {
            do throws(StorageError) {
                switch target {
                case .collection(let id): try unlock(id, interaction)
                case .item(let id): try unlock(id, interaction)
                }
                unlocked.append(target)
            } catch {
                switch error {
                // A user who has denied one item is not asked about the others.
                case .dismissed: return try Self.result(unlocked, or: .dismissed)
                case .locked: wasLocked = true
                case .noSuchObject: continue
                // Does not hide that others are unlocked.
                case .unsupported: unsupported = unsupported ?? error
                case .denied, .invalid, .limitExceeded, .unavailable: throw error
                }
            }
        }
        if wasLocked { throw .locked }
        if let unsupported { return try Self.result(unlocked, or: unsupported) }
        return unlocked
    }

    private static func result(_ unlocked: [LockTarget], or error: StorageError) throws(StorageError) -> [LockTarget] {
        guard !unlocked.isEmpty else { throw error }
        return unlocked
    }

    /// Throws `.locked` if the collection needs a prompt that is not allowed, and `.dismissed`.
    private func unlock(_ id: CollectionID, _ interaction: Interaction) throws(StorageError) {
        guard let collection = try collection(id) else { throw .noSuchObject }
        guard collection.isLocked else { return }
        guard interaction.isAllowed else { throw .locked }
        if let file = FileCollection(id) {
            return try request(interaction) { keychain throws(ClientError) in
                try keychain.unlockKeychain(at: file.name, password: nil)
            }
        }
        let outcome = try request(interaction) { keychain throws(ClientError) in
            try keychain.authenticate(.unlockByPrompt).outcome
        }
        guard outcome == .success else { throw .dismissed }
    }

    /// Obtains an approval for the client to read the item. The approval lasts until the client's process ends.
    private func unlock(_ id: ItemID, _ interaction: Interaction) throws(StorageError) {
        guard let item = try found(id) else { throw .noSuchObject }
        guard item.needsApproval else { return }
        guard interaction.isAllowed else { throw .locked }
        try unlock(id.collection, interaction)
        guard let unlocked = try found(id) else { throw .noSuchObject }
        // Not prompted for: the proof of such a prompt counts for one request, and the client reads in a later one.
        guard let attributes = unlocked.attributes, attributes.constraints.isEmpty else {
            throw .unsupported(
                "The item requires owner authentication for each use, which the Secret Service has no call for.")
        }
        let (place, query) = try query(for: id)
        _ = try request(interaction) { keychain throws(ClientError) in
            // The data is read for the approval alone.
            try place.keychain(keychain).copyMatching(query, limit: .one, returning: .data) { _ in }
        }
        guard try found(id)?.needsApproval == false else {
            throw .unsupported(
                "The item requires the password of its keychain for each use, which the Secret Service has no call for."
            )
        }
    }
}
