// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
public import KeychainPlatform
public import KeychainPolicy
internal import KeychainSealing
internal import KeychainStore
internal import KeychainWire
internal import SecretMemory

/// One request on its way through the pipeline: its caller, its connection, and the approvals and proofs
/// that it obtained so far.
struct RequestContext {
    /// The caller, with the rules of the keychain applied.
    let caller: Caller
    let connection: RequestConnection
    /// The part of the request that concerns owner authentication; nil if it has none.
    var authentication: RequestAuthentication<SecretBytes>?
    var attempt = RequestAttempt()

    init(_ caller: Caller, _ connection: RequestConnection) {
        self.caller = caller
        self.connection = connection
    }

    /// Whether the program allows prompts for owner authentication.
    var mayPrompt: Bool { authentication?.interaction ?? .allow == .allow }

    func prompt(_ purpose: Prompt.Purpose, _ operation: Operation? = nil, _ items: [PromptedItem] = []) -> Prompt {
        Prompt(
            purpose, caller: caller, operation: operation, items: items, reason: authentication?.reason,
            cancelTitle: authentication?.cancelTitle, fallbackTitle: authentication?.fallbackTitle)
    }

    /// Shows a prompt where the user of the caller can be prompted, and waits for the answer.
    func ask(_ prompt: Prompt, _ prompter: Prompter) -> PromptAnswer {
        connection.prompting { prompter.ask(prompt, for: connection.place) }
    }
}

/// The state carried between attempts of a request: approvals, authentication, and the key material for items with
/// constraints.
struct RequestAttempt {
    var evidence = Evidence.none
    /// The authentication that the context of the request covers, for its next proof.
    var contextFactors: Set<AuthenticationFactor> = []
    /// The key material; nil until an item needs it.
    var material: ItemKeyMaterial?
    /// Items to change whose own password has to be checked, and counted, before the transaction that changes them.
    var unchecked: [PersistentReference] = []
    /// Items to change whose own password was checked.
    var checked: Set<PersistentReference> = []
    /// Whether items that require a prompt are left out.
    var skips = false
    /// Whether the request contains a password.
    var hasPassword = false
    /// The number of interruptions of each kind so far, for their limits.
    var (approvals, demands, passwords, checks) = (0, 0, 0, 0)

    /// Returns whether an item can be used without a prompt.
    func suffices(for item: ItemFacts, _ operation: Operation, by caller: Caller) -> Bool {
        !item.needsPerson(for: operation, by: caller, evidence)
            && (hasPassword || !item.constraints.contains(.applicationPassword))
    }

    /// Returns the material for sealing a new or changed item.
    ///
    /// - Parameter existing: the item that is changed.
    func material(
        sealing attributes: ItemAttributes, existing: [ItemFacts] = []
    ) throws(RequestInterruption) -> ItemKeyMaterial {
        let old = existing.neededMaterial
        let needed = old.union(attributes.constraints.intersection(.material))
        guard !needed.isEmpty else { return .none }
        let isNew = !old.contains(.applicationPassword)
        guard let material else { throw .material(needed, isNew: isNew, .none) }
        return material
    }

    /// Checks that the material for sealing changed items is available, and that their own passwords were checked.
    func checkMaterial(
        sealing changes: ItemAttributes, existing items: [ItemFacts]
    ) throws(RequestInterruption) {
        _ = try material(sealing: changes, existing: items)
        let unchecked = items.filter { $0.constraints.contains(.applicationPassword) }.compactMap(\.reference)
            .filter { !checked.contains($0) }
        guard unchecked.isEmpty else { throw .checkPassword(unchecked) }
    }
}

extension [ItemFacts] {
    /// The kinds of key material without which these items do not open.
    var neededMaterial: AccessControl.Flags {
        var all: AccessControl.Flags = []
        for item in self { all.formUnion(item.constraints) }
        return all.intersection(.material)
    }
}

