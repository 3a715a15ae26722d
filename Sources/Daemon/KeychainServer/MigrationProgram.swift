// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
public import KeychainEndpoint
internal import KeychainModel
public import KeychainPlatform
internal import KeychainSealing
internal import KeychainStore
internal import SecretMemory

/// Moves one user's keychain between the user's own service and the system service: the implementation of `chatelained
/// migrate`.
///
/// The whole folder is copied beside its new place, opened there, and renamed into place; only then the old folder is
/// renamed. If the process is killed at any point, the keychain in use is complete, and the same command continues.
public struct MigrationProgram {
    public enum Direction: Sendable {
        case toSystem
        case toUser
    }

    /// One of the two places of the keychain, and the user whose rights are used there.
    private struct Side {
        let folder: KeychainFolder
        let owner: ActingUser
        /// The folder of the copy, on the same file system.
        let temporary: KeychainFolder
        let whatEndsIt: String
    }

    private let name: String
    private let direction: Direction
    private let source: Side
    private let target: Side
    private let now: WallClock

    /// Creates the program.
    ///
    /// - Parameters:
    ///   - name: the user's name or number.
    ///   - userFolder: the folder of the user's own keychain; nil: the usual one in the user's home.
    /// - Throws: if the process does not run as root, the user does not exist, or no system service is installed.
    public init(
        _ direction: Direction, user name: String, userFolder: String?, system: SystemDirectories,
        clock: WallClock = .live
    ) throws(StartError) {
        guard ActingUser.isRoot else {
            throw StartError("only root can move keychains between user services and the system service", hint: nil)
        }
        guard let user = ActingUser(name) else {
            throw StartError("user '\(name)' does not exist", hint: nil)
        }
        guard let path = userFolder ?? user.home.map({ $0 + "/.local/share/chatelaine" }), path.hasPrefix("/") else {
            throw StartError(
                "user '\(name)' has no home folder", hint: "name the folder of the keychain with --user-directory")
        }
        let service = try Self.touching(system.state) { () throws(SystemCallError) in
            try ActingUser(owning: system.state)
        }
        guard let service, service.user != 0 else {
            throw StartError(
                "\(system.state) is not the folder of a system service", hint: "run make install-system first")
        }
        let own = Side(
            folder: KeychainFolder(path: path), owner: user, temporary: KeychainFolder(path: path + ".migration"),
            whatEndsIt:
                "as that user, run: systemctl --user stop chatelaine.socket chatelaine, or end the service's process")
        let systems = Side(
            folder: system.keychain(of: user.user), owner: service,
            temporary: KeychainFolder(path: "\(system.usersPath)/.migration-\(user.user)"),
            whatEndsIt:
                "run: systemctl stop chatelaine.socket chatelaine, and start the socket again after the migration")
        self.name = name
        self.direction = direction
        now = clock
        (source, target) = direction == .toSystem ? (own, systems) : (systems, own)
    }

    /// Runs the migration.
    ///
    /// - Returns: the lines to print for the user.
    public func run() throws(StartError) -> [String] {
        try act(source)
        guard try exists(source) else {
            throw StartError("'\(name)' has no keychain in \(source.folder.path)", hint: nil)
        }
        let sourceLock = try takeLock(of: source)
        // In the copy, two names of one file would become two files.
        do throws(DurableFile.Error) { try source.folder.undoUnfinishedSalvage() } catch { throw StartError(error) }
        let found = try lookAtTarget()
        var lines: [String] = []
        switch found {
        case .sameKeychain:
            try act(target)
            try removeTemporary()
            lines.append(
                "\(target.folder.path) already contains this keychain, because an earlier migration was interrupted.")
        case .nothing, .empty:
            let (count, left) = try removingCopyOnFailure { () throws(StartError) in
                let copied = try copy()
                try put(inPlaceOfEmpty: found.isEmpty)
                return copied
            }
            lines.append("The keychain of '\(name)' with \(count) items is now in \(target.folder.path).")
            lines += left.map { "Not copied, because no service uses it: \($0)" }
        }
        let kept = try setAside()
        lines.append("The old folder is kept: \(kept)")
        lines.append("Check the moved keychain, then remove the old folder: rm -r \(kept)")
        if direction == .toUser {
            lines.append(
                "While the system service is installed, programs of '\(name)' use it, unless they set "
                    + "CHATELAINE_SERVICE=user.")
        }
        withExtendedLifetime((sourceLock, found)) {}
        return lines
    }

