// SPDX-License-Identifier: Apache-2.0

/// Programs that give out secrets, or make any request, for each program that runs them or connects to them.
///
/// An approval for such a program that outlasts its process would be one for all of the user's programs. Known by name,
/// for the same reason as interpreters. The list holds programs of distributions and common ones besides; it cannot be
/// complete.
public enum GeneralClients {
    /// Returns whether the program at a path is such a client.
    public static func include(_ path: String) -> Bool {
        let name = Interpreters.name(of: path)
        // With a cache of passphrases in the Secret Service, a pinentry gives out what any program names:
        // pinentry-gnome3, pinentry-qt.
        return names.contains(name) || name == "pinentry" || name.hasPrefix("pinentry-")
    }

    private static let names: Set<String> = [
        // Clients of the Secret Service and of KWallet for scripts, and KWallet, which other programs reach.
        "chatelaine-secrets-import", "keyring", "ksshaskpass", "kwallet-query", "kwalletcli", "kwalletd5",
        "kwalletd6", "lssecret", "secret-tool",
        // Clients of D-Bus for scripts, and programs that pass connections on.
        "busctl", "dbus-send", "gdbus", "nc", "nc.openbsd", "ncat", "qdbus", "qdbus-qt5", "qdbus-qt6", "qdbus6",
        "socat", "socat1", "ssh", "sshd", "sshd-session", "systemd-stdio-bridge",
        // Programs that print stored credentials, or put them into the environment of any program.
        "aws-vault", "chezmoi", "docker-credential-pass", "docker-credential-secretservice", "envchain", "gh",
        "git-credential-gnome-keyring", "git-credential-keyring", "git-credential-libsecret", "git-credential-manager",
        "git-credential-manager-core", "glab", "svn",
    ]
}

extension ProgramIdentity {
    /// Whether each of the user's programs can have this program make requests: the command, and the general clients
    /// that root installed. A team that signs a general client is responsible for it, as for an interpreter.
    public var actsForEveryProgram: Bool {
        switch self {
        case .command: true
        case .installed(let path): GeneralClients.include(path)
        case .unidentified, .signed, .unsigned, .application: false
        }
    }
}
