// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPlatform

/// Resolves a keychain's name to a file (Documentation/FileKeychains.md).
struct FileKeychainPlaces: Sendable {
    /// The folder of the user's keychains.
    let folder: String
    /// Whether keychains may be elsewhere. A system service cannot access users' files.
    let allowsOthers: Bool

    /// The suffix of files in the folder, which names may omit (semantics 8.1).
    static let suffix = "-db"

    /// Returns the path of a keychain, whether the file exists or not.
    ///
    /// - Throws: `errSecNoSuchKeychain` for a path that cannot be a keychain.
    func place(_ name: String) throws(Refusal) -> String {
        let path = try placeOfAnyName(name)
        // SQLite would treat such a file as part of the keychain whose name precedes the suffix.
        guard !["-journal", "-wal", "-shm"].contains(where: path.hasSuffix) else { throw Self.unusable }
        return path
    }

    private func placeOfAnyName(_ name: String) throws(Refusal) -> String {
        // Each line of the lists is one path.
        guard !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { throw Self.unusable }
        guard name.hasPrefix("/") else { return try inFolder(name) }
        if let name = nameInApplesFolder(name) { return try inFolder(name) }
        guard name.hasPrefix(folder + "/") else {
            guard allowsOthers else { throw Self.unusable }
            let place = try canonical(name)
            // Regardless of the way the path was given.
            guard place.hasPrefix(folder + "/") else { return place }
            return try inFolder(String(place.dropFirst(folder.utf8.count + 1)))
        }
        return try inFolder(String(name.dropFirst(folder.count + 1)))
    }

    /// Returns the display name of the keychain at a path: `login.keychain` for `/home/ann/login.keychain-db`.
    static func name(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.hasSuffix(suffix) && name.utf8.count > suffix.utf8.count
            ? String(name.dropLast(suffix.utf8.count)) : name
    }

    /// Returns the keychains in the folder, by name.
    func all() -> [String] {
        FileLocation.names(in: folder).filter { $0.hasSuffix(Self.suffix) && !$0.hasPrefix(".") }.sorted()
            .map { folder + "/" + $0 }
    }

    private func inFolder(_ name: String) throws(Refusal) -> String {
        guard !name.contains("/"), !name.isEmpty, !name.hasPrefix("."), name.utf8.count <= 200 else {
            throw Self.unusable
        }
        let plain = folder + "/" + name
        guard !name.hasSuffix(Self.suffix) else { return plain }
        // A file that was put there under its plain name is used unchanged.
        let usual = plain + Self.suffix
        return FileIdentity(path: usual) == nil && FileIdentity(path: plain) != nil ? plain : usual
    }

    /// Returns the name of a keychain in Apple's folder. Scripts name `~/Library/Keychains/login.keychain-db`: if that
    /// folder does not exist, the path means the keychain of this name in the service's folder. A system service does not
    /// look, because it may search folders that are closed to its caller.
    private func nameInApplesFolder(_ path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard parts.count >= 3, parts.suffix(3).dropLast() == ["Library", "Keychains"],
            !allowsOthers || !FileLocation.isFolder("/" + parts.dropLast().joined(separator: "/"))
        else { return nil }
        return String(parts[parts.count - 1])
    }

    private func canonical(_ path: String) throws(Refusal) -> String {
        do throws(FileLocation.Error) {
            return try FileLocation.canonical(path)
        } catch {
            throw Refusal(.noSuchKeychain, .noSuchKeychain)
        }
    }

    private static let unusable = Refusal(.noSuchKeychain, .unusableKeychainPath)
}