    private enum Found {
        case nothing
        /// A keychain without items and passcode, as created by the first access to a new service. Locked.
        case empty(InstanceLock)
        /// The keychain that is to be moved.
        case sameKeychain(InstanceLock)

        var isEmpty: Bool { if case .empty = self { true } else { false } }
    }

    private func lookAtTarget() throws(StartError) -> Found {
        try act(target)
        guard try exists(target) else { return .nothing }
        let lock = try takeLock(of: target)
        if try deviceKey(of: source).bytes.elementsEqual(deviceKey(of: target).bytes) { return .sameKeychain(lock) }
        try act(target)
        let store = try open(target.folder)
        defer { try? store.close() }
        let contents: (count: Int, isProtected: Bool) = try storing(target.folder) { () throws(StoreError) in
            (try itemCount(of: store), store.isProtected)
        }
        guard contents.count == 0, !contents.isProtected else {
            throw StartError(
                "'\(name)' has another keychain with \(contents.count) items in \(target.folder.path); nothing was changed",
                hint:
                    "back up that keychain, move it away, and restore the backup later: chatelaine backup, chatelaine restore"
            )
        }
        return .empty(lock)
    }

    /// Copies the keychain's files of the source beside the target's place, and checks whether they open there.
    ///
    /// - Returns: the number of items, and the paths of files that stay in the old folder.
    private func copy() throws(StartError) -> (count: Int, left: [String]) {
        let temporary = target.temporary
        try act(target)
        try removeTemporary()
        do throws(DirectoryError) { try temporary.prepare() } catch { throw StartError("\(error)", hint: nil) }
        let left = try copying { () throws(FolderCopy.Error) in
            try FolderCopy.copy(
                source.folder.path, readingAs: source.owner, to: temporary.path, writingAs: target.owner,
                only: MigratedFiles.contains, atMost: MigratedFiles.largestSize)
        }
        let store = try open(temporary)
        let count = try storing(temporary) { () throws(StoreError) in
            let count = try itemCount(of: store)
            try store.close()
            return count
        }
        try copying { () throws(FolderCopy.Error) in
            try FolderCopy.synchronize(temporary.path, files: ["keychain.db", "device.key"])
        }
        return (count, left.filter { !MigratedFiles.isMadeAnew($0) }.map { $0.path.printable })
    }

    private func put(inPlaceOfEmpty isThere: Bool) throws(StartError) {
        try copying { () throws(FolderCopy.Error) in
            try FolderCopy.rename(target.temporary.path, to: target.folder.path, exchanging: isThere)
        }
        if isThere { try removeTemporary() }
    }

    /// Gives the old folder a name that no service uses.
    private func setAside() throws(StartError) -> String {
        try act(source)
        let moment = CivilTime(Timestamp(secondsSinceReferenceDate: now.now()))?.compact ?? "now"
        let kept = "\(source.folder.path).migrated-\(moment)"
        try copying { () throws(FolderCopy.Error) in try FolderCopy.rename(source.folder.path, to: kept) }
        return kept
    }

    // MARK: Parts

    private func act(_ side: Side) throws(StartError) {
        try Self.touching(side.folder.path) { () throws(SystemCallError) in try side.owner.act() }
    }

    /// Returns whether a folder of the side's owner exists; links and folders of other users are refused.
    private func exists(_ side: Side) throws(StartError) -> Bool {
        let path = side.folder.path
        guard FileManager.default.fileExists(atPath: path) || isLink(path) else { return false }
        let owner = try Self.touching(path) { () throws(SystemCallError) in try ActingUser(owning: path) }
        guard let owner else { throw StartError("\(path) is a link or not a folder; nothing was changed", hint: nil) }
        guard owner.user == side.owner.user else {
            throw StartError("\(path) belongs to user \(owner.user); nothing was changed", hint: nil)
        }
        return FileIdentity(path: path)?.isWritableByOthers == false
            ? true : try refuse("\(path) can be written by other users; nothing was changed")
    }

    private func isLink(_ path: String) -> Bool {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
    }

    private func refuse(_ text: String) throws(StartError) -> Bool { throw StartError(text, hint: nil) }

