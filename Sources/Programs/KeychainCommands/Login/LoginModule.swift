// SPDX-License-Identifier: Apache-2.0

/// The PAM module that passes the login password to `chatelaine-login`, as the settings of the machine have it.
struct LoginModule {
    private static let name = "pam_chatelaine.so"
    private static let profile = "/usr/share/pam-configs/chatelaine"
    /// The folders of the settings of PAM; the first one has precedence.
    private static let folders = ["/etc/pam.d", "/usr/lib/pam.d"]
    /// The ends of names of copies, which pam-auth-update, packages and editors leave beside the settings in use.
    private static let copies = [
        ".pam-old", ".pam-new", ".dpkg-old", ".dpkg-new", ".dpkg-dist", ".rpmsave", ".rpmnew", ".rpmorig", ".bak",
        ".orig", "~",
    ]

    let machine: any Machine

    /// Whether login programs use it: the settings of PAM name it for sessions.
    var isEnabled: Bool { Self.folders.contains(where: isNamed) }

    /// The command or the text by which an administrator enables it.
    var advice: String {
        (try? machine.facts(Self.profile)) ?? nil != nil
            ? "as root: pam-auth-update --enable chatelaine"
            : "an administrator adds the lines of chatelaine-login(8) to the settings of PAM"
    }

    private func isNamed(in folder: String) -> Bool {
        guard let names = try? machine.names(in: folder) else { return false }
        return names.contains { name in
            guard !Self.copies.contains(where: name.hasSuffix),
                let text = (try? machine.text("\(folder)/\(name)")) ?? nil
            else { return false }
            return text.split(separator: "\n").contains { line in
                let words = line.split { $0 == " " || $0 == "\t" }
                // A hyphen before the type lets the module be missing.
                return words.first.map { $0 == "session" || $0 == "-session" } == true
                    && words.contains { $0 == Self.name || $0.hasSuffix("/" + Self.name) }
            }
        }
    }
}
