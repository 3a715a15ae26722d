// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import SecretMemory
import TestSupport
import Testing

@testable import KeychainCommands

@Suite("files in which programs keep secrets")
struct CredentialFileTests {
    /// Returns each found secret as a line, and the rest of the file after all removable secrets were removed.
    private func read(_ file: CredentialFile, _ text: String) throws -> (found: [String], rest: String) {
        let source = SecretAccumulator()
        source.append(text.utf8)
        let found = try file.credentials(in: source)
        let lines = found.map { credential in
            let secret = String(decoding: credential.secret.bytes, as: UTF8.self)
            switch credential.place {
            case .stays(let reason): return "\(credential.line) \(secret) stays: \(reason)"
            case .item(let item, _):
                let attributes = item.key.map { entry in "\(entry.key.name)=\(entry.value.shownText ?? "")" }
                return "\(credential.line) \(secret) \(item.passwordClass) \(attributes.joined(separator: " "))"
            }
        }
        return (lines, String(decoding: found.cutting(from: source.bytes), as: UTF8.self))
    }

    @Test func `a netrc's passwords go with the blanks before them, and all else stays`() throws {
        let text = """
            # mine
            machine example.org login ann password s3cret account x
            machine ftp.example.org
              login bob
              password "with \\"blank\\" "
            macdef init
            password none
            machine no

            default login anonymous password guest
            """
        let (found, rest) = try read(.netrc, text)
        #expect(
            found == [
                "2 s3cret internet srvr=example.org acct=ann",
                "5 with \"blank\"  internet srvr=ftp.example.org acct=bob",
                "10 guest stays: it does not belong to a host",
            ])
        #expect(
            rest == """
                # mine
                machine example.org login ann account x
                machine ftp.example.org
                  login bob
                macdef init
                password none
                machine no

                default login anonymous password guest
                """)
    }

    @Test func `lines of git's file go whole, and percent signs are decoded`() throws {
        let text =
            "https://ann:p%40ss%3a@example.org\r\nhttps://bob@example.org\n# no\nhttps://c:d@git.example.org:8443/a/b.git\nhttps://e:%zz@h\n"
        let (found, rest) = try read(.git, text)
        #expect(
            found == [
                "1 p@ss: internet srvr=example.org ptcl=htps acct=ann",
                "4 d internet srvr=git.example.org ptcl=htps port=8443 path=/a/b.git acct=c",
                "5 %zz stays: git cannot decode its password",
            ])
        #expect(rest == "https://bob@example.org\n# no\nhttps://e:%zz@h\n")
    }

    @Test func `npm's tokens and passwords are told apart, and variables are none`() throws {
        let text = """
            registry=https://registry.npmjs.org/
            //registry.npmjs.org/:_authToken=npm_abc
            //npm.example.org/a/:username=ann
            //npm.example.org/a/:_password="cGFzcw=="
            //b.example.org/:_auth = YW5uOnB3
            //c.example.org/:_authToken=${NPM_TOKEN}
            ; //d.example.org/:_authToken=x
            _auth=YW5uOnB3
            //e.example.org/:_password=cGFzcw==
            """
        let (found, rest) = try read(.npm, text)
        #expect(
            found == [
                "2 npm_abc internet srvr=registry.npmjs.org ptcl=htps acct=_authToken",
                "4 pass internet srvr=npm.example.org ptcl=htps path=/a/ acct=ann",
                "5 pw internet srvr=b.example.org ptcl=htps acct=ann", "8 YW5uOnB3 stays: it does not name a registry",
                "9 cGFzcw== stays: it has no user name",
            ])
        #expect(rest.split(separator: "\n").count == 6)
    }

    @Test func `sections of a pypirc are items of Python's keyring`() throws {
        let text = """
            [distutils]
            index-servers = pypi
              mine

            [pypi]
            password = pypi-token
            [mine]
            repository: https://pypi.example.org/
            username: ann
            password: two
              lines
            [other]
            username = bob
            password = x
            """
        let (found, rest) = try read(.pypi, text)
        #expect(
            found == [
                "6 pypi-token generic svce=https://upload.pypi.org/legacy/ acct=__token__",
                "10 two stays: its password spans several lines", "14 x stays: its section does not name a repository",
            ])
        #expect(rest == text.replacing("password = pypi-token\n", with: ""))
    }

    @Test(arguments: [
        (
            #"{"auths": {"ghcr.io": {"auth": "YW5uOnB3"}}, "psFormat": "x"}"#,
            #"{"auths": {"ghcr.io": {}}, "psFormat": "x"}"#
        ),
        (#"{"auths":{"ghcr.io":{"auth":"YW5uOnB3", "email":"a"}}}"#, #"{"auths":{"ghcr.io":{"email":"a"}}}"#),
        (
            "{\"auths\":{\"ghcr.io\":{\"email\":\"a\" ,\n\t\"auth\":\"YW5uOnB3\"\n}}}",
            "{\"auths\":{\"ghcr.io\":{\"email\":\"a\"\n}}}"
        ),
    ])
    func `docker's member is removed with its comma, and the rest is JSON`(text: String, expected: String) throws {
        let (found, rest) = try read(.docker, text)
        #expect(
            found == ["1 pw internet srvr=ghcr.io ptcl=htps acct=ann"]
                || found == ["2 pw internet srvr=ghcr.io ptcl=htps acct=ann"])
        #expect(rest == expected)
        #expect(try read(.docker, rest).found.isEmpty)
    }

    @Test func `docker's registry may be a URL, and its tokens stay`() throws {
        let text =
            #"{"auths":{"https://index.docker.io/v1/":{"auth":"YW5uOnB3"},"a.example.org":{"identitytoken":"t"},"b":{"auth":"!"}}}"#
        #expect(
            try read(.docker, text).found == [
                "1 pw internet srvr=index.docker.io ptcl=htps path=/v1/ acct=ann",
                "1 t stays: docker passes it to credential helpers in its own format",
                "1 ! stays: it is not a user name and a password in base64",
            ])
    }

    @Test(arguments: [
        (CredentialFile.npm, "//u:hidden@r.example/:_authToken=x"), (.netrc, "machine u:hidden@h login a password x"),
        (.docker, #"{"auths":{"https://u:hidden@h":{"auth":"YW5uOnB3","identitytoken":"t"}}}"#),
        (.pypi, "[a]\nrepository=https://u:hidden@h/\npassword=x"), (.git, "https://u:hidden@[h"),
    ])
    func `a password in an address is not shown, and not stored as an attribute`(
        file: CredentialFile, text: String
    ) throws {
        let source = SecretAccumulator()
        source.append(text.utf8)
        let found = try file.credentials(in: source)
        #expect(!found.isEmpty)
        for credential in found {
            #expect(!credential.title.contains("hidden"))
            guard case .stays = credential.place else {
                Issue.record("it would be moved: \(credential.title)")
                continue
            }
        }
    }

    @Test func `each file is looked for where its program looks, and a relative folder is none`() {
        let variables = ["XDG_CONFIG_HOME": "/c", "DOCKER_CONFIG": "/d", "NETRC": "relative"]
        let paths = CredentialFile.allCases.map { $0.path(home: "/h") { variables[$0] } }
        #expect(
            paths == [
                "/h/.netrc", "/h/.git-credentials", "/c/git/credentials", "/h/.npmrc", "/h/.pypirc", "/d/config.json",
                "/c/gh/hosts.yml",
            ])
        #expect(CredentialFile.gitHub.path(home: "/h") { $0 == "GH_CONFIG_DIR" ? "/g" : nil } == "/g/hosts.yml")
        #expect(CredentialFile.gitHub.path(home: "/h") { _ in nil } == "/h/.config/gh/hosts.yml")
    }

    @Test func `gh's tokens are found and stay`() throws {
        let text = """
            github.com:
                users:
                    octo:
                        oauth_token: gho_1
                git_protocol: https
                oauth_token: gho_1
                user: octo
            """
        let (found, rest) = try read(.gitHub, text)
        #expect(found.count == 2 && found.allSatisfy { $0.contains("stays") } && rest == text)
    }

    @Test(arguments: [
        (CredentialFile.netrc, "machine"), (.netrc, "machine a password \"x"), (.netrc, "hello"),
        (.netrc, "machine a password x password y"), (.pypi, "password=x"), (.pypi, "[a"), (.docker, "{"),
        (.docker, "[]"),
        (.docker, #"{"auths": 1}"#), (.gitHub, "github.com: {a: b}\n- c"), (.gitHub, "\tgithub.com:"),
        (.git, "\u{FEFF}\0\u{FFFE}"),
    ])
    func `a file in another form is refused whole, or holds nothing`(file: CredentialFile, text: String) {
        do {
            let found = try read(file, text).found
            #expect(file == .git && found.isEmpty)
        } catch let problem as TextProblem {
            #expect(problem.line >= 1)
        } catch {
            Issue.record(error)
        }
    }

    @Test(arguments: CredentialFile.allCases)
    func `reading ends for any bytes, and a second reading of the remainder finds nothing to move`(
        file: CredentialFile
    ) {
        var random = SeededGenerator(seed: 9)
        let pieces = [
            "machine ", "login ", "password ", "macdef ", "default ", "\"", "\\", "\n", "\r\n", " ", "\t", "#", ";",
            "[pypi]", "[", "]",
            "password", "=", ":", "repository", "username", "https://", "a:b@", "h.example", "/",
            "//r.example/:_authToken", "${X}",
            "{", "}", "\"auths\"", "\"auth\"", "\"YW5uOnB3\"", ",", "oauth_token: x", "github.com:", "é", "\0", "%4",
            "%41", "\u{FEFF}",
        ]
        for _ in 0..<2000 {
            var text = ""
            for _ in 0..<Int.random(in: 0..<24, using: &random) { text += pieces.randomElement(using: &random)! }
            guard let (_, rest) = try? read(file, text) else { continue }
            guard let again = try? read(file, rest) else {
                Issue.record("what is left of \(text.debugDescription) cannot be read: \(rest.debugDescription)")
                continue
            }
            #expect(again.rest == rest, "\(text.debugDescription)")
        }
    }
}
