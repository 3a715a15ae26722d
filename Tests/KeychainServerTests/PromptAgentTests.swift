// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Glibc
import KeychainAgent
import KeychainEndpoint
import KeychainHelperWire
import KeychainModel
import KeychainPlatform
import KeychainPolicy
import KeychainPrompting
import KeychainServer
import KeychainWire
import SecretMemory
import Synchronization
import TestSupport
import Testing

/// The agent between a service and prompters, which are small programs that the test sets.
final class PromptAgentTests {
    private let folder: URL

    init() throws {
        folder = URL(filePath: "/tmp/agent-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var programs: PromptPrograms { PromptPrograms(in: [folder.path], environment: [:]) }

    private static let display = PromptLocation(display: PromptDisplay(x11: ":0", wayland: nil))

    /// Installs a prompter that answers with these bytes and goes on with the script.
    private func install(answering frame: [UInt8] = [], then script: String) throws {
        let path = folder.appendingPathComponent(PromptPrograms.pinentryName).path
        let escaped = frame.map { String(format: "\\%03o", $0) }.joined()
        try Data("#!/bin/sh\nprintf '\(escaped)'\n\(script)\n".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        waitUntilRunnable(path)
    }

    /// A prompter that waits to be taken back, and leaves a file when it is.
    private func installWaiting() throws {
        try install(
            then: """
                trap 'echo >\(folder.path)/ended; exit 1' TERM
                echo >\(folder.path)/begun
                while :; do sleep 0.01; done
                """)
    }

    private func waitFor(_ name: String) -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path) { return true }
            sched_yield()
        }
        return false
    }

    /// The agent at work, on a thread of its own.
    private final class Working: Sendable {
        private let result = Mutex<PromptAgent.End?>(nil)
        private let (accepted, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

        init(_ programs: PromptPrograms, _ path: String) throws {
            let socket = try EndpointSocket(connectingTo: path)
            let isStarted = SystemThread.start { [self] in
                let end = PromptAgent(programs).serve(socket) { [self] in accepted.signal() }
                result.withLock { $0 = end }
                // Releases a test that waits for a request that was never accepted.
                accepted.signal()
                ended.signal()
            }
            #expect(isStarted)
        }

        func waitUntilAccepted() {
            accepted.wait()
            #expect(result.withLock { $0 } == nil)
        }

        func end() -> PromptAgent.End? {
            ended.wait()
            ended.signal()
            return result.withLock { $0 }
        }
    }

    // MARK: With the service

    private static let identifier = CallerIdentifier { _ in
        IdentifiedCaller(RunningService.program, isAgent: true) { _ in true }
    }

    private static func prompt(_ purpose: Prompt.Purpose) -> Prompt {
        Prompt(purpose, caller: RunningService.program, operation: .readData, items: [])
    }

    private func withAgent(
        _ body: (RunningService, Working, @escaping @Sendable (Prompt, Withdrawal?) -> PromptAnswer) throws -> Void
    ) throws {
        let agents = PromptAgents(clock: .live)
        let service = try RunningService(identifier: Self.identifier, source: { .one($0, agents: agents) })
        defer { service.stop() }
        let agent = try Working(programs, service.directories.socketPath)
        agent.waitUntilAccepted()
        let prompter = agents.prompter(for: RunningService.program.userID)
        try body(service, agent) { prompt, withdrawal in
            prompter.ask(prompt, for: CallerLocation { Self.display }, withdrawal: withdrawal)
        }
    }

    @Test func `what a prompter collected goes through the agent to the service`() throws {
        let secret = Array("pässcode".utf8)
        try install(answering: PromptReply.secret(0..<0).frame(secret: secret), then: "exec sleep 600")
        try withAgent { _, _, ask in
            for _ in 0..<3 {
                guard case .secret(let given) = ask(Self.prompt(.passcode(wasWrong: false)), nil) else {
                    Issue.record("no secret")
                    return
                }
                #expect(Array(given.bytes) == secret)
            }
        }
    }

    @Test func `prompters that cannot ask, or give no answer to the question, are no answer`() throws {
        let confirmation = Self.prompt(.confirmation(mayRemember: false, needsPasscode: true))
        try withAgent { _, _, ask in
            for frame in [
                HelperRefusal(reason: "no").frame, [1, 2, 3], PromptReply.allowed(always: false, passcode: nil).frame,
            ] {
                try install(answering: frame, then: "exit 0")
                guard case .notAsked(.none) = ask(confirmation, nil) else {
                    Issue.record("an answer to \(frame)")
                    return
                }
            }
        }
    }

