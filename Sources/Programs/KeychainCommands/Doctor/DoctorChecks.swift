// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainTerminal
internal import KeychainWire

/// The checks of `chatelaine doctor`, a function for each check. They change nothing.
struct DoctorChecks {
    let machine: any Machine
    let place: KeychainLocation
    /// Seconds since 1970-01-01 00:00 UTC.
    let now: Int64

    /// Checks the installed files and the service's folders.
    func installation() -> [Finding] { programs() + folders() + units() + copies() }

    /// Checks the protections of the machine and the risks for secrets.
    func system() -> [Finding] { kernel() + swap() + coreDumps() + prompters() + diskSpace() }

    // MARK: Programs

    func programs() -> [Finding] {
        var findings: [Finding] = []
        let programs = [("chatelaine", machine.commandPath), ("chatelained", machine.servicePath)]
        for (name, path) in programs {
            guard let path else {
                // The system service is started by its administrator.
                let isNeeded = !(name == "chatelained" && place.isOfSystem)
                if isNeeded {
                    findings.append(
                        Finding(
                            "programs", .failure, "\(name) was not found",
                            advice: "install it beside chatelaine, or in PATH"))
                }
                continue
            }
            findings.append(program(name, path))
        }
        return findings
    }

    private func program(_ name: String, _ path: String) -> Finding {
        do throws(StreamError) {
            guard let facts = try machine.facts(path) else {
                return Finding("programs", .failure, "\(path) no longer exists", advice: "install \(name) again")
            }
            if let open = try openPlace(above: path, facts) {
                return Finding(
                    "programs", .failure, "other users can change \(open), so they can replace \(name)",
                    advice: "remove write permission for other users, or install \(name) elsewhere")
            }
            if facts.owner != 0 {
                return Finding(
                    "programs", .note, "\(path) belongs to you, so any of your programs can replace it",
                    advice: "install it where only root can write")
            }
            return Finding("programs", .ok, "\(path) belongs to root")
        } catch {
            return Finding("programs", .warning, "cannot check \(path): \(error.reason)")
        }
    }

    /// Returns the file or the parent folder that users other than root and the user can change; nil for none.
    private func openPlace(above path: String, _ facts: FileFacts) throws(StreamError) -> String? {
        if isOpen(facts) { return path }
        var folder = path
        while let slash = folder.lastIndex(of: "/"), !folder.isEmpty {
            folder = String(folder[..<slash])
            guard let facts = try machine.facts(folder.isEmpty ? "/" : folder) else { continue }
            // In a folder like /tmp, users can change only their own files.
            if isOpen(facts), facts.mode & 0o1000 == 0 || !isOwn(facts) { return folder.isEmpty ? "/" : folder }
        }
        return nil
    }

    private func isOpen(_ facts: FileFacts) -> Bool {
        if facts.kind == .symbolicLink { return !isOwn(facts) }
        return !isOwn(facts) || facts.mode & 0o022 != 0
    }

    private func isOwn(_ facts: FileFacts) -> Bool { facts.owner == 0 || facts.owner == machine.user }

    // MARK: Folders

    func folders() -> [Finding] {
        if place.isOfSystem {
            return [
                Finding("folders", .ok, "the keychain is in a folder that only the system service can read")
            ]
        }
        let folders = machine.folders
        return [folders.data, folders.runtime, folders.configuration].flatMap(folder)
    }

    /// Checks a folder of the service and its contents.
    private func folder(_ path: String) -> [Finding] {
        do throws(StreamError) {
            guard let facts = try machine.facts(path) else { return [] }
            guard facts.kind == .folder else {
                return [Finding("folders", .failure, "\(path) is not a folder", advice: "move it to another place")]
            }
            var findings: [Finding] = []
            if facts.owner != machine.user {
                findings.append(
                    Finding("folders", .failure, "\(path) belongs to user \(facts.owner)", advice: "remove it"))
            } else if facts.mode & 0o022 != 0 {
                findings.append(
                    Finding(
                        "folders", .failure, "other users can write in \(path)",
                        advice: "check its files, then: chmod 700 \(path)"))
            } else if facts.mode & 0o055 != 0 {
                findings.append(
                    Finding("folders", .note, "other users can list the files in \(path)", advice: "chmod 700 \(path)"))
            }
            let files = try files(in: path, depth: 0)
            findings +=
                files.isEmpty && findings.isEmpty
                ? [Finding("folders", .ok, "only you can access \(path) and its files")] : files
            return findings
        } catch {
            return [Finding("folders", .warning, "cannot read \(path): \(error.reason)")]
        }
    }

    /// Returns the defects of the files, the first ones of each kind.
    private func files(in folder: String, depth: Int) throws(StreamError) -> [Finding] {
        var findings: [Finding] = []
        for name in try machine.names(in: folder) {
            let path = folder + "/" + name
            guard let facts = try machine.facts(path) else { continue }
            if facts.owner != machine.user {
                findings.append(
                    Finding(
                        "files", .failure, "\(path) belongs to user \(facts.owner)",
                        advice: "find out who put it there"))
            } else if facts.kind == .symbolicLink {
                findings.append(
                    Finding("files", .warning, "\(path) is a symbolic link", advice: "replace the link with the file"))
            } else if facts.mode & 0o077 != 0, facts.kind != .socket {
                let isWritable = facts.mode & 0o022 != 0
                findings.append(
                    Finding(
                        "files", isWritable ? .failure : .warning,
                        "\(path) has mode \(String(facts.mode, radix: 8)), so other users can access it",
                        advice: "chmod go= \(path)")
                )
            }
            if facts.kind == .folder, depth < 2 { findings += try files(in: path, depth: depth + 1) }
        }
        guard findings.count > 10 else { return findings }
        return findings.prefix(10) + [
            Finding("files", .note, "\(findings.count - 10) more files in \(folder) have such problems")
        ]
    }

