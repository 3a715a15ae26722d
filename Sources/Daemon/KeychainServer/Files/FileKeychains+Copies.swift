// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainStore

// Copies of keychains that are files: to keep elsewhere, and from there back. A copy is a keychain like its original: it opens with
// the same password, on the same device.
extension FileKeychains {
    /// Copies a keychain as it is at this moment, settings and access objects with it, locked or not. Until the copy is whole it has
    /// another name.
    ///
    /// - Parameter destination: an absolute path, in a folder that is there.
    /// - Throws: `errSecDuplicateKeychain` where there is a file already, which stays; `errSecNoSuchKeychain` for a place where none
    ///   can be; `errSecWrPerm`, `errSecDskFull`, `errSecIO`; as ``using(_:_:)``.
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

    /// Makes a keychain of a copy, and puts it at the end of the user's search list. It is locked then. The copy stays as it is.
    ///
    /// - Parameters:
    ///   - source: the absolute path of the copy.
    ///   - name: a path, or a name in the folder.
    ///   - processID: of who wants it.
    /// - Throws: `errSecNoSuchKeychain`, `errSecInvalidKeychain` for what is no keychain of this device, or is damaged;
    ///   `errSecDuplicateKeychain` where there is a keychain of that name already, which stays; else as ``copy(_:to:)``.
    func restore(_ source: String, as name: String, by processID: Int32 = 0) throws(Refusal) -> FileKeychainReport {
        let copy = try elsewhere(source)
        guard FileIdentity(path: copy) != nil else { throw Refusal(.noSuchKeychain, .noSuchKeychain) }
        guard
            let head = FilePlace.head(of: copy, count: OpenFileKeychain.headBytes),
            StoreKind(ofFileBeginningWith: head) == .file
        else { throw Refusal(.invalidKeychain, .notAKeychain) }
        let path = try places.place(name)
        if path.hasPrefix(places.folder + "/") { try makeFolder() }
        guard FileIdentity(path: path) == nil else { throw Self.duplicate }
        let unfinished = unfinishedPath(beside: path)
        defer { Self.remove(unfinished) }
        try Self.copy(copy, to: unfinished)
        // What does not open here is not put in place.
        try OpenFileKeychain(unfinished, means).close()
        try Self.keep(unfinished, as: path)
        log("a keychain was restored: \(path)")
        try changeLists(of: .user, by: processID) { list throws(Refusal) in try list.add([path]) }
        return try report(path)
    }

    /// With the keychain go the copies that were made beside it.
    func removeSnapshots(of path: String) {
        let folder = OpenFileKeychain.snapshotsPath(of: path)
        guard FilePlace.isFolder(folder) else { return }
        do {
            try FileManager.default.removeItem(atPath: folder)
        } catch {
            log("the snapshots of a deleted keychain cannot be removed: \(folder)")
        }
    }

    private func elsewhere(_ path: String) throws(Refusal) -> String {
        let unusable = Refusal(.noSuchKeychain, .unusableKeychainPath)
        guard places.allowsOthers, path.hasPrefix("/") else { throw unusable }
        do throws(FilePlace.Failure) { return try FilePlace.canonical(path) } catch { throw unusable }
    }

    private static func copy(_ path: String, to unfinished: String) throws(Refusal) {
        do throws(StoreError) {
            try Snapshots.makeCopy(of: path, at: unfinished)
        } catch {
            throw error.refusal
        }
    }

    /// Gives what is whole its name, unless somebody else has it meanwhile.
    static func keep(_ unfinished: String, as path: String) throws(Refusal) {
        do throws(DurableFile.Failure) {
            try removeStrayLog(of: path)
            try DurableFile.name(unfinished, as: path)
        } catch {
            guard FileIdentity(path: path) == nil else { throw duplicate }
            let refusal = error.refusal
            throw refusal.reason == .none ? Refusal(.writePermission, .unusableKeychainPath) : refusal
        }
    }

    /// Removes the log of a keychain that is gone: a service that was killed while it deleted one leaves it behind, and SQLite would
    /// take it for the log of the next file of that name, with the former one's pages.
    private static func removeStrayLog(of path: String) throws(DurableFile.Failure) {
        let log = path + "-wal"
        guard FileIdentity(path: path) == nil, let head = FilePlace.head(of: log, count: logMagic.count),
            head == logMagic
        else { return }
        try DurableFile.remove(log)
    }

    /// Of a write-ahead log, but for the last bit, which is the order of the bytes that its checksums are of.
    private static let logMagic: [UInt8] = [0x37, 0x7F, 0x06]
}
