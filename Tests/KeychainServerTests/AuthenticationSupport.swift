// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainClient
import KeychainModel
import KeychainPlatform
import KeychainPolicy
import KeychainSealing
import SecretMemory
import Synchronization
import Testing

@testable import KeychainServer

/// A keychain with a passcode, a program that uses it, and its simulated owner.
struct AuthenticationFixture {
    let person = ScriptedOwner()
    let reader = ScriptedReader()
    let clock = ScriptedClock()
    let next: NextCaller
    let service: RunningService
    let client: KeychainClient
    let command: KeychainClient

    fileprivate static let passcode = "1234"

    fileprivate static func secret(_ passcode: String) -> ProtectorSecret<SecretBytes> {
        ProtectorSecret(.passcode, SecretBytes(copying: Array(passcode.utf8)))
    }

    init(_ secureElement: SecureElement) throws {
        next = NextCaller(Caller.program(isCommand: true))
        service = try RunningService(
            identifier: next.identifier, clock: clock.clock, prompter: person.prompter, biometry: reader.reader,
            secureElement: secureElement,
            passcodeCost: try #require(ScryptCost(logN: 4, blockSize: 8, parallelism: 1)))
        command = service.client()
        try command.setPasscode(Self.secret(Self.passcode).bytes, proof: nil)
        next.caller.withLock { $0 = Caller.program() }
        client = service.client()
        // From now on its connection belongs to this program, even if another program connects next.
        _ = try client.status()
    }
}

/// Tests that begin with that.
protocol AuthenticationSuite {
    var fixture: AuthenticationFixture { get }
}

extension AuthenticationSuite {
    var person: ScriptedOwner { fixture.person }
    var reader: ScriptedReader { fixture.reader }
    var clock: ScriptedClock { fixture.clock }
    /// Who connects next.
    var next: NextCaller { fixture.next }
    var service: RunningService { fixture.service }
    /// The program.
    var client: KeychainClient { fixture.client }
    /// The command.
    var command: KeychainClient { fixture.command }

    static var passcode: String { AuthenticationFixture.passcode }

    static func secret(_ passcode: String = passcode) -> ProtectorSecret<SecretBytes> {
        AuthenticationFixture.secret(passcode)
    }
}

/// A simulated owner who gives the prepared answers in order, and the last one repeatedly.
final class ScriptedOwner: Sendable {
    enum Answer: Sendable {
        case types(String)
        case says(PromptAnswer)
    }

    private let state = Mutex<(answers: [Answer], prompts: [Prompt])>(([], []))

    var prompter: Prompter {
        Prompter { [self] prompt, _, withdrawal in
            if case .biometry = prompt.purpose {
                // The simulated user presses no key while the reader waits, unless the test says so.
                let answer = state.withLock { state -> Answer? in
                    state.prompts.append(prompt)
                    if case .says = state.answers.first { return state.answers.removeFirst() }
                    return nil
                }
                if case .says(let answer) = answer { return answer }
                while let withdrawal, !withdrawal.isWithdrawn { sched_yield() }
                return .cancelled
            }
            return state.withLock { state in
                state.prompts.append(prompt)
                guard let answer = state.answers.first else { return .notAsked() }
                if state.answers.count > 1 { state.answers.removeFirst() }
                return switch answer {
                case .types(let text): .secret(SecretBytes(copying: Array(text.utf8)))
                case .says(let answer): answer
                }
            }
        }
    }

    func will(_ answers: Answer...) { state.withLock { $0 = (answers, []) } }

    var prompts: [Prompt] { state.withLock(\.prompts) }
    var count: Int { prompts.count }
}

/// A reader of fingers.
final class ScriptedReader: Sendable {
    struct State {
        var enrolment: BiometryReader.Enrolment?
        var results: [BiometryReader.Result] = []
        /// Happens at the next look, before anything is seen.
        var incident: (@Sendable () -> Void)?
        var looks = 0
        /// The number of requests for the enrolled fingers.
        var questions = 0
    }

    let state = Mutex(State())

    var reader: BiometryReader {
        BiometryReader(
            of: getuid(),
            enrolment: { [self] _ in
                state.withLock { state in
                    state.questions += 1
                    return state.enrolment
                }
            },
            look: { [self] _, withdrawal in
                let incident = state.withLock { state in
                    state.looks += 1
                    defer { state.incident = nil }
                    return state.incident
                }
                incident?()
                let next = state.withLock { $0.results.isEmpty ? nil : $0.results.removeFirst() }
                if let next { return next }
                while let withdrawal, !withdrawal.isWithdrawn { sched_yield() }
                return .withdrawn
            })
    }

    func enrol(_ fingers: UInt8?) {
        state.withLock { state in
            state.enrolment = .init(
                reader: "Reader", digest: fingers.map { [UInt8](repeating: $0, count: 32) })
        }
    }

    func sees(_ results: BiometryReader.Result...) { state.withLock { $0.results = results } }
}

final class NextCaller: Sendable {
    let caller: Mutex<Caller>
    init(_ caller: Caller) { self.caller = Mutex(caller) }
    var identifier: CallerIdentifier {
        CallerIdentifier { [self] _ in IdentifiedCaller(caller.withLock { $0 }) { _ in true } }
    }
}

final class ScriptedClock: Sendable {
    let seconds = Atomic<UInt64>(1)
    var clock: MonotonicClock {
        MonotonicClock { [self] in seconds.load(ordering: .relaxed) * 1_000_000_000 }
    }
}

extension Caller {
    /// Returns a program of the user who runs the tests, or the command.
    static func program(_ process: Int32 = getpid(), isCommand: Bool = false) -> Caller {
        Caller(
            userID: getuid(), processID: process, tier: .unsigned,
            identity: isCommand ? .command : .unsigned(digest: [1]), accessGroups: ["tests"], displayPath: "/test")
    }
}
