// SPDX-License-Identifier: Apache-2.0

public import Keychain
internal import KeychainModel
internal import KeychainServer

/// What the person does who is asked by an ``InMemoryKeychain``.
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
    /// Whether a look whether somebody could be asked finds one.
    let isThere: Bool

    /// A person who answers each question in a way of its own. May be called on any thread.
    public init(answer: @escaping @Sendable (TestQuestion) -> TestAnswer) {
        self.init(isThere: true, answer: answer)
    }

    private init(isThere: Bool, answer: @escaping @Sendable (TestQuestion) -> TestAnswer) {
        self.isThere = isThere
        self.answer = answer
    }

    /// Nobody: calls fail with `errSecInteractionNotAllowed`. So it is at first.
    public static let absent = TestPerson(isThere: false) { _ in .nobodyThere }
    /// The owner, who shows what is asked for: the finger or the passcode, and says yes.
    public static let approving = TestPerson { _ in .approve }
    /// Somebody else: another finger, a wrong passcode, and no.
    public static let denying = TestPerson { _ in .deny }
    public static let cancelling = TestPerson { _ in .cancel }
    /// Somebody who wants another way than the one offered.
    public static let fallingBack = TestPerson { _ in .fallBack }
    /// Somebody who says nothing. A question ends when its program gives it up; where a program cannot, it finds at once that
    /// nobody answered in time.
    public static let silent = TestPerson { _ in .sayNothing }

    /// The owner, who knows the passwords of items as well.
    public static func typing(applicationPassword password: SecretData) -> TestPerson {
        TestPerson { question in
            if case .applicationPassword = question.kind { .type(password) } else { .approve }
        }
    }
}

/// What a person does with a question.
public enum TestAnswer: Sendable {
    /// Shows the right finger, types the keychain's passcode, says yes for this time. Cancels a question for the password of an item.
    case approve
    /// Says yes for good, where that is offered; otherwise as ``approve``.
    case approveAlways
    /// Shows a wrong finger, types a wrong passcode or password, says no.
    case deny
    case cancel
    /// Chooses the other way.
    case fallBack
    /// Types this, whatever was asked for. Shows no finger, says no to a yes or no.
    case type(SecretData)
    case sayNothing
    /// There is nobody whom the question could reach.
    case nobodyThere
}

/// What a person was asked.
public struct TestQuestion: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// Whether a program may use items of others.
        case confirmation
        /// For the keychain's passcode.
        case passcode(wasWrong: Bool)
        /// For the password of an item's own.
        case applicationPassword(isNew: Bool, wasWrong: Bool)
        /// For a finger. What the person does with the dialog: cancels, wants another way, or waits for the reader.
        case biometry
        /// What the person shows to the reader, asked for each look of it while the dialog is there: the right finger by
        /// `.approve`, another one by `.deny`, none by all else.
        case finger
    }

    public let kind: Kind
    /// The program's words.
    public let reason: String?
    public let cancelTitle: String?
    public let fallbackTitle: String?
    /// The accounts of the items that it is about; empty where there is none.
    public let accounts: [String]

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
        accounts = prompt.items.map(\.account)
    }

    /// A look of the reader.
    static let finger = TestQuestion(.finger)

    private init(_ kind: Kind) {
        self.kind = kind
        (reason, cancelTitle, fallbackTitle, accounts) = (nil, nil, nil, [])
    }
}

/// The fingerprint reader of an ``InMemoryKeychain``.
public enum TestReader: Hashable, Sendable {
    /// There is none. So it is at first.
    case none
    /// No finger is enrolled.
    case notEnrolled
    /// Fingers are enrolled; other names mean another enrolment.
    case enrolled([String])
}
