// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainHelperWire
import KeychainPlatform
import Synchronization
import TestSupport
import Testing

@testable import KeychainServer

/// The service's handling of answers from the program that verifies fingerprints. The program is a script that the test
/// sets.
struct FingerprintReaderTests {
    private final class Clock: Sendable {
        let seconds = Atomic<UInt64>(100)
        var clock: MonotonicClock { MonotonicClock { [self] in seconds.load(ordering: .relaxed) * 1_000_000_000 } }
    }

    private let folder: String
    private let clock = Clock()

    init() throws { folder = try makeScratchFolder("cf") }

    private func remove() {
        unlink(folder + "/" + FingerprintReader.name)
        unlink(folder + "/asked")
        rmdir(folder)
    }

    /// Installs a program that reads a line of the request, then runs the script. It counts its runs.
    private func install(_ script: String) throws {
        let path = folder + "/" + FingerprintReader.name
        unlink(path)
        let file = try #require(fopen(path, "we"))
        fputs("#!/bin/sh\necho >>\(folder)/asked\n\(script)\n", file)
        fclose(file)
        chmod(path, 0o755)
        waitUntilRunnable(path)
    }

    /// How often it was run.
    private var runs: Int {
        var facts = stat()
        return stat(folder + "/asked", &facts) == 0 ? Int(facts.st_size) : 0
    }

    private func answering(_ frame: [UInt8]) -> String {
        "printf '" + frame.map { "\\" + String($0, radix: 8) }.joined() + "'; exec sleep 600"
    }

    private func reader(
        _ environment: [String: String] = [:], of user: UInt32 = geteuid(), isOwnUser: Bool = true,
        patience: UInt16 = 30, enrolment: Duration = .seconds(60)
    ) -> BiometryReader {
        var limits = FingerprintReader.Limits()
        limits.patience = patience
        limits.enrolment = enrolment
        limits.grace = .seconds(60)
        let environment = environment.merging(["CHATELAINE_HELPERS": folder]) { $1 }
        return FingerprintReader(
            of: user, isOwnUser: isOwnUser, environment: environment, limits: limits, clock: clock.clock
        ).reader
    }

    /// A program that only answers to this question.
    private func answering(_ frame: [UInt8], onlyTo question: FingerprintRequest) -> String {
        let digits = question.frame.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return """
            [ "$(head -c \(question.frame.count) | od -An -v -tx1 | tr -d ' \\n')" = \(digits) ] || exit 1
            \(answering(frame))
            """
    }

