// SPDX-License-Identifier: Apache-2.0

import KeychainHelperWire
import KeychainTerminal
import SecretMemory
import Testing

@testable import Prompting

/// The texts of prompts.
struct WordingTests {
    private static let mail = PromptItem(
        .internetPassword, label: PromptText("Post office"), place: PromptText("mail.example"),
        account: PromptText("ann"))

    private static func request(
        _ purpose: PromptRequest.Purpose = .confirmation, options: PromptRequest.Options = [],
        operation: PromptOperation = .readSecret, tier: PromptProgram.Tier = .signed, items: [PromptItem] = [mail],
        further: UInt32 = 0, reason: String? = nil, locale: String? = nil, isOfKnownTeam: Bool = true
    ) -> PromptRequest {
        PromptRequest(
            purpose, options: options, seconds: 120,
            program: PromptProgram(
                process: 42, path: PromptText("/usr/bin/mail"), tier: tier,
                team: tier == .signed ? PromptText("TEAM") : nil,
                identifier: tier == .signed ? PromptText("org.example.mail") : nil, isOfKnownTeam: isOfKnownTeam),
            operation: operation, items: items, furtherItems: further, reason: reason.map { PromptText($0) },
            reader: purpose == .biometry ? PromptText("Virtual") : nil,
            keychain: keychainPurposes.contains(purpose) ? PromptText("login") : nil,
            place: PromptLocation(terminal: "/dev/pts/1", locale: locale))
    }

    private static let keychainPurposes: [PromptRequest.Purpose] = [
        .keychainPassword, .itemConfirmation, .accessChange,
    ]

    private static func item(_ kind: PromptItem.Kind, _ label: String, _ place: String, _ account: String) -> PromptItem
    {
        PromptItem(kind, label: PromptText(label), place: PromptText(place), account: PromptText(account))
    }

