// SPDX-License-Identifier: Apache-2.0

/// The files by which Chatelaine becomes the provider of the user's sessions.
struct DesktopPlaces {
    private static let unit = "chatelaine-secrets.service"
    private static let autostartName = "gnome-keyring-secrets.desktop"
    private static let backendName = "org.freedesktop.impl.portal.desktop.chatelaine"
    private static let portalFolder = "/xdg-desktop-portal"

    let machine: any Machine
    let files: any FileAccess

    /// Returns the files to write.
    ///
    /// - Parameters:
    ///   - provider: the path of `chatelaine-secrets`.
    ///   - backend: the path of `chatelaine-portal`; nil if it is not installed.
    func all(provider: String, backend: String?) throws(CommandFailure) -> [DesktopFile] {
        var all = [activation(provider: provider)]
        if startsGnomeKeyring { all.append(autostart) }
        if let backend, dataFolders.contains(where: { exists($0 + Self.portalFolder) }) {
            all += [activation(backend: backend), self.backend, try preference()]
        }
        return all
    }

    /// Returns all files that may have been written, the last one first.
    var allPossible: [DesktopFile] {
        let folder = configuration + Self.portalFolder
        let names = ((try? machine.names(in: folder)) ?? []).map { name in
            name.hasSuffix(DesktopFile.backupSuffix) ? String(name.dropLast(DesktopFile.backupSuffix.count)) : name
        }
        let preferences = Set(names).filter { $0 == Self.preferenceName || $0.hasSuffix("-" + Self.preferenceName) }
        return preferences.sorted().map { file("\(folder)/\($0)", "") }
            + [backend, activation(backend: ""), autostart, activation(provider: "")]
    }

    /// Whether the bus starts `chatelaine-secrets`, because `chatelaine setup desktop` wrote its file.
    var isProvider: Bool { if case .own? = try? activation(provider: "").state() { true } else { false } }

    /// Returns whether the portal reads one of these files when it starts.
    static func concernThePortal(_ files: [DesktopFile]) -> Bool {
        files.contains { $0.path.contains(portalFolder + "/") }
    }

    /// The file by which the session bus starts the provider. It takes the place of the system's file of the same name.
    private func activation(provider: String) -> DesktopFile {
        activation("org.freedesktop.secrets", provider, Self.unit)
    }

    private func activation(_ name: String, _ program: String, _ unit: String) -> DesktopFile {
        var lines = ["[D-BUS Service]", "Name=" + name, "Exec=" + Self.command(program)]
        if hasUnit(unit) { lines.append("SystemdService=\(unit)") }
        return file("\(data)/dbus-1/services/\(name).service", lines)
    }

    /// The file that keeps the desktop from starting GNOME's provider at login, which would take the name first.
    private var autostart: DesktopFile {
        file(
            configuration + "/autostart/" + Self.autostartName,
            ["[Desktop Entry]", "Type=Application", "Name=Secret Storage Service", "Hidden=true"])
    }

    // MARK: The portal for secrets

    /// The file by which the session bus starts the portal's backend.
    private func activation(backend: String) -> DesktopFile {
        activation(Self.backendName, backend, "chatelaine-portal.service")
    }

    /// The file by which the portal finds the backend.
    private var backend: DesktopFile {
        file(
            data + Self.portalFolder + "/portals/chatelaine.portal",
            ["[portal]", "DBusName=" + Self.backendName, "Interfaces=org.freedesktop.impl.portal.Secret"])
    }

    private static let preferenceName = "portals.conf"

    /// The file by which the portal prefers the backend: that of the user which counts now, or a copy of the system's file,
    /// with one line more.
    private func preference() throws(CommandFailure) -> DesktopFile {
        let desktops = (machine.environment("XDG_CURRENT_DESKTOP") ?? "").split(separator: ":").filter {
            !$0.contains("/")
        }
        let names = desktops.map { $0.lowercased() + "-" + Self.preferenceName } + [Self.preferenceName]
        let own = names.map { file("\(configuration)\(Self.portalFolder)/\($0)", "") }
        let used = own.first { exists($0.path) || exists($0.backup) } ?? own[own.count - 1]
        let systemFolders = folders("XDG_CONFIG_DIRS", ["/etc/xdg"]) + ["/etc", data] + dataFolders
        let system = systemFolders.flatMap { folder in names.map { "\(folder)\(Self.portalFolder)/\($0)" } }
        let earlier =
            if let text = try used.earlierText() {
                text
            } else if let path = system.first(where: exists) {
                try systemText(path)
            } else {
                ""
            }
        return file(used.path, PortalPreference.adding(to: earlier))
    }

    private func systemText(_ path: String) throws(CommandFailure) -> String {
        do throws(StreamError) {
            return try machine.text(path) ?? ""
        } catch {
            throw CommandFailure("cannot read \"\(path)\": \(error.reason)")
        }
    }

    private func file(_ path: String, _ lines: [String]) -> DesktopFile {
        file(path, lines.map { $0 + "\n" }.joined())
    }

    private func file(_ path: String, _ contents: String) -> DesktopFile {
        DesktopFile(path: path, contents: contents, files: files, machine: machine)
    }

    /// A path as the bus reads it: words of a shell, in a file in which a backslash begins an escape.
    private static func command(_ path: String) -> String { shellWord(path).replacing("\\", with: "\\\\") }

    /// Whether the desktop starts GNOME's provider by a file of the system.
    private var startsGnomeKeyring: Bool {
        folders("XDG_CONFIG_DIRS", ["/etc/xdg"]).contains { exists("\($0)/autostart/\(Self.autostartName)") }
    }

    /// Returns whether systemd knows a unit. A file that names an unknown unit would not start anything.
    private func hasUnit(_ name: String) -> Bool {
        let folders = [
            configuration + "/systemd/user", "/etc/systemd/user", data + "/systemd/user",
            "/usr/local/lib/systemd/user", "/usr/local/share/systemd/user", "/usr/lib/systemd/user",
            "/usr/share/systemd/user",
        ]
        return folders.contains { exists("\($0)/\(name)") }
    }

    private func exists(_ path: String) -> Bool { (try? machine.facts(path)) ?? nil != nil }

    private var data: String { folder("XDG_DATA_HOME", ".local/share") }
    private var configuration: String { folder("XDG_CONFIG_HOME", ".config") }

    private var dataFolders: [String] { folders("XDG_DATA_DIRS", ["/usr/local/share", "/usr/share"]) }

    /// Returns folders of the XDG Base Directory Specification.
    private func folders(_ variable: String, _ standard: [String]) -> [String] {
        let folders = (machine.environment(variable) ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        return folders.isEmpty ? standard : folders.map(String.init)
    }

    /// Returns a folder of the XDG Base Directory Specification, which ignores relative paths.
    private func folder(_ variable: String, _ standard: String) -> String {
        guard let path = machine.environment(variable), path.hasPrefix("/") else {
            return machine.home + "/" + standard
        }
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