/// The reason why a request was interrupted.
enum RequestInterruption: Error {
    /// The request is refused, with the items found before the refusal.
    case refused(Refusal, AuditedItems)
    /// An approval is required, with the items that it concerns.
    case ask(ApprovalRequest, AuditedItems)
    /// Owner authentication is required, with the items that it concerns.
    case authenticate(AuthenticationDemand, AuditedItems)
    /// The key material that opens the items, or seals new ones, is not available.
    case material(AccessControl.Flags, isNew: Bool, AuditedItems)
    /// The given password opens none of them.
    case wrongPassword(AccessControl.Flags, AuditedItems)
    /// The password was not checked for these items, which are to be changed.
    case checkPassword([PersistentReference])
    case connectionLost

    static func refused(_ refusal: Refusal) -> RequestInterruption { .refused(refusal, .none) }

    /// The refusal of a request that cannot prompt, or has used up its prompts, with the items that it concerns; nil if
    /// the connection is lost.
    var refusal: (Refusal, AuditedItems)? {
        switch self {
        case .refused(let refusal, let items): (refusal, items)
        case .ask(let request, let items): (request.refusalIfUnanswered(), items)
        case .authenticate(_, let items), .material(_, _, let items), .wrongPassword(_, let items):
            (Refusal(.interactionNotAllowed, .authenticationNeeded), items)
        // Handled by the retry of the request.
        case .checkPassword: (Refusal(.internalError, .none), .none)
        case .connectionLost: nil
        }
    }
}

/// The connection of a client, as far as its requests need it. Used by the thread of the connection only.
public final class RequestConnection {
    /// Identifies a program on behalf of a caller.
    public typealias Look = @Sendable (IdentitySubject, Caller) throws(Refusal) -> Caller

    /// The nonce of the connection's hello.
    let nonce: [UInt8]
    let look: Look
    /// The place where the user of the program can be prompted.
    let place: CallerLocation
    /// The state of a bridge's client when it was identified; nil for other callers.
    let run: PeerProcess.Snapshot?
    /// Whether its client requested to have no access group without entitlements.
    var requiresEntitlements = false
    /// The clock that measures requests.
    let clock: MonotonicClock
    /// The time when the last request was finished, by that clock.
    var answeredAt: UInt64?
    /// The time in nanoseconds that the current request waited for prompts.
    var promptTime: UInt64 = 0
    /// The maximum number of connections of the keychain's user.
    let connectionLimit: Int
    /// Returns the cached hashes and signatures of programs; nil if they include other users' programs.
    let programs: @Sendable () -> ServiceFigures.Cache?
    /// Sends a finished frame of an answer.
    let send: Pipeline.Send

    /// Creates the connection.
    ///
    /// - Parameters:
    ///   - look: identifies processes and files; a test's connection identifies none.
    ///   - place: the place where a prompt can be shown.
    ///   - run: the state of a bridge's client when it was identified; nil for other callers.
    ///   - clock: the clock that measures requests.
    ///   - connectionLimit: the maximum number of connections of the keychain's user.
    ///   - programs: returns the cached hashes and signatures of programs; nil if they include other users' programs.
    ///   - send: sends a finished frame of an answer.
    public init(
        nonce: [UInt8], look: @escaping Look = { _, caller in caller }, place: CallerLocation = .nowhere,
        run: PeerProcess.Snapshot? = nil, clock: MonotonicClock = .live,
        connectionLimit: Int = KeychainService.Limits().connections,
        programs: @escaping @Sendable () -> ServiceFigures.Cache? = { nil }, send: @escaping Pipeline.Send
    ) {
        self.nonce = nonce
        self.look = look
        self.place = place
        self.run = run
        self.clock = clock
        self.connectionLimit = connectionLimit
        self.programs = programs
        self.send = send
    }

    /// Runs a function that prompts, and counts its time, including the time that it waits for its turn.
    func prompting<R, Failure: Error>(_ body: () throws(Failure) -> R) throws(Failure) -> R {
        let began = clock.nanoseconds()
        defer { promptTime &+= clock.nanoseconds() &- began }
        return try body()
    }
}
