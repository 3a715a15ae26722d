// SPDX-License-Identifier: Apache-2.0

import KeychainHelperWire
import KeychainModel
import KeychainWire

/// Fuzzes the input of a client: a sequence of frames, each decoded as every possible kind.
func fuzzAnswers(_ input: [UInt8]) {
    readHelperFrame(input)
    var reader = FrameReader()
    do throws(WireError) {
        try reader.receive(input)
        while !reader.isEmpty, try reader.missing == nil {
            try read(try reader.frame(mayHaveMore: true))
            reader.discard { $0 = [] }
        }
    } catch {
        return
    }
}

/// A value that is decoded, encoded and decoded again must be the same.
///
/// A finding is reported by ending the process, because libFuzzer keeps the input of that run.

private func read(_ frame: Frame) throws(WireError) {
    switch frame.kind {
    case .hello: _ = try Hello(frame)
    // The service compares its bytes and decodes none of its fields.
    case .greeting: break
    case .change, .lockState:
        let event = try WatchedEvent(frame)
        var again = FrameReader()
        try again.receive(event.frame)
        try check(WatchedEvent(again.frame()) == event, "an event reads as something else")
    case .keychainNotice:
        let notice = try KeychainNotice(frame)
        var again = FrameReader()
        try again.receive(notice.frame)
        try check(KeychainNotice(again.frame()) == notice, "what happened reads as something else")
    case .logLine:
        let event = try LogEvent(frame)
        var again = FrameReader()
        try again.receive(event.frame)
        try check(LogEvent(again.frame()) == event, "a line reads as something else")
        if case .line(let line) = event { readLine(line) }
    case .proof:
        let proof = try ProofFrame(frame)
        var again = FrameReader()
        try again.receive(proof.frame)
        try check(ProofFrame(again.frame()) == proof, "a proof reads as something else")
    case .prompt:
        let question = try AgentQuestion(frame)
        var again = FrameReader()
        try again.receive(question.frame)
        try check(AgentQuestion(again.frame()) == question, "a question reads as something else")
    case .promptWithdrawal:
        let withdrawal = try AgentWithdrawal(frame)
        var again = FrameReader()
        try again.receive(withdrawal.frame)
        try check(AgentWithdrawal(again.frame()) == withdrawal, "a withdrawal reads as something else")
    case .promptAnswer:
        let nonce = [UInt8](repeating: 0, count: WireLimits.nonceBytes)
        let answer = try AgentAnswer(frame, nonce: nonce) { Array($0) }
        var again = FrameReader()
        try again.receive(AgentAnswer.frame(to: answer.number, reply: answer.reply, nonce: nonce))
        let second = try AgentAnswer(again.frame(), nonce: nonce) { Array($0) }
        check(second.number == answer.number && second.reply == answer.reply, "an answer reads as something else")
    case .items: _ = try ReplyPart<[UInt8]>(frame) { Array($0) }
    case .reply:
        _ = try? Refusal(answer: frame)
        if let status = try? ServiceStatus(frame) {
            var again = FrameReader()
            try again.receive(status.frame)
            try check(ServiceStatus(again.frame()) == status, "a status reads as something else")
        }
        if let explanation = try? Explanation(frame) {
            var again = FrameReader()
            try again.receive(explanation.frame)
            try check(Explanation(again.frame()) == explanation, "an explanation reads as something else")
        }
        if let answer = try? AuthenticationAnswer(frame) {
            var again = FrameReader()
            try again.receive(answer.frame)
            try check(AuthenticationAnswer(again.frame()) == answer, "an answer reads as something else")
        }
        if let answer = try? FileKeychainAnswer(frame) {
            var again = FrameReader()
            try again.receive(answer.frame)
            try check(FileKeychainAnswer(again.frame()) == answer, "keychains read as something else")
        }
        if let list = try? KeychainList(frame) {
            var again = FrameReader()
            try again.receive(list.frame)
            try check(KeychainList(again.frame()) == list, "a list of keychains reads as something else")
        }
        try readAboutPrograms(frame)
        try readAdministration(frame)
        try readBackup(frame)
        try readLog(frame)
        let part = try ReplyPart<[UInt8]>(frame) { Array($0) }
        check(part.isLast, "a reply is the last frame of an answer")
    case .add, .copyMatching, .update, .delete, .status, .watch, .explain, .administer, .identity, .grants, .log,
        .backup, .restore, .requireEntitlements, .key, .authenticated, .authentication, .agent, .behalf,
        .keychainFile, .inKeychain, .watchKeychains:
        throw .unexpected(frame.kind)
    }
}