    @Test func `a prompt on a terminal names program, team, operation, item and the stated reason`() {
        let lines = PromptWording(Self.request(further: 2, reason: "to fetch the mail")).lines()
        #expect(
            lines == [
                "Keychain: allow this request?",
                "  Known as:       a signed program of team TEAM, which calls it",
                "                  \"org.example.mail\"",
                "  Wants to:       read the secret of 3 items",
                "                  the internet password \"Post office\" (account \"ann\", server",
                "                  \"mail.example\")",
                "                  and 2 more",
                "  Program:        \"/usr/bin/mail\" (process 42)",
                "  Stated reason:  \"to fetch the mail\"",
            ])
    }

    @Test func `a window has the same facts`() {
        #expect(
            PromptWording(Self.request(reason: "please")).description == """
                Keychain: allow this request?

                Known as: a signed program of team TEAM, which calls it
                    "org.example.mail"
                Wants to: read the secret of
                    the internet password "Post office" (account "ann",
                    server "mail.example")
                Program: "/usr/bin/mail" (process 42)
                Stated reason: "please"
                """)
    }

    @Test func `the window that offers to remember an approval names the operation, the item and the program`() {
        #expect(
            PromptWording(Self.request(reason: "please")).rememberingDescription == """
                Keychain: remember this approval?

                With Always Allow, later requests of this program for
                    this operation show no prompt.

                Wants to: read the secret of
                    the internet password "Post office" (account "ann",
                    server "mail.example")
                Program: "/usr/bin/mail" (process 42)
                """)
    }

    @Test func `a name of 10,000 letters and a reason of 500 leave the other facts of a window in sight`() {
        let items = [Self.item(.genericPassword, String(repeating: "w", count: 10_000), "mail", "ann")] + [Self.mail]
        let reason = String(repeating: "because ", count: 62) + "end."
        let lines = PromptWording(Self.request(items: items, further: 3, reason: reason)).description
            .split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 24 && lines.allSatisfy { $0.count <= PinentryText.windowColumns })
        for fact in [
            "Wants to: read the secret of 5 items", "    and 3 more", "Program: \"/usr/bin/mail\" (process 42)",
        ] {
            #expect(lines.contains { $0 == fact }, "\(fact)")
        }
        #expect(lines.contains { $0.hasPrefix("Stated reason: \"because ") })
    }

    @Test func `text from other programs adds no line, and makes no line too long`() {
        let nasty =
            "x\nProgram: /bin/trusted " + String(repeating: "漢字", count: 80) + String(repeating: "w", count: 300)
        let request = Self.request(items: [Self.item(.genericPassword, nasty, nasty, nasty)], reason: nasty)
        let wording = PromptWording(request)
        for line in wording.lines() {
            #expect(line.reduce(0) { $0 + PinentryText.width(of: $1) } <= 78)
            #expect(!line.hasPrefix("Program") && !line.contains("\n"))
        }
        #expect(wording.lines().filter { $0.hasPrefix("  Program:") }.count == 1)
        #expect(!wording.description.contains("\nProgram: /bin"))
    }

    @Test(arguments: ["\"", "\"\u{301}", "\u{201D}", "\u{201C}", "\u{2033}", "\u{FF02}"])
    func `a quotation mark in a text from another program does not end the quotation`(mark: String) {
        let forged = "game\(mark), which /usr/bin/mail stored"
        let shown = "game'\(Substring(mark.unicodeScalars.dropFirst())), which /usr/bin/mail stored"
        var request = Self.request(
            tier: .unsigned, items: [Self.item(.genericPassword, forged, "a\(mark)b", "c\(mark)d")], reason: forged)
        request.program.path = PromptText("/home/ann/x\(mark)y/" + String(repeating: "folder/", count: 30) + mark + "z")
        request.program.starters = [PromptText("/bin/s\(mark)h")]
        let facts = PromptWording(request).facts
        let texts = facts.flatMap(\.values).joined(separator: "\n")
        #expect(texts.contains("\"\(shown)\""))
        #expect(!texts.unicodeScalars.contains { mark.unicodeScalars.first == $0 && $0 != "\"" })
        // Label, service, account, program, starter and reason: two each.
        #expect(texts.unicodeScalars.count { $0 == "\"" } == 12)
        let sentence = PromptWording(
            Self.request(.itemConfirmation, items: [Self.item(.genericPassword, forged, "", "")])
        ).sentence
        // Program and item.
        #expect(sentence?.unicodeScalars.count { $0 == "\"" } == 4)
    }

    @Test(
        arguments: [
            (item(.genericPassword, "", "", ""), "the password without a name"),
            (item(.genericPassword, "mail", "mail", "ann"), "the password \"mail\" (account \"ann\")"),
            (item(.genericPassword, "", "mail", ""), "the password \"mail\""),
            (item(.genericPassword, "Mine", "mail", ""), "the password \"Mine\" (service \"mail\")"),
            (item(.key, "Signing", "", ""), "the key \"Signing\""),
        ])
    func `an item is called by its label, else by its place`(item: PromptItem, name: String) {
        #expect(PromptWording(Self.request(items: [item])).facts[1].values == ["read the secret of", name])
    }

    @Test func `items without names are counted`() {
        func items(_ named: [PromptItem], _ further: UInt32) -> [String] {
            Array(
                PromptWording(Self.request(operation: .delete, items: named, further: further)).facts[1].values
                    .dropFirst())
        }
        #expect(items([], 1) == ["an item whose name cannot be read now"])
        #expect(items([], 7) == ["whose names cannot be read now"])
        #expect(items([Self.item(.key, "k", "", "")], 1) == ["the key \"k\"", "and one more"])
        #expect(
            PromptWording(Self.request(operation: .authenticate, items: [])).facts[1].values == [
                "confirm that it's you"
            ])
        #expect(
            PromptWording(Self.request(operation: .unlock, items: [])).facts[1].values == ["unlock the keychain"])
    }

    @Test func `a prompt for many items names the first ones after their number`() {
        let items = (1...8).map { Self.item(.genericPassword, "item \($0)", "", "") }
        #expect(
            PromptWording(Self.request(items: items, further: 4)).facts[1].values == [
                "read the secret of 12 items", "the password \"item 1\"", "the password \"item 2\"",
                "the password \"item 3\"", "and 9 more",
            ])
        #expect(
            PromptWording(Self.request(items: [], further: 7)).facts[1].values == [
                "read the secret of 7 items", "whose names cannot be read now",
            ])
    }

    @Test func `a prompt to add items gives their number once`() {
        let items = (1...3).map { Self.item(.genericPassword, "item \($0)", "", "") }
        func intention(_ items: [PromptItem]) -> String? {
            PromptWording(Self.request(operation: .add, items: items)).facts[1].values.first
        }
        #expect(intention([items[0]]) == "store")
        #expect(intention(items) == "store 3 items")
        #expect(intention([]) == "store an item")
    }

    @Test(
        arguments: ["w", "%", "\"", "\u{201D}", "漢", "a\u{301}\u{302}", "👩‍👩‍👧", " w"], [nil, "chatelaine-secrets"])
    func `a window shows all facts, whatever the names are: a pinentry reads 1000 bytes`(
        letter: String, bridge: String?
    ) {
        let nasty = String(repeating: letter, count: 600)
        let owner = PromptOwner(.installedProgram, name: PromptText("/o" + nasty), isShielded: true)
        let item = PromptItem(
            .internetPassword, label: PromptText(nasty), place: PromptText("x" + nasty), account: PromptText(nasty))
        let packages = [owner.name.text, PromptText("/" + nasty).text]
        let packagesByPath = Dictionary(packages.map { ($0, nasty) }) { $1 }
        for purpose in PromptRequest.Purpose.allCases {
            for tier in PromptProgram.Tier.allCases {
                var item = item
                // Items of keychain files have no owner.
                if !Self.keychainPurposes.contains(purpose) { item.owner = owner }
                var request = Self.request(
                    purpose, options: [.needsPasscode, .wasWrong, .mayRemember], tier: tier,
                    items: Array(repeating: item, count: 8),
                    further: 4_000_000_000, reason: nasty)
                let hasTeam = tier == .signed || tier == .enforced
                request.program = PromptProgram(
                    process: .max, path: PromptText("/" + nasty), tier: tier, team: hasTeam ? PromptText(nasty) : nil,
                    identifier: hasTeam ? PromptText(nasty) : nil,
                    starters: (1...3).map { _ in PromptText("/" + nasty) }, bridge: bridge.map { PromptText($0) })
                request.keychain = PromptText(nasty)
                let wording = PromptWording(request, packages: packagesByPath, desktopNames: packagesByPath)
                let text = [wording.error, wording.description].compactMap(\.self).joined(separator: "\n\n")
                let bytes = "SETDESC ".utf8.count + text.utf8.reduce(0) { $0 + ("%\r\n".utf8.contains($1) ? 3 : 1) }
                #expect(bytes <= 1000, "\(purpose), \(tier): \(bytes) bytes")
                let lines = text.split(separator: "\n")
                #expect(lines.count <= 24)
                let widths = lines.map { $0.reduce(0) { $0 + PinentryText.width(of: $1) } }
                #expect(widths.allSatisfy { $0 <= PinentryText.windowColumns })
                if purpose != .keychainPassword {
                    #expect(text.contains("4000000008 items") && text.contains("more\n"))
                }
                let words = text.split { $0 == "\n" || $0 == " " }.joined(separator: " ")
                #expect(words.contains("process \(UInt32.max))" + (bridge.map { ", through \($0)" } ?? "")))

                let second = wording.rememberingDescription
                #expect("SETDESC ".utf8.count + PinentryText.size(of: second) + 2 * second.count { $0 == "\n" } <= 1000)
                let secondWidths = second.split(separator: "\n").map {
                    $0.reduce(0) { $0 + PinentryText.width(of: $1) }
                }
                #expect(secondWidths.count <= 24 && secondWidths.allSatisfy { $0 <= PinentryText.windowColumns })
            }
        }
    }

    @Test(
        arguments: [
            ("chatelaine-secrets", "chatelaine-secrets (Secret Service)"),
            ("chatelaine-portal", "chatelaine-portal (desktop portal)"), ("chatelaine-new", "chatelaine-new"),
        ])
    func `a request through a bridge names the bridge beside the program`(bridge: String, text: String) {
        var request = Self.request(reason: "please")
        request.program.bridge = PromptText(bridge)
        let wording = PromptWording(request)
        let program = "\"/usr/bin/mail\" (process 42), through \(text)"
        #expect(wording.facts.first { $0.label == "Program" }?.values == [program])
        for shown in [wording.description, wording.rememberingDescription, wording.lines().joined(separator: "\n")] {
            let words = shown.split { $0 == "\n" || $0 == " " }.joined(separator: " ")
            #expect(words.contains("Program: " + program))
        }
    }

    @Test func `a program behind a bridge is shown in a window`() {
        var request = Self.request(.itemConfirmation, tier: .installed)
        request.program.bridge = PromptText("chatelaine-secrets")
        #expect(
            PromptWording(request).description == """
                Keychain: allow use of an item?

                "mail" wants to use your confidential information stored
                    in "Post office" in your keychain.

                Known as: a program installed by the administrator
                Wants to: read the secret of
                    the internet password "Post office" (account "ann",
                    server "mail.example")
                Program: "/usr/bin/mail" (process 42), through
                    chatelaine-secrets (Secret Service)
                Keychain: "login"
                """)
    }

    @Test func `a long path is cut in the middle`() {
        var request = Self.request()
        request.program.path = PromptText("/home/ann/" + String(repeating: "folder/", count: 30) + "mail")
        let line = PromptWording(request).facts[2].values[0]
        #expect(
            line.hasPrefix("\"/home/ann/folder") && line.contains("…") && line.hasSuffix("/folder/mail\" (process 42)"))
        #expect(line.utf8.count <= 85)
    }

    // MARK: Owners and packages

    @Test(
        arguments: [
            (PromptOwner(.command, name: PromptText("")), "the command chatelaine"),
            (
                PromptOwner(.installedProgram, name: PromptText("/usr/bin/geary")),
                "the program \"/usr/bin/geary\" from the package \"geary\""
            ),
            (
                PromptOwner(.installedProgram, name: PromptText("/opt/x"), isShielded: true),
                "the shielded program \"/opt/x\""
            ),
            (PromptOwner(.unsignedProgram, name: PromptText("0123456789ab…")), "the unsigned program 0123456789ab…"),
            (
                PromptOwner(.developedProgram, name: PromptText("/home/ann/mail/Mail")),
                "the program \"/home/ann/mail/Mail\" in development"
            ),
            (
                PromptOwner(.accessGroup, name: PromptText("TEAM.org.example.mail")),
                "the access group \"TEAM.org.example.mail\""
            ),
            (
                PromptOwner(.accessGroup, name: PromptText("TEAM.mail"), isShielded: true),
                "the shielded programs of the access group \"TEAM.mail\""
            ),
        ])
    func `a prompt says to whom an item of another program belongs`(owner: PromptOwner, text: String) {
        var item = Self.item(.genericPassword, "mail", "mail", "ann")
        item.owner = owner
        let request = Self.request(items: [item])
        // Only the path of an installed program is that of a package.
        let packages = ["/usr/bin/geary", "0123456789ab…", "/home/ann/mail/Mail"].map { ($0, "geary") }
        let wording = PromptWording(request, packages: Dictionary(uniqueKeysWithValues: packages))
        #expect(wording.facts[1].values[1] == "the password \"mail\" (account \"ann\", of \(text))")
        #expect(
            PromptWording.installedPrograms(in: request) == (owner.kind == .installedProgram ? [owner.name.text] : []))
    }

    @Test func `items with equal names are told apart by their owners`() {
        let items = ["/usr/bin/geary", "/usr/bin/mutt"].map { path in
            var item = Self.item(.genericPassword, "mail", "", "")
            item.owner = PromptOwner(.installedProgram, name: PromptText(path))
            return item
        }
        #expect(
            PromptWording(Self.request(items: items)).facts[1].values.dropFirst() == [
                "the password \"mail\" (of the program \"/usr/bin/geary\")",
                "the password \"mail\" (of the program \"/usr/bin/mutt\")",
            ])
    }

    @Test(arguments: PromptProgram.Tier.allCases)
    func `a prompt names the package of a program that is identified by its path, and of no other`(
        tier: PromptProgram.Tier
    ) {
        let request = Self.request(tier: tier, items: [])
        let isByPath = tier == .installed
        #expect(PromptWording.installedPrograms(in: request) == (isByPath ? ["/usr/bin/mail"] : []))
        let wording = PromptWording(request, packages: ["/usr/bin/mail": "mail\nutils"])
        #expect(
            wording.facts.first { $0.label == "Program" }?.values
                == ["\"/usr/bin/mail\" (\(isByPath ? "package \"mail utils\", " : "")process 42)"])
    }

    @Test(arguments: PromptProgram.Tier.allCases)
    func `a program that is identified by its path has its desktop name before the path, and no other has`(
        tier: PromptProgram.Tier
    ) {
        let wording = PromptWording(
            Self.request(tier: tier, items: []), packages: ["/usr/bin/mail": "mailutils"],
            desktopNames: ["/usr/bin/mail": "Post"])
        #expect(
            wording.facts.first { $0.label == "Program" }?.values
                == [
                    tier == .installed
                        ? "\"Post\", \"/usr/bin/mail\" (package \"mailutils\", process 42)"
                        : "\"/usr/bin/mail\" (process 42)"
                ])
        #expect(wording.rememberingDescription.contains("/usr/bin/mail"))
    }

    @Test func `the owner of an item and the sentence have desktop names as well`() {
        var item = Self.item(.genericPassword, "mail", "mail", "ann")
        item.owner = PromptOwner(.installedProgram, name: PromptText("/usr/bin/geary"))
        let names = ["/usr/bin/geary": "Geary", "/usr/bin/mail": "Post"]
        #expect(
            PromptWording(Self.request(items: [item]), desktopNames: names).facts[1].values[1]
                == "the password \"mail\" (account \"ann\", of the program \"Geary\", \"/usr/bin/geary\")")
        var request = Self.request(
            .itemConfirmation, tier: .installed, items: [Self.item(.genericPassword, "x", "", "")])
        request.keychain = PromptText("login")
        #expect(
            PromptWording(request, desktopNames: names).sentence?.hasPrefix("\"Post\" wants to use your") == true)
    }

    @Test(arguments: [
        "\"), allow (\"", "a\nProgram: b", "\u{1B}[2J", "\u{202E}gpj", String(repeating: "w", count: 10_000),
    ])
    func `a hostile desktop name ends neither its quotation marks nor its line, and hides no path`(name: String) {
        let wording = PromptWording(
            Self.request(tier: .installed, items: []), desktopNames: ["/usr/bin/mail": name])
        let line = wording.facts.first { $0.label == "Program" }?.values[0] ?? ""
        #expect(line.hasSuffix(", \"/usr/bin/mail\" (process 42)") && line.utf8.count < 120)
        #expect(line.count { $0 == "\"" } == 4)
        #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
        #expect(wording.description.contains("/usr/bin/mail"))
    }

    @Test func `a window names fewer items if their names are long, and keeps their number and the other facts`() {
        let long = String(repeating: "w", count: 600)
        let items = (1...3).map { _ in
            var item = Self.item(.internetPassword, long, "x" + long, long)
            item.owner = PromptOwner(.accessGroup, name: PromptText(long))
            return item
        }
        let wording = PromptWording(Self.request(items: items, reason: long))
        #expect(PinentryText.fitsWindow(wording.description) && PinentryText.fitsWindow(wording.rememberingDescription))
        #expect(wording.description.contains("Wants to: read the secret of 3 items"))
        #expect(wording.description.contains("\n    and one more\n"))
        #expect(wording.description.contains("\nStated reason:"))
        // A terminal has room for all of them.
        #expect(wording.facts[1].values.count == 4)
    }

    @Test func `a prompt shows whether the team is trusted`() {
        func knowledge(_ isKnown: Bool) -> String {
            PromptWording(Self.request(isOfKnownTeam: isKnown)).facts[0].values[0]
        }
        #expect(knowledge(true) == "a signed program of team TEAM, which calls it \"org.example.mail\"")
        #expect(knowledge(false) == "a signed program of the unknown team TEAM, which calls it \"org.example.mail\"")
    }

    @Test func `a prompt shows the starters of the program, the nearest first`() {
        var request = Self.request(tier: .installed)
        request.program.starters = [PromptText("/home/ann/game"), PromptText("/usr/bin/bash")]
        #expect(
            PromptWording(request).facts[3]
                == .init(
                    label: "Started by", values: ["\"/home/ann/game\", \"/usr/bin/bash\""]))
        request.program.bridge = PromptText("chatelaine-secrets")
        let words = PromptWording(request).description.split { $0 == "\n" || $0 == " " }.joined(separator: " ")
        #expect(words.contains("Started by: \"/home/ann/game\", \"/usr/bin/bash\""), "also behind a bridge")
    }

    @Test func `a prompt describes each tier of a program`() {
        let words = PromptProgram.Tier.allCases.map { PromptWording(Self.request(tier: $0)).facts[0].values[0] }
        #expect(Set(words).count == words.count)
        #expect(words[0] == "unverified: any of your programs could claim this")
    }

    @Test func `where the locale is not UTF-8, only ASCII is shown`() {
        let items = [Self.item(.genericPassword, "Überweisung", "", "")]
        func name(_ locale: String?) -> String {
            PromptWording(Self.request(items: items, locale: locale)).facts[1].values[1]
        }
        #expect(name("de_DE.ISO-8859-1") == "the password \"?berweisung\"")
        for locale in [nil, "de_DE.UTF-8", "C.utf8"] { #expect(name(locale) == "the password \"Überweisung\"") }
    }

    @Test func `each purpose has its own title and field`() {
        let requests =
            PromptRequest.Purpose.allCases.map { Self.request($0) } + [
                Self.request(.applicationPassword, options: .isNew)
            ]
        #expect(Set(requests.map { PromptWording($0).title }).count == PromptRequest.Purpose.allCases.count)
        #expect(
            requests.map { PromptWording($0).fieldName } == [
                "Passcode of the keychain", "Passcode of the keychain", "Password of the item", "",
                "Password of the keychain", "Password of the keychain", "Password of the keychain",
                "New password of the item",
            ])
        #expect(PromptWording(Self.request(.passcode, options: .wasWrong)).error == "Wrong passcode. Try again.")
        #expect(
            PromptWording(Self.request(.applicationPassword, options: .wasWrong)).error == "Wrong password. Try again.")
        for purpose in Self.keychainPurposes {
            #expect(PromptWording(Self.request(purpose, options: .wasWrong)).error == "Wrong password. Try again.")
        }
        #expect(PromptWording(Self.request(.passcode)).error == nil)
        #expect(PromptWording(Self.request(.biometry)).lines().last == "Put a finger on the reader \"Virtual\".")
    }

    // MARK: File keychains

    @Test func `a prompt for an item of a keychain file has the text of Apple's dialog`() {
        #expect(
            PromptWording(Self.request(.itemConfirmation, options: .mayRemember)).lines() == [
                "Keychain: allow use of an item?",
                "\"mail\" wants to use your confidential information stored in \"Post office\"",
                "    in your keychain.",
                "  Known as:  a signed program of team TEAM, which calls it \"org.example.mail\"",
                "  Wants to:  read the secret of",
                "             the internet password \"Post office\" (account \"ann\", server",
                "             \"mail.example\")",
                "  Program:   \"/usr/bin/mail\" (process 42)",
                "  Keychain:  \"login\"",
            ])
    }

    @Test func `a prompt that requires the password says so`() {
        let request = Self.request(.itemConfirmation, options: .needsPasscode, tier: .unsigned)
        #expect(
            PromptWording(request).lines() == [
                "Keychain: allow use of an item?",
                "\"mail\" wants to use your confidential information stored in \"Post office\"",
                "    in your keychain. To allow this, enter the password of the \"login\"",
                "    keychain.",
                "  Known as:  an unsigned program, identified by its file",
                "  Wants to:  read the secret of",
                "             the internet password \"Post office\" (account \"ann\", server",
                "             \"mail.example\")",
                "  Program:   \"/usr/bin/mail\" (process 42)",
                "  Keychain:  \"login\"",
            ])
    }

    @Test(arguments: [
        (PromptOperation.add, UInt32(0), "store \"Post office\""),
        (.readAttributes, 0, "read the attributes of \"Post office\""), (.change, 0, "change \"Post office\""),
        (.delete, 0, "delete \"Post office\""), (.delete, 2, "delete 3 items"),
    ])
    func `in strict mode a prompt for an item of a keychain file names the operation`(
        operation: PromptOperation, further: UInt32, text: String
    ) {
        let request = Self.request(.itemConfirmation, operation: operation, further: further)
        #expect(PromptWording(request).sentence == "\"mail\" wants to \(text) in your keychain.")
    }

    @Test(arguments: [
        (PromptOperation.backUp, "copy the secrets of all programs to a file for any device"),
        (.restore, "restore a backup, also over items of other programs"),
        (.loosenSettings, "change settings so that programs use more items without a prompt"),
    ])
    func `a portable backup, its restore and looser settings say that they concern all programs`(
        operation: PromptOperation, text: String
    ) {
        let lines = PromptWording(Self.request(operation: operation, tier: .installed, items: [])).lines()
        #expect(lines.contains("  Wants to:  \(text)"))
        #expect(!lines.contains { $0.contains("Stated reason") })
    }

    @Test func `a read through a bridge is allowed until the program exits, and everything else once`() {
        func choice(
            _ purpose: PromptRequest.Purpose, _ operation: PromptOperation, through bridge: String?
        ) -> String {
            var request = Self.request(purpose, operation: operation)
            request.program.bridge = bridge.map { PromptText($0) }
            return PromptWording(request).allowance.choice
        }
        let bridge = "chatelaine-secrets"
        #expect(choice(.confirmation, .readSecret, through: bridge) == "until the program exits")
        #expect(choice(.confirmation, .readSecret, through: nil) == "once")
        for operation in [PromptOperation.change, .delete] {
            #expect(choice(.confirmation, operation, through: bridge) == "once")
        }
        #expect(choice(.itemConfirmation, .readSecret, through: bridge) == "once")
    }

    @Test func `a key is signed or decrypted with`() {
        let key = Self.item(.key, "Signing", "", "")
        #expect(
            PromptWording(Self.request(.itemConfirmation, operation: .useKey, items: [key])).lines()[1...2] == [
                "\"mail\" wants to sign or decrypt using the key \"Signing\" in your keychain.",
                "  Known as:  a signed program of team TEAM, which calls it \"org.example.mail\"",
            ])
    }

    @Test func `a locked keychain is unlocked with its password`() {
        #expect(
            PromptWording(Self.request(.keychainPassword, operation: .authenticate, items: [])).lines() == [
                "Keychain: unlock a keychain",
                "\"mail\" wants to use the \"login\" keychain. Please enter the keychain",
                "    password.",
                "  Known as:  a signed program of team TEAM, which calls it \"org.example.mail\"",
                "  Program:   \"/usr/bin/mail\" (process 42)",
                "  Keychain:  \"login\"",
            ])
    }

    @Test func `a change of an item's access object is described as such`() {
        let request = Self.request(
            .accessChange, options: .needsPasscode, operation: .change,
            items: [Self.item(.genericPassword, "mail", "mail", "ann")])
        #expect(
            PromptWording(request).lines() == [
                "Keychain: allow a change of access?",
                "\"mail\" wants to change which programs may use \"mail\" in your keychain. To",
                "    allow this, enter the password of the \"login\" keychain.",
                "  Known as:  a signed program of team TEAM, which calls it \"org.example.mail\"",
                "  Wants to:  change which programs may use",
                "             the password \"mail\" (account \"ann\")",
                "  Program:   \"/usr/bin/mail\" (process 42)",
                "  Keychain:  \"login\"",
            ])
        #expect(
            PromptWording(request).description == """
                Keychain: allow a change of access?

                "mail" wants to change which programs may use "mail" in
                    your keychain. To allow this, enter the password of the
                    "login" keychain.

                Known as: a signed program of team TEAM, which calls it
                    "org.example.mail"
                Wants to: change which programs may use
                    the password "mail" (account "ann")
                Program: "/usr/bin/mail" (process 42)
                Keychain: "login"
                """)
    }

    @Test func `an item and a program without names are called so, and long names stay within the lines`() {
        var request = Self.request(.itemConfirmation, items: [])
        request.program.path = PromptText("")
        #expect(
            PromptWording(request).sentence
                == "A program wants to use your confidential information stored in an item without a name in your keychain."
        )
        let nasty = "x\nProgram: /bin/trusted " + String(repeating: "w", count: 300)
        for purpose in Self.keychainPurposes {
            var request = Self.request(purpose, items: [Self.item(.genericPassword, nasty, "", "")])
            request.keychain = PromptText(nasty)
            request.program.path = PromptText("/bin/" + nasty)
            let lines = PromptWording(request).lines()
            #expect(lines.allSatisfy { $0.count <= 78 && !$0.hasPrefix("Program") })
            #expect(lines.filter { $0.hasPrefix("  Program:") }.count == 1)
        }
    }
}

extension WordingTests {
    @Test func `the strength of a new password is shown, with reasons if it is weak`() {
        func judgement(_ text: String) -> String? {
            PromptWording.judgement(of: SecretBytes(copying: Array(text.utf8)))
        }
        #expect(
            judgement("password")
                == "That password is very weak: it is one of the 10 most used passwords. Better: "
                + "add another word or two; uncommon words are better.")
        #expect(judgement("j3#vQ!x0-Lm2%pT") == "That password is strong.")
        #expect(judgement("") == nil)
    }
}
