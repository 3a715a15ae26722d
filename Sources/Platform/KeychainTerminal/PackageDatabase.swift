// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint

/// The database of installed packages: of dpkg, or else of rpm.
public struct PackageDatabase: Sendable {
    private let folder: String

    /// The most files of the database that are read, and the most bytes of each.
    private static let (fileLimit, byteLimit) = (20_000, 8 << 20)
    /// The most paths for which rpm is run.
    private static let queryLimit = 64

    /// - Parameter folder: the folder in which dpkg keeps a list of files for each package.
    public init(folder: String = "/var/lib/dpkg/info") { self.folder = folder }

    /// Returns the names of the packages that installed these files, by path. Files of no package are missing, and all
    /// files if there is no database.
    public func packages(of paths: Set<String>) -> [String: String] {
        paths.isEmpty ? [:] : packagesOfDPKG(paths, until: nil) ?? packagesOfRPM(paths)
    }

    /// Returns the same from the lists of dpkg alone, as far as they can be read in a time. For prompts, which must not
    /// wait for another program.
    public func packages(of paths: Set<String>, within time: Duration) -> [String: String] {
        paths.isEmpty ? [:] : packagesOfDPKG(paths, until: ContinuousClock.now + time) ?? [:]
    }

    /// Returns nil if there are no lists of dpkg.
    private func packagesOfDPKG(
        _ paths: Set<String>, until deadline: ContinuousClock.Instant?
    ) -> [String: String]? {
        guard let names = try? FolderContents.names(in: folder) else { return nil }
        // On a system with merged folders, a list may name the file of /usr/bin in /bin.
        var wanted: [[UInt8]: String] = [:]
        for path in paths {
            wanted[Array(path.utf8)] = path
            if ["/usr/bin/", "/usr/sbin/", "/usr/lib"].contains(where: path.hasPrefix) {
                wanted[Array(path.utf8.dropFirst(4))] = path
            }
        }
        let lengths = Set(wanted.keys.map(\.count))
        var packages: [String: String] = [:]
        for name in names.prefix(Self.fileLimit) where name.hasSuffix(".list") && packages.count < paths.count {
            if let deadline, ContinuousClock.now >= deadline { break }
            guard let list = SmallFile.text(at: folder + "/" + name, limit: Self.byteLimit) else { continue }
            for line in list.utf8.split(separator: UInt8(ascii: "\n")) where lengths.contains(line.count) {
                guard let path = wanted[Array(line)] else { continue }
                packages[path] = String(name.dropLast(5).prefix { $0 != ":" })
            }
        }
        return packages
    }

    private func packagesOfRPM(_ paths: Set<String>) -> [String: String] {
        guard let rpm = SystemTool("rpm") else { return [:] }
        var packages: [String: String] = [:]
        for path in paths.sorted().prefix(Self.queryLimit) {
            guard let text = rpm.output(["-qf", "--queryformat", "%{NAME}\n", "--", path], limit: 4096) else {
                continue
            }
            packages[path] = text.split(separator: "\n").first.map(String.init)
        }
        return packages
    }
}
