// SPDX-License-Identifier: Apache-2.0

internal import KeychainHelperWire
internal import KeychainModel
public import KeychainPlatform
internal import KeychainPolicy

/// Lets the owner of a keychain authorize an operation where no passcode can prove the owner: polkit, for the system
/// service.
///
/// A user service has none, because each program of the user could run another service in its place. It prompts for the
/// operations of which the table says that the owner is prompted.
public struct OwnerAuthority: Sendable {
    /// The presence of an authority on this machine.
    public enum Presence: Hashable, Sendable {
        case present
        /// No authority exists, and no user can have caused that.
        case absent
        /// An authority should exist, but it does not answer.
        case unanswered
    }

    /// The result of a request for authorization.
    public enum Answer: Hashable, Sendable {
        case authorized
        case denied
        /// The owner dismissed the prompt.
        case dismissed
        /// No authentication agent can show a prompt to the owner.
        case noAgent
        /// The owner did not answer in time, or the prompt was withdrawn.
        case unanswered
        case unavailable
    }

    /// The process and its operation.
    public struct Question: Hashable, Sendable {
        public let processID: Int32
        /// The start time of the process, in ticks since the machine started.
        public let processStart: UInt64
        /// The user of the process, who owns the keychain.
        public let userID: UInt32
        /// The operation for display, after "Authentication is required to ".
        public let operation: String
    }

    let presence: @Sendable () -> Presence
    let authorize: @Sendable (Question, _ timeout: Duration, ServiceHelper.Interruption) -> Answer

    /// Creates an authority.
    ///
    /// - Parameters:
    ///   - presence: answers in bounded time.
    ///   - authorize: prompts the user, and waits for the answer within the time, or until the interruption.
    public init(
        presence: @escaping @Sendable () -> Presence,
        authorize: @escaping @Sendable (Question, _ timeout: Duration, ServiceHelper.Interruption) -> Answer
    ) {
        self.presence = presence
        self.authorize = authorize
    }
}

extension Pipeline {
    /// Allows a caller that may administer the keychain, after the owner has authorized the operation if that is
    /// required.
    ///
    /// No lock of the store is held during the prompt. The policy judges again afterwards: a passcode that was set
    /// meanwhile has to be given.
    ///
    /// - Parameter details: the details of the operation that are shown to the owner, such as the names of settings.
    /// - Returns: the proof of the owner if no passcode is set.
    func admit(
        _ action: Administration, proof: ProtectorKind?, details: String = "", for context: RequestContext
    ) throws(Refusal) -> OwnerAuthorization {
        do throws(Refusal) {
            try check(action, by: context.caller, proof: proof, .missing)
            return .notNeeded
        } catch {
            guard error.reason == .authorizationNeeded else { throw error }
        }
        let authorization = try authorization(of: action, details, for: context)
        try check(action, by: context.caller, proof: proof, authorization)
        return authorization
    }

    private func check(
        _ action: Administration, by caller: Caller, proof: ProtectorKind?, _ authorization: OwnerAuthorization
    ) throws(Refusal) {
        try AdministrationPolicy.check(
            caller, action, proof: proof, isProtected: service.lock.isProtected, authorization: authorization)
    }

    private func authorization(
        of action: Administration, _ details: String, for context: RequestContext
    ) throws(Refusal) -> OwnerAuthorization {
        let (caller, place) = (context.caller, context.connection.place)
        guard let authority = service.ownerAuthority else {
            return action.rule.isPrompted ? try approval(of: action, for: context) : .notNeeded
        }
        // Root needs no authorization.
        guard caller.userID != 0 else { return .notNeeded }
        switch authority.presence() {
        case .present: break
        case .absent:
            // On a machine without polkit, it must be possible to set the first passcode.
            guard !service.rules.policy.requiresAuthorization else {
                throw Refusal(.authenticationFailed, .authorizationUnavailable)
            }
            return action.rule.isPrompted ? try approval(of: action, for: context) : .impossible
        case .unanswered: throw Refusal(.authenticationFailed, .authorizationUnavailable)
        }
        let question = OwnerAuthority.Question(
            processID: caller.processID, processStart: caller.processStart, userID: caller.userID,
            operation: Self.words(action.purpose + details, startedBy: place.starters().first))
        let answer = context.connection.prompting {
            service.prompter.inTurn(caller, place) { timeout, interruption in
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
        // polkit authorized the process, which may have ended or executed another program since it sent the request.
        guard place.isOfSameRun() else { throw Refusal(.missingEntitlement, .unidentifiedCaller) }
        return .given
    }

    /// Prompts the owner where no authority is there. Without a passcode, the prompt appears only on the display on which
    /// the service was started.
    private func approval(
        of action: Administration, for context: RequestContext
    ) throws(Refusal) -> OwnerAuthorization {
        let operation: Operation? =
            switch action {
            case .backUpPortable: .backUp
            case .restorePortable: .restore
            default: nil
            }
        var prompt = Prompt(
            .confirmation(mayRemember: false, needsPasscode: false), caller: context.caller, operation: operation,
            items: [])
        prompt.loosensSettings = action == .loosenSettings
        switch context.ask(prompt, service.prompter) {
        case .allowed: break
        case .notAsked(.tooManyPrompts): throw Refusal(.authenticationFailed, .tooManyPrompts)
        case .notAsked: throw Refusal(.authenticationFailed, .passcodeNeededToAsk)
        case .denied, .cancelled, .timedOut, .fallback, .secret: throw Refusal(.authenticationFailed, .none)
        }
        guard context.connection.place.isOfSameRun() else { throw Refusal(.missingEntitlement, .unidentifiedCaller) }
        return .given
    }
}

extension Pipeline {
    /// Returns the text for the owner. Every program can run the command, so the text names the program that did.
    private static func words(_ operation: String, startedBy starter: String?) -> String {
        // Characters that could change the meaning of the text are removed.
        func plain(_ text: String) -> String {
            String(String.UnicodeScalarView(text.unicodeScalars.map { (" "..."~").contains($0) ? $0 : "?" }))
        }
        guard let starter else { return plain(operation) }
        let room = AuthorizationLimits.operationBytes - operation.utf8.count - " (started by )".utf8.count
        let path = plain(starter)
        guard path.utf8.count > room else { return plain(operation) + " (started by \(path))" }
        // The end of a path is more informative than its beginning.
        return plain(operation) + " (started by ...\(path.suffix(max(0, room - 3))))"
    }
}

extension Administration {
    /// The operation that the owner is asked to authorize, in English, after "Authentication is required to ".
    fileprivate var purpose: String {
        switch self {
        case .setPasscode: "set the first passcode of your keychain"
        case .changeSettings, .loosenSettings: "change settings of your keychain"
        case .acceptContents: "accept changed contents of your keychain"
        case .moveDeviceKey: "move the device key of your keychain"
        case .trustTeam: "trust a team of programs with your keychain"
        case .trustFolder: "trust a development folder with your keychain"
        case .backUpPortable: "copy all secrets of your keychain to a file for any device"
        case .restore: "restore a backup into your keychain"
        case .restorePortable: "restore a backup that any program can have made into your keychain"
        case .unlock, .lock, .verify, .removePasscode, .addProtector, .removeProtector, .listProtectors, .readSettings,
            .readTokens, .openDeviceKey, .readFigures, .listGrants, .revokeGrants, .listTeams, .distrustTeam,
            .listDevelopmentFolders, .revokeFolder, .backUp:
            "administer your keychain"
        }
    }
}
