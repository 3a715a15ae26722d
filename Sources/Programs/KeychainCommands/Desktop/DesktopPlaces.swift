// SPDX-License-Identifier: Apache-2.0

/// The files by which Chatelaine becomes the provider of the user's sessions.
struct DesktopPlaces {
    private static let unit = "chatelaine-secrets.service"
    private static let autostartName = "gnome-keyring-secrets.desktop"

    let machine: any Machine
    let files: any FileAccess

    /// Returns the files to write.
    ///
    /// - Parameter provider: the path of `chatelaine-secrets`.
    func all(provider: String) -> [DesktopFile] {
        [activation(provider: provider)] + (startsGnomeKeyring ? [autostart] : [])
    }

    /// Returns all files that may have been written, the last one first.
    var allPossible: [DesktopFile] { [autostart, activation(provider: "")] }

    /// The file by which the session bus starts the provider. It takes the place of the system's file of the same name.
    private func activation(provider: String) -> DesktopFile {
        var lines = ["[D-BUS Service]", "Name=org.freedesktop.secrets", "Exec=" + Self.command(provider)]
        if hasUnit { lines.append("SystemdService=\(Self.unit)") }
        return file(data + "/dbus-1/services/org.freedesktop.secrets.service", lines)
    }

    /// The file that keeps the desktop from starting GNOME's provider at login, which would take the name first.
    private var autostart: DesktopFile {
        file(
            configuration + "/autostart/" + Self.autostartName,
            ["[Desktop Entry]", "Type=Application", "Name=Secret Storage Service", "Hidden=true"])
    }

    private func file(_ path: String, _ lines: [String]) -> DesktopFile {
        DesktopFile(
            path: path, contents: lines.map { $0 + "\n" }.joined(), files: files, machine: machine)
    }

    /// A path as the bus reads it: words of a shell, in a file in which a backslash begins an escape.
    private static func command(_ path: String) -> String { shellWord(path).replacing("\\", with: "\\\\") }

    /// Whether the desktop starts GNOME's provider by a file of the system.
    private var startsGnomeKeyring: Bool {
        let folders = (machine.environment("XDG_CONFIG_DIRS") ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        return (folders.isEmpty ? ["/etc/xdg"] : folders.map(String.init)).contains {
            exists("\($0)/autostart/\(Self.autostartName)")
        }
    }

    /// Whether systemd knows the unit of the provider. A file that names an unknown unit would not start anything.
    private var hasUnit: Bool {
        let folders = [
            configuration + "/systemd/user", "/etc/systemd/user", data + "/systemd/user",
            "/usr/local/lib/systemd/user", "/usr/local/share/systemd/user", "/usr/lib/systemd/user",
            "/usr/share/systemd/user",
        ]
        return folders.contains { exists("\($0)/\(Self.unit)") }
    }

    private func exists(_ path: String) -> Bool { (try? machine.facts(path)) ?? nil != nil }

    private var data: String { folder("XDG_DATA_HOME", ".local/share") }
    private var configuration: String { folder("XDG_CONFIG_HOME", ".config") }

    /// Returns a folder of the XDG Base Directory Specification, which ignores relative paths.
    private func folder(_ variable: String, _ standard: String) -> String {
        guard let path = machine.environment(variable), path.hasPrefix("/") else {
            return machine.home + "/" + standard
        }
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