    private func takeLock(of side: Side) throws(StartError) -> InstanceLock {
        do throws(InstanceLock.Error) {
            return try InstanceLock(path: side.folder.lockPath)
        } catch {
            switch error {
            case .held(let pid):
                throw StartError(
                    "a service has \(side.folder.path) open\(pid.map { " (process \($0))" } ?? ""); nothing was changed",
                    hint: side.whatEndsIt)
            case .system(let error): throw StartError("\(side.folder.lockPath): \(error)", hint: nil)
            }
        }
    }

    private func deviceKey(of side: Side) throws(StartError) -> SecretBytes {
        try act(side)
        do throws(DurableFile.Error) {
            return try DurableFile.read(side.folder.deviceKeyPath, limit: 4096)
        } catch {
            throw StartError(error)
        }
    }

    private func open(_ folder: KeychainFolder) throws(StartError) -> ItemStore {
        guard FileIdentity(path: folder.databasePath) != nil, FileIdentity(path: folder.deviceKeyPath) != nil else {
            throw StartError("\(folder.path) lacks the database or its device key; nothing was changed", hint: nil)
        }
        let storage = LockedKeyStorage()
        let key = try DeviceKeyFile(in: folder, .none).loadOrCreate(in: storage)
        return try storing(folder) { () throws(StoreError) in
            let clock = WallClock.live
            return try ItemStore(
                at: .file(folder.databasePath), deviceKey: key, keyStorage: storage,
                clock: { Timestamp(secondsSinceReferenceDate: clock.now()) },
                makeIdentifier: { ItemIdentifier(bytes: RandomSource.live.bytes(16))! })
        }
    }

    private func itemCount(of store: ItemStore) throws(StoreError) -> Int {
        let statistics = try store.statistics()
        return statistics.items.values.reduce(0, +) + statistics.unreadable
    }

    /// Runs `body`, and removes the copy if it fails, because the copy would take space and the next attempt starts
    /// from the beginning. The error of `body` is thrown.
    private func removingCopyOnFailure<R>(_ body: () throws(StartError) -> R) throws(StartError) -> R {
        do throws(StartError) { return try body() } catch {
            if (try? act(target)) != nil { try? removeTemporary() }
            throw error
        }
    }

    /// Removes the remains of an interrupted migration, or the empty keychain that was replaced.
    private func removeTemporary() throws(StartError) {
        let path = target.temporary.path
        guard FileManager.default.fileExists(atPath: path) || isLink(path) else { return }
        do { try FileManager.default.removeItem(atPath: path) } catch {
            throw StartError("\(path) cannot be removed: \(error)", hint: nil)
        }
    }

    private func storing<R>(_ folder: KeychainFolder, _ body: () throws(StoreError) -> R) throws(StartError) -> R {
        do throws(StoreError) { return try body() } catch {
            let (text, hint) = error.explanation(path: folder.databasePath)
            throw StartError(text, hint: hint)
        }
    }

    private func copying<R>(_ body: () throws(FolderCopy.Error) -> R) throws(StartError) -> R {
        do throws(FolderCopy.Error) { return try body() } catch { throw StartError(error) }
    }

    private static func touching<R>(
        _ path: String, _ body: () throws(SystemCallError) -> R
    ) throws(StartError) -> R {
        do throws(SystemCallError) { return try body() } catch { throw StartError("\(path): \(error)", hint: nil) }
    }
}

extension StartError {
    fileprivate init(_ error: FolderCopy.Error) {
        switch error {
        case .notRegular(let path): self.init("\(path) is neither a file nor a folder", hint: "remove it")
        case .notOwned(let path, let owner): self.init("\(path) belongs to user \(owner)", hint: nil)
        case .exists(let path): self.init("\(path) already exists", hint: "try again")
        case .tooLarge(let path, let limit):
            self.init(
                "\(path) has more than \(limit) bytes, the most that a keychain service writes",
                hint: "move it away, and try again")
        case .noRoom(let path, let bytes):
            self.init(
                "\(path) has \(bytes) bytes, and its copy would leave less than 5 % of the disk free",
                hint: "free disk space, or move the file away if it is not a keychain")
        case .changed(let path):
            self.init(
                "\(path) changed while it was copied", hint: "end the programs that write to it, and try again")
        case .system(let path, let error): self.init("\(path): \(error)", hint: nil)
        }
    }
}
