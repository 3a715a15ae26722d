// SPDX-License-Identifier: Apache-2.0

public import Keychain
internal import KeychainModel
internal import KeychainServer

/// The behaviour of the user whom an ``InMemoryKeychain`` prompts.
///
/// ```swift
/// let memory = try InMemoryKeychain()
/// try await memory.setPasscode(SecretData(utf8: "1234"))
/// memory.person = .approving
/// // … and later
/// memory.person = .cancelling
/// ```
public struct TestPerson: Sendable {
    let answer: @Sendable (TestQuestion) -> TestAnswer
    /// Whether a check finds that a prompt can be shown.
    let isThere: Bool

    /// Creates a user who answers each prompt with a closure, which may be called on any thread.
    public init(answer: @escaping @Sendable (TestQuestion) -> TestAnswer) {
        self.init(isThere: true, answer: answer)
    }

    private init(isThere: Bool, answer: @escaping @Sendable (TestQuestion) -> TestAnswer) {
        self.isThere = isThere
        self.answer = answer
    }

    /// No user: calls fail with `errSecInteractionNotAllowed`. This is the initial value.
    public static let absent = TestPerson(isThere: false) { _ in .nobodyThere }
    /// The owner, who authenticates with the correct fingerprint or passcode, and approves.
    public static let approving = TestPerson { _ in .approve }
    /// Another person: another fingerprint, a wrong passcode, and a denial.
    public static let denying = TestPerson { _ in .deny }
    public static let cancelling = TestPerson { _ in .cancel }
    /// A user who chooses another method than the offered one.
    public static let fallingBack = TestPerson { _ in .fallBack }
    /// A user who does not respond. A prompt ends when its program withdraws it. If the program cannot do so, the
    /// prompt times out at once.
    public static let silent = TestPerson { _ in .sayNothing }

    /// Returns the owner, who also knows application passwords.
    public static func typing(applicationPassword password: SecretData) -> TestPerson {
        TestPerson { question in
            if case .applicationPassword = question.kind { .type(password) } else { .approve }
        }
    }
}

/// The answer of a user to a prompt.
public enum TestAnswer: Sendable {
    /// Uses the right fingerprint, types the keychain's passcode, approves once. Cancels a prompt for an application
    /// password.
    case approve
    /// Approves permanently, where that is offered; otherwise as ``approve``.
    case approveAlways
    /// Uses a wrong fingerprint, types a wrong passcode or password, denies.
    case deny
    case cancel
    /// Chooses the alternative method.
    case fallBack
    /// Types this text at every prompt for a passcode or password. Uses no fingerprint, and denies a confirmation.
    case type(SecretData)
    case sayNothing
    /// No user could be prompted.
    case nobodyThere
}

/// A prompt that the user received.
public struct TestQuestion: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// Whether a program may use items of other programs.
        case confirmation
        /// A prompt for the keychain's passcode.
        case passcode(wasWrong: Bool)
        /// A prompt for an application password.
        case applicationPassword(isNew: Bool, wasWrong: Bool)
        /// A prompt for a fingerprint. The answer applies to the dialog: cancel, choose the alternative, or wait for
        /// the reader.
        case biometry
        /// The fingerprint on the reader, requested for each scan while the dialog is shown: the right fingerprint for
        /// `.approve`, a wrong one for `.deny`, none for all other answers.
        case finger
    }

    public let kind: Kind
    /// The program's reason.
    public let reason: String?
    public let cancelTitle: String?
    public let fallbackTitle: String?
    /// The accounts of the affected items; empty if there are none.
    public let accounts: [String]
    /// The labels by which the prompt names these items.
    public let labels: [String]

    init(_ prompt: Prompt) {
        kind =
            switch prompt.purpose {
            case .confirmation: .confirmation
            case .passcode(let wasWrong): .passcode(wasWrong: wasWrong)
            case .applicationPassword(let isNew, let wasWrong): .applicationPassword(isNew: isNew, wasWrong: wasWrong)
            case .biometry: .biometry
            }
        reason = prompt.reason
        cancelTitle = prompt.cancelTitle
        fallbackTitle = prompt.fallbackTitle
        accounts = prompt.items.map(\.names.account)
        labels = prompt.items.map(\.names.label)
    }

    /// A scan of the reader.
    static let finger = TestQuestion(.finger)

    private init(_ kind: Kind) {
        self.kind = kind
        (reason, cancelTitle, fallbackTitle, accounts, labels) = (nil, nil, nil, [], [])
    }
}

/// The fingerprint reader of an ``InMemoryKeychain``.
public enum TestReader: Hashable, Sendable {
    /// No reader. This is the initial value.
    case none
    /// No fingerprint is enrolled.
    case notEnrolled
    /// Enrolled fingerprints; other names mean another enrolment.
    case enrolled([String])
}