    private func enrolled(_ reader: String = "R", _ fingers: String...) throws -> [UInt8] {
        EnrolmentReply.reader(try #require(EnrolledFingers(reader: reader, scan: .press, fingers: fingers))).frame
    }

    @Test func `a digest names the reader and its fingers, whatever their order`() throws {
        defer { remove() }
        let reader = reader()
        var digests: [[UInt8]] = []
        for frame in [
            try enrolled("R", "left-thumb", "right-thumb"), try enrolled("R", "right-thumb", "left-thumb"),
            try enrolled("R", "left-thumb"), try enrolled("S", "left-thumb"), try enrolled("R", "left", "thumb"),
            try enrolled("R", "leftthumb"),
        ] {
            try install(answering(frame))
            let enrolment = try #require(reader.enrolment(geteuid()))
            digests.append(try #require(enrolment.digest))
        }
        #expect(digests[0].count == 32)
        #expect(digests[0] == digests[1])
        #expect(Set(digests).count == 5)
        try install(answering(try enrolled("Virtual")))
        #expect(reader.enrolment(geteuid()) == .init(reader: "Virtual", digest: nil))
    }

    @Test func `there is no reader where there is none, no helper, or no word of one`() throws {
        defer { remove() }
        let reader = reader()
        #expect(reader.enrolment(geteuid()) == nil)
        #expect(reader.look(geteuid(), nil) == .unavailable)
        for absence in EnrolmentReply.Absence.allCases where absence != .unanswered {
            try install(answering(EnrolmentReply.absent(absence).frame))
            #expect(reader.enrolment(geteuid()) == nil)
        }
        for script in [
            "exit 0", "printf nonsense; exec sleep 600", answering(HelperRefusal(reason: "no").frame), "kill -9 $$",
        ] {
            try install(script)
            #expect(reader.enrolment(geteuid()) == nil, "\(script)")
            #expect(reader.look(geteuid(), nil) == .unavailable, "\(script)")
        }
        // An answer to another question is none.
        try install(answering(VerificationReply.result(.match).frame))
        #expect(reader.enrolment(geteuid()) == nil)
        try install(answering(try enrolled("R", "left-thumb")))
        #expect(reader.look(geteuid(), nil) == .unavailable)
    }

    @Test func `another user has no reader`() throws {
        defer { remove() }
        try install(answering(try enrolled("R", "left-thumb")))
        let reader = reader()
        #expect(reader.enrolment(geteuid()) != nil)
        #expect(reader.enrolment(geteuid() + 1) == nil)
        #expect(reader.look(geteuid() + 1, nil) == .unavailable)
        #expect(runs == 1)
    }

    @Test func `a user service names no user to the helper, and a system service names the owner of the keychain`()
        throws
    {
        defer { remove() }
        let somebody: UInt32 = 4_000_000_001
        for (user, named) in [(geteuid(), nil), (somebody, somebody)] as [(UInt32, UInt32?)] {
            let reader = reader(of: user, isOwnUser: named == nil)
            try install(answering(try enrolled("R", "left-thumb"), onlyTo: .enrolment(of: named)))
            #expect(reader.enrolment(user)?.reader == "R")
            try install(
                answering(VerificationReply.result(.match).frame, onlyTo: .verification(of: named, seconds: 30)))
            #expect(reader.look(user, nil) == .match)
        }
    }

    @Test func `in a system service only the owner's fingers are read, not those of the service's user`() throws {
        defer { remove() }
        try install(answering(try enrolled("R", "left-thumb")))
        let reader = reader(of: 4_000_000_001, isOwnUser: false)
        for other in [geteuid(), 4_000_000_002] {
            #expect(reader.enrolment(other) == nil)
            #expect(reader.look(other, nil) == .unavailable)
        }
        #expect(runs == 0)
    }

    @Test func `one helper at a time asks for fingers, and one helper at a time reads a finger`() throws {
        defer { remove() }
        let reader = reader()
        // A program that finds another one of its kind fails.
        let alone =
            "mkdir \(folder)/busy || exit 1; for turn in 1 2 3 4 5 6 7 8; do ls / >/dev/null; done; rmdir \(folder)/busy\n"
        let callers = 6
        for question in ["enrolment", "look"] {
            try install(
                alone
                    + answering(
                        question == "look"
                            ? VerificationReply.result(.match).frame : try enrolled("R", "left-thumb")))
            let answers = Mutex(0)
            let group = DispatchGroup()
            for _ in 0..<callers {
                group.enter()
                Thread.detachNewThread {
                    let isAnswered =
                        question == "look"
                        ? reader.look(geteuid(), nil) == .match : reader.enrolment(geteuid()) != nil
                    if isAnswered { answers.withLock { $0 += 1 } }
                    group.leave()
                }
            }
            group.wait()
            #expect(answers.withLock { $0 } == callers)
        }
    }

    @Test func `each word of the helper has its meaning`() throws {
        defer { remove() }
        let reader = reader()
        let meanings: [(VerificationResult, BiometryReader.Result)] = [
            (.match, .match), (.noMatch, .noMatch), (.unreadable, .noMatch), (.timedOut, .withdrawn),
            (.unavailable, .unavailable),
        ]
        for (word, meaning) in meanings {
            try install(answering(VerificationReply.result(word).frame))
            #expect(reader.look(geteuid(), nil) == meaning)
        }
    }

    @Test func `a look that is taken back ends, and its match counts for nothing`() throws {
        defer { remove() }
        let reader = reader()
        let withdrawal = try #require(Withdrawal())
        withdrawal.withdraw()
        try install("exec sleep 600")
        #expect(reader.look(geteuid(), withdrawal) == .withdrawn)
        try install(answering(VerificationReply.result(.match).frame))
        #expect(reader.look(geteuid(), withdrawal) == .withdrawn)
    }

    @Test func `a helper that does not answer is left alone for ten seconds`() throws {
        defer { remove() }
        try install("exec sleep 600")
        let reader = reader(enrolment: .milliseconds(300))
        #expect(reader.enrolment(geteuid()) == nil)
        let silent = runs
        try install(answering(try enrolled("R", "left-thumb")))
        clock.seconds.add(9, ordering: .relaxed)
        #expect(reader.enrolment(geteuid()) == nil)
        #expect(runs == silent)
        clock.seconds.add(1, ordering: .relaxed)
        let later = self.reader()
        #expect(later.enrolment(geteuid()) != nil)
        // So is one whose fprintd did not answer.
        try install(answering(EnrolmentReply.absent(.unanswered).frame))
        #expect(later.enrolment(geteuid()) == nil)
        let count = runs
        #expect(later.enrolment(geteuid()) == nil)
        #expect(runs == count)
    }

    @Test func `the helper's environment is the bus's address and nothing else`() throws {
        defer { remove() }
        let check = "[ \"$DBUS_SYSTEM_BUS_ADDRESS$HOME\" = unix:path=/a ] || exit 1\n"
        try install(check + answering(try enrolled("R", "left-thumb")))
        #expect(reader(["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/a", "HOME": "/h"]).enrolment(geteuid()) != nil)
        #expect(reader(["HOME": "/h"]).enrolment(geteuid()) == nil)
    }
}
