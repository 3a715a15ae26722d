// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainWire

extension DoctorChecks {
    /// Checks the service, this command and the keychain as the service reports them. Starts the service if it does not
    /// run.
    func service(_ context: CommandContext) -> [Finding] {
        let status: ServiceStatus
        do throws(ClientError) {
            status = try context.client.status()
        } catch {
            let failure = CommandFailure(error, message: context.statusMessage)
            return [Finding("service", .failure, failure.message, advice: failure.hint)] + snapshots(count: nil)
        }
        var findings = [version(status), identity(context)]
        guard status.callerTier != .unidentified, status.lockState != .awaitingPIN else {
            if status.lockState == .awaitingPIN {
                findings.append(
                    Finding(
                        "passcode", .ok, "the keychain waits for the PIN of its device key",
                        advice: "chatelaine unlock opens it"))
            }
            return findings + snapshots(count: nil)
        }
        findings.append(passcode(context))
        findings += authorization(status)
        findings += contents(status) + keychainFiles(context)
        return findings + snapshots(count: (try? context.client.settings())?[.snapshotCount])
    }

    private func version(_ status: ServiceStatus) -> Finding {
        status.version == ProductVersion.current
            ? Finding("service", .ok, "chatelained \(status.version) answers, of the same version as this command")
            : Finding(
                "service", .warning,
                "chatelained is of version \(status.version), this command of \(ProductVersion.current)",
                advice: "end the service; the next command starts the new one")
    }

    private func identity(_ context: CommandContext) -> Finding {
        let report: CallerReport
        do throws(ClientError) {
            report = try context.client.identity()
        } catch {
            let failure = CommandFailure(error, message: context.statusMessage)
            return Finding(
                "identity", .failure, "the service does not say how it sees this command: \(failure.message)")
        }
        let advice = "chatelaine whoami says what raises it"
        guard report.isAdministrationTool else {
            return Finding(
                "identity", .failure, "the service does not take this command for its own (\(report.tier.name))",
                advice: "run the one that was installed with chatelained; " + advice)
        }
        switch report.tier {
        case .unidentified, .interpreter:
            return Finding(
                "identity", .failure, "the service is not sure of this command (\(report.tier.name))", advice: advice)
        case .unsigned, .installed, .signed:
            return Finding(
                "identity", .note, "this command is \(report.tier.name), and not shielded from your other programs",
                advice: place.isOfSystem
                    ? "sudo chatelaine enforce \(report.path)"
                    : "a service of the system and chatelaine enforce shield it")
        case .enforced:
            return Finding("identity", .ok, "this command is enforced: the kernel shields it")
        }
    }

    private func passcode(_ context: CommandContext) -> Finding {
        do throws(ClientError) {
            return try context.client.protectors().hasPasscode
                ? Finding("passcode", .ok, "a passcode is set")
                : Finding(
                    "passcode", .note,
                    "no passcode is set: whoever has this session or a copy of the disk has the keychain",
                    advice: "chatelaine passcode set")
        } catch {
            return Finding(
                "passcode", .warning,
                "the service does not say whether a passcode is set: \(CommandFailure(error, message: context.statusMessage).message)"
            )
        }
    }

    /// Checks how the owner authorizes operations that loosen the protection of a keychain without a passcode in the
    /// system service.
    private func authorization(_ status: ServiceStatus) -> [Finding] {
        guard let state = status.protections.lazy.compactMap(OwnerAuthorityState.init(rawValue:)).first else {
            return []
        }
        switch state {
        case .present:
            return [
                Finding("authorization", .ok, "polkit asks for your login password before a protection is loosened")
            ]
        case .absent:
            return [
                Finding(
                    "authorization", .warning,
                    "polkit is not installed, so each of your programs can set the first passcode and switch protections off",
                    advice: "chatelaine passcode set; an administrator can install polkit")
            ]
        case .absentAndRequired:
            return [
                Finding(
                    "authorization", .warning,
                    "the machine's policy requires polkit, which is not installed: no protection can be loosened",
                    advice:
                        "an administrator installs polkit, or removes require-authorization from /etc/chatelaine/policy.d"
                )
            ]
        case .unanswered:
            return [
                Finding(
                    "authorization", .warning, "polkit does not answer, so no protection can be loosened",
                    advice: "an administrator looks at: systemctl status polkit")
            ]
        }
    }

    private func contents(_ status: ServiceStatus) -> [Finding] {
        var findings: [Finding] = []
        if let count = status.unreadableCount, count > 0 {
            findings.append(
                Finding(
                    "contents", .warning,
                    "\(count) item\(count == 1 ? "" : "s") could not be opened and \(count == 1 ? "was" : "were") set aside",
                    advice: "restore a backup of them (chatelaine restore)"))
        }
        switch status.contents {
        case .changed?:
            findings.append(
                Finding(
                    "contents", .failure, "the database was changed from outside",
                    advice: "chatelaine status says how, and --accept-contents ends this"))
        case .sealDamaged?:
            findings.append(
                Finding(
                    "contents", .failure,
                    "whether the database was changed from outside cannot be told: its seal is damaged",
                    advice: "chatelaine status --accept-contents makes a new one"))
        case .damaged?:
            findings.append(
                Finding(
                    "contents", .failure, "the database is damaged: some items cannot be read or found",
                    advice: DamagedKeychain.dataProtection.advice))
        case .asLeft?:
            if findings.isEmpty { findings.append(Finding("contents", .ok, "the database is as the service left it")) }
        case .unknown?, nil: break
        }
        return findings
    }

    /// Checks the open keychain files; damage is known only while a file is open.
    private func keychainFiles(_ context: CommandContext) -> [Finding] {
        let files = (try? context.client.figures())?.keychainFiles ?? []
        return files.filter(\.isDamaged).map { file in
            Finding(
                "contents", .failure, "\(file.path): the database is damaged: some items cannot be read or found",
                advice: DamagedKeychain.file(path: file.path).advice)
        }
    }
}
