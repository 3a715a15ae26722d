// SPDX-License-Identifier: Apache-2.0

internal import KeychainHelperWire
internal import KeychainModel
public import KeychainPlatform
internal import KeychainPolicy

/// Lets the owner of a keychain authorize an operation where no passcode can prove the owner: polkit, for the system service.
///
/// A user service has none: each program of the user could run another service in its place.
public struct OwnerAuthority: Sendable {
    /// Whether there is one on this machine.
    public enum Presence: Hashable, Sendable {
        case present
        /// There is none, and no user can have brought that about.
        case absent
        /// There should be one, but it does not answer.
        case unanswered
    }

    /// What came of a question.
    public enum Answer: Hashable, Sendable {
        case authorized
        case denied
        /// The owner dismissed the question.
        case dismissed
        /// Nothing can ask the owner: no authentication agent.
        case noAgent
        /// The owner did not answer in time, or the question was taken back.
        case unanswered
        case unavailable
    }

    /// Who wants to do what.
    public struct Question: Hashable, Sendable {
        public let processID: Int32
        /// When the process began, in ticks since the machine did.
        public let processStart: UInt64
        /// The user of the process, whose keychain it is.
        public let userID: UInt32
        /// For the user, behind "Authentication is required to ".
        public let operation: String
    }

    let presence: @Sendable () -> Presence
    let authorize: @Sendable (Question, _ timeout: Duration, ServiceHelper.Interruption) -> Answer

    /// - Parameters:
    ///   - presence: answers in bounded time.
    ///   - authorize: asks the user, and waits for the answer within the time, or until the interruption.
    public init(
        presence: @escaping @Sendable () -> Presence,
        authorize: @escaping @Sendable (Question, _ timeout: Duration, ServiceHelper.Interruption) -> Answer
    ) {
        self.presence = presence
        self.authorize = authorize
    }
}

extension Pipeline {
    /// Lets through who may administer the keychain, after the owner has authorized it where that is needed.
    ///
    /// While the owner is asked nothing of the store is held. What came of it is judged anew: a passcode that was set meanwhile has to
    /// be given.
    ///
    /// - Parameter details: what of the operation the owner is told, such as the names of settings.
    /// - Returns: what proves the owner where no passcode is set.
    func admit(
        _ caller: Caller, _ action: Administration, proof: ProtectorKind?, details: String = "",
        on connection: ConnectionFacts
    ) throws(Refusal) -> OwnerAuthorization {
        do throws(Refusal) {
            try check(caller, action, proof: proof, .missing)
            return .notNeeded
        } catch {
            guard error.reason == .authorizationNeeded else { throw error }
        }
        let authorization = try authorization(of: action, details, for: caller, on: connection)
        try check(caller, action, proof: proof, authorization)
        return authorization
    }

    private func check(
        _ caller: Caller, _ action: Administration, proof: ProtectorKind?, _ authorization: OwnerAuthorization
    ) throws(Refusal) {
        try AdministrationPolicy.check(
            caller, action, proof: proof, isProtected: service.lock.isProtected, authorization: authorization)
    }

    private func authorization(
        of action: Administration, _ details: String, for caller: Caller, on connection: ConnectionFacts
    ) throws(Refusal) -> OwnerAuthorization {
        // Root proves itself.
        guard let authority = service.ownerAuthority, caller.userID != 0 else { return .notNeeded }
        switch authority.presence() {
        case .present: break
        case .absent:
            // A machine without polkit must be able to set its first passcode.
            guard !service.rules.policy.requiresAuthorization else {
                throw Refusal(.authenticationFailed, .authorizationUnavailable)
            }
            return .impossible
        case .unanswered: throw Refusal(.authenticationFailed, .authorizationUnavailable)
        }
        let question = OwnerAuthority.Question(
            processID: caller.processID, processStart: caller.processStart, userID: caller.userID,
            operation: Self.words(action.purpose + details, startedBy: connection.place.starters().first))
        let answer = connection.asking.during {
            service.prompter.inTurn(caller, connection.place) { timeout, interruption in
                switch authority.authorize(question, timeout, interruption) {
                case .authorized: .allowed(always: false, passcode: nil)
                case .denied: .denied
                case .dismissed: .cancelled
                case .noAgent: .notAsked(.authorizationNeeded)
                case .unanswered: .timedOut
                case .unavailable: .notAsked(.authorizationUnavailable)
                }
            }
        }
        switch answer {
        case .allowed: break
        case .notAsked(let reason): throw Refusal(.authenticationFailed, reason)
        case .cancelled, .timedOut, .fallback, .denied, .secret:
            throw Refusal(.authenticationFailed, .authorizationDenied)
        }
        // polkit authorized the process, which may have ended or run another program since it sent the request.
        guard connection.place.isOfSameRun() else { throw Refusal(.missingEntitlement, .unidentifiedCaller) }
        return .given
    }
}

extension Pipeline {
    /// What the owner reads. Every program can run the command, so it says which one did.
    private static func words(_ operation: String, startedBy starter: String?) -> String {
        // Characters that could make another text of it.
        func plain(_ text: String) -> String {
            String(String.UnicodeScalarView(text.unicodeScalars.map { (" "..."~").contains($0) ? $0 : "?" }))
        }
        guard let starter else { return plain(operation) }
        let room = AuthorizationLimits.operationBytes - operation.utf8.count - " (started by )".utf8.count
        let path = plain(starter)
        guard path.utf8.count > room else { return plain(operation) + " (started by \(path))" }
        // The end of a path says more than its beginning.
        return plain(operation) + " (started by ...\(path.suffix(max(0, room - 3))))"
    }
}

extension Administration {
    /// What the owner is asked to authorize, in English, behind "Authentication is required to ".
    fileprivate var purpose: String {
        switch self {
        case .setPasscode: "set the first passcode of your keychain"
        case .changeSettings: "change settings of your keychain"
        case .acceptContents: "accept changed contents of your keychain"
        case .moveDeviceKey: "move the device key of your keychain"
        case .trustTeam: "trust a team of programs with your keychain"
        case .restore: "restore a backup into your keychain"
        case .unlock, .lock, .verify, .removePasscode, .addProtector, .removeProtector, .listProtectors, .readSettings,
            .readTokens, .openDeviceKey, .readFigures, .listGrants, .revokeGrants, .listTeams, .distrustTeam, .backUp:
            "administer your keychain"
        }
    }
}
