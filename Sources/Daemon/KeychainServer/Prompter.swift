// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
internal import KeychainPlatform
public import KeychainPolicy
public import SecretMemory
internal import Synchronization

/// A prompt for a user: the question and its context.
public struct Prompt: Sendable {
    public enum Purpose: Sendable {
        /// Deny, Allow, and Always Allow if the answer may be remembered.
        ///
        /// - needsPasscode: both approvals require the passcode, which the requester has to verify. Without it the
        ///   answer counts only if the service itself knows that no program controls the display.
        /// - wasWrong: the passcode of the previous answer was wrong.
        case confirmation(mayRemember: Bool, needsPasscode: Bool, wasWrong: Bool = false)
        /// The keychain's passcode, as owner authentication.
        case passcode(wasWrong: Bool)
        /// An item's own password. A new one is typed twice.
        case applicationPassword(isNew: Bool, wasWrong: Bool)
        /// Shown while a fingerprint reader waits. It ends with `.cancelled` or `.fallback`, or is withdrawn.
        case biometry(reader: String)
    }

    public var purpose: Purpose
    public var caller: Caller
    /// The operation; nil without an item: the caller only requests owner authentication, the unlock of the keychain, or
    /// a change of settings.
    public var operation: Operation?
    /// Whether the authentication unlocks the keychain.
    public var unlocks = false
    /// Whether it is about settings that let programs use more items without an approval.
    public var loosensSettings = false
    /// Whether the operation changes the access object of an item.
    public var changesAccess = false
    /// Some or all of the items concerned.
    public var items: [PromptedItem]
    /// The number of items concerned, including those without a name.
    public var itemCount: Int
    /// The caller's own words.
    public var reason: String?
    public var cancelTitle: String?
    public var fallbackTitle: String?
    /// The name of the keychain file concerned; nil for the user's own keychain.
    public var keychain: String?

    /// Creates a prompt.
    ///
    /// - Parameter itemCount: nil for the number of the named items.
    public init(
        _ purpose: Purpose, caller: Caller, operation: Operation?, items: [PromptedItem], itemCount: Int? = nil,
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

/// An item that a prompt names.
public struct PromptedItem: Hashable, Sendable {
    public var names: ItemNames
    /// The access group of the item, if the caller does not have it; nil in a keychain file, which has no groups.
    public var otherGroup: String?

    public init(_ names: ItemNames, otherGroup: String? = nil) {
        self.names = names
        self.otherGroup = otherGroup
    }
}

/// The result of a ``Prompt``.
public enum PromptAnswer: Sendable {
    /// No prompt was shown. The reason gives details, unless no user is present: `passcodeNeededToAsk` or
    /// `tooManyPrompts`.
    case notAsked(Refusal.Reason = .none)
    /// The user cancelled; or the prompt was withdrawn, which the withdrawing code knows.
    case cancelled
    case timedOut
    /// The user chose the offered alternative.
    case fallback
    case denied
    /// Approved; for good, if that was offered and chosen. With the passcode if it was required; it is not verified
    /// yet.
    case allowed(always: Bool, passcode: SecretBytes?)
    case secret(SecretBytes)
}

/// The source of answers that only a user can give.
///
/// Called on the thread of the connection concerned, without any lock of the store, so that other requests are served
/// meanwhile. Every answer arrives in bounded time.
public struct Prompter: Sendable {
    typealias Body = @Sendable (Prompt, CallerLocation, Withdrawal?, _ isShown: () -> Void) -> PromptAnswer

    /// Asks the user by other means than a prompter, while no prompt is shown.
    typealias Turn =
        @Sendable (
            Caller, CallerLocation, _ ask: (_ timeout: Duration, ServiceHelper.Interruption) -> PromptAnswer
        ) -> PromptAnswer

    private let body: Body
    private let turn: Turn
    private let lock: @Sendable () -> Void
    private let way: @Sendable (CallerLocation) -> String?
    /// Returns the figures of the waiting prompts and the shown one; nil if there is no queue.
    let queue: @Sendable () -> ServiceFigures.Queue?

    /// Creates a prompter.
    ///
    /// - Parameters:
    ///   - way: the kind of prompt at a place, in a word; nil if no prompt can be shown.
    ///   - lockHappened: called when the keychain was locked, from any thread.
    ///   - ask: shows the prompt, and waits for the answer. Stops waiting after the withdrawal.
    public init(
        way: @escaping @Sendable (CallerLocation) -> String? = { _ in nil },
        lockHappened: @escaping @Sendable () -> Void = {},
        ask: @escaping @Sendable (Prompt, CallerLocation, Withdrawal?) -> PromptAnswer
    ) {
        self.init(
            way: way, lockHappened: lockHappened, turn: { _, place, ask in ask(Self.patience, place.interruption) }
        ) { prompt, place, withdrawal, isShown in
            isShown()
            return ask(prompt, place, withdrawal)
        }
    }

    /// Creates a prompter like ``init(way:lockHappened:ask:)``, for prompts that wait for others: reports when one is
    /// shown.
    init(
        way: @escaping @Sendable (CallerLocation) -> String?, lockHappened: @escaping @Sendable () -> Void,
        queue: @escaping @Sendable () -> ServiceFigures.Queue? = { nil }, turn: @escaping Turn, body: @escaping Body
    ) {
        self.queue = queue
        self.turn = turn
        self.body = body
        lock = lockHappened
        self.way = way
    }

    /// The time for the user to answer if there is no queue.
    private static let patience = Duration.seconds(120)

    /// A prompter without a user: it answers at once.
    public static let unavailable = Prompter { _, _, _ in .notAsked() }

    /// Shows a prompt, and waits for the answer, at most for two minutes; before that it waits at most as long for
    /// other prompts.
    ///
    /// - Parameters:
    ///   - place: the place where the user of the caller can be prompted.
    ///   - withdrawal: ends the prompt early, from any thread. The answer is `.cancelled` then.
    ///   - isShown: called when it is this prompt's turn and it is shown; not called if no prompt is shown.
    public func ask(
        _ prompt: Prompt, for place: CallerLocation, withdrawal: Withdrawal? = nil, isShown: () -> Void = {}
    ) -> PromptAnswer {
        body(prompt, place, withdrawal, isShown)
    }

    /// Asks the user by other means than a prompter: in turn with the prompts, and with the same limits.
    ///
    /// - Parameters:
    ///   - caller: the program for which the user is asked.
    ///   - place: the place of the caller; the request ends with the caller.
    ///   - ask: asks, within the time and until the interruption. Called at most once.
    func inTurn(
        _ caller: Caller, _ place: CallerLocation,
        ask: (_ timeout: Duration, ServiceHelper.Interruption) -> PromptAnswer
    ) -> PromptAnswer {
        turn(caller, place, ask)
    }

    /// Returns the kind of prompt, in a word; nil if no prompt can be shown.
    func way(at place: CallerLocation) -> String? { way(place) }

    /// Withdraws the confirmations of the time when the keychain was unlocked.
    public func keychainWasLocked() { lock() }
}

/// Withdraws a prompt that is shown or waits.
public final class Withdrawal: Sendable {
    private let event: WakeUp
    private let hasHappened = Mutex(false)

    /// Creates a withdrawal; nil if the system has no free descriptors.
    public init?() {
        guard let event = try? WakeUp() else { return nil }
        self.event = event
    }

    public func withdraw() {
        hasHappened.withLock { $0 = true }
        event.signal()
    }

    public var isWithdrawn: Bool { hasHappened.withLock { $0 } }

    /// Waits until it has happened, without a time limit.
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