    @Test func `a withdrawn prompt disappears, and the next prompt is shown`() throws {
        try installWaiting()
        try withAgent { [self] _, _, ask in
            let withdrawal = try #require(Withdrawal())
            let done = DispatchSemaphore(value: 0)
            let isStarted = SystemThread.start {
                if case .cancelled = ask(Self.prompt(.passcode(wasWrong: false)), withdrawal) {
                } else {
                    Issue.record("it was not taken back")
                }
                done.signal()
            }
            #expect(isStarted)
            #expect(waitFor("begun"))
            withdrawal.withdraw()
            done.wait()
            #expect(waitFor("ended"))
            try install(answering: PromptReply.cancelled.frame, then: "exec sleep 600")
            guard case .cancelled = ask(Self.prompt(.passcode(wasWrong: false)), nil) else {
                Issue.record("not asked")
                return
            }
        }
    }

    @Test func `a service that ends withdraws its prompts`() throws {
        try installWaiting()
        try withAgent { [self] service, agent, ask in
            let done = DispatchSemaphore(value: 0)
            let isStarted = SystemThread.start {
                _ = ask(Self.prompt(.passcode(wasWrong: false)), nil)
                done.signal()
            }
            #expect(isStarted)
            #expect(waitFor("begun"))
            service.tellToStop()
            #expect(agent.end() == .lost(.closed))
            #expect(waitFor("ended"))
            done.wait()
        }
    }

    @Test func `an agent that was replaced by newer agents, or may not prompt at all, is told so`() throws {
        try withAgent { service, agent, _ in
            let newer = try (0..<4).map { _ in
                let agent = try Working(programs, service.directories.socketPath)
                agent.waitUntilAccepted()
                return agent
            }
            #expect(agent.end() == .gaveWay)
            service.stop()
            for each in newer { #expect(each.end() == .lost(.closed)) }
        }
        let service = try RunningService()
        defer { service.stop() }
        #expect(
            try Working(programs, service.directories.socketPath).end()
                == .refused(Refusal(.missingEntitlement, .agentOnly)))
    }

    // MARK: With a service that lies

    /// Runs a service of one connection that sends these frames, after the hello and the answer.
    private func end(afterReceiving frames: [[UInt8]]) throws -> PromptAgent.End? {
        let path = folder.appendingPathComponent("socket").path
        let listener = try ListeningSocket(bindingTo: path)
        defer { withExtendedLifetime(listener) {} }
        let agent = try Working(programs, path)
        let connection = try listener.accept()
        for frame in frames { _ = connection.sendWithoutWaiting(frame.span) }
        let end = agent.end()
        connection.shutDown()
        return end
    }

    private static let hello = Hello(nonce: [UInt8](repeating: 7, count: 16)).frame
    private static var accepted: [UInt8] {
        var writer = ReplyWriter()
        return writer.finish()
    }

    private static func question(_ number: UInt32) -> [UInt8] {
        let request = PromptRequest(
            .passcode, seconds: 60, program: PromptProgram(process: 1, path: PromptText("/p"), tier: .unsigned),
            operation: .readSecret, items: [], place: display)
        return AgentQuestion(number: number, prompt: request.frame).frame
    }

    @Test func `whatever a service sends that breaks a rule ends the connection, and what was shown`() throws {
        let begun = [Self.hello, Self.accepted]
        for frames in [
            [Self.accepted], [Self.question(1)], [[UInt8](repeating: 0xAA, count: 64)], [Self.hello, Self.hello],
            begun + [AgentQuestion(number: 1, prompt: [1, 2, 3]).frame], begun + [Self.hello],
            begun + [AgentQuestion(number: 1, prompt: []).frame], begun + [Self.accepted + [2]],
            begun + [[1, 0x0A, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]], begun + [[1, 0x0B, 0, 0, 0, 0, 0, 1, 0]],
        ] {
            #expect(try end(afterReceiving: frames) == .protocolViolation, "\(frames)")
        }
        // More than one prompt that waits for the end of the prompt before it.
        try installWaiting()
        #expect(
            try end(afterReceiving: begun + [Self.question(1), Self.question(2), Self.question(3), Self.question(4)])
                == .protocolViolation)
    }

    @Test func `a question that is not there is taken back without harm`() throws {
        let frames = [Self.hello, Self.accepted, AgentWithdrawal(number: 7).frame, Self.hello]
        #expect(try end(afterReceiving: frames) == .protocolViolation, "for the second hello")
    }
}
