// SPDX-License-Identifier: Apache-2.0

internal import KeychainTerminal

extension DoctorChecks {
    // MARK: The kernel

    func kernel() -> [Finding] {
        [release(), landlock(), seccomp(), pidfd(), tracing(), tpm()].compactMap { $0 }
    }

    /// The kernel's version as two numbers; nil if it is not known.
    private var version: (Int, Int)? {
        guard let text = read("/proc/sys/kernel/osrelease") else { return nil }
        let numbers = text.split { !$0.isASCII || !$0.isNumber }.prefix(2).compactMap { Int($0) }
        return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
    }

    private func release() -> Finding {
        guard let version else { return Finding("kernel", .note, "the kernel does not report its version") }
        let text = "Linux \(version.0).\(version.1)"
        return version >= (5, 14)
            ? Finding("kernel", .ok, "\(text) can hide keys even from the kernel's own memory mappings (memfd_secret)")
            : Finding(
                "kernel", .note,
                "\(text) cannot hide keys from the kernel's own memory mappings (memfd_secret requires Linux 5.14)",
                advice: "use Linux 5.14 or later")
    }

    private func landlock() -> Finding {
        guard let modules = read("/sys/kernel/security/lsm") else {
            return Finding(
                "landlock", .note, "cannot check for Landlock: /sys/kernel/security does not exist")
        }
        let hasIt = modules.split { $0 == "," || $0.isWhitespace }.contains("landlock")
        return hasIt
            ? Finding("landlock", .ok, "helpers can confine themselves (Landlock)")
            : Finding(
                "landlock", .note, "helpers cannot confine themselves because the kernel runs without Landlock",
                advice: "add landlock to the boot parameter lsm=")
    }

    private func seccomp() -> Finding {
        read("/proc/sys/kernel/seccomp/actions_avail") == nil
            ? Finding(
                "seccomp", .warning, "the kernel has no filter for system calls (seccomp)",
                advice: "use a kernel with seccomp")
            : Finding("seccomp", .ok, "the kernel can filter system calls (seccomp)")
    }

    private func pidfd() -> Finding? {
        guard let version else { return nil }
        return version >= (6, 5)
            ? Finding("pidfd", .ok, "the kernel identifies callers by process descriptor (SO_PEERPIDFD)")
            : Finding(
                "pidfd", .note,
                "the kernel identifies callers only by process ID (SO_PEERPIDFD requires Linux 6.5), so the service checks each caller twice",
                advice: "use Linux 6.5 or later, which identifies callers reliably")
    }

    private func tracing() -> Finding {
        guard let text = read("/proc/sys/kernel/yama/ptrace_scope"), let scope = Int(text.filter { !$0.isWhitespace })
        else {
            return Finding(
                "tracing", .warning, "your programs can read each other's memory because the kernel runs without Yama",
                advice: "add yama to the boot parameter lsm=")
        }
        return scope == 0
            ? Finding(
                "tracing", .warning, "your programs can read each other's memory (ptrace_scope is 0)",
                advice: "sudo sysctl kernel.yama.ptrace_scope=1")
            : Finding(
                "tracing", .ok,
                "your programs cannot read the memory of programs that they did not start (ptrace_scope is \(scope))")
    }

    private func tpm() -> Finding {
        func exists(_ path: String) -> Bool { (try? machine.facts(path)) ?? nil != nil }
        guard exists("/sys/class/tpm/tpm0") else {
            return Finding("tpm", .note, "no TPM was found, so the device key is in a file")
        }
        return exists("/dev/tpmrm0")
            ? Finding("tpm", .ok, "a TPM was found (`chatelaine token status` shows whether you may use it)")
            : Finding(
                "tpm", .note, "a TPM without a resource manager was found",
                advice: "load the driver that provides /dev/tpmrm0")
    }

    // MARK: Swap and core dumps

    func swap() -> [Finding] {
        guard let table = read("/proc/swaps") else {
            return [Finding("swap", .note, "cannot check swap: /proc/swaps does not exist")]
        }
        let areas = table.split(separator: "\n").dropFirst().compactMap { line -> String? in
            // Spaces in a name are written as \040.
            line.split { $0 == " " || $0 == "\t" }.first.map { String($0.replacing("\\040", with: " ")) }
        }
        if areas.isEmpty { return [Finding("swap", .ok, "no swap area is in use")] }
        return areas.map { area in
            switch isProtected(area) {
            case true?: Finding("swap", .ok, "the swap area \(area) is in memory or encrypted")
            case false?:
                Finding(
                    "swap", .warning,
                    "the swap area \(area) is not encrypted, so secrets that programs read from the keychain can reach the disk",
                    advice: "use zram, or a swap area on dm-crypt")
            case nil:
                Finding(
                    "swap", .warning, "cannot check whether the swap area \(area) is encrypted",
                    advice: "make sure that it is encrypted, or use zram")
            }
        }
    }

    /// Returns whether a swap area is in memory or encrypted; nil if that cannot be determined.
    private func isProtected(_ area: String) -> Bool? {
        if area.hasPrefix("/dev/") {
            let target = machine.linkTarget(area) ?? area
            let name = target.split(separator: "/").last.map(String.init) ?? ""
            return isProtected(device: "/sys/class/block/" + name, depth: 0)
        }
        guard let facts = (try? machine.facts(area)) ?? nil else { return nil }
        return isProtected(device: "/sys/dev/block/" + facts.device, depth: 0)
    }