/// Decodes one frame of the helper protocol, in either direction. The result must encode to the same bytes.
private func readHelperFrame(_ frame: [UInt8]) {
    if let request = try? TrustRequest(frame) {
        check(request.excess == nil, "a request is larger than it may be")
        check(request.frame == frame, "a request reads as something else")
    }
    if (try? AnchorsRequest(frame)) != nil {
        check(AnchorsRequest().frame == frame, "a request reads as something else")
    }
    if let reply = try? AnchorsReply(frame) { check(reply.frame == frame, "anchors read as something else") }
    if let request = try? PromptRequest(frame) { check(request.frame == frame, "a question reads as something else") }
    switch try? PromptReply(frame) {
    case .allowed(let always, let place?):
        let again = PromptReply.allowed(always: always, passcode: nil).frame(secret: frame[place])
        check(again == frame, "a yes reads as something else")
    case .secret(let place):
        check(PromptReply.secret(place).frame(secret: frame[place]) == frame, "a secret reads as something else")
    case let reply?: check(reply.frame == frame, "a reply reads as something else")
    case nil: break
    }
    if let request = try? FingerprintRequest(frame) {
        check(request.frame == frame, "a question about fingers reads as something else")
    }
    if let reply = try? EnrolmentReply(frame) { check(reply.frame == frame, "an enrolment reads as something else") }
    if let reply = try? VerificationReply(frame) {
        check(reply.frame == frame, "a verification reads as something else")
    }
    if let request = try? AuthorizationRequest(frame) {
        check(request.frame == frame, "a question about an authorization reads as something else")
    }
    if let reply = try? AuthorityPresenceReply(frame) {
        check(reply.frame == frame, "a presence of polkit reads as something else")
    }
    if let reply = try? AuthorizationReply(frame) {
        check(reply.frame == frame, "an authorization reads as something else")
    }
    if let request = try? TokenRequest(frame) {
        check(request.frame == frame, "a request reads as something else")
    }
    let blob: [UInt8] = [1]
    let questions: [TokenRequest] = [
        .status, .createKey, .sign(blob: blob, digest: []), .agree(blob: blob, point: []), .seal(blob),
        .unseal(blob: blob),
    ]
    for question in questions {
        if let answer = try? TokenAnswer(frame, to: question) {
            check(answer.frame == frame, "an answer reads as something else")
        }
    }
    if let request = try? RSARequest(frame) { check(request.frame == frame, "a request reads as something else") }
    if let request = try? DecryptionRequest(frame) {
        check(request.frame == frame, "a request reads as something else")
    }
    if let reply = try? CryptoReply(frame) { check(reply.frame == frame, "a reply reads as something else") }
    switch try? TrustReply(frame) {
    case .answer(let answer): check(answer.frame == frame, "an answer reads as something else")
    case .refusal(let refusal): check(refusal.frame == frame, "a refusal reads as something else")
    case nil: break
    }
}

/// Decodes answers about programs and their grants. Compared as bytes, because a time may be NaN.
private func readAboutPrograms(_ frame: Frame) throws(WireError) {
    if let report = try? CallerReport(frame) {
        var again = FrameReader()
        try again.receive(report.frame)
        try check(CallerReport(again.frame()) == report, "a program reads as something else")
    }
    if let page = try? GrantPage(frame) {
        var again = FrameReader()
        try again.receive(page.frame)
        try check(GrantPage(again.frame()).frame == page.frame, "grants read as something else")
    }
    if let approvals = try? ApprovalList(frame) {
        var again = FrameReader()
        try again.receive(approvals.frame)
        try check(ApprovalList(again.frame()) == approvals, "approvals read as something else")
    }
    if let revoked = try? RevokedGrants(frame) {
        var again = FrameReader()
        try again.receive(revoked.frame)
        try check(RevokedGrants(again.frame()) == revoked, "a count reads as something else")
    }
}

