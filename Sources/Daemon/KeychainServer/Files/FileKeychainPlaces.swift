// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPlatform

/// Which file a keychain's name means (Documentation/FileKeychains.md).
struct FileKeychainPlaces: Sendable {
    /// The folder of the user's keychains.
    let folder: String
    /// Whether keychains may be elsewhere. A service of the system reaches no user's files.
    let allowsOthers: Bool

    /// In the folder, files end so, and names need not (semantics 8.1).
    static let suffix = "-db"

    /// The place of a keychain, whether it is there or not.
    ///
    /// - Throws: `errSecNoSuchKeychain` for what can be no keychain's place.
    func place(_ name: String) throws(Refusal) -> String {
        let path = try placeOfAnyName(name)
        // SQLite would take such a file for a part of the keychain whose name is in front of the ending.
        guard !["-journal", "-wal", "-shm"].contains(where: path.hasSuffix) else { throw Self.unusable }
        return path
    }

    private func placeOfAnyName(_ name: String) throws(Refusal) -> String {
        // A line of the lists is one path.
        guard !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { throw Self.unusable }
        guard name.hasPrefix("/") else { return try inFolder(name) }
        if let name = nameInApplesFolder(name) { return try inFolder(name) }
        guard name.hasPrefix(folder + "/") else {
            guard allowsOthers else { throw Self.unusable }
            let place = try canonical(name)
            // By whatever way it came there.
            guard place.hasPrefix(folder + "/") else { return place }
            return try inFolder(String(place.dropFirst(folder.utf8.count + 1)))
        }
        return try inFolder(String(name.dropFirst(folder.count + 1)))
    }

    /// What people call the keychain at a path: `login.keychain` for `/home/ann/login.keychain-db`.
    static func name(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.hasSuffix(suffix) && name.utf8.count > suffix.utf8.count
            ? String(name.dropLast(suffix.utf8.count)) : name
    }

    /// The keychains in the folder, by name.
    func all() -> [String] {
        FilePlace.names(in: folder).filter { $0.hasSuffix(Self.suffix) && !$0.hasPrefix(".") }.sorted()
            .map { folder + "/" + $0 }
    }

    private func inFolder(_ name: String) throws(Refusal) -> String {
        guard !name.contains("/"), !name.isEmpty, !name.hasPrefix("."), name.utf8.count <= 200 else {
            throw Self.unusable
        }
        let plain = folder + "/" + name
        guard !name.hasSuffix(Self.suffix) else { return plain }
        // A file that somebody put there under its plain name is used as it is.
        let usual = plain + Self.suffix
        return FileIdentity(path: usual) == nil && FileIdentity(path: plain) != nil ? plain : usual
    }

    /// Scripts name `~/Library/Keychains/login.keychain-db`: where there is no such folder, that is the keychain of this name in
    /// ours.
    private func nameInApplesFolder(_ path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard parts.count >= 3, parts.suffix(3).dropLast() == ["Library", "Keychains"],
            !FilePlace.isFolder("/" + parts.dropLast().joined(separator: "/"))
        else { return nil }
        return String(parts[parts.count - 1])
    }

    private func canonical(_ path: String) throws(Refusal) -> String {
        do throws(FilePlace.Failure) {
            return try FilePlace.canonical(path)
        } catch {
            throw Refusal(.noSuchKeychain, .noSuchKeychain)
        }
    }

    private static let unusable = Refusal(.noSuchKeychain, .unusableKeychainPath)
}