    private func isProtected(device folder: String, depth: Int) -> Bool? {
        guard depth < 8, let names = try? machine.names(in: folder) else { return nil }
        if let backing = read(folder + "/backing_dev")?.filter({ !$0.isWhitespace }) {
            // zram
            if backing == "none" { return true }
            return isProtected(
                device: "/sys/class/block/" + (backing.split(separator: "/").last.map(String.init) ?? ""),
                depth: depth + 1)
        }
        if folder.split(separator: "/").last?.hasPrefix("zram") == true { return true }
        if let identifier = read(folder + "/dm/uuid"), identifier.hasPrefix("CRYPT-") { return true }
        guard names.contains("slaves") else { return names.contains("partition") ? false : nil }
        guard let slaves = try? machine.names(in: folder + "/slaves") else { return nil }
        if slaves.isEmpty { return false }
        var isKnown = true
        for slave in slaves {
            switch isProtected(device: folder + "/slaves/" + slave, depth: depth + 1) {
            case false?: return false
            case nil: isKnown = false
            case true?: break
            }
        }
        return isKnown ? true : nil
    }

    func coreDumps() -> [Finding] {
        guard let pattern = read("/proc/sys/kernel/core_pattern")?.filter({ $0 != "\n" }) else {
            return [Finding("core-dumps", .note, "cannot check where core dumps are stored")]
        }
        guard pattern.hasPrefix("|") else {
            return [Finding("core-dumps", .ok, "no program collects core dumps; the service itself produces none")]
        }
        let program = pattern.dropFirst().split(separator: " ").first.map(String.init) ?? "a program"
        return [
            Finding(
                "core-dumps", .note,
                "\(program) collects core dumps; the service produces none, but its client programs may",
                advice: "with systemd: Storage=none in coredump.conf")
        ]
    }

    // MARK: Prompting

    func prompters() -> [Finding] {
        let names = ["chatelaine-prompt-pinentry", "chatelaine-prompt-tty"]
        let missing = names.filter { machine.helper($0) == nil }
        var findings: [Finding] = []
        if place.isOfSystem {
            findings.append(Finding("prompters", .ok, "chatelaine-agent shows the prompts of the system service"))
        } else if missing.count == names.count {
            findings.append(
                Finding(
                    "prompters", .warning,
                    "no prompter is installed, so the service refuses requests that need a prompt",
                    advice: "install chatelaine-prompt-pinentry beside chatelained"))
        } else {
            let present = names.filter { !missing.contains($0) }.joined(separator: " and ")
            findings.append(Finding("prompters", .ok, "\(present) can show prompts"))
        }
        let chosen = machine.environment("CHATELAINE_PINENTRY") ?? ""
        if let pinentry = machine.program(chosen.isEmpty ? "pinentry" : chosen) {
            findings.append(Finding("pinentry", .ok, "\(pinentry) shows prompts in windows"))
        } else {
            findings.append(
                Finding(
                    "pinentry", .note, "no pinentry was found, so prompts appear only on terminals",
                    advice: "install one, or name it in CHATELAINE_PINENTRY"))
        }
        return findings
    }

    // MARK: Files of the keychain

    /// Checks the snapshots.
    ///
    /// - Parameter count: the configured number of snapshots; nil if it is not known.
    func snapshots(count: UInt64?) -> [Finding] {
        guard !place.isOfSystem else { return [] }
        if count == 0 {
            return [
                Finding(
                    "snapshots", .note, "snapshots are switched off", advice: "chatelaine settings set snapshot-count 7"
                )
            ]
        }
        let folder = machine.folders.data + "/snapshots"
        do throws(StreamError) {
            guard try machine.facts(folder) != nil else {
                return [Finding("snapshots", .note, "no snapshot exists yet")]
            }
            var newest: Int64?
            for name in try machine.names(in: folder) {
                guard let facts = try machine.facts(folder + "/" + name), facts.kind == .regular else { continue }
                newest = max(newest ?? facts.modified, facts.modified)
            }
            guard let newest else { return [Finding("snapshots", .note, "no snapshot exists yet")] }
            let age = max(0, now - newest)
            let text = "the newest snapshot is \(spanText(seconds: UInt64(age))) old"
            return age > 3 * 86_400
                ? [Finding("snapshots", .warning, text, advice: "check the service's log for the reason")]
                : [Finding("snapshots", .ok, text)]
        } catch {
            return [Finding("snapshots", .warning, "cannot read \(folder): \(error.reason)")]
        }
    }

    func diskSpace() -> [Finding] {
        guard !place.isOfSystem else { return [] }
        let folder = machine.folders.data
        do throws(StreamError) {
            guard try machine.facts(folder) != nil else { return [] }
            let free = try machine.freeBytes(at: folder) >> 20
            let text = "\(free) MiB of disk space are free for the keychain"
            if free < 16 {
                return [
                    Finding(
                        "disk", .failure, text,
                        advice: "free disk space; the service refuses changes when the disk is full")
                ]
            }
            return [Finding("disk", free < 256 ? .warning : .ok, text, advice: free < 256 ? "free disk space" : nil)]
        } catch {
            return [Finding("disk", .warning, "cannot check the free disk space for the keychain: \(error.reason)")]
        }
    }

    /// Reads a small file of the kernel; nil if it does not exist or is not readable.
    private func read(_ path: String) -> String? { (try? machine.text(path)) ?? nil }
}
