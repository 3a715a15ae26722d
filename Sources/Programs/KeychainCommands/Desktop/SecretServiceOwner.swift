// SPDX-License-Identifier: Apache-2.0

/// The process that owns `org.freedesktop.secrets` on the session bus.
struct SecretServiceOwner: Hashable {
    /// The provider of Chatelaine, beside its other programs.
    static let provider = "chatelaine-secrets"

    /// The number of the process; 0 if the bus does not know it.
    let process: UInt32
    /// The path of the program or, if the kernel hides it, what the process says; nil if neither is known.
    let program: String?
    /// The unit of systemd that runs it; nil for none.
    let unit: String?
    /// Whether it is Chatelaine's own provider.
    let isOwn: Bool

    init(process: UInt32, on machine: any Machine) {
        self.process = process
        guard process > 0 else {
            (program, unit, isOwn) = (nil, nil, false)
            return
        }
        let folder = "/proc/\(process)/"
        func text(_ name: String) -> String? { (try? machine.text(folder + name)) ?? nil }
        let path = machine.linkTarget(folder + "exe")
        // gnome-keyring-daemon has a capability, so the kernel shows its path to root alone.
        let words = text("cmdline")?.split(separator: "\0").first.map(String.init)
        program = path ?? words ?? text("comm").map { String($0.prefix { $0 != "\n" }) }
        unit = text("cgroup")?.split(separator: "\n").last?.split(separator: "/").last.map(String.init)
            .flatMap { $0.hasSuffix(".service") ? $0 : nil }
        let own = machine.helper(Self.provider)
        // An update replaces the file of a provider that still runs.
        isOwn = path != nil && own != nil && (path == own || path == "\(own ?? "") (deleted)")
    }

    /// Whether it is GNOME's provider, which keeps the name for as long as it runs.
    var isGnomeKeyring: Bool {
        let name = program?.split(separator: "/").last ?? ""
        // The kernel shortens the name of a process to 15 bytes.
        return name == "gnome-keyring-daemon" || name == "gnome-keyring-d"
    }

    /// The program with its process and its unit.
    var text: String {
        let details = [process > 0 ? "process \(process)" : nil, unit].compactMap { $0 }
        return (program ?? "an unknown program") + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")
    }
}
