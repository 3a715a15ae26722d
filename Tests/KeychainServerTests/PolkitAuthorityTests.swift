// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainHelperWire
import KeychainPlatform
import TestSupport
import Testing

@testable import KeychainServer

/// The service's handling of answers from the program that calls polkit. The program is a script that the test sets.
struct PolkitAuthorityTests {
    private let folder: String

    init() throws { folder = try makeScratchFolder("ca") }

    private func remove() {
        unlink(folder + "/" + PolkitAuthority.name)
        rmdir(folder)
    }

    /// Installs a program that runs the script.
    private func install(_ script: String) throws {
        let path = folder + "/" + PolkitAuthority.name
        unlink(path)
        let file = try #require(fopen(path, "we"))
        fputs("#!/bin/sh\n\(script)\n", file)
        fclose(file)
        chmod(path, 0o755)
        waitUntilRunnable(path)
    }

    private func answering(_ frame: [UInt8]) -> String {
        "printf '" + frame.map { "\\" + String($0, radix: 8) }.joined() + "'; exec sleep 600"
    }

    /// A program that only answers to this question.
    private func answering(_ frame: [UInt8], onlyTo question: [UInt8]) -> String {
        let digits = question.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return """
            [ "$(head -c \(question.count) | od -An -v -tx1 | tr -d ' \\n')" = \(digits) ] || exit 1
            \(answering(frame))
            """
    }

    private func authority(
        _ environment: [String: String] = [:], presence: Duration = .seconds(60), grace: Duration = .seconds(3)
    ) -> OwnerAuthority {
        var limits = PolkitAuthority.Limits()
        limits.grace = grace
        limits.presence = presence
        return PolkitAuthority(in: [folder], environment: environment, limits: limits).authority
    }

    private static let question = OwnerAuthority.Question(
        processID: 4711, processStart: 12, userID: 1000, operation: "do it")

    private func ask(
        _ authority: OwnerAuthority, timeout: Duration = .seconds(123),
        _ interruption: ServiceHelper.Interruption = .init()
    ) -> OwnerAuthority.Answer {
        authority.authorize(Self.question, timeout, interruption)
    }

    @Test func `the helper is asked about the process, its user and the operation, for less than the whole time`()
        throws
    {
        defer { remove() }
        for (timeout, grace, seconds) in [(123, 3, 120), (1000, 3, 120), (63, 3, 60), (60, 70, 1)]
            as [(Int, Int, UInt16)]
        {
            let question = try #require(
                AuthorizationQuestion(of: 4711, since: 12, user: 1000, seconds: seconds, operation: "do it"))
            let frame = AuthorizationRequest.authorization(question).frame
            try install(answering(AuthorizationReply.result(.authorized).frame, onlyTo: frame))
            #expect(ask(authority(grace: .seconds(grace)), timeout: .seconds(timeout)) == .authorized)
        }
    }

    @Test func `each answer means what it says`() throws {
        defer { remove() }
        let authority = authority()
        let expected: [AuthorizationResult: OwnerAuthority.Answer] = [
            .authorized: .authorized, .denied: .denied, .dismissed: .dismissed, .noAgent: .noAgent,
            .timedOut: .unanswered, .unavailable: .unavailable,
        ]
        for result in AuthorizationResult.allCases {
            try install(answering(AuthorizationReply.result(result).frame))
            #expect(ask(authority) == expected[result])
        }
        let presences: [AuthorityPresence: OwnerAuthority.Presence] = [
            .present: .present, .absent: .absent, .unanswered: .unanswered,
        ]
        for presence in AuthorityPresence.allCases {
            try install(answering(AuthorityPresenceReply.result(presence).frame))
            #expect(authority.presence() == presences[presence])
        }
    }

    @Test func `without a helper, or without a word of it, polkit does not answer, which is not that it is absent`()
        throws
    {
        defer { remove() }
        let authority = authority()
        #expect(authority.presence() == .unanswered)
        #expect(ask(authority) == .unavailable)
        for script in [
            "exit 0", "printf nonsense; exec sleep 600", answering(HelperRefusal(reason: "no").frame), "kill -9 $$",
        ] {
            try install(script)
            #expect(authority.presence() == .unanswered, "\(script)")
            #expect(ask(authority) == .unavailable, "\(script)")
        }
        // An answer to another question is none.
        try install(answering(AuthorizationReply.result(.authorized).frame))
        #expect(authority.presence() == .unanswered)
        try install(answering(AuthorityPresenceReply.result(.present).frame))
        #expect(ask(authority) == .unavailable)
    }

    @Test func `a helper that hangs, and a caller that is gone, end the question without a yes`() throws {
        defer { remove() }
        try install("trap '' TERM; exec sleep 600")
        #expect(authority(presence: .milliseconds(200)).presence() == .unanswered)
        #expect(ask(authority(), timeout: .milliseconds(200)) == .unanswered)
        let wakeUp = try WakeUp()
        wakeUp.signal()
        #expect(ask(authority(), .init(readable: [wakeUp.descriptor])) == .unanswered)
    }

    @Test func `the helper's environment is the address of the bus alone`() throws {
        defer { remove() }
        let yes = AuthorizationReply.result(.authorized).frame
        let no = AuthorizationReply.result(.denied).frame
        try install(
            """
            if [ "$DBUS_SYSTEM_BUS_ADDRESS" = unix:path=/b ] && [ -z "$LD_PRELOAD$HOME" ]; then
            \(answering(yes)); else \(answering(no)); fi
            """)
        #expect(
            ask(authority(["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/b", "LD_PRELOAD": "/x", "HOME": "/h"])) == .authorized
        )
        #expect(ask(authority()) == .denied)
    }
}
