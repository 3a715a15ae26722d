// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainStore

// Copies of keychain files, for backup and restore. A copy is a keychain like its original: it opens with the same
// password, on the same device.
extension FileKeychains {
    /// Copies a keychain as it is at this moment, with its settings and access objects, locked or not. The incomplete
    /// copy has another name.
    ///
    /// - Parameter destination: an absolute path, in an existing folder.
    /// - Throws: `errSecDuplicateKeychain` if the file exists already, which stays unchanged; `errSecNoSuchKeychain`
    ///   for a path that cannot be a keychain; `errSecWrPerm`, `errSecDskFull`, `errSecIO`; as ``using(_:_:)``.
    func copy(_ name: String, to destination: String) throws(Refusal) {
        let path = try elsewhere(destination)
        guard FileIdentity(path: path) == nil else { throw Self.duplicate }
        try using(name) { keychain throws(Refusal) in
            let unfinished = unfinishedPath(beside: path)
            defer { Self.remove(unfinished) }
            try Self.copy(keychain.path, to: unfinished)
            try Self.keep(unfinished, as: path)
        }
        log("a keychain was copied: \(name) to \(path)")
    }

    /// Creates a keychain from a copy, and adds it at the end of the user's search list. The new keychain is locked.
    /// The copy is not changed.
    ///
    /// - Parameters:
    ///   - source: the absolute path of the copy.
    ///   - name: a path, or a name in the folder.
    ///   - processID: the requesting process.
    /// - Throws: `errSecNoSuchKeychain`, `errSecInvalidKeychain` for a file that is not a keychain of this device, or
    ///   is damaged; `errSecDuplicateKeychain` if a keychain of that name exists already, which stays unchanged;
    ///   otherwise as ``copy(_:to:)``.
    func restore(_ source: String, as name: String, by processID: Int32 = 0) throws(Refusal) -> FileKeychainReport {
        let copy = try elsewhere(source)
        guard FileIdentity(path: copy) != nil else { throw Refusal(.noSuchKeychain, .noSuchKeychain) }
        guard
            let head = FileLocation.head(of: copy, count: OpenFileKeychain.headBytes),
            StoreKind(ofFileBeginningWith: head) == .file
        else { throw Refusal(.invalidKeychain, .notAKeychain) }
        let path = try places.place(name)
        if path.hasPrefix(places.folder + "/") { try makeFolder() }
        guard FileIdentity(path: path) == nil else { throw Self.duplicate }
        let unfinished = unfinishedPath(beside: path)
        defer { Self.remove(unfinished) }
        try Self.copy(copy, to: unfinished)
        // A copy that does not open here is not put in place.
        try OpenFileKeychain(unfinished, dependencies).close()
        try Self.keep(unfinished, as: path)
        log("a keychain was restored: \(path)")
        try changeLists(of: .user, by: processID) { list throws(Refusal) in try list.add([path]) }
        return try report(path)
    }

    /// Removes the snapshots of a deleted keychain, which are beside it.
    func removeSnapshots(of path: String) {
        let folder = OpenFileKeychain.snapshotsPath(of: path)
        guard FileLocation.isFolder(folder) else { return }
        do {
            try FileManager.default.removeItem(atPath: folder)
        } catch {
            log("cannot remove the snapshots of a deleted keychain: \(folder)")
        }
    }

    private func elsewhere(_ path: String) throws(Refusal) -> String {
        let unusable = Refusal(.noSuchKeychain, .unusableKeychainPath)
        guard places.allowsOthers, path.hasPrefix("/") else { throw unusable }
        do throws(FileLocation.Error) { return try FileLocation.canonical(path) } catch { throw unusable }
    }

    private static func copy(_ path: String, to unfinished: String) throws(Refusal) {
        do throws(StoreError) {
            try Snapshots.makeCopy(of: path, at: unfinished)
        } catch {
            throw error.refusal
        }
    }

    /// Renames a complete file to its final name, unless that is taken meanwhile.
    static func keep(_ unfinished: String, as path: String) throws(Refusal) {
        do throws(DurableFile.Error) {
            try removeStrayLog(of: path)
            try DurableFile.name(unfinished, as: path)
        } catch {
            guard FileIdentity(path: path) == nil else { throw duplicate }
            let refusal = error.refusal
            throw refusal.reason == .none ? Refusal(.writePermission, .unusableKeychainPath) : refusal
        }
    }

    /// Removes the log of a keychain that no longer exists: a service that was killed during a deletion leaves it
    /// behind, and SQLite would apply the log, with the former file's pages, to the next file of that name.
    private static func removeStrayLog(of path: String) throws(DurableFile.Error) {
        let log = path + "-wal"
        guard FileIdentity(path: path) == nil, let head = FileLocation.head(of: log, count: logMagic.count),
            head == logMagic
        else { return }
        try DurableFile.remove(log)
    }

    /// The magic number of a write-ahead log without its last bit, which states the byte order of its checksums.
    private static let logMagic: [UInt8] = [0x37, 0x7F, 0x06]
}