/// Decodes a line of the audit log, which may be forged.
private func readLine(_ line: [UInt8]) {
    let ending = AuditLineEnding(line.span)
    guard let record = AuditRecord(line) else { return }
    if let ending { check(record.sequence == ending.sequence, "a line has two numbers") }
    var filter = AuditFilter()
    filter.item = record.items.first
    filter.since = record.time
    check(filter.accepts(record), "a line lacks what was taken from it")
}

/// Decodes the answers to reading and verifying the audit log.
private func readLog(_ frame: Frame) throws(WireError) {
    if let page = try? AuditPage(frame) {
        var again = FrameReader()
        try again.receive(page.frame)
        try check(AuditPage(again.frame()) == page, "a page reads as something else")
        for line in page.lines { readLine(line) }
    }
    if let result = try? AuditVerification(frame) {
        var again = FrameReader()
        try again.receive(result.frame)
        try check(AuditVerification(again.frame()) == result, "a result reads as something else")
    }
}

/// Decodes the answers to backup and restore requests. Compared as bytes, as below.
private func readBackup(_ frame: Frame) throws(WireError) {
    if let begun = try? BackupBegun(frame) {
        var again = FrameReader()
        try again.receive(begun.frame)
        try check(BackupBegun(again.frame()).frame == begun.frame, "a start reads as something else")
    }
    if let piece = try? BackupPiece(frame) {
        var again = FrameReader()
        try again.receive(piece.frame)
        try check(BackupPiece(again.frame()).frame == piece.frame, "a piece reads as something else")
    }
    if let begun = try? RestoreBegun(frame) {
        var again = FrameReader()
        try again.receive(begun.frame)
        try check(RestoreBegun(again.frame()).frame == begun.frame, "facts read as something else")
    }
    if let progress = try? RestoreProgress(frame) {
        var again = FrameReader()
        try again.receive(progress.frame)
        try check(RestoreProgress(again.frame()).frame == progress.frame, "progress reads as something else")
    }
}

/// Decodes the answers to requests for the keychain as a whole. Compared as bytes, because a time may be NaN.
private func readAdministration(_ frame: Frame) throws(WireError) {
    if let report = try? ProtectorReport(frame) {
        var again = FrameReader()
        try again.receive(report.frame)
        try check(ProtectorReport(again.frame()).frame == report.frame, "a list of protectors reads as something else")
    }
    if let report = try? SettingsReport(frame) {
        var again = FrameReader()
        try again.receive(report.frame)
        try check(SettingsReport(again.frame()) == report, "settings read as something else")
    }
    if let report = try? TokenReport(frame) {
        var again = FrameReader()
        try again.receive(report.frame)
        try check(TokenReport(again.frame()) == report, "tokens read as something else")
    }
    if let figures = try? ServiceFigures(frame) {
        var again = FrameReader()
        try again.receive(figures.frame)
        try check(ServiceFigures(again.frame()).frame == figures.frame, "figures read as something else")
    }
    if let teams = try? TrustedTeamReport(frame) {
        var again = FrameReader()
        try again.receive(teams.frame)
        try check(TrustedTeamReport(again.frame()) == teams, "teams read as something else")
    }
    if let folders = try? DevelopmentFolderReport(frame) {
        var again = FrameReader()
        try again.receive(folders.frame)
        try check(DevelopmentFolderReport(again.frame()) == folders, "folders read as something else")
    }
    if let added = try? AddedProtector(frame) {
        var again = FrameReader()
        try again.receive(added.frame)
        try check(AddedProtector(again.frame()) == added, "a number reads as something else")
    }
}
