// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
public import KeychainPlatform
public import KeychainPolicy

/// Finds out which program is at the other end of a connection.
public struct CallerIdentifier: Sendable {
    /// Looks at the other end of a new connection.
    let identify: @Sendable (ServerConnection) -> IdentifiedCaller

    public init(_ identify: @escaping @Sendable (ServerConnection) -> IdentifiedCaller) {
        self.identify = identify
    }

    /// Everybody is this caller, without a look. For tests.
    public static func constant(_ caller: Caller) -> CallerIdentifier {
        CallerIdentifier { _ in IdentifiedCaller(caller) { _ in true } }
    }

    /// Identity by user and executable (ARCHITECTURE.md, "Who is asking").
    ///
    /// - Parameters:
    ///   - commandPath: the command that was installed with this service.
    ///   - owner: the user whose keychain this is. Others reach the socket only as root, and get nothing. Nil for the
    ///     service of the system, which has a keychain for every user.
    public static func live(
        commandPath: String?, owner: UInt32?, inspector: ExecutableInspector = ExecutableInspector()
    ) -> CallerIdentifier {
        CallerIdentifier { connection in
            do throws(PeerProcess.Failure) {
                let peer = try PeerProcess(of: connection)
                let executable = try inspector.executable(of: peer)
                let snapshot = try peer.snapshot()
                let facts = executable.facts
                guard owner == nil || peer.user == owner, snapshot.isInOurUserNamespace,
                    snapshot.executableDevice == facts.device, snapshot.executableInode == facts.inode
                else { return .unidentified(peer.user, peer.pid, facts.displayPath) }
                let isCommand = commandPath.map { isFile($0, facts, ownedBy: owner ?? 0) } ?? false
                let (tier, group) = tierAndGroup(of: executable, isCommand: isCommand)
                let caller = Caller(
                    userID: peer.user, processID: peer.pid, tier: tier, accessGroups: group.map { [$0] } ?? [],
                    displayPath: facts.displayPath, isAdministrationTool: isCommand)
                return IdentifiedCaller(caller) { sender in
                    peer.sent(sender) && (try? peer.snapshot()) == snapshot
                }
            } catch {
                return .unidentified(.max, 0, "")
            }
        }
    }

    /// The command keeps one group over updates. Whoever can put another file in its place can put one in the place of
    /// the service beside it as well, so the group is as safe as the service.
    private static func isFile(_ path: String, _ facts: ExecutableFacts, ownedBy owner: UInt32) -> Bool {
        guard let file = FileIdentity(path: path) else { return false }
        return file.device == facts.device && file.inode == facts.inode
            && (file.owner == owner || file.owner == 0) && !file.isWritableByOthers
    }

    private static func tierAndGroup(
        of executable: PeerExecutable, isCommand: Bool
    ) -> (tier: CallerTier, group: String?) {
        let facts = executable.facts
        let tier: CallerTier = facts.isRootOwnedAndUnwritable ? .installed : .unsigned
        if isCommand { return (tier, "chatelaine") }
        if facts.isRootOwnedAndUnwritable { return (.installed, "installed:" + facts.displayPath) }
        do throws(DigestRefusal) {
            let digest = try executable.digest()
            return (.unsigned, "unsigned:" + digest.map(\.hexadecimal).joined())
        } catch {
            return (.unidentified, nil)
        }
    }
}

/// A caller, and the way to see that it still is the same.
public struct IdentifiedCaller: Sendable {
    let caller: AuditedCaller
    /// Whether a message that this process sent comes from the caller as it was identified: the same process, still
    /// running the same program.
    let stillIs: @Sendable (_ sender: ServerConnection.Sender?) -> Bool

    public init(_ caller: Caller, stillIs: @escaping @Sendable (_ sender: ServerConnection.Sender?) -> Bool) {
        self.caller = AuditedCaller(caller)
        self.stillIs = stillIs
    }

    /// Somebody of whom nothing is known for sure. It is told so when it asks for something.
    static func unidentified(_ user: UInt32, _ process: Int32, _ path: String) -> IdentifiedCaller {
        let caller = Caller(
            userID: user, processID: process, tier: .unidentified, accessGroups: [], displayPath: path,
            isAdministrationTool: false)
        return IdentifiedCaller(caller) { _ in true }
    }
}

extension UInt8 {
    fileprivate var hexadecimal: String {
        let digits = String(self, radix: 16)
        return self < 16 ? "0" + digits : digits
    }
}
