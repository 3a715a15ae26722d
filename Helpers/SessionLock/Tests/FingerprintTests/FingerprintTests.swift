// SPDX-License-Identifier: Apache-2.0

import BusTesting
import DBus
import DBusMessages
import Fingerprint
import Foundation
import KeychainHelperWire
import Testing

/// The helper's requests to a fprintd whose behaviour the test sets, on a real bus.
@Suite(.timeLimit(.minutes(5))) struct FingerprintTests {
    private typealias Script = PretendedFprintd.Script

    /// The result of requests, and the calls that fprintd received.
    private struct Outcome {
        var frame: [UInt8]?
        var calls: [String]
        var users: [String]

        var enrolment: EnrolmentReply? { frame.flatMap { try? EnrolmentReply($0) } }
        var verification: VerificationReply? { frame.flatMap { try? VerificationReply($0) } }
        var isGivenBack: Bool { calls.last == "Release" }
    }

    /// The users of this system.
    @Sendable private static func name(of user: UInt32) -> String? { [1000: "ann", 1001: "bob", 1002: ""][user] }

    private static func limits(enrolment: Duration = .seconds(20)) -> FingerprintConversation.Limits {
        var limits = FingerprintConversation.Limits()
        limits.enrolment = enrolment
        // A long limit, so that a slow machine does not fail the test.
        limits.tidying = .seconds(20)
        return limits
    }

    private func ask(
        _ request: FingerprintRequest, _ script: Script = Script(), limits: FingerprintConversation.Limits = limits()
    ) async throws -> Outcome {
        try await onThread {
            let bus = try PrivateBus()
            let fprintd = try PretendedFprintd(bus, script)
            let frame = FingerprintConversation(on: [bus.address], limits: limits, accountName: Self.name).answer(
                request.frame, until: try Wakeup())
            fprintd.stop()
            return Outcome(frame: frame, calls: fprintd.calls, users: fprintd.users)
        }
    }

    private func enrolment(
        _ script: Script = Script(), limits: FingerprintConversation.Limits = limits()
    ) async throws -> EnrolmentReply? {
        try await ask(.enrolment(of: nil), script, limits: limits).enrolment
    }

    private func enrolled(_ script: Script) async throws -> EnrolledFingers {
        try Self.enrolled(try await enrolment(script))
    }

    private static func enrolled(_ reply: EnrolmentReply?) throws -> EnrolledFingers {
        guard case .reader(let enrolled) = reply else { throw NoReader() }
        return enrolled
    }

    private struct NoReader: Error {}

    private func faulty(_ member: MemberName, _ fault: PretendedFprintd.Fault) -> Script {
        var script = Script()
        script.faults[member] = fault
        return script
    }

    private static func fprintError(_ name: String) -> PretendedFprintd.Fault {
        .error(InterfaceName(rawValue: "net.reactivated.Fprint.Error.\(name)")!)
    }

    // MARK: Enrolment

    @Test func `the reader's name and its user's fingers are listed`() async throws {
        var script = Script()
        script.fingers = ["right-thumb", "left-thumb"]
        script.scan = "swipe"
        let expected = EnrolledFingers(
            reader: "Pretended reader", scan: .swipe, fingers: ["left-thumb", "right-thumb"])
        #expect(try await enrolment(script) == expected.map(EnrolmentReply.reader))
        script.fingers = []
        script.scan = "something new"
        #expect(
            try await enrolment(script)
                == EnrolledFingers(reader: "Pretended reader", scan: .unknown, fingers: []).map(EnrolmentReply.reader))
        #expect(
            try await enrolment(faulty("ListEnrolledFingers", Self.fprintError("NoEnrolledPrints")))
                == EnrolledFingers(reader: "Pretended reader", scan: .press, fingers: []).map(EnrolmentReply.reader))
    }

    @Test func `a too long name is cut, and an empty name is replaced`() async throws {
        var script = Script()
        script.name = String(repeating: "ü", count: 200)
        let long = try await enrolled(script)
        #expect(long.reader == String(repeating: "ü", count: 128))
        script.name = ""
        let short = try await enrolled(script)
        #expect(short.reader == "fingerprint reader")
    }

    @Test func `the first reader with an enrolled finger is used, the default reader first`() async throws {
        var script = Script()
        script.others = ["/net/reactivated/Fprint/Device/1": [], "/net/reactivated/Fprint/Device/2": ["left-thumb"]]
        let first = try await enrolled(script)
        #expect(first.fingers == ["right-index-finger"])
        script.fingers = []
        let other = try await enrolled(script)
        #expect(other.fingers == ["left-thumb"])
    }

    @Test func `where there is no bus, no fprintd or no reader, that is the answer`() async throws {
        let nowhere = try await onThread {
            FingerprintConversation(on: [.path("/nonexistent")], accountName: Self.name).answer(
                FingerprintRequest.enrolment(of: nil).frame, until: try Wakeup())
        }
        #expect(nowhere == EnrolmentReply.absent(.noService).frame)
        let empty = try await onThread {
            let bus = try PrivateBus()
            return FingerprintConversation(on: [bus.address], limits: Self.limits(), accountName: Self.name).answer(
                FingerprintRequest.enrolment(of: nil).frame, until: try Wakeup())
        }
        #expect(empty == EnrolmentReply.absent(.noService).frame)
        #expect(
            try await enrolment(faulty("GetDefaultDevice", Self.fprintError("NoSuchDevice"))) == .absent(.noReader))
        #expect(
            try await enrolment(faulty("ListEnrolledFingers", Self.fprintError("PermissionDenied")))
                == .absent(.refused))
    }

    @Test(arguments: ["GetDefaultDevice", "GetDevices", "GetAll", "ListEnrolledFingers"] as [MemberName])
    func `a silent, ended or invalid fprintd counts as absent`(_ member: MemberName) async throws {
        #expect(try await enrolment(faulty(member, .nonsense)) == .absent(.unanswered))
        #expect(try await enrolment(faulty(member, .death)) == .absent(.unanswered))
        #expect(
            try await enrolment(faulty(member, .silence), limits: Self.limits(enrolment: .milliseconds(200)))
                == .absent(.unanswered))
    }

    @Test func `fingers with strange names, and too many of them, are no answer`() async throws {
        for fingers in [["Left thumb"], [""], (0..<33).map { "finger-\($0)" }] {
            var script = Script()
            script.fingers = fingers
            #expect(try await enrolment(script) == .absent(.unanswered))
        }
    }

    @Test func `an invalid request is refused`() async throws {
        let answer = try await onThread {
            FingerprintConversation(on: [], accountName: Self.name).answer(
                EnrolmentReply.absent(.noReader).frame, until: try Wakeup())
        }
        guard case .refusal = try EnrolmentReply(try #require(answer)) else {
            Issue.record("no refusal")
            return
        }
    }

    // MARK: Owner of the fingers

    @Test func `without a user number fprintd is asked for the helper's own user, otherwise for that user`()
        async throws
    {
        for (user, name) in [(nil, ""), (1000, "ann"), (1001, "bob")] as [(UInt32?, String)] {
            var script = Script()
            script.fingersOfUsers = ["": ["left-thumb"], "ann": ["right-thumb"], "bob": []]
            let outcome = try await ask(.enrolment(of: user), script)
            #expect(try Self.enrolled(outcome.enrolment).fingers == script.fingersOfUsers[name])
            #expect(outcome.users == [name])
            let look = try await ask(.verification(of: user, seconds: 30), script)
            #expect(look.verification == .result(name == "bob" ? .unavailable : .match))
            #expect(look.users == (name == "bob" ? [name] : [name, name]))
        }
    }

    @Test func `for an unknown user, or a name that means another user, fprintd is not called`()
        async throws
    {
        for user in [7, 1002, .max] as [UInt32] {
            let enrolment = try await ask(.enrolment(of: user))
            #expect(enrolment.enrolment == .absent(.refused))
            #expect(enrolment.calls.isEmpty)
            let look = try await ask(.verification(of: user, seconds: 30))
            #expect(look.verification == .result(.unavailable))
            #expect(look.calls.isEmpty)
        }
    }

    @Test func `without polkit's permission for another user there is no reader`() async throws {
        let refusal = Self.fprintError("PermissionDenied")
        let listing = try await ask(.enrolment(of: 1000), faulty("ListEnrolledFingers", refusal))
        #expect(listing.enrolment == .absent(.refused))
        let look = try await ask(.verification(of: 1000, seconds: 30), faulty("Claim", refusal))
        #expect(look.verification == .result(.unavailable))
    }

    // MARK: Verification

    private func verify(_ statuses: [(String, Bool)]..., seconds: UInt16 = 30) async throws -> Outcome {
        var script = Script()
        script.statuses = statuses
        return try await ask(.verification(of: nil, seconds: seconds), script)
    }

    @Test func `a finger matches or not, and the reader is released`() async throws {
        let match = try await verify([("verify-match", true)])
        #expect(match.verification == .result(.match))
        #expect(match.calls.suffix(4) == ["Claim", "VerifyStart", "VerifyStop", "Release"])
        let other = try await verify([("verify-no-match", true)])
        #expect(other.verification == .result(.noMatch))
        #expect(other.calls.suffix(4) == ["Claim", "VerifyStart", "VerifyStop", "Release"])
    }

    @Test(arguments: [
        "verify-retry-scan", "verify-swipe-too-short", "verify-finger-not-centered", "verify-remove-and-retry",
        "verify-too-fast",
    ])
    func `a prompt is repeated after an unreadable answer`(_ result: String) async throws {
        let goesOn = try await verify([(result, false), (result, false), ("verify-match", true)])
        #expect(goesOn.verification == .result(.match))
        // If fprintd has stopped the verification, the helper starts it again.
        let stopped = try await verify([(result, true)], [("verify-no-match", true)])
        #expect(stopped.verification == .result(.noMatch))
        #expect(stopped.calls.filter { $0 == "VerifyStart" }.count == 2)
        #expect(stopped.isGivenBack)
    }

    @Test func `a prompt is not repeated without end`() async throws {
        let nine = Array(repeating: ("verify-retry-scan", false), count: 9)
        #expect(try await verify(nine + [("verify-match", true)]).verification == .result(.match))
        let ten = try await verify(nine + [("verify-retry-scan", false), ("verify-match", true)])
        #expect(ten.verification == .result(.unreadable))
        #expect(ten.isGivenBack)
    }

    @Test func `a removed or failing reader is reported as such`() async throws {
        for result in ["verify-disconnected", "verify-unknown-error"] {
            let outcome = try await verify([(result, true)])
            #expect(outcome.verification == .result(.unavailable))
            #expect(outcome.isGivenBack)
        }
    }

    @Test func `a verification without a touch ends in time`() async throws {
        let outcome = try await verify([], seconds: 1)
        #expect(outcome.verification == .result(.timedOut))
        #expect(outcome.isGivenBack)
    }

    @Test func `without an enrolled finger there is no verification`() async throws {
        var script = Script()
        script.fingers = []
        let outcome = try await ask(.verification(of: nil, seconds: 30), script)
        #expect(outcome.verification == .result(.unavailable))
        #expect(!outcome.calls.contains("Claim"))
    }

    @Test func `a reader that another user holds, or that is refused, is unavailable`() async throws {
        for (member, error) in [
            ("Claim", "AlreadyInUse"), ("Claim", "PermissionDenied"), ("VerifyStart", "Internal"),
            ("VerifyStart", "NoEnrolledPrints"),
        ] {
            let outcome = try await ask(
                .verification(of: nil, seconds: 30), faulty(MemberName(rawValue: member)!, Self.fprintError(error)))
            #expect(outcome.verification == .result(.unavailable))
            #expect(outcome.isGivenBack)
        }
    }

    @Test(arguments: ["Claim", "VerifyStart"] as [MemberName])
    func `a fprintd that is silent or dies while a reader is taken is unavailable`(_ member: MemberName) async throws {
        let dead = try await ask(.verification(of: nil, seconds: 30), faulty(member, .death))
        #expect(dead.verification == .result(.unavailable))
        let silent = try await ask(.verification(of: nil, seconds: 1), faulty(member, .silence))
        #expect(silent.verification == .result(.unavailable))
        #expect(silent.isGivenBack)
    }

    @Test(arguments: ["VerifyStop", "Release"] as [MemberName])
    func `a silence or end of fprintd while the reader is released does not change the answer`(_ member: MemberName)
        async throws
    {
        #expect(
            try await ask(.verification(of: nil, seconds: 30), faulty(member, .death)).verification == .result(.match))
        var limits = Self.limits()
        limits.tidying = .milliseconds(100)
        #expect(
            try await ask(.verification(of: nil, seconds: 30), faulty(member, .silence), limits: limits).verification
                == .result(.match))
    }

    @Test func `the end of fprintd during a verification is noticed at once`() async throws {
        let result: VerificationReply? = try await onThread {
            let bus = try PrivateBus()
            var script = Script()
            script.statuses = []
            // fprintd is stopped after the verification has started.
            let begun = DispatchSemaphore(value: 0)
            script.faults["VerifyStart"] = .before { _, _ in begun.signal() }
            let fprintd = try PretendedFprintd(bus, script)
            Thread.detachNewThread {
                begun.wait()
                fprintd.stop()
            }
            let frame = FingerprintConversation(on: [bus.address], limits: Self.limits(), accountName: Self.name)
                .answer(
                    FingerprintRequest.verification(of: nil, seconds: 30).frame, until: try Wakeup())
            return try frame.map(VerificationReply.init)
        }
        #expect(result == .result(.unavailable))
    }

    @Test func `a status with other arguments is no match`() async throws {
        for arguments in [[.string("verify-match")], [.boolean(true), .string("verify-match")], []] as [[Value]] {
            var script = Script()
            script.strangeStatus = arguments
            #expect(
                try await ask(.verification(of: nil, seconds: 30), script).verification == .result(.unavailable))
        }
    }

    // MARK: Forgeries

    @Test func `a match from another sender is ignored`() async throws {
        let result: VerificationReply? = try await onThread {
            let bus = try PrivateBus()
            let forger = try bus.connect()
            let address = bus.address
            var script = Script()
            script.statuses = [[("verify-no-match", true)]]
            // Sent to the helper itself and delivered before fprintd's own signal, because the bus answers after it has
            // delivered the message.
            script.faults["VerifyStart"] = .before { connection, call in
                try connection.send(.methodReturn(to: call))
                let other = try BusConnection(to: [address])
                try PretendedFprintd.send([.string("verify-match"), .boolean(true)], on: other, to: call.sender)
                try PretendedFprintd.send([.string("verify-match"), .boolean(true)], on: other)
                _ = try other.owner(of: MessageBus.name)
            }
            let fprintd = try PretendedFprintd(bus, script)
            let frame = FingerprintConversation(on: [bus.address], limits: Self.limits(), accountName: Self.name)
                .answer(
                    FingerprintRequest.verification(of: nil, seconds: 30).frame, until: try Wakeup())
            fprintd.stop()
            withExtendedLifetime(forger) {}
            return try frame.map(VerificationReply.init)
        }
        #expect(result == .result(.noMatch))
    }

    @Test func `a match from before the verification, or of another reader, is ignored`() async throws {
        var script = Script()
        script.statuses = [[("verify-no-match", true)]]
        let match: [Value] = [.string("verify-match"), .boolean(true)]
        for member in ["Claim", "VerifyStart"] as [MemberName] {
            script.faults = [:]
            script.faults[member] = .before { bus, call in
                try PretendedFprintd.send(match, on: bus)
                try PretendedFprintd.send(match, on: bus, to: call.sender)
            }
            #expect(try await ask(.verification(of: nil, seconds: 30), script).verification == .result(.noMatch))
        }
        script.faults = [:]
        script.faults["VerifyStart"] = .before { bus, call in
            try bus.send(.methodReturn(to: call))
            try bus.send(
                .signal(
                    "VerifyStatus", of: "net.reactivated.Fprint.Device", at: "/net/reactivated/Fprint/Device/9",
                    to: call.sender, match))
        }
        #expect(try await ask(.verification(of: nil, seconds: 30), script).verification == .result(.noMatch))
    }

    @Test func `an answer from another sender is ignored`() async throws {
        let outcome: EnrolmentReply? = try await onThread {
            let bus = try PrivateBus()
            let address = bus.address
            var script = Script()
            script.faults["ListEnrolledFingers"] = .before { _, call in
                let other = try BusConnection(to: [address])
                try other.send(.methodReturn(to: call, [.array(of: .string, [.string("left-thumb")])]))
                _ = try other.owner(of: MessageBus.name)
            }
            let fprintd = try PretendedFprintd(bus, script)
            let frame = FingerprintConversation(on: [bus.address], limits: Self.limits(), accountName: Self.name)
                .answer(
                    FingerprintRequest.enrolment(of: nil).frame, until: try Wakeup())
            fprintd.stop()
            return try frame.map(EnrolmentReply.init)
        }
        #expect(try Self.enrolled(outcome).fingers == ["right-index-finger"])
    }

    // MARK: Interruption

    @Test(arguments: ["GetDefaultDevice", "Claim", "VerifyStart"] as [MemberName])
    func `an interruption ends a verification at each step without an answer, and the reader is released`(
        _ member: MemberName
    ) async throws {
        let (frame, calls) = try await onThread {
            let bus = try PrivateBus()
            let end = try Wakeup()
            var script = Script()
            script.statuses = []
            // fprintd answers the last of these calls, and the helper waits for the finger.
            script.faults[member] = .before { _, _ in end.wake() }
            let fprintd = try PretendedFprintd(bus, script)
            let frame = FingerprintConversation(on: [bus.address], limits: Self.limits(), accountName: Self.name)
                .answer(
                    FingerprintRequest.verification(of: nil, seconds: 30).frame, until: end)
            fprintd.stop()
            return (frame, fprintd.calls)
        }
        #expect(frame == nil)
        if calls.contains("Claim") { #expect(calls.last == "Release") }
    }
}
