// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
public import KeychainEndpoint
internal import KeychainModel
public import KeychainPlatform
internal import KeychainSealing
internal import KeychainStore
public import SecretMemory

/// Saves the readable contents of a damaged keychain: the implementation of `chatelained salvage`.
///
/// The damaged files are kept under another name, and the new database replaces them atomically. If nothing can be
/// saved, nothing is changed.
public struct SalvageProgram {
    /// The user's directories; nil for a keychain in the system service.
    private let directories: InstanceDirectories?
    let folder: KeychainFolder
    let whatEndsTheService: String
    private let now: WallClock

    /// Whether the keychain is the user's own, and not in the system service.
    var isOfUser: Bool { directories != nil }

    public init(directories: InstanceDirectories, clock: WallClock = .live) {
        self.directories = directories
        folder = directories.keychain
        whatEndsTheService = "stop the service first: systemctl --user stop chatelaine, or end its process"
        now = clock
    }

    /// Creates the program for the keychain of a user in the system service. From now on the process acts as the
    /// service's user.
    ///
    /// - Throws: if the process does not run as root, the user does not exist, or no system service is installed.
    public init(ofUser name: String, in system: SystemDirectories, clock: WallClock = .live) throws(StartError) {
        guard ActingUser.isRoot else {
            throw StartError("only root can salvage keychains of the system service", hint: nil)
        }
        guard let user = ActingUser(name) else { throw StartError("user '\(name)' does not exist", hint: nil) }
        do throws(SystemCallError) {
            guard let service = try ActingUser(owning: system.state), service.user != 0 else {
                throw SystemCallError(call: "lstat", code: 2)
            }
            try service.act()
        } catch {
            throw StartError(
                "\(system.state) is not the folder of a system service: \(error)", hint: nil)
        }
        directories = nil
        folder = system.keychain(of: user.user)
        whatEndsTheService = "stop the service first: systemctl stop chatelaine.socket chatelaine"
        now = clock
    }

    /// Salvages the keychain.
    ///
    /// - Parameter passcode: opens the classes of items that need it, so that they can be checked; without it they are
    ///   copied unchecked.
    /// - Parameter pin: opens a device key with a PIN.
    /// - Returns: the lines to print for the user.
    public func run(passcode: SecretBytes?, pin: SecretBytes? = nil) throws(StartError) -> [String] {
        do throws(DirectoryError) {
            if let directories { try directories.prepare() } else { try folder.prepare() }
        } catch {
            throw StartError("\(error)", hint: nil)
        }
        let lock = try takeLock()
        defer { withExtendedLifetime(lock) {} }
        try undoUnfinishedSalvage()
        guard FileIdentity(path: folder.databasePath) != nil else {
            throw StartError(
                "\(folder.databasePath) does not exist", hint: "copy the newest file of snapshots/ to this path")
        }
        let storage = LockedKeyStorage()
        let key = try deviceKey(pin, in: storage)
        let work = "\(folder.path)/salvage"
        try copyDamaged(folder.databasePath, into: work)
        defer { try? FileManager.default.removeItem(atPath: work) }
        let snapshots = Snapshots(
            of: folder.databasePath, in: folder.snapshotsPath, synchronize: { _ in }, log: { _ in }
        ).paths
        let report: Salvage.Report
        do throws(StoreError) {
            let salvage = try Salvage(
                "\(work)/damaged.db", snapshots: snapshots, deviceKey: key, in: storage,
                passcode: passcode.map { ProtectorSecret(.passcode, $0.bytes) })
            report = try salvage.run("\(work)/damaged.db", snapshots: snapshots, into: "\(work)/new.db")
        } catch {
            throw Self.failure(error, folder.databasePath)
        }
        let kept = try exchange("\(work)/new.db")
        return report.lines + ["The damaged files are kept: \(kept)"]
    }

