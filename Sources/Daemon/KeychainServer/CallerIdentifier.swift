// SPDX-License-Identifier: Apache-2.0

internal import KeychainCodeSigning
internal import KeychainEndpoint
public import KeychainModel
public import KeychainPlatform
public import KeychainPolicy

/// Identifies the program at the other end of a connection.
public struct CallerIdentifier: Sendable {
    /// Identifies the other end of a new connection.
    let identify: @Sendable (ServerConnection) -> IdentifiedCaller
    /// Identifies a process or a file on behalf of a caller.
    let look: @Sendable (IdentitySubject, Caller) throws(Refusal) -> Caller
    /// Returns the figures of the cache of identified programs; nil if it contains programs of other users.
    let programs: @Sendable () -> ServiceFigures.Cache?
    /// Identifies the process that a bridge names by a pidfd.
    ///
    /// Throws `errSecParam` with `notInspectable` for a descriptor that names no process of the bridge's user.
    var client: @Sendable (OwnedDescriptor, _ bridge: IdentifiedCaller) throws(Refusal) -> IdentifiedCaller = {
        _, _ throws(Refusal) in throw Refusal(.parameter, .notInspectable)
    }

    public init(
        look: @escaping @Sendable (IdentitySubject, Caller) throws(Refusal) -> Caller = { _, caller in caller },
        programs: @escaping @Sendable () -> ServiceFigures.Cache? = { nil },
        _ identify: @escaping @Sendable (ServerConnection) -> IdentifiedCaller
    ) {
        self.identify = identify
        self.look = look
        self.programs = programs
    }

    /// Identifies every connection as this caller, without inspection. For tests.
    public static func constant(_ caller: Caller) -> CallerIdentifier {
        CallerIdentifier { _ in IdentifiedCaller(caller) { _ in true } }
    }

    /// Identifies callers by user and executable (Documentation/Identification.md).
    ///
    /// - Parameters:
    ///   - commandPath: the command that was installed with this service.
    ///   - agentPath: the agent that was installed with it; nil if no agent is needed.
    ///   - bridgePaths: the bridges that were installed with it.
    ///   - owner: the user whose keychain this is; other users reach the socket only as root, and are refused. Nil in
    ///     the system service, which has a keychain for each user and is out of their reach.
    public static func live(
        commandPath: String?, agentPath: String? = nil, bridgePaths: [String] = [], owner: UInt32?,
        inspector: ExecutableInspector = ExecutableInspector()
    ) -> CallerIdentifier {
        let inspection = CallerInspection(
            commandPath: commandPath, agentPath: agentPath, bridgePaths: bridgePaths, owner: owner, inspector: inspector
        )
        var identifier = CallerIdentifier(
            look: { subject, caller throws(Refusal) in try inspection.look(at: subject, for: caller) },
            programs: { owner == nil ? nil : ServiceFigures.Cache(inspector.cachedDigests) },
            { connection in
                let peer: PeerProcess
                do throws(PeerProcess.Error) {
                    peer = try PeerProcess(of: connection)
                } catch {
                    return .unidentified(.unidentified(userID: .max, processID: 0, displayPath: "", error.finding))
                }
                do throws(PeerProcess.Error) {
                    let (caller, snapshot, isAgent, isBridge) = try inspection.caller(peer)
                    guard caller.tier != .unidentified else { return .unidentified(caller) }
                    return IdentifiedCaller(
                        caller, place: CallerLocation(of: peer, running: snapshot), isAgent: isAgent,
                        isBridge: isBridge
                    ) { sender in
                        peer.sent(sender) && (try? peer.snapshot()) == snapshot
                    }
                } catch {
                    return .unidentified(
                        .unidentified(userID: peer.user, processID: peer.pid, displayPath: "", error.finding))
                }
            })
        identifier.client = { descriptor, bridge throws(Refusal) in try inspection.client(descriptor, of: bridge) }
        return identifier
    }
}

