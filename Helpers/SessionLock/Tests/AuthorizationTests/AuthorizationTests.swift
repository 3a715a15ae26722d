// SPDX-License-Identifier: Apache-2.0

import Authorization
import BusTesting
import DBus
import DBusMessages
import Foundation
import KeychainHelperWire
import Testing

/// The helper's requests to a polkit whose behaviour the test sets, on a real bus.
@Suite(.timeLimit(.minutes(5))) struct AuthorizationTests {
    private typealias Script = PretendedPolkit.Script

    private static let question = AuthorizationQuestion(
        of: 4711, since: 123_456_789_012, user: 4_000_000_001, seconds: 120, operation: "do it")!

    private static func limits(presence: Duration = .seconds(60)) -> AuthorizationConversation.Limits {
        var limits = AuthorizationConversation.Limits()
        limits.presence = presence
        // A long limit, so that a slow machine does not fail the test.
        limits.cancellation = .seconds(60)
        return limits
    }

    private static func faulty(_ member: MemberName, _ fault: PretendedPolkit.Fault) -> Script {
        var script = Script()
        script.faults[member] = fault
        return script
    }

    private func presence(
        on addresses: [ServerAddress], limits: AuthorizationConversation.Limits = limits()
    ) throws -> AuthorityPresenceReply {
        let conversation = AuthorizationConversation(on: addresses, limits: limits)
        let frame = conversation.answer(AuthorizationRequest.presence.frame, until: try Wakeup())
        return try AuthorityPresenceReply(try #require(frame))
    }

    private func presence(
        _ script: Script, limits: AuthorizationConversation.Limits = limits()
    ) async throws -> AuthorityPresenceReply {
        try await onThread {
            let bus = try PrivateBus()
            let polkit = try PretendedPolkit(bus, script)
            defer { polkit.stop() }
            return try presence(on: [bus.address], limits: limits)
        }
    }

    private func ask(
        _ script: Script, question: AuthorizationQuestion = question
    ) async throws -> (reply: AuthorizationReply, calls: [PretendedPolkit.Call]) {
        try await onThread {
            let bus = try PrivateBus()
            let polkit = try PretendedPolkit(bus, script)
            let frame = AuthorizationConversation(on: [bus.address], limits: Self.limits()).answer(
                AuthorizationRequest.authorization(question).frame, until: try Wakeup())
            polkit.stop()
            return (try AuthorizationReply(try #require(frame)), polkit.calls)
        }
    }

    // MARK: Presence

    @Test func `polkit is absent without a bus, and on a bus without polkit`() async throws {
        let replies = try await onThread {
            [
                try presence(on: [.path("/nonexistent")]),
                try presence(on: [.path("/nonexistent"), .path("/nonexistent/either")]),
                try presence(on: [try PrivateBus().address]),
            ]
        }
        #expect(replies[0] == .result(.absent))
        #expect(replies[1] == .result(.absent))
        // That bus has ended, and its folder is removed.
        #expect(replies[2] == .result(.absent))
        let empty = try await onThread {
            let bus = try PrivateBus(startable: ["org.example.Another": "/bin/true"])
            defer { withExtendedLifetime(bus) {} }
            return try presence(on: [bus.address])
        }
        #expect(empty == .result(.absent))
    }

    @Test
    func `a bus that refuses all connections, does not listen or cannot start polkit does not make polkit absent`()
        async throws
    {
        let replies = try await onThread {
            let bus = try PrivateBus(startable: ["org.freedesktop.PolicyKit1": "/bin/false"])
            let unstartable = try presence(on: [bus.address])
            // The socket stays, without a listening bus.
            bus.stop()
            return [
                unstartable, try presence(on: [bus.address]), try presence(on: [bus.address, .path("/nonexistent")]),
                try presence(on: []),
            ]
        }
        #expect(replies == Array(repeating: .result(.unanswered), count: 4))
    }

    @Test func `polkit is present where it answers`() async throws {
        #expect(try await presence(Script()) == .result(.present))
        for fault in [PretendedPolkit.Fault.death, .nonsense, .error("org.freedesktop.PolicyKit1.Error.Failed")] {
            #expect(try await presence(Self.faulty("Get", fault)) == .result(.unanswered))
        }
        #expect(
            try await presence(Self.faulty("Get", .silence), limits: Self.limits(presence: .milliseconds(200)))
                == .result(.unanswered))
    }

    // MARK: Authorization

    @Test func `polkit is asked about the process, its start and its user, for the action and its operation`()
        async throws
    {
        let (reply, calls) = try await ask(Script())
        #expect(reply == .result(.authorized))
        let arguments = try #require(calls.first { $0.member == "CheckAuthorization" }?.arguments)
        let subject = try #require(arguments[0].members)
        #expect(subject[0].string == "unix-process")
        #expect(subject[1]["pid"] == .variant(.uint32(4711)))
        #expect(subject[1]["start-time"] == .variant(.uint64(123_456_789_012)))
        #expect(subject[1]["uid"] == .variant(.int32(Int32(bitPattern: 4_000_000_001))))
        #expect(arguments[1].string == "org.chatelaine.administer-own-keychain")
        #expect(arguments[2]["operation"] == .string("do it"))
        // AllowUserInteraction.
        #expect(arguments[3] == .uint32(1))
        #expect(arguments[4].string?.isEmpty == false)
    }

    @Test func `only polkit's yes is one`() async throws {
        for (script, result) in [
            (Script(isAuthorized: true), .authorized), (Script(isAuthorized: false), .denied),
            (Script(isAuthorized: false, isChallenge: true), .noAgent),
            (Script(isAuthorized: false, isChallenge: true, details: ["polkit.dismissed": "true"]), .dismissed),
            (Script(isAuthorized: false, details: ["polkit.dismissed": "true"]), .dismissed),
        ] as [(Script, AuthorizationResult)] {
            let (reply, _) = try await ask(script)
            #expect(reply == .result(result))
        }
    }

    @Test func `a polkit that ends, refuses or answers nonsense authorizes nothing`() async throws {
        for fault in [
            PretendedPolkit.Fault.death, .nonsense, .error("org.freedesktop.PolicyKit1.Error.Failed"),
            .error("org.freedesktop.PolicyKit1.Error.Cancelled"),
            .instead { bus, call in
                try bus.send(.methodReturn(to: call, [PretendedPolkit.result(true, false, [:]), .boolean(true)]))
            },
            .instead { bus, call in try bus.send(.methodReturn(to: call, [.structure([.boolean(true)])])) },
            .instead { bus, call in try bus.send(.methodReturn(to: call, [.boolean(true)])) },
        ] {
            let (reply, _) = try await ask(Self.faulty("CheckAuthorization", fault))
            #expect(reply == .result(.unavailable))
        }
    }

    @Test func `where there is no polkit nothing is authorized`() async throws {
        let frames = try await onThread {
            let bus = try PrivateBus()
            return try [[bus.address], [.path("/nonexistent")], []].map { addresses in
                AuthorizationConversation(on: addresses, limits: Self.limits()).answer(
                    AuthorizationRequest.authorization(Self.question).frame, until: try Wakeup())
            }
        }
        #expect(frames == Array(repeating: AuthorizationReply.result(.unavailable).frame, count: 3))
    }

    @Test func `an authorization from another connection than polkit's is ignored`() async throws {
        let (reply, _) = try await onThread {
            let bus = try PrivateBus()
            let address = bus.address
            let polkit = try PretendedPolkit(
                bus,
                Self.faulty(
                    "CheckAuthorization",
                    .instead { bus, call in
                        let stranger = try BusConnection(to: [address])
                        try stranger.send(.methodReturn(to: call, [PretendedPolkit.result(true, false, [:])]))
                        // The bus delivers messages in their order.
                        try stranger.call(
                            .call("GetId", of: MessageBus.interface, at: MessageBus.path, on: MessageBus.name))
                        try bus.send(.methodReturn(to: call, [PretendedPolkit.result(false, false, [:])]))
                    }))
            let frame = AuthorizationConversation(on: [bus.address], limits: Self.limits()).answer(
                AuthorizationRequest.authorization(Self.question).frame, until: try Wakeup())
            polkit.stop()
            return (try AuthorizationReply(try #require(frame)), polkit.calls)
        }
        #expect(reply == .result(.denied))
    }

    @Test func `a prompt without an answer in time is withdrawn`() async throws {
        let question = try #require(AuthorizationQuestion(of: 1, since: 0, user: 0, seconds: 1, operation: "x"))
        let (reply, calls) = try await ask(Self.faulty("CheckAuthorization", .silence), question: question)
        #expect(reply == .result(.timedOut))
        #expect(calls.map(\.member) == ["CheckAuthorization", "CancelCheckAuthorization"])
        #expect(calls[1].arguments == [calls[0].arguments[4]])
    }

    @Test func `an interrupted prompt is withdrawn and has no answer`() async throws {
        let (frame, calls) = try await onThread {
            let bus = try PrivateBus()
            let polkit = try PretendedPolkit(bus, Self.faulty("CheckAuthorization", .silence))
            let end = try Wakeup()
            Thread.detachNewThread {
                polkit.waitForCall()
                end.wake()
            }
            let frame = AuthorizationConversation(on: [bus.address], limits: Self.limits()).answer(
                AuthorizationRequest.authorization(Self.question).frame, until: end)
            polkit.stop()
            return (frame, polkit.calls)
        }
        #expect(frame == nil)
        #expect(calls.map(\.member) == ["CheckAuthorization", "CancelCheckAuthorization"])
    }

    @Test func `an invalid request is refused`() async throws {
        let answer = try await onThread {
            AuthorizationConversation(on: []).answer(AuthorizationReply.result(.authorized).frame, until: try Wakeup())
        }
        guard case .refusal = try AuthorizationReply(try #require(answer)) else {
            Issue.record("no refusal")
            return
        }
    }
}
