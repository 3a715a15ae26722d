// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
internal import KeychainPlatform
public import KeychainPolicy
public import SecretMemory
internal import Synchronization

/// A question to a person.
public struct Prompt: Sendable {
    public enum Purpose: Sendable {
        /// Deny, Allow, and where it may be remembered, Always Allow.
        ///
        /// - needsPasscode: both kinds of yes come with the passcode, which whoever asks has to verify. Without it the answer
        ///   counts only where the service itself knows the display to be a person's.
        /// - wasWrong: the passcode that came with the answer before was not the right one.
        case confirmation(mayRemember: Bool, needsPasscode: Bool, wasWrong: Bool = false)
        /// The keychain's passcode, which shows that its owner is there.
        case passcode(wasWrong: Bool)
        /// An item's own password. A new one is typed twice.
        case applicationPassword(isNew: Bool, wasWrong: Bool)
        /// Shown while a fingerprint reader waits. It ends with `.cancelled` or `.fallback`, or is withdrawn.
        case biometry(reader: String)
    }

    public var purpose: Purpose
    public var caller: Caller
    /// Nil where nothing is done with an item: the caller only wants to know that the owner is there, or to unlock the keychain.
    public var operation: Operation?
    /// Whether what the person shows unlocks the keychain.
    public var unlocks = false
    /// Some or all of the items that it is about.
    public var items: [ItemNames]
    /// How many it is about; those without a name among them.
    public var itemCount: Int
    /// The caller's own words.
    public var reason: String?
    public var cancelTitle: String?
    public var fallbackTitle: String?
    /// What the keychain file is called that it is about; nil for the user's own keychain.
    public var keychain: String?

    /// - Parameter itemCount: nil for as many as there are names.
    public init(
        _ purpose: Purpose, caller: Caller, operation: Operation?, items: [ItemNames], itemCount: Int? = nil,
        reason: String? = nil, cancelTitle: String? = nil, fallbackTitle: String? = nil, keychain: String? = nil
    ) {
        self.keychain = keychain
        self.purpose = purpose
        self.caller = caller
        self.operation = operation
        self.items = items
        self.itemCount = itemCount ?? items.count
        self.reason = reason
        self.cancelTitle = cancelTitle
        self.fallbackTitle = fallbackTitle
    }

    var isConfirmation: Bool {
        if case .confirmation = purpose { true } else { false }
    }
}

/// What came of a ``Prompt``.
public enum PromptAnswer: Sendable {
    /// Nobody could be asked. The reason says why, where there is more to say than that nobody is there: `passcodeNeededToAsk`
    /// or `tooManyPrompts`.
    case notAsked(Refusal.Reason = .none)
    /// The person gave up; or the prompt was withdrawn, and then whoever withdrew it knows.
    case cancelled
    case timedOut
    /// The person chose what was offered instead.
    case fallback
    case denied
    /// Yes; for good, where that was offered and chosen. With the passcode if that was asked for; it was verified by nobody.
    case allowed(always: Bool, passcode: SecretBytes?)
    case secret(SecretBytes)
}

/// Who answers the questions that only a person can.
///
/// Asked on the thread of the connection that the question is about, with nothing of the store held, so that everybody else
/// is served meanwhile. Every answer comes in bounded time.
public struct Prompter: Sendable {
    typealias Body = @Sendable (Prompt, PersonsPlace, Withdrawal?, _ isShown: () -> Void) -> PromptAnswer

    /// Asks a person by other means than a prompter, when no prompt is shown.
    typealias Turn =
        @Sendable (
            Caller, PersonsPlace, _ ask: (_ timeout: Duration, ServiceHelper.Interruption) -> PromptAnswer
        ) -> PromptAnswer

    private let body: Body
    private let turn: Turn
    private let lock: @Sendable () -> Void
    private let way: @Sendable (PersonsPlace) -> String?
    /// The questions that wait and the one that is shown; nil where there is no queue.
    let queue: @Sendable () -> ServiceFigures.Queue?

