// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainTerminal
import Testing

@testable import KeychainCommands

@Suite("chatelaine setup login")
struct LoginTests {
    let tester = CommandLineTester()
    let machine = RecordedMachine.orderly

    init() {
        tester.machine = machine
        tester.keychain.setPasscode("x")
        enable()
    }

    /// Lets the settings of PAM name the module.
    private func enable(_ line: String = "session\toptional\t/usr/lib/security/pam_chatelaine.so program=/usr/bin/x\n")
    {
        machine.texts["/etc/pam.d/common-session"] = "# settings\nsession required pam_unix.so\n" + line
    }

    private func setUp(_ words: String..., typing answers: [String] = []) -> CommandLineTester.Outcome {
        tester.answers = answers
        return tester.run(["chatelaine", "setup", "login"] + words, input: [])
    }

    private func finding() -> String? {
        tester.run("chatelaine", "doctor").outputText.split(separator: "\n").map(String.init)
            .first { $0.split(separator: " ").dropFirst().first == "login" }
    }

    @Test func `the passcode is typed once and the login password twice`() {
        let outcome = setUp(typing: ["x", "login", "login"])
        #expect(outcome.status == 0)
        #expect(outcome.outputText == "The login password unlocks the keychain now.\n")
        #expect(outcome.errorText == "Passcode: \nLogin password: \nOnce more: \n")
        #expect(tester.keychain.secrets(.loginPassword) == [Array("login".utf8)])
    }

    @Test func `descriptors take the place of the terminal`() throws {
        let outcome = setUp("--passcode-fd", try descriptor("x"), "--login-password-fd", try descriptor("login\n"))
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(tester.keychain.secrets(.loginPassword) == [Array("login".utf8)])
    }

    @Test func `another login password takes the place of the earlier one`() throws {
        _ = setUp(typing: ["x", "login", "login"])
        #expect(setUp(typing: ["x", "new", "new"]).status == 0)
        #expect(tester.keychain.secrets(.loginPassword) == [Array("new".utf8)])
    }

    @Test func `a keychain without a passcode gets no login password`() {
        tester.keychain.change { ($0.protectors, $0.lockState) = ([], .noPasscode) }
        let outcome = setUp(typing: ["login", "login"])
        #expect(outcome.status == 4)
        #expect(!outcome.errorText.contains("Login password"))
        #expect(tester.keychain.secrets(.loginPassword).isEmpty)
    }

    @Test func `a wrong passcode changes nothing`() throws {
        let words = ["--passcode-fd", try descriptor("y"), "--login-password-fd", try descriptor("login")]
        #expect(tester.run(["chatelaine", "setup", "login"] + words, input: []).status == 4)
        #expect(tester.keychain.secrets(.loginPassword).isEmpty)
    }

