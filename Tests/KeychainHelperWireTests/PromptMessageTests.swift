// SPDX-License-Identifier: Apache-2.0

import KeychainHelperWire
import TestSupport
import Testing

struct PromptMessageTests {
    private static let place = PromptLocation(
        terminal: "/dev/pts/7", terminalKind: "xterm-256color", locale: "de_DE.UTF-8",
        display: PromptDisplay(x11: ":0", wayland: "wayland-0", authority: "/run/user/1000/auth"))

    private static let requests = [
        PromptRequest(
            .confirmation, options: [.mayRemember, .needsPasscode, .wasWrong], seconds: 120,
            program: PromptProgram(
                process: 42, path: PromptText("/usr/bin/mail"), tier: .signed, team: PromptText("TEAM"),
                identifier: PromptText("org.example.mail"), isOfKnownTeam: true),
            operation: .readSecret,
            items: [
                PromptItem(
                    .internetPassword, label: PromptText("Mail"), place: PromptText("mail.example"),
                    account: PromptText("ann"),
                    owner: PromptOwner(.installedProgram, name: PromptText("/usr/bin/mutt"), isShielded: true))
            ], furtherItems: 3, reason: PromptText("to fetch the mail"), cancelTitle: PromptText("Not now"),
            fallbackTitle: PromptText("Otherwise"), place: place),
        PromptRequest(
            .biometry, seconds: 1, program: PromptProgram(process: 0, path: PromptText(""), tier: .unidentified),
            operation: .authenticate, items: [], reader: PromptText("Virtual"),
            place: PromptLocation(terminal: "/dev/tty1")),
        PromptRequest(
            .itemConfirmation, options: [.mayRemember, .needsPasscode, .wasWrong], seconds: 60,
            program: PromptProgram(
                process: 7, path: PromptText("/bin/p"), tier: .unsigned,
                starters: [PromptText("/bin/sh"), PromptText("/usr/bin/terminal")]), operation: .readSecret,
            items: [
                PromptItem(
                    .genericPassword, label: PromptText("Mail"), place: PromptText(""), account: PromptText("ann"))
            ], keychain: PromptText("login"), place: PromptLocation(terminal: "/dev/tty1")),
    ]

    private static let secret = Array("pässwörd".utf8)

    /// Answers with the frames that they are.
    private static let replies: [(reply: PromptReply, frame: [UInt8])] = [
        (.denied, PromptReply.denied.frame), (.cancelled, PromptReply.cancelled.frame),
        (.fallback, PromptReply.fallback.frame), (.timedOut, PromptReply.timedOut.frame),
        (.allowed(always: false, passcode: nil), PromptReply.allowed(always: false, passcode: nil).frame),
        (
            .allowed(always: true, passcode: 14..<24),
            PromptReply.allowed(always: true, passcode: nil).frame(secret: secret)
        ),
        (.secret(13..<23), PromptReply.secret(0..<0).frame(secret: secret)),
        (.refusal(HelperRefusal(reason: "no pinentry")), HelperRefusal(reason: "no pinentry").frame),
    ]

