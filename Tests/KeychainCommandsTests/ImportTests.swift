// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainClient
import KeychainModel
import KeychainWire
import Testing

@testable import KeychainCommands

@Suite("chatelaine import")
struct ImportTests {
    let tester = CommandLineTester()

    private func read(_ text: String, _ words: String...) -> CommandLineTester.Outcome {
        tester.run(["chatelaine", "import"] + words, input: Array(text.utf8))
    }

    private var items: [ScriptedKeychain.Item] { tester.keychain.items }

    private static let apple = """
        Title,URL,Username,Password,Notes,OTPAuth
        Example (ann),https://Example.org/login,ann,"p,""w",a note,
        Router,,admin,s3cret,,

        """

    @Test func `Apple's columns are seen by the header`() {
        let outcome = read(Self.apple)
        #expect(
            outcome
                == .init(
                    status: 0, output: Array("2 added, 0 replaced, 0 already stored, 0 in conflict, 0 invalid\n".utf8)))
        #expect(items.map(\.reference.itemClass) == [.internetPassword, .genericPassword])
        #expect(items[0].attributes[.server] == .string("example.org"))
        #expect(items[0].attributes[.protocol] == .string("htps"))
        #expect(items[0].attributes[.path] == .string("/login"))
        #expect(items[0].attributes[.account] == .string("ann"))
        #expect(items[0].attributes[.label] == .string("Example (ann)"))
        #expect(items[0].attributes[.comment] == .string("a note"))
        #expect(items[0].secret == Array("p,\"w".utf8))
        #expect(items[1].attributes[.service] == .string("Router"))
        #expect(items[1].attributes[.comment] == nil)
        #expect(items[1].secret == Array("s3cret".utf8))
    }

    @Test func `Chrome's columns are seen by the header, with and without notes`() {
        #expect(read("name,url,username,password,note\nmail,https://h/,ann,pw,n\n").status == 0)
        #expect(items[0].attributes[.label] == .string("mail"))
        #expect(items[0].attributes[.comment] == .string("n"))
        #expect(read("name,url,username,password\r\n,android://hash@com.example/,bob,pw\r\n").status == 0)
        #expect(items[1].reference.itemClass == .genericPassword)
        #expect(items[1].attributes[.service] == .string("android://hash@com.example/"))
    }

    @Test func `the same login from two browsers is one item, unless something would be lost`() {
        let firefox = "url,username,password,httpRealm,guid\n"
        #expect(
            read("name,url,username,password,note\nex,https://example.org/login?a,ann,pw,n\n").status == 0)
        let again = read(firefox + "https://example.org,ann,pw,,{1}\n", "--json")
        #expect(again.status == 0 && items.count == 1)
        #expect(again.outputText.contains("\"reason\": \"stored for https://example.org/login?a\""))
        for other in [
            "https://example.org,ann,other,,{1}", "https://example.org,bob,pw,,{1}", "http://example.org,ann,pw,,{1}",
            "https://example.org:8443,ann,pw,,{1}", "https://www.example.org,ann,pw,,{1}",
        ] {
            let count = items.count
            #expect(read(firefox + other + "\n").status == 0)
            #expect(items.count == count + 1, "\(other)")
        }
        let count = items.count
        #expect(read("name,url,username,password,note\nex,https://example.org/new,ann,pw,another\n").status == 0)
        #expect(items.count == count + 1)
    }

    @Test func `JSON restores each item, also two of a site with the same secret`() throws {
        try tester.keychain.put(server: "example.org", user: "ann", [.init(.protocol, .string("htps"))])
        try tester.keychain.put(
            server: "example.org", user: "ann", [.init(.protocol, .string("htps")), .init(.path, .string("/b"))])
        let exported = tester.run("chatelaine", "export", "-").output
        tester.keychain.change { $0.items.removeLast() }
        #expect(tester.run(["chatelaine", "import"], input: exported).status == 0)
        #expect(items.count == 2)
    }

    @Test func `Firefox's columns are recognized by the header, and ignored columns are reported`() {
        let header =
            "\"url\",\"username\",\"password\",\"httpRealm\",\"formActionOrigin\",\"guid\",\"timeCreated\",\"timeLastUsed\",\"timePasswordChanged\""
        let outcome = read("\(header)\n\"https://h\",\"ann\",\"pw\",\"Realm\",\"\",\"{1}\",\"1\",\"2\",\"3\"\n")
        #expect(outcome.status == 0)
        #expect(
            outcome.outputText.hasPrefix(
                "ignored columns: formActionOrigin, guid, timeCreated, timeLastUsed, timePasswordChanged\n"))
        #expect(items[0].attributes[.securityDomain] == .string("Realm"))
        #expect(items[0].attributes[.label] == .string("h"))
    }

    @Test func `columns may stand in any order and case, behind a byte order mark`() {
        #expect(
            read("\u{FEFF}PASSWORD,Extra,title,Url,UserName\npw,x,T,h.example,ann\n").outputText.hasPrefix(
                "ignored columns: Extra\n"))
        #expect(items[0].attributes[.server] == .string("h.example"))
        #expect(items[0].secret == Array("pw".utf8))
    }

    @Test func `the setup of one-time passwords becomes a secret of its own`() {
        let setup = "otpauth://totp/x?secret=ABC"
        #expect(
            read("Title,URL,Username,Password,Notes,OTPAuth\nT,https://h,ann,pw,,\(setup)\nOnly,,bob,,,\(setup)\n")
                .status == 0)
        #expect(items.count == 3)
        #expect(items[1].attributes[.service] == .string("otpauth:https://h"))
        #expect(items[1].attributes[.itemDescription] == .string("one-time password"))
        #expect(items[1].secret == Array(setup.utf8))
        #expect(items[2].attributes[.service] == .string("otpauth:Only"))
        let listed = tester.run("chatelaine", "list", "--json").outputText
        #expect(!listed.contains("ABC"))
    }

    @Test func `a dry run reports each record and changes nothing`() throws {
        _ = read(Self.apple)
        let text =
            Self.apple.replacing("s3cret", with: "other")
            + "New,,,pw,,\nT,https://u:p@h,,pw,,\nshort,row\n,,x,y,,\nT,,x,,,\n"
        let before = tester.keychain.items.map(\.secret)
        tester.keychain.change { $0.requests = [] }
        let outcome = read(text, "--dry-run")
        #expect(outcome.status == 1)
        #expect(
            outcome.outputText == """
                line 2: duplicate: "https://example.org/login" (user ann)
                line 3: conflict: "Router" (user admin): stored with a different secret
                line 4: would be added: "New"
                line 5: invalid: the URL contains a password, which lists would show
                line 6: invalid: the row has 2 fields, but the header has 6
                line 7: invalid: the row has neither a URL nor a title
                line 8: invalid: the password is empty
                1 to add, 0 to replace, 1 already stored, 1 in conflict, 4 invalid; nothing was changed

                """)
        #expect(items.map(\.secret) == before)
        #expect(!tester.keychain.requests.contains(.add) && !tester.keychain.requests.contains(.update))
        #expect(read(text, "--dry-run", "--replace", "--skip-invalid").status == 6)
        #expect(items.map(\.secret) == before)
        #expect(read(Self.apple, "--dry-run").status == 0)
    }

    @Test func `a file with an invalid record stores nothing, unless the others are wanted`() {
        let text = "name,url,username,password\ngood,,a,1\n,,b,2\n"
        let outcome = read(text)
        #expect(outcome.status == 1)
        #expect(
            outcome.outputText == """
                line 3: invalid: the row has neither a URL nor a title
                1 to add, 0 to replace, 0 already stored, 0 in conflict, 1 invalid; nothing was changed

                """)
        #expect(
            outcome.errorText == """
                error: the file has invalid records (1)
                hint: correct them, or skip them with --skip-invalid

                """)
        #expect(items.isEmpty)
        let second = read(text, "--skip-invalid")
        #expect(second.status == 6)
        #expect(second.outputText.hasSuffix("1 added, 0 replaced, 0 already stored, 0 in conflict, 1 invalid\n"))
        #expect(items.map(\.secret) == [Array("1".utf8)])
    }

    @Test(arguments: [
        ("", 1, "the file is empty"), ("\n\n", 1, "the file is empty"),
        (
            "a,b\n1,2\n", 1,
            "the columns do not match the export of a supported program: Title,URL,Username,Password,Notes,OTPAuth"
        ),
        ("name,url,username,password,Name\n", 1, "two columns have the same name"),
        ("name,url,username,password\na,,b,\"c\n", 2, "a quotation mark is not closed"),
        ("name,url,username,password\na,,b,c\nd,,\"e\"f,g\n", 3, "text follows the closing quotation mark of a field"),
        ("{\"format\":\n1}", 2, "the format is not chatelaine-passwords"),
        ("{", 1, "a name in quotes is expected"),
        ("{\"format\":\"chatelaine-passwords\"}", 1, "the member version is missing"),
        ("{\"format\":\"chatelaine-passwords\",\"version\":2,\"items\":[]}", 1, "the version of the format is not 1"),
        ("{\"format\":\"chatelaine-passwords\",\"version\":1,\n\"items\":{}}", 2, "the member items is not an array"),
        ("{\"format\":\"chatelaine-passwords\",\"version\":1,\"items\":[],\n\"more\":1}", 2, "the member is unknown"),
    ])
    func `a file that cannot be read changes nothing`(text: String, line: Int, reason: String) {
        let outcome = read(text)
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errorText.hasPrefix("error: line \(line): \(reason)"))
        #expect(outcome.errorText.hasSuffix("\nhint: nothing was stored\n"))
        #expect(tester.keychain.requests.isEmpty)
    }

    @Test func `a stored item keeps its secret unless it is to be replaced`() {
        _ = read(Self.apple)
        let changed = Self.apple.replacing("s3cret", with: "new").replacing(",new,,", with: ",new,changed,")
        let outcome = read(changed)
        #expect(outcome.status == 6)
        #expect(
            outcome.outputText == """
                line 3: conflict: "Router" (user admin): stored with a different secret
                0 added, 0 replaced, 1 already stored, 1 in conflict, 0 invalid

                """)
        #expect(
            outcome.errorText == """
                error: some records of the file were not stored (1)
                hint: add --replace to overwrite the secrets of existing items

                """)
        #expect(items[1].secret == Array("s3cret".utf8))
        #expect(
            read(changed, "--replace").outputText == "0 added, 1 replaced, 1 already stored, 0 in conflict, 0 invalid\n"
        )
        #expect(items[1].secret == Array("new".utf8))
        #expect(items[1].attributes[.comment] == .string("changed"))
        #expect(items.count == 2)
        #expect(read(changed).status == 0)
    }

    @Test func `another program's item is not in the way`() throws {
        try tester.keychain.put("Router", user: "admin", secret: [1], group: "installed:/usr/bin/other")
        #expect(read(Self.apple).status == 0)
        #expect(items.count == 3)
        #expect(items[0].secret == [1])
    }

    @Test func `of two records that are the same item the first counts`() {
        let text = "name,url,username,password\nA,https://h,ann,1\nB,https://h:443/,ann,1\nC,https://H,ann,2\n"
        for words in [[], ["--replace"]] {
            let outcome = tester.run(["chatelaine", "import"] + words, input: Array(text.utf8))
            #expect(outcome.status == 6)
            #expect(
                outcome.outputText.hasPrefix(
                    "line 4: conflict: \"https://h\" (user ann): line 2 has a different secret for this item\n"))
            #expect(items.map(\.secret) == [Array("1".utf8)])
        }
    }

    @Test func `text is compared as the keychain compares it, by its bytes`() {
        // Two spellings of the same letter are two accounts.
        #expect(read("name,url,username,password\nA,,\u{E9},1\nA,,e\u{301},2\n").status == 0)
        #expect(items.count == 2)
    }

    @Test func `an item that another program adds in the meantime is a conflict`() throws {
        let plan = try #require(try? PasswordFile(csv: accumulator(Self.apple.utf8)))
        #expect(plan.records.count == 2)
        // The scripted service calls it a duplicate though the listing does not show it.
        try tester.keychain.put("Router", user: "admin", secret: [1])
        tester.keychain.change { $0.hidesItems = true }
        let outcome = read(Self.apple)
        #expect(outcome.status == 6)
        #expect(
            outcome.outputText.hasPrefix(
                "line 3: conflict: \"Router\" (user admin): another program stored it during the import\n"))
    }

    @Test func `a service that goes away is told with what was stored before`() {
        tester.keychain.change { $0.additionsUntilFailure = 1 }
        let outcome = read(Self.apple)
        #expect(outcome.status == 5)
        #expect(
            outcome.errorText
                == "error: line 3: gone\nhint: 1 records before this line were stored; run the same command again to continue\n"
        )
        tester.keychain.change { $0.additionsUntilFailure = nil }
        #expect(read(Self.apple).outputText == "1 added, 0 replaced, 1 already stored, 0 in conflict, 0 invalid\n")
    }

    @Test func `JSON reports each record`() throws {
        let outcome = read("name,url,username,password,x\na,,b,c,\n,,b,c,\n", "--json", "--skip-invalid")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
        #expect(report["changed"] as? Bool == true)
        #expect(
            (report["counts"] as? [String: Int]) == [
                "added": 1, "replaced": 0, "duplicate": 0, "conflict": 0, "invalid": 1,
            ])
        #expect(report["ignoredColumns"] as? [String] == ["x"])
        let records = try #require(report["records"] as? [[String: Any]])
        #expect(records.map { $0["line"] as? Int } == [2, 3])
        #expect(records.map { $0["outcome"] as? String } == ["added", "invalid"])
        #expect(records[0]["name"] as? String == "a" && records[0]["user"] as? String == "b")
        #expect(records[1]["reason"] as? String == "the row has neither a URL nor a title")
        #expect(!outcome.outputText.contains("\"c\""))
    }

    @Test func `a file is read by its name, and - is standard input`() throws {
        let folder = try ScratchFolder()
        #expect(read("", try folder.write(Self.apple, "p.csv")).status == 0)
        #expect(read(Self.apple, "-").outputText == "0 added, 0 replaced, 2 already stored, 0 in conflict, 0 invalid\n")
        let outcome = read("", folder.path("none"))
        #expect(outcome.status == 1)
        #expect(
            outcome.errorText.hasPrefix("error: cannot read \"\(folder.path("none"))\": No such file or directory\n"))
        #expect(read("", folder.path("")).status == 1)
        for device in ["/dev/zero", "/dev/null"] {
            let refused = read("", device)
            #expect(refused.status == 1)
            #expect(
                refused.errorText.hasPrefix("error: cannot read \"\(device)\": it is a device, not a file or a pipe\n"))
        }
    }

    @Test func `a terminal is not read from`() {
        tester.inputIsTerminal = true
        #expect(
            read(Self.apple).errorText
                == "error: cannot read standard input: it is a terminal\nhint: `chatelaine import FILE` reads a file\n")
        #expect(items.isEmpty)
    }

    @Test func `names that could forge lines are shown harmlessly`() {
        let outcome = read("name,url,username,password\n\"a\nline 9: \u{1B}[31m\",,u,p\n", "--dry-run")
        #expect(outcome.outputText.split(separator: "\n").count == 2)
        #expect(!outcome.outputText.contains("\u{1B}"))
    }

    @Test(
        arguments: [
            (#"{"class":"cert","attributes":{},"secret":""}"#, "the class is neither genp nor inet"),
            (#"{"class":"genp","attributes":{}}"#, "the member secret is missing"),
            (#"{"class":"genp","attributes":[],"secret":""}"#, "the member attributes is not an object"),
            (#"{"class":"genp","attributes":{},"secret":1}"#, "the member secret is neither text nor base64"),
            (
                #"{"class":"genp","attributes":{},"secret":{"base64":"A"}}"#,
                "the member secret is neither text nor base64"
            ),
            (
                #"{"class":"genp","attributes":{},"secret":{"base64":"","x":1}}"#,
                "the member secret is neither text nor base64"
            ),
            (#"{"class":"genp","attributes":{},"secret":"","x":1}"#, "the member is unknown"),
            (
                #"{"class":"genp","attributes":{"server":"h"},"secret":""}"#,
                "an item of this class has no attribute server"
            ),
            (
                #"{"class":"genp","attributes":{"serviceX":"h"},"secret":""}"#,
                "the attribute is unknown"
            ),
            (#"{"class":"genp","attributes":{"svce":"h"},"secret":""}"#, "the attribute is unknown"),
            (#"{"class":"genp","attributes":{"tomb":true},"secret":""}"#, "the attribute tomb cannot be set"),
            (#"{"class":"genp","attributes":{"tokenID":"t"},"secret":""}"#, "the attribute tokenID cannot be set"),
            (
                #"{"class":"genp","attributes":{"account":null},"secret":""}"#,
                "the attribute account has a value of the wrong type"
            ),
            (
                #"{"class":"genp","attributes":{"account":{}},"secret":""}"#,
                "the attribute account has a value of the wrong type"
            ),
            (
                #"{"class":"genp","attributes":{"synchronizable":1},"secret":""}"#,
                "the attribute synchronizable has a value of the wrong type"
            ),
            (
                #"{"class":"genp","attributes":{"creationDate":5},"secret":""}"#,
                "the attribute creationDate has a value of the wrong type"
            ),
            (
                #"{"class":"genp","attributes":{"accessible":"x"},"secret":""}"#,
                "the attribute accessible has a value of the wrong type"
            ),
            (
                #"{"class":"genp","attributes":{"accessControl":{"accessible":"ak","flags":4}},"secret":""}"#,
                "the value of accessControl is not valid"
            ),
            (#"{"class":"genp","attributes":{"accessControl":"ak"},"secret":""}"#, "an object is expected"),
            (#"[]"#, "an object is expected"),
        ])
    func `an item of our own format that cannot be is invalid`(item: String, reason: String) {
        let outcome = read("{\"format\":\"chatelaine-passwords\",\"version\":1,\"items\":[\n\(item)]}")
        #expect(outcome.status == 1)
        #expect(outcome.outputText.hasPrefix("line 2: invalid: \(reason)\n"))
        #expect(items.isEmpty)
    }

    // MARK: Private items

    private static let bank = "Title,URL,Username,Password\nbank,,ann,pw\n"

    private func putPrivateItem() throws {
        try tester.keychain.put("bank", user: "ann", secret: Array("pw".utf8), group: CommandGroup.privateItems)
    }

    @Test func `a private item is a conflict whatever its secret is, because reading that takes an approval`() throws {
        try putPrivateItem()
        let outcome = read(Self.bank)
        #expect(outcome.status == 6)
        #expect(outcome.outputText.contains("stored as a private item"))
        #expect(outcome.outputText.hasSuffix("0 added, 0 replaced, 0 already stored, 1 in conflict, 0 invalid\n"))
        #expect(items.count == 1, "there is no shared one beside it")
    }

    @Test func `with --replace the private item gets the secret, after an approval`() throws {
        try putPrivateItem()
        #expect(read(Self.bank, "--replace").status != 0)
        #expect(items.map(\.secret) == [Array("pw".utf8)])
        tester.keychain.change { $0.allowsPrivateItems = true }
        #expect(
            read("Title,URL,Username,Password\nbank,,ann,new\n", "--replace").outputText
                == "0 added, 1 replaced, 0 already stored, 0 in conflict, 0 invalid\n")
        #expect(items.map(\.secret) == [Array("new".utf8)])
        #expect(items.map(\.attributes.accessGroup) == [CommandGroup.privateItems])
    }

    @Test func `what was private when it was exported is private again, and other groups are the service's choice`()
        throws
    {
        try putPrivateItem()
        try tester.keychain.put("mail")
        tester.keychain.change { $0.allowsPrivateItems = true }
        let exported = tester.run("chatelaine", "export", "--format", "json").output
        tester.keychain.change { $0.items = [] }
        #expect(tester.run(["chatelaine", "import"], input: exported).status == 0)
        let groups = items.map { [$0.attributes[.service]?.shownText, $0.attributes.accessGroup] }
        #expect(
            groups.contains(["bank", CommandGroup.privateItems]) && groups.contains(["mail", CommandGroup.shared]))
    }
}
