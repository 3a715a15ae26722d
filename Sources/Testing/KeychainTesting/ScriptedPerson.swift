// SPDX-License-Identifier: Apache-2.0

internal import Keychain
internal import KeychainModel
internal import KeychainServer
internal import SecretMemory
internal import Synchronization

/// The user and the fingerprint reader of a keychain in memory, for the service.
final class ScriptedPerson: Sendable {
    private struct State {
        var person = TestPerson.absent
        var reader = TestReader.none
        var passcode: SecretBytes?
        var questions: [TestQuestion] = []
    }

    private let state = Mutex(State())

    /// Cancels the current request; nil if it cannot be cancelled.
    @TaskLocal static var interruption: Withdrawal?

    var person: TestPerson {
        get { state.withLock(\.person) }
        set { state.withLock { $0.person = newValue } }
    }

    var reader: TestReader {
        get { state.withLock(\.reader) }
        set { state.withLock { $0.reader = newValue } }
    }

    var questions: [TestQuestion] { state.withLock(\.questions) }

    /// Sets the passcode that the owner types from now on.
    func know(_ passcode: SecretBytes) { state.withLock { $0.passcode = passcode } }

    var prompter: Prompter {
        Prompter(
            way: { _ in self.person.isThere ? "test" : nil },
            ask: { prompt, _, withdrawal in self.answer(prompt, withdrawal) })
    }

    var biometry: BiometryReader {
        BiometryReader(
            of: InMemoryKeychain.user, enrolment: { _ in self.enrolment },
            look: { _, withdrawal in self.look(withdrawal) })
    }

    private func answer(_ prompt: Prompt, _ withdrawal: Withdrawal?) -> PromptAnswer {
        let question = TestQuestion(prompt)
        let (person, passcode) = state.withLock { state in
            state.questions.append(question)
            return (state.person, state.passcode)
        }
        let answer = person.answer(question)
        switch answer {
        case .nobodyThere: return .notAsked()
        case .cancel: return .cancelled
        case .fallBack: return .fallback
        case .sayNothing:
            // A prompt that is shown together with a fingerprint reader ends with the reader's result, every other
            // prompt with the request.
            (withdrawal ?? Self.interruption)?.wait()
            return .timedOut
        case .approve, .approveAlways, .deny, .type: break
        }
        switch prompt.purpose {
        case .biometry:
            // The result of the reader counts.
            withdrawal?.wait()
            return .cancelled
        case .confirmation(let mayRemember, let needsPasscode, _):
            switch answer {
            case .approve: return .allowed(always: false, passcode: needsPasscode ? passcode : nil)
            case .approveAlways: return .allowed(always: mayRemember, passcode: needsPasscode ? passcode : nil)
            default: return .denied
            }
        case .passcode:
            switch answer {
            case .type(let text): return .secret(text.withSpan { SecretBytes(copying: $0) })
            case .deny: return .secret(SecretBytes(copying: Self.wrong))
            default: return passcode.map(PromptAnswer.secret) ?? .cancelled
            }
        case .applicationPassword:
            switch answer {
            case .type(let text): return .secret(text.withSpan { SecretBytes(copying: $0) })
            case .deny: return .secret(SecretBytes(copying: Self.wrong))
            default: return .cancelled
            }
        }
    }

    /// Not the passcode or password of any test.
    private static let wrong = Array("wrong \u{1F511}".utf8)

    private var enrolment: BiometryReader.Enrolment? {
        switch reader {
        case .none: nil
        case .notEnrolled: BiometryReader.Enrolment(reader: "Test reader", digest: nil)
        case .enrolled(let fingers): BiometryReader.Enrolment(reader: "Test reader", digest: Self.digest(fingers))
        }
    }

    /// 32 bytes that differ for different names.
    private static func digest(_ fingers: [String]) -> [UInt8] {
        // FNV-1a, four times with different initial values: it only has to distinguish the enrolments of a test.
        (UInt64(0)..<4).flatMap { index in
            var hash = 0xCBF2_9CE4_8422_2325 &+ index
            for byte in fingers.sorted().joined(separator: "\u{0}").utf8 {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
            }
            return (0..<8).map { UInt8(truncatingIfNeeded: hash >> ($0 * 8)) }
        }
    }

    private func look(_ withdrawal: Withdrawal?) -> BiometryReader.Result {
        switch person.answer(.finger) {
        case .approve, .approveAlways: return .match
        case .deny: return .noMatch
        case .cancel, .fallBack, .type, .nobodyThere:
            withdrawal?.wait()
            return .withdrawn
        case .sayNothing:
            if let withdrawal, let interruption = Self.interruption {
                Withdrawal.wait(forAnyOf: [withdrawal, interruption])
            }
            return .withdrawn
        }
    }
}