    /// - Parameters:
    ///   - way: how somebody would be asked at a place, in a word; nil where nobody would be.
    ///   - lockHappened: called when the keychain was locked, from any thread.
    ///   - ask: asks, and waits for the answer. Where the withdrawal says so, it stops waiting.
    public init(
        way: @escaping @Sendable (PersonsPlace) -> String? = { _ in nil },
        lockHappened: @escaping @Sendable () -> Void = {},
        ask: @escaping @Sendable (Prompt, PersonsPlace, Withdrawal?) -> PromptAnswer
    ) {
        self.init(
            way: way, lockHappened: lockHappened, turn: { _, place, ask in ask(Self.patience, place.interruption) }
        ) { prompt, place, withdrawal, isShown in
            isShown()
            return ask(prompt, place, withdrawal)
        }
    }

    /// As ``init(way:lockHappened:ask:)``, for prompts that wait for others: says when one is shown.
    init(
        way: @escaping @Sendable (PersonsPlace) -> String?, lockHappened: @escaping @Sendable () -> Void,
        queue: @escaping @Sendable () -> ServiceFigures.Queue? = { nil }, turn: @escaping Turn, body: @escaping Body
    ) {
        self.queue = queue
        self.turn = turn
        self.body = body
        lock = lockHappened
        self.way = way
    }

    /// How long a person may think where no queue says it.
    private static let patience = Duration.seconds(120)

    /// There is nobody: the answer comes at once.
    public static let nobody = Prompter { _, _, _ in .notAsked() }

    /// Asks, and waits for the answer, for two minutes at most; and before that for others' prompts, no longer.
    ///
    /// - Parameters:
    ///   - place: where whoever uses the caller may be.
    ///   - withdrawal: ends it early, from any thread. The answer is `.cancelled` then.
    ///   - isShown: called when others' prompts are done and this one is shown; not where nobody is asked.
    public func ask(
        _ prompt: Prompt, for place: PersonsPlace, withdrawal: Withdrawal? = nil, isShown: () -> Void = {}
    ) -> PromptAnswer {
        body(prompt, place, withdrawal, isShown)
    }

    /// Has something else than a prompter ask the person: in turn with the prompts, and with the same limits.
    ///
    /// - Parameters:
    ///   - caller: the program for which the person is asked.
    ///   - place: where the caller is; what is asked ends with the caller.
    ///   - ask: asks, within the time and until the interruption. Called at most once.
    func inTurn(
        _ caller: Caller, _ place: PersonsPlace,
        ask: (_ timeout: Duration, ServiceHelper.Interruption) -> PromptAnswer
    ) -> PromptAnswer {
        turn(caller, place, ask)
    }

    /// How somebody would be asked, in a word; nil where nobody would be.
    func way(at place: PersonsPlace) -> String? { way(place) }

    /// What was asked while the keychain was open counts no more.
    public func keychainWasLocked() { lock() }
}

/// Takes a prompt back that is shown or waits.
public final class Withdrawal: Sendable {
    private let event: WakeUp
    private let hasHappened = Mutex(false)

    /// Nil where the system has no descriptor to give.
    public init?() {
        guard let event = try? WakeUp() else { return nil }
        self.event = event
    }

    public func withdraw() {
        hasHappened.withLock { $0 = true }
        event.signal()
    }

    public var isWithdrawn: Bool { hasHappened.withLock { $0 } }

    /// Waits until it has happened, however long that takes.
    public func wait() { Self.wait(forAnyOf: [self]) }

    /// Waits until one of them has happened.
    public static func wait(forAnyOf withdrawals: [Withdrawal]) {
        while !withdrawals.contains(where: \.isWithdrawn) {
            _ = try? Readiness.wait(for: withdrawals.map(\.descriptor), timeout: nil)
        }
    }

    /// Readable once it has happened.
    var descriptor: Int32 { event.descriptor }
}