/// The inspection of processes and files in one service.
private struct CallerInspection: Sendable {
    let commandPath: String?
    let agentPath: String?
    let bridgePaths: [String]
    let owner: UInt32?
    let inspector: ExecutableInspector

    private var isSystemService: Bool { owner == nil }

    typealias Inspected = (Caller, PeerProcess.Snapshot, isAgent: Bool, isBridge: Bool)

    /// Inspects a process.
    ///
    /// - Parameter bridge: the bridge that makes its requests; nil for a process that connected itself.
    func caller(_ peer: PeerProcess, through bridge: Bridge? = nil) throws(PeerProcess.Error) -> Inspected {
        let executable = try inspector.executable(of: peer)
        // After the file was opened, because the process may have executed another program meanwhile.
        let snapshot = try peer.snapshot()
        let facts = executable.facts
        func unidentified(_ finding: CallerFinding?) -> Inspected {
            (
                .unidentified(
                    userID: peer.user, processID: peer.pid, displayPath: facts.displayPath, finding,
                    bridge: bridge),
                snapshot, false, false
            )
        }
        guard owner == nil || peer.user == owner else { return unidentified(.otherUser) }
        if let bridge, let verdict = try sandboxVerdict(peer, facts.displayPath) {
            guard case .application(let name) = verdict.identity else { return unidentified(verdict.findings.first) }
            let caller = Caller(
                userID: peer.user, processID: peer.pid, processStart: peer.start, tier: verdict.tier,
                identity: verdict.identity, accessGroups: verdict.accessGroups, findings: verdict.findings,
                displayPath: name, bridge: bridge)
            return (caller, snapshot, false, false)
        }
        guard snapshot.isInOurUserNamespace else { return unidentified(.foreignUserNamespace) }
        guard snapshot.executableDevice == facts.device, snapshot.executableInode == facts.inode else {
            return unidentified(.changedWhileRead)
        }
        // A bridge can name a process of a program that its user cannot start, and so has no other way to imitate. A user
        // service opens only what its user can.
        guard !isSystemService || bridge == nil || executable.mayBeStarted(by: peer.user) else {
            return unidentified(.notInspectable)
        }
        var shield: ShieldEvidence?
        if isSystemService, bridge != nil {
            shield = .throughBridge(of: peer.user)
        } else if isSystemService {
            shield = ShieldEvidence(
                userID: peer.user, hasGroupOfFile: facts.setGroup.map(peer.hasGroupOfFileAlone) ?? false,
                hasFileCapability: facts.hasCapabilities && peer.holds(facts.capabilities),
                controlGroup: peer.controlGroup())
        }
        let caller = judge(
            executable, of: peer.user, process: peer.pid, since: peer.start, shield, through: bridge)
        // A client of a bridge is neither an agent nor a bridge itself.
        guard bridge == nil else { return (caller, snapshot, false, false) }
        let isAgentsFile = agentPath.map { isFile($0, facts, of: peer.user) } ?? false
        // By its path too: a link to the file elsewhere is another program's choice of its surroundings.
        let isBridgesFile = bridgePaths.contains { $0 == facts.displayPath && isFile($0, facts, of: peer.user) }
        return (
            caller, snapshot, ProgramRules.mayAskPeople(caller, isInstalledAgent: isAgentsFile),
            ProgramRules.mayActForClients(caller, isInstalledBridge: isBridgesFile)
        )
    }

    /// Judges a client of a bridge that belongs to a sandbox; nil for another client.
    ///
    /// It may be in another user namespace. Such a process can send messages in the name of another one and show another
    /// file as its own, but the bridge sends the messages here, and the file names no application.
    private func sandboxVerdict(_ peer: PeerProcess, _ path: String) throws(PeerProcess.Error) -> ProgramRules.Verdict?
    {
        let sandbox = SandboxEvidence(flatpakInfo: try peer.flatpakInfo(), securityLabel: peer.securityLabel())
        return ProgramRules.judge(sandbox, ofProgram: path)
    }