    @Test(
        arguments: [
            "", "#session optional pam_chatelaine.so\n", "auth optional pam_chatelaine.so\n",
            "session optional pam_other.so program=pam_chatelaine.so.old\n",
        ])
    func `if PAM does not use the module in sessions, the step of the administrator is reported`(line: String) {
        enable(line)
        let outcome = setUp(typing: ["x", "login", "login"])
        #expect(outcome.status == 6)
        #expect(outcome.outputText == "The login password unlocks the keychain now.\n")
        #expect(outcome.errorText.contains("hint: an administrator adds the lines of chatelaine-login(8)"))
        #expect(tester.keychain.secrets(.loginPassword).count == 1)
        machine.texts["/usr/share/pam-configs/chatelaine"] = "Name: x\n"
        machine.files["/usr/share/pam-configs/chatelaine"] = .init(kind: .regular, owner: 0, group: 0, mode: 0o644)
        #expect(
            setUp(typing: ["x", "login", "login"]).errorText
                .hasSuffix("hint: as root: pam-auth-update --enable chatelaine\n"))
    }

    @Test(arguments: ["session optional pam_chatelaine.so\n", "-session  optional   /x/pam_chatelaine.so a=b\n"])
    func `each form of a line that uses the module is known`(line: String) {
        enable(line)
        #expect(setUp("--dry-run").status == 0)
        machine.texts["/etc/pam.d/common-session"] = nil
        #expect(setUp("--dry-run").status == 6)
        machine.texts["/usr/lib/pam.d/login"] = line
        #expect(setUp("--dry-run").status == 0)
    }

    @Test(arguments: ["common-session.pam-old", "common-session.dpkg-dist", "login.rpmsave", "login~"])
    func `a copy of earlier settings beside those in use does not count`(name: String) {
        machine.texts["/etc/pam.d/\(name)"] = machine.texts["/etc/pam.d/common-session"]
        enable("")
        #expect(setUp("--dry-run").status == 6)
    }

    @Test func `a dry run changes nothing and asks for nothing`() {
        #expect(setUp("--dry-run").outputText == "The login password would be added to the keychain.\n")
        #expect(tester.keychain.secrets(.loginPassword).isEmpty)
        _ = setUp(typing: ["x", "login", "login"])
        #expect(setUp("--dry-run").outputText == "The login password of the keychain would be replaced.\n")
        #expect(
            setUp("--undo", "--dry-run").outputText == "The login password would be removed from the keychain.\n")
        #expect(tester.keychain.secrets(.loginPassword).count == 1)
    }

    @Test func `undoing removes the login password and leaves the passcode`() {
        #expect(setUp("--undo").outputText == "There is nothing to undo.\n")
        _ = setUp(typing: ["x", "login", "login"])
        let outcome = setUp("--undo", typing: ["x"])
        #expect(outcome.outputText == "A login does not unlock the keychain any more.\n")
        #expect(tester.keychain.secrets(.loginPassword).isEmpty)
        #expect(tester.keychain.secrets(.passcode).count == 1)
        #expect(setUp("--undo", "--login-password-fd", "7").status == 64)
    }

    // MARK: chatelaine doctor

    /// Adds a line of the audit log.
    private func log(_ line: String) { tester.keychain.change { $0.auditLines.append(line) } }

    private func entry(_ time: String, _ program: String, _ outcome: String) -> String {
        """
        {"time":"\(time)","action":"unlock",\(outcome),"uid":1000,"pid":7,"tier":"installed",\
        "program":"\(program)","seq":1,"chain":"00000000000000000000000000000000"}
        """
    }

    private let refused = #""outcome":"refused","status":-25293,"reason":"wrongSecret""#

    @Test func `a keychain without a login password has no finding`() {
        #expect(finding() == nil)
    }

    @Test func `a login password that PAM does not pass on is a note`() {
        _ = setUp(typing: ["x", "login", "login"])
        #expect(finding() == "ok       login        a login unlocks the keychain")
        enable("")
        #expect(finding()?.hasPrefix("note     login        the keychain has a login password, but PAM") == true)
    }

    @Test func `a login whose password was wrong is a warning until a later login`() {
        _ = setUp(typing: ["x", "login", "login"])
        let login = "/usr/bin/chatelaine-login"
        log(entry("2050-01-01T00:00:00.000Z", login, refused))
        log(entry("2050-01-01T00:00:01.000Z", "/usr/bin/chatelaine", #""outcome":"granted""#))
        #expect(
            finding() == "warning  login        your last login did not unlock the keychain, because its login "
                + "password is another one; chatelaine setup login")
        log(entry("2050-01-01T00:00:02.000Z", login, #""outcome":"granted""#))
        #expect(finding()?.hasPrefix("ok") == true)
    }

    @Test func `an entry from before the login password was set counts no longer`() {
        log(entry("1999-01-01T00:00:00.000Z", "/usr/bin/chatelaine-login", refused))
        _ = setUp(typing: ["x", "login", "login"])
        #expect(finding()?.hasPrefix("ok") == true)
    }
}