    // MARK: Units

    func units() -> [Finding] {
        guard (try? machine.facts("/run/systemd/system")) ?? nil != nil else {
            return [Finding("units", .ok, "systemd does not run here; the first request starts the service")]
        }
        if place.isOfSystem { return systemUnits() }
        let configuration =
            (machine.environment("XDG_CONFIG_HOME") ?? "").hasPrefix("/")
            ? machine.environment("XDG_CONFIG_HOME") ?? "" : machine.home + "/.config"
        let places = [
            configuration + "/systemd/user", "/etc/systemd/user", machine.home + "/.local/share/systemd/user",
            "/usr/local/lib/systemd/user", "/usr/local/share/systemd/user", "/usr/lib/systemd/user",
            "/usr/share/systemd/user",
        ]
        return units(in: places, scope: "systemctl --user", isNeeded: false)
    }

    private func systemUnits() -> [Finding] {
        units(
            in: [
                "/etc/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system",
                "/lib/systemd/system",
            ],
            scope: "sudo systemctl", isNeeded: true)
    }

    private func units(in places: [String], scope: String, isNeeded: Bool) -> [Finding] {
        func exists(_ path: String) -> Bool { (try? machine.facts(path)) ?? nil != nil }
        let names = ["chatelaine.socket", "chatelaine.service"]
        let missing = names.filter { name in !places.contains { exists($0 + "/" + name) } }
        if missing.count == names.count, !isNeeded {
            return [Finding("units", .ok, "no units are installed; the first request starts the service")]
        }
        guard missing.isEmpty else {
            return [
                Finding(
                    "units", .warning, "the unit \(missing.joined(separator: " and ")) is missing",
                    advice: "install it again")
            ]
        }
        guard places.contains(where: { exists($0 + "/sockets.target.wants/chatelaine.socket") }) else {
            return [
                Finding(
                    "units", isNeeded ? .warning : .note, "chatelaine.socket is not enabled",
                    advice: "\(scope) enable --now chatelaine.socket")
            ]
        }
        return [Finding("units", .ok, "chatelaine.socket is enabled")]
    }

    /// Checks whether another service or keychain exists beside the one in use.
    func copies() -> [Finding] {
        guard place.isOfSystem else { return [] }
        var findings: [Finding] = []
        if machine.ownServiceRuns {
            findings.append(
                Finding(
                    "copies", .warning, "your user service runs beside the system service",
                    advice: "stop it, and find out which program started it"))
        }
        if let path = place.unusedPath {
            findings.append(
                Finding(
                    "copies", .note, "\(path) is a keychain of the user service that is not used",
                    advice: "to move it, run as root: chatelained migrate to-system USER"))
        }
        return findings.isEmpty ? [Finding("copies", .ok, "you have no other service or keychain")] : findings
    }

    // MARK: Secret Service

    /// Checks which program other programs get their secrets from.
    ///
    /// - Parameter isProvider: whether `chatelaine setup desktop` made Chatelaine the provider. Another owner may then have
    ///   taken the name to get secrets.
    func secretService(_ desktop: any DesktopSession, isProvider: Bool) -> [Finding] {
        let advice = "to keep the secrets of all programs in this keychain: chatelaine setup desktop"
        do throws(CommandFailure) {
            let link: any ProviderLink
            switch try desktop.connect() {
            case .open(let open): link = open
            case .noBus: return [Finding("secrets", .ok, "there is no session bus here")]
            case .noHelper:
                return [
                    Finding(
                        "secrets", .warning,
                        "\(ThisDesktop.helper) is not installed, so the owner of org.freedesktop.secrets is not known",
                        advice: "install it beside chatelaine")
                ]
            }
            let (owner, canStart) = try link.owner(on: machine)
            guard let owner else {
                let text = "no program owns org.freedesktop.secrets now"
                return [
                    canStart
                        ? Finding("secrets", .ok, text + "; the bus starts one when it is needed")
                        : Finding("secrets", .note, text, advice: advice)
                ]
            }
            guard !owner.isOwn else {
                return [Finding("secrets", .ok, "org.freedesktop.secrets belongs to \(owner.text)")]
            }
            return [
                Finding(
                    "secrets", isProvider ? .warning : .note,
                    "org.freedesktop.secrets belongs to \(owner.text), so programs keep their secrets there",
                    advice: isProvider
                        ? "Chatelaine was made the provider, so check that program; then run: chatelaine setup desktop"
                        : advice)
            ]
        } catch {
            let text = "cannot determine the owner of org.freedesktop.secrets: \(error.message)"
            return [Finding("secrets", .warning, text)]
        }
    }
}