    /// Identifies the process that a bridge names.
    func client(_ descriptor: OwnedDescriptor, of bridge: IdentifiedCaller) throws(Refusal) -> IdentifiedCaller {
        let bridgeCaller = bridge.caller.caller
        let description = Bridge(
            displayPath: bridgeCaller.displayPath, processID: bridgeCaller.processID,
            processStart: bridgeCaller.processStart)
        let process: PeerProcess
        do throws(PeerProcess.Error) {
            process = try PeerProcess(named: descriptor)
        } catch {
            throw Refusal(.parameter, .notInspectable)
        }
        // A bridge of a user serves that user alone, also in the system service.
        guard process.user == bridgeCaller.userID else { throw Refusal(.parameter, .notInspectable) }
        do throws(PeerProcess.Error) {
            let (caller, snapshot, _, _) = try self.caller(process, through: description)
            guard caller.tier != .unidentified else { return IdentifiedCaller(caller) { bridge.stillIs($0) } }
            return IdentifiedCaller(
                caller, place: CallerLocation(of: process, running: snapshot), run: snapshot
            ) { sender in
                // The bridge sends the messages of the client, and both must be as identified.
                bridge.stillIs(sender) && process.isAlive && (try? process.snapshot()) == snapshot
            }
        } catch {
            let caller = Caller.unidentified(
                userID: process.user, processID: process.pid, displayPath: "", error.finding, bridge: description)
            return IdentifiedCaller(caller) { bridge.stillIs($0) }
        }
    }

    private func judge(
        _ executable: PeerExecutable, of user: UInt32, process: Int32, since start: UInt64, _ shield: ShieldEvidence?,
        through bridge: Bridge? = nil
    ) -> Caller {
        let facts = executable.facts
        // Through a bridge, the command is a program like others: its rights need a connection of its own.
        let isCommand = bridge == nil && commandPath.map { isFile($0, facts, of: user) } ?? false
        let program = ProgramEvidence(
            path: facts.displayPath, isCommand: isCommand, isRootsAlone: facts.isRootOwnedAndUnwritable,
            signature: isCommand ? .none(.noSignature) : signature(of: executable))
        let verdict = ProgramRules.judge(program, shield: shield) { () throws(CallerFinding) in
            do throws(DigestError) { return try executable.digest() } catch { throw error.finding }
        }
        // After the file was read: its file system is a local one. For other tiers the path gives no group.
        let ownedPath =
            verdict.tier == .unsigned && !isCommand
            ? executable.topUserOwnedFolder().map { UserOwnedPath(path: facts.displayPath, topFolder: $0) } : nil
        return Caller(
            userID: user, processID: process, processStart: start, tier: verdict.tier, identity: verdict.identity,
            enforcement: verdict.enforcement, accessGroups: verdict.accessGroups, entitlements: verdict.entitlements,
            hasEntitledGroups: verdict.hasEntitledGroups, findings: verdict.findings, displayPath: facts.displayPath,
            ownedPath: ownedPath, bridge: bridge)
    }

    private func signature(of executable: PeerExecutable) -> ProgramEvidence.Signature {
        let found: ExecutableSignature
        do throws(DigestError) {
            found = try executable.signature()
        } catch {
            return .none(error.finding)
        }
        switch found {
        case .absent: return .none(.noSignature)
        case .changedFile: return .none(.changedAfterSigning)
        case .damaged: return .none(.damagedSignature)
        case .newer: return .none(.newerSignature)
        case .valid(let signature):
            let entitlements = signature.statement.entitlements
            // If a team claims entitlements that do not belong to it, its signature is ignored completely.
            guard (try? EntitlementRules.check(entitlements, of: signature.team)) != nil else {
                return .none(.foreignEntitlements)
            }
            let identifier = signature.statement.identifier
            return .valid(
                team: signature.team.text, identifier: identifier.text,
                entitledGroups: EntitlementRules.groups(of: entitlements, signedBy: signature.team, as: identifier),
                entitlements: entitlements.entries)
        }
    }