    /// Copies a damaged database and its log into a new folder, where they may be changed.
    ///
    /// - Throws: also if one of them is not a regular file; then the folder is removed.
    func copyDamaged(_ path: String, into work: String) throws(StartError) {
        do {
            try? FileManager.default.removeItem(atPath: work)
            try FileManager.default.createDirectory(
                atPath: work, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            for suffix in ["", "-wal"] where FileIdentity(path: path + suffix) != nil {
                try DurableFile.copy(path + suffix, to: "\(work)/damaged.db\(suffix)")
            }
        } catch {
            try? FileManager.default.removeItem(atPath: work)
            if case DurableFile.Error.notRegular(let path)? = error as? DurableFile.Error {
                throw StartError("\(path) is not a regular file", hint: "move it away")
            }
            throw StartError("the damaged files cannot be copied to \(work)", hint: "free disk space: \(error)")
        }
    }

    func deviceKey(_ pin: SecretBytes?, in storage: LockedKeyStorage) throws(StartError) -> DeviceKey {
        let file = DeviceKeyFile(in: folder, TokenPrograms.live.secureElement(of: folder))
        return try file.isGuarded() ? deviceKey(file, pin, storage) : file.loadOrCreate(in: storage)
    }

    private func deviceKey(
        _ file: DeviceKeyFile, _ pin: SecretBytes?, _ storage: LockedKeyStorage
    ) throws(StartError) -> DeviceKey {
        guard let pin else {
            throw StartError(
                "the device key opens only with its PIN", hint: "run chatelaine salvage --pin to enter it")
        }
        do throws(Refusal) {
            return try file.open(with: pin, in: storage)
        } catch {
            let text =
                switch error.reason {
                case .wrongPIN: "the PIN of the device key is wrong; nothing was changed"
                case .tooManyAttempts, .tokenLockedOut:
                    "too many wrong PINs were entered, so the next attempt must wait; nothing was changed"
                default: "the token cannot open the device key; nothing was changed"
                }
            throw StartError(text, hint: nil)
        }
    }

    private func takeLock() throws(StartError) -> InstanceLock {
        do throws(InstanceLock.Error) {
            return try InstanceLock(path: folder.lockPath)
        } catch {
            throw StartError(
                "the keychain service is running", hint: whatEndsTheService)
        }
    }

    private func undoUnfinishedSalvage() throws(StartError) {
        do throws(DurableFile.Error) { try folder.undoUnfinishedSalvage() } catch { throw StartError(error) }
    }

    /// Puts the new database in place.
    ///
    /// - Returns: the new name of the old database.
    private func exchange(_ new: String) throws(StartError) -> String {
        let moment = CivilTime(Timestamp(secondsSinceReferenceDate: now.now()))?.compact ?? "now"
        var (kept, number) = (folder.keptPrefix + moment, 1)
        // The name may be taken by another salvage in the same second.
        while FileIdentity(path: kept) != nil, number < 99 {
            number += 1
            kept = "\(folder.keptPrefix)\(moment)-\(number)"
        }
        do throws(DurableFile.Error) {
            // The log is moved before the new database is in place, because SQLite would apply its pages to that.
            // ``KeychainFolder/undoUnfinishedSalvage()`` moves it back if the salvage does not continue.
            try DurableFile.keep(folder.databasePath, as: kept)
            try DurableFile.move(folder.databasePath + "-wal", to: kept + "-wal")
            try DurableFile.remove(folder.databasePath + "-shm")
            try DurableFile.move(new, to: folder.databasePath)
        } catch {
            throw StartError(error)
        }
        return kept
    }

    static func failure(_ error: StoreError, _ path: String) -> StartError {
        switch error {
        case .damaged(.keybag):
            StartError(
                "neither \(path) nor a snapshot has a readable keybag; nothing was changed",
                hint: "restore the directory from a backup")
        case .refused(let refusal) where refusal.reason == .wrongSecret:
            StartError("the passcode or password is wrong; nothing was changed", hint: nil)
        case .diskFull: StartError("the disk has no space for a second database", hint: "free disk space")
        default:
            StartError("\(path) cannot be salvaged: \(error)", hint: "restore the directory from a backup")
        }
    }
}

extension Salvage.Report {
    var lines: [String] {
        var lines = ["\(recovered) items were saved from the damaged database."]
        if fromSnapshots > 0 { lines.append("\(fromSnapshots) items come from snapshots and may be older.") }
        if unchecked > 0 {
            lines.append(
                "\(unchecked) of these items could not be verified, because the keychain is locked without its passcode."
            )
        }
        if isUncertain {
            lines.append(
                "The database does not show which items existed: deleted items may be back, and others may be missing.")
        }
        lines.append("\(lost.count) items are lost.")
        for loss in lost {
            let names = loss.names.map {
                [$0.place, $0.account, $0.label].filter { !$0.isEmpty }.joined(separator: ", ")
            }
            lines.append("lost: \(loss.itemClass.code), row \(loss.row)\(names.map { ": " + $0.printable } ?? "")")
        }
        return lines
    }
}