    @Test func `a written message is read again`() throws {
        for request in Self.requests { #expect(try PromptRequest(request.frame) == request) }
        for (reply, frame) in Self.replies {
            #expect(try PromptReply(frame) == reply)
            switch reply {
            case .allowed(_, let place?), .secret(let place): #expect(Array(frame[place]) == Self.secret)
            case .denied, .allowed, .cancelled, .fallback, .timedOut, .refusal: break
            }
        }
    }

    @Test func `messages are the bytes of the documentation`() {
        let request = PromptRequest(
            .passcode, options: .wasWrong, seconds: 0x0102,
            program: PromptProgram(process: 0x0304, path: PromptText("/p"), tier: .installed), operation: .useKey,
            items: [PromptItem(.key, label: PromptText("a"), place: PromptText(""), account: PromptText("b"))],
            furtherItems: 9, reason: PromptText("r"), place: PromptLocation(terminal: "/dev/tty2"))
        #expect(
            request.frame == [
                1, 0x50, 0, 0, 0, 0, 0, 72, 2, 8, 1, 2, 0, 0, 3, 4, 3, 0, 0, 0, 2, 0x2F, 0x70, 0, 0, 0, 0, 0, 0, 6, 0,
                1, 4, 0, 0, 0, 1, 0x61, 0, 0, 0, 0, 0, 0, 0, 1, 0x62, 0, 0, 0, 0, 9, 1, 0, 0, 0, 1, 0x72, 0, 0, 0, 1, 0,
                0,
                0,
                9,
                0x2F,
                0x64, 0x65, 0x76, 0x2F, 0x74, 0x74, 0x79, 0x32, 0, 0, 0, 0, 0,
            ])
        #expect(
            PromptReply.secret(0..<0).frame(secret: [0x70, 0x77])
                == [1, 0x40, 0, 0, 0, 0, 0, 7, 6, 0, 0, 0, 2, 0x70, 0x77])
        #expect(PromptReply.allowed(always: true, passcode: nil).frame == [1, 0x40, 0, 0, 0, 0, 0, 2, 3, 0])
    }

    @Test func `only a question about a file keychain names one, and then behind the reader`() throws {
        func request(_ purpose: PromptRequest.Purpose) -> PromptRequest {
            PromptRequest(
                purpose, seconds: 1, program: PromptProgram(process: 2, path: PromptText(""), tier: .unsigned),
                operation: .authenticate, items: [], reader: purpose == .biometry ? PromptText("x") : nil,
                keychain: PromptText("k"), place: PromptLocation(terminal: "/dev/tty2"))
        }
        #expect(
            request(.keychainPassword).frame == [
                1, 0x50, 0, 0, 0, 0, 0, 54, 5, 0, 0, 1, 0, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0,
                0,
                0,
                0, 0,
                0,
                0, 0, 0, 1, 0x6B, 1, 0, 0, 0, 9, 0x2F, 0x64, 0x65, 0x76, 0x2F, 0x74, 0x74, 0x79, 0x32, 0, 0, 0, 0, 0,
            ])
        let about: [PromptRequest.Purpose] = [.keychainPassword, .itemConfirmation, .accessChange]
        for purpose in PromptRequest.Purpose.allCases {
            let read = try PromptRequest(request(purpose).frame)
            #expect(read.keychain?.text == (about.contains(purpose) ? "k" : nil))
            guard about.contains(purpose) else { continue }
            for name in [nil, PromptText("")] {
                var nameless = request(purpose)
                nameless.keychain = name
                #expect(throws: HelperWireError.malformed) { try PromptRequest(nameless.frame) }
            }
        }
    }

    @Test func `the owner of an item is behind its account, and has a name unless it is the command`() throws {
        var request = Self.requests[0]
        func frame(_ owner: PromptOwner?) -> [UInt8] {
            request.items[0].owner = owner
            return request.frame
        }
        let without = frame(nil)
        let owner = PromptOwner(.developedProgram, name: PromptText("/s/m"), isShielded: true)
        let with = frame(owner)
        // The account ends with "ann"; the byte behind it says that there is no owner.
        let end = try #require(without.indices.first { Array(without[$0...].prefix(4)) == [0x61, 0x6E, 0x6E, 0] }) + 3
        #expect(Array(with[end...].prefix(11)) == [1, 4, 1, 0, 0, 0, 4, 0x2F, 0x73, 0x2F, 0x6D])
        #expect(Array(with[(end + 11)...]) == Array(without[(end + 1)...]))
        #expect(try PromptRequest(with).items[0].owner == owner)
        for kind in PromptOwner.Kind.allCases {
            for name in ["", "x"] {
                let owner = PromptOwner(kind, name: PromptText(name))
                let read = try? PromptRequest(frame(owner)).items[0].owner
                #expect(read == (name.isEmpty == (kind == .command) ? owner : nil), "\(kind)")
            }
        }
        // An item of a keychain file has no owner.
        var ofFile = Self.requests[2]
        ofFile.items[0].owner = owner
        #expect(throws: HelperWireError.malformed) { try PromptRequest(ofFile.frame) }
        for (place, value) in [(end, 2), (end + 1, 0), (end + 1, 6), (end + 2, 2)] as [(Int, UInt8)] {
            var changed = with
            changed[place] = value
            #expect(throws: HelperWireError.malformed) { try PromptRequest(changed) }
        }
    }

    @Test func `the programs that started the caller stand behind its identifier, at most three`() throws {
        var request = Self.requests[2]
        request.program.starters = ["/a", "/b", "/c"].map { PromptText($0) }
        #expect(try PromptRequest(request.frame).program.starters.map(\.text) == ["/a", "/b", "/c"])
        request.program.starters.append(PromptText("/d"))
        #expect(throws: HelperWireError.tooLarge) { try PromptRequest(request.frame) }
    }

    @Test func `the bridge stands behind the starters, and has a name`() throws {
        var request = Self.requests[0]
        let without = request.frame
        request.program.bridge = PromptText("bridge")
        let with = request.frame
        #expect(try PromptRequest(with) == request)
        let name = Array("bridge".utf8)
        let start = try #require(with.indices.first { Array(with[$0...].prefix(name.count)) == name })
        #expect(Array(with[..<start].suffix(7)) == [0, 0, 1, 0, 0, 0, 6], "no starters, and a text")
        #expect(Array(with[(start + name.count)...]) == Array(without[(start - 4)...]))
        request.program.bridge = PromptText("")
        #expect(throws: HelperWireError.malformed) { try PromptRequest(request.frame) }
    }

    @Test func `each option is for the purposes that the documentation names`() throws {
        let table: [(PromptRequest.Options, [PromptRequest.Purpose])] = [
            (.mayRemember, [.confirmation, .itemConfirmation]),
            (.needsPasscode, [.confirmation, .itemConfirmation, .accessChange]),
            (.isNew, [.applicationPassword, .keychainPassword]),
            (
                .wasWrong,
                [.confirmation, .passcode, .applicationPassword, .keychainPassword, .itemConfirmation, .accessChange]
            ),
        ]
        for (option, purposes) in table {
            for purpose in PromptRequest.Purpose.allCases {
                var request = Self.requests[2]
                (request.purpose, request.options) = (purpose, option)
                request.reader = purpose == .biometry ? PromptText("x") : nil
                #expect(((try? PromptRequest(request.frame)) != nil) == purposes.contains(purpose), "\(purpose)")
            }
        }
    }

    @Test func `every message that is cut short or has a byte too many is refused`() {
        for frame in Self.requests.map(\.frame) + Self.replies.map(\.frame) {
            for count in 0..<frame.count {
                #expect(throws: HelperWireError.self) { try Self.read(Array(frame.prefix(count))) }
            }
            #expect(throws: HelperWireError.trailingBytes) { try Self.read(frame + [0]) }
            var longer = frame + [0]
            longer[7] += 1
            #expect(throws: HelperWireError.trailingBytes) { try Self.read(longer) }
        }
    }

    @Test func `no byte, whatever its value, makes reading trap`() {
        var differing: [(Int, UInt8)] = []
        for frame in Self.requests.map(\.frame) + Self.replies.map(\.frame) {
            for index in frame.indices {
                for value in TestExtent.byteValues {
                    var changed = frame
                    changed[index] = value
                    // Decoded data is encoded as it was.
                    if let written = try? Self.read(changed), written != changed { differing.append((index, value)) }
                }
            }
        }
        #expect(differing.isEmpty)
    }

    @Test func `random bytes behind a header are an error or a message, and never a trap`() {
        var generator = SeededGenerator(searchFrom: 2)
        for _ in 0..<(TestExtent.isLong ? 20_000 : 3_000) {
            let size = Int.random(in: 0...64, using: &generator)
            let payload = (0..<size).map { _ in
                UInt8.random(in: 0...(Bool.random(using: &generator) ? 8 : 255), using: &generator)
            }
            for kind: UInt8 in [0x40, 0x50] {
                let frame = [1, kind, 0, 0, 0, 0, 0, UInt8(size)] + payload
                if let written = try? Self.read(frame) { #expect(written == frame) }
            }
        }
    }

    @Test func `what does not belong to a purpose, and a question for nowhere, are refused`() throws {
        var request = Self.requests[1]
        request.options = .wasWrong
        #expect(throws: HelperWireError.malformed) { try PromptRequest(request.frame) }
        request = Self.requests[1]
        request.reader = nil
        #expect(throws: HelperWireError.malformed) { try PromptRequest(request.frame) }
        request = Self.requests[0]
        request.reader = PromptText("x")
        #expect(throws: HelperWireError.malformed) { try PromptRequest(request.frame) }
        request = Self.requests[0]
        request.seconds = 0
        #expect(throws: HelperWireError.malformed) { try PromptRequest(request.frame) }
        request = Self.requests[0]
        request.place = .nowhere
        #expect(throws: HelperWireError.malformed) { try PromptRequest(request.frame) }
        request = Self.requests[0]
        request.items = Array(repeating: request.items[0], count: 9)
        #expect(throws: HelperWireError.tooLarge) { try PromptRequest(request.frame) }
    }

    @Test(
        arguments: [
            "/dev/pts/", "/dev/pts/../tty1", "/dev/pts/12345678", "/dev/tty", "/dev/ttyS0", "/tmp/x", "/dev/pts/1 ",
            "dev/pts/1",
        ])
    func `only terminals by number are places`(path: String) {
        #expect(!PromptLocation.isTerminal(path))
        var request = Self.requests[0]
        request.place.terminal = path
        #expect(throws: HelperWireError.malformed) { try PromptRequest(request.frame) }
    }

    @Test func `a kind, a locale and a display are words without spaces, lines or controls`() {
        for text in ["xterm-256color", "de_DE.UTF-8@euro", "screen.linux", "C"] { #expect(PromptLocation.isWord(text)) }
        for text in ["", "a b", "a\nb", "a/b", "ü", String(repeating: "x", count: 65)] {
            #expect(!PromptLocation.isWord(text))
        }
        #expect(PromptDisplay(x11: ":0\nOPTION", wayland: nil) == nil)
        #expect(PromptDisplay(x11: "", wayland: nil) == nil)
        #expect(PromptDisplay(x11: ":0", wayland: " ", authority: "relative") == PromptDisplay(x11: ":0", wayland: nil))
    }

    @Test func `an answer to another question is none`() throws {
        var request = Self.requests[0]
        let passcode = 1..<2
        #expect(PromptReply.allowed(always: true, passcode: passcode).answers(request))
        #expect(!PromptReply.allowed(always: true, passcode: nil).answers(request), "the passcode is missing")
        #expect(!PromptReply.secret(passcode).answers(request))
        request.options = []
        #expect(!PromptReply.allowed(always: true, passcode: nil).answers(request), "always was not offered")
        #expect(!PromptReply.allowed(always: false, passcode: passcode).answers(request))
        #expect(PromptReply.denied.answers(request) && PromptReply.fallback.answers(request))
        request.fallbackTitle = nil
        #expect(!PromptReply.fallback.answers(request))
        for purpose in [PromptRequest.Purpose.itemConfirmation, .accessChange] {
            request.purpose = purpose
            #expect(PromptReply.allowed(always: false, passcode: nil).answers(request))
            #expect(!PromptReply.allowed(always: true, passcode: nil).answers(request), "always was not offered")
            #expect(PromptReply.denied.answers(request) && !PromptReply.secret(passcode).answers(request))
        }
        for purpose in [PromptRequest.Purpose.passcode, .applicationPassword, .keychainPassword] {
            request.purpose = purpose
            #expect(PromptReply.secret(passcode).answers(request) && !PromptReply.denied.answers(request))
        }
        request.purpose = .biometry
        #expect(!PromptReply.secret(passcode).answers(request) && PromptReply.cancelled.answers(request))
    }

    /// Decodes a frame by its kind, and returns the encoding of the result.
    private static func read(_ frame: [UInt8]) throws -> [UInt8] {
        guard try HelperFrameHeader(frame).kind == .promptRequest else {
            let reply = try PromptReply(frame)
            switch reply {
            case .allowed(_, let place?), .secret(let place): return reply.frame(secret: frame[place])
            case .denied, .allowed, .cancelled, .fallback, .timedOut, .refusal: return reply.frame
            }
        }
        return try PromptRequest(frame).frame
    }
}

/// The handling of texts from other programs.
struct PromptTextTests {
    @Test(
        arguments: [
            ("plain text", "plain text"), ("", ""), ("  a   b\t\n c  ", "a b c"), ("ünïcode 漢字 🔑", "ünïcode 漢字 🔑"),
            ("one\r\ntwo\u{2028}three\u{85}four", "one two three four"),
            ("\u{1B}[31mred\u{7}", "\u{FFFD}[31mred\u{FFFD}"), ("exe\u{202E}txt", "exe\u{FFFD}txt"),
            ("a\u{2066}b\u{2069}", "a\u{FFFD}b\u{FFFD}"), ("a\u{200B}b\u{FEFF}", "a\u{FFFD}b\u{FFFD}"),
            ("a\u{00AD}b\u{0}", "a\u{FFFD}b\u{FFFD}"), ("\u{E000}\u{10FFFF}", "\u{FFFD}\u{FFFD}"),
            ("\u{3164}x\u{115F}", "\u{FFFD}x\u{FFFD}"), ("a\u{A0}\u{3000}b", "a b"),
            ("e" + String(repeating: "\u{301}", count: 9), "e" + String(repeating: "\u{301}", count: 4)),
        ])
    func `nothing that moves, hides or turns is left`(given: String, shown: String) {
        #expect(Array(PromptText(given).text.unicodeScalars) == Array(shown.unicodeScalars))
    }

    @Test func `a long text is cut between characters, with an ellipsis`() {
        #expect(PromptText(String(repeating: "x", count: 512)).text == String(repeating: "x", count: 512))
        #expect(PromptText(String(repeating: "x", count: 513)).text == String(repeating: "x", count: 509) + "…")
        let text = PromptText(String(repeating: "ü", count: 1000)).text
        #expect(text.utf8.count <= 512 && text.hasSuffix("ü…"))
        #expect(PromptText("abcdef", atMost: 5).text == "ab…")
    }

    @Test func `a text that was made neutral is neutral`() {
        var generator = SeededGenerator(searchFrom: 2)
        for _ in 0..<5_000 {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...40, using: &generator) {
                let largest: UInt32 = Bool.random(using: &generator) ? 0x300 : 0x3FFF
                let value = UInt32.random(in: 0...largest, using: &generator)
                if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
            }
            let limit = Int.random(in: 8...60, using: &generator)
            let once = PromptText(String(scalars), atMost: limit)
            #expect(once.text.utf8.count <= limit)
            #expect(PromptText(neutral: once.text, atMost: limit) == once)
        }
        #expect(PromptText(neutral: "a\nb") == nil && PromptText(neutral: " a") == nil)
    }
}