    /// Returns whether the executable is this file. It never compares names: a process that can replace the command's
    /// file can also replace the service.
    private func isFile(_ path: String, _ facts: ExecutableFacts, of user: UInt32) -> Bool {
        guard let file = FileIdentity(path: path) else { return false }
        return file.device == facts.device && file.inode == facts.inode
            && (file.owner == owner || file.owner == 0) && !file.isWritableByOthers
    }

    // MARK: On behalf of a caller

    func look(at subject: IdentitySubject, for caller: Caller) throws(Refusal) -> Caller {
        let refusal = Refusal(.parameter, .notInspectable)
        switch subject {
        case .caller:
            return caller
        case .process(let number):
            do throws(PeerProcess.Error) {
                guard number > 0 else { throw .exited }
                let process = try PeerProcess(lookingAt: number)
                // A caller learns about other users' processes only what it could see itself.
                guard process.user == caller.userID else { throw .exited }
                do throws(PeerProcess.Error) {
                    return try self.caller(process).0
                } catch {
                    return .unidentified(
                        userID: process.user, processID: process.pid, displayPath: "", error.finding)
                }
            } catch {
                throw refusal
            }
        case .program(let path):
            do throws(SystemCallError) {
                let executable = try inspector.program(at: path, for: caller.userID)
                let facts = executable.facts
                // The system service can read files that the caller cannot, and a hash reveals information about their
                // content.
                guard facts.owner == caller.userID || facts.isRootOwnedAndUnwritable && facts.isReadableByAll else {
                    throw SystemCallError(call: "open", code: 0)
                }
                // The protection that the kernel would apply to the program when it runs, unless something prevents it
                // then.
                let shield = ShieldEvidence(
                    userID: caller.userID, hasGroupOfFile: facts.setGroup != nil,
                    hasFileCapability: facts.hasCapabilities, controlGroup: nil)
                return judge(executable, of: caller.userID, process: 0, since: 0, isSystemService ? shield : nil)
            } catch {
                throw refusal
            }
        }
    }
}

extension ServiceFigures.Cache {
    fileprivate init(_ digests: ExecutableInspector.CachedDigests) {
        self.init(
            .programs, hits: digests.hits, misses: digests.misses, size: UInt64(digests.count),
            bound: UInt64(digests.limit))
    }
}

extension PeerProcess.Error {
    fileprivate var finding: CallerFinding {
        switch self {
        case .exited, .notInspectable, .notAProcess: .notInspectable
        case .replacedProgram: .changedWhileRead
        case .system: .unreadable
        }
    }
}

extension DigestError {
    fileprivate var finding: CallerFinding {
        switch self {
        case .untrustedFileSystem: .untrustedFileSystem
        case .tooLarge: .tooLarge
        case .changed: .changedWhileRead
        case .system: .unreadable
        }
    }
}

/// A caller, and the check that it is still the same.
public struct IdentifiedCaller: Sendable {
    let caller: AuditedCaller
    /// Returns whether a message from this process comes from the caller as identified: the same process, still running
    /// the same program.
    let stillIs: @Sendable (_ sender: ServerConnection.Sender?) -> Bool
    /// The state of a bridge's client when it was identified; nil for other callers.
    let run: PeerProcess.Snapshot?

    /// The place where the user of the caller can be prompted.
    let place: CallerLocation
    /// Whether the caller is the agent that shows the service's prompts.
    let isAgent: Bool
    /// Whether the caller may make requests on behalf of other processes.
    let isBridge: Bool

    public init(
        _ caller: Caller, place: CallerLocation = .nowhere, isAgent: Bool = false,
        isBridge: Bool = false, run: PeerProcess.Snapshot? = nil,
        stillIs: @escaping @Sendable (_ sender: ServerConnection.Sender?) -> Bool
    ) {
        self.caller = AuditedCaller(caller)
        self.place = place
        self.isAgent = isAgent
        self.isBridge = isBridge
        self.stillIs = stillIs
        self.run = run
    }

    /// Creates a caller without a verified identity. The service reports this when the caller sends a request.
    static func unidentified(_ caller: Caller) -> IdentifiedCaller { IdentifiedCaller(caller) { _ in true } }
}
