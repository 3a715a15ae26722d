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
                        "passcode", .ok, "the keychain is waiting for the PIN of its device key",
                        advice: "`chatelaine unlock` asks for the PIN"))
            }
            return findings + snapshots(count: nil)
        }
        findings.append(passcode(context))
        findings += authorization(status)
        let settings = try? context.client.settings()
        findings += settings.map { bridges(BridgeMode($0)) } ?? []
        findings += contents(status) + keychainFiles(context)
        return findings + snapshots(count: settings?[.snapshotCount])
    }

    /// Checks whether programs that use a bridge get other programs' items without an approval.
    private func bridges(_ mode: BridgeMode) -> [Finding] {
        guard mode != .ask else { return [] }
        return [
            Finding(
                "bridges", .warning, "the mode for bridges is \(mode.sentence)",
                advice: "chatelaine settings set bridges ask; `chatelaine bridges` shows the programs")
        ]
    }

    private func version(_ status: ServiceStatus) -> Finding {
        status.version == ProductVersion.current
            ? Finding("service", .ok, "chatelained \(status.version) is running, the same version as this command")
            : Finding(
                "service", .warning,
                "chatelained has version \(status.version), but this command has version \(ProductVersion.current)",
                advice: "stop the service; the next command starts the new version")
    }

    private func identity(_ context: CommandContext) -> Finding {
        let report: CallerReport
        do throws(ClientError) {
            report = try context.client.identity()
        } catch {
            let failure = CommandFailure(error, message: context.statusMessage)
            return Finding(
                "identity", .failure, "the service does not report how it identifies this command: \(failure.message)")
        }
        let advice = "`chatelaine whoami` shows how to raise the tier"
        guard report.isAdministrationTool else {
            return Finding(
                "identity", .failure,
                "the service does not recognize this command as its administration tool (\(report.tier.name))",
                advice: "run the command that was installed with chatelained; " + advice)
        }
        switch report.tier {
        case .unidentified, .interpreter:
            return Finding(
                "identity", .failure, "the service cannot identify this command reliably (\(report.tier.name))",
                advice: advice)
        case .unsigned, .installed, .signed:
            return Finding(
                "identity", .note, "this command is \(report.tier.name), and not shielded from your other programs",
                advice: place.isOfSystem
                    ? "sudo chatelaine enforce \(report.path)"
                    : "the system service and `chatelaine enforce` shield it")
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
                    "no passcode is set, so access to this session or a copy of the disk is enough to read the keychain",
                    advice: "chatelaine passcode set")
        } catch {
            return Finding(
                "passcode", .warning,
                "the service does not report whether a passcode is set: \(CommandFailure(error, message: context.statusMessage).message)"
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
                    "polkit is not installed, so any of your programs can set the first passcode and switch protections off",
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
                    advice: "an administrator can check: systemctl status polkit")
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
                    "contents", .failure, "another program changed the database",
                    advice: "`chatelaine status` shows the changes; with --accept-contents it accepts them"))
        case .sealDamaged?:
            findings.append(
                Finding(
                    "contents", .failure,
                    "the seal of the database is damaged, so the service cannot detect changes by other programs",
                    advice: "`chatelaine status --accept-contents` creates a new seal"))
        case .damaged?:
            findings.append(
                Finding(
                    "contents", .failure, "the database is damaged: some items cannot be read or found",
                    advice: DamagedKeychain.dataProtection.advice))
        case .asLeft?:
            if findings.isEmpty {
                findings.append(Finding("contents", .ok, "the database is unchanged since the service last wrote it"))
            }
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
