// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainWire

/// The display names of the programs that own access groups: with the package that installed the program and its name on
/// the desktop, or with the path where the audit log saw the program last.
///
/// For a program that is identified by its path, the name begins with the path. For others, it begins with the digest
/// or the team, and the path follows as a remark: the path of such a program proves nothing.
struct ProgramNames {
    private var remarks: [String: String] = [:]

    /// The most lines of the audit log that are read for all names together.
    private static let lineLimit = 4096

    /// Collects the packages and paths of the owners of these groups. A log that may not be read leaves paths out.
    init(ofGroups groups: some Sequence<String>, in context: CommandContext) {
        let groups = Set(groups)
        let origins = context.machine.origins(of: Set(groups.compactMap(installedPath)))
        for group in groups {
            guard let path = installedPath(ofGroup: group), let origin = origins[path] else { continue }
            remarks[group] = " (\(origin))"
        }
        var unseen = groups.filter(Self.isOfMovableProgram)
        var cursor: AuditCursor?
        var left = Self.lineLimit
        while !unseen.isEmpty, left > 0 {
            guard
                let page = try? context.client.auditPage(
                    AuditFilter(), .newestFirst, from: cursor, limit: UInt32(left))
            else { return }
            for record in page.lines.lazy.compactMap({ AuditRecord($0) }) {
                guard let group = record.programGroup, unseen.remove(group) != nil else { continue }
                if let path = record.program { remarks[group] = " (last seen at \(path))" }
            }
            left -= max(page.lines.count, 1)
            guard !page.isEnd else { return }
            cursor = page.next
        }
    }

    func name(ofGroup group: String) -> String { programName(ofGroup: group) + remark(ofGroup: group) }

    /// Returns the package and desktop name or the path, with a space before it; empty if neither is known.
    func remark(ofGroup group: String) -> String { remarks[group] ?? "" }

    /// Returns whether the group may belong to a program that is not identified by its path.
    private static func isOfMovableProgram(_ group: String) -> Bool {
        if group == CommandGroup.shared || group == CommandGroup.privateItems { return false }
        guard installedPath(ofGroup: group) == nil, DevelopmentFolder.path(ofGroup: group) == nil else { return false }
        return group.hasPrefix(unsignedPrefix) || group.contains(".")
    }
}

extension Machine {
    /// Returns the package and the desktop name of installed programs, as remarks, by path; programs with neither are
    /// missing.
    func origins(of paths: Set<String>) -> [String: String] {
        let (packages, names) = (packages(of: paths), desktopNames(of: paths))
        var origins: [String: String] = [:]
        for path in paths {
            let parts = [
                packages[path].map { "package \($0)" }, names[path].map { "desktop name \"\($0)\"" },
            ].compactMap(\.self)
            if !parts.isEmpty { origins[path] = parts.joined(separator: ", ") }
        }
        return origins
    }
}

extension AuditRecord {
    /// The access group that the caller has by itself; nil for a caller without an identity that moves with its file.
    var programGroup: String? {
        if let digest = text("sha256") { return unsignedPrefix + digest }
        guard let team = text("team"), let identifier = text("identifier") else { return nil }
        return "\(team).\(identifier)"
    }

    /// Whether the caller is identified by the path at which an administrator installed it.
    var isIdentifiedByPath: Bool { text("tier") == CallerTier.installed.name && programGroup == nil }
}

private let unsignedPrefix = "unsigned:"

/// Returns the display name of the program that owns an access group.
func programName(ofGroup group: String) -> String {
    switch GroupOwner(ofGroup: group) {
    case .installed(let path): path
    case .development(let path): path + " (development)"
    case .unsigned(let digest): unsignedPrefix + GroupOwner.shortened(digest: digest)
    case .command, .application, .signed: group
    }
}

/// Returns the executable's path, if the group belongs to an installed program.
func installedPath(ofGroup group: String) -> String? {
    if case .installed(let path) = GroupOwner(ofGroup: group) { path } else { nil }
}
