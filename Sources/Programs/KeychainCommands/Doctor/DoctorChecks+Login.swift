// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainWire

extension DoctorChecks {
    /// Checks whether a login unlocks a keychain that has a login password.
    func login(_ context: CommandContext) -> [Finding] {
        guard let protector = try? context.client.protectors().known.first(where: { $0.kind == .loginPassword }) else {
            return []
        }
        let module = LoginModule(machine: machine)
        guard module.isEnabled else {
            return [
                Finding(
                    "login", .note, "the keychain has a login password, but PAM does not pass login passwords on",
                    advice: module.advice)
            ]
        }
        guard lastLoginSucceeded(since: protector.added, context) else {
            return [
                Finding(
                    "login", .warning,
                    "your last login did not unlock the keychain, because its login password is another one",
                    advice: "chatelaine setup login")
            ]
        }
        return [Finding("login", .ok, "a login unlocks the keychain")]
    }

    /// Returns whether the audit log has no wrong login password as the last entry of the login program since this time.
    private func lastLoginSucceeded(since time: Timestamp, _ context: CommandContext) -> Bool {
        var filter = AuditFilter()
        filter.program = "/chatelaine-login"
        filter.since = time
        var cursor: AuditCursor?
        while let page = try? context.client.auditPage(filter, .newestFirst, from: cursor, limit: 1) {
            if let line = page.lines.first, let record = AuditRecord(line) {
                return record.text("reason") != "wrongSecret"
            }
            if page.isEnd { break }
            cursor = page.next
        }
        // A log without such an entry and an unreadable log show no failure.
        return true
    }
}
