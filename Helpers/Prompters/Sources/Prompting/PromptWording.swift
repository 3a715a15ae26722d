// SPDX-License-Identifier: Apache-2.0

public import KeychainHelperWire
internal import KeychainTerminal

/// The texts of a prompt: facts that the service established, and, in quotation marks, texts that other programs chose.
///
/// Each text that another program chose is cut, and a window names fewer items if their names are long, so that it shows
/// all facts and its buttons (``PinentryText/fitsWindow(_:)``).
public struct PromptWording {
    private let request: PromptRequest
    private let packages: [String: String]
    private let desktopNames: [String: String]
    private let isASCII: Bool

    /// - Parameters:
    ///   - packages: the packages of installed programs, by path (``installedPrograms(in:)``).
    ///   - desktopNames: the names by which desktops show them, by path.
    public init(_ request: PromptRequest, packages: [String: String] = [:], desktopNames: [String: String] = [:]) {
        self.request = request
        self.packages = packages
        self.desktopNames = desktopNames
        // A locale whose character set is not UTF-8 would show other characters.
        isASCII = request.place.locale.map { !Self.isUTF8($0) } ?? false
    }

    /// Returns the paths of the installed programs that the prompt names. For a program of another kind, the path is no
    /// proof that the file is the one of a package.
    public static func installedPrograms(in request: PromptRequest) -> Set<String> {
        var paths = Set(
            request.items.compactMap(\.owner).filter { $0.kind == .installedProgram }.map(\.name.text))
        if request.program.tier == .installed { paths.insert(request.program.path.text) }
        return paths
    }

    private static func isUTF8(_ locale: String) -> Bool {
        let name = locale.lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }

    /// The title of the prompt.
    public var title: String {
        switch request.purpose {
        case .confirmation: "Keychain: allow this request?"
        case .passcode: "Keychain: confirm that it's you"
        case .applicationPassword: "Keychain: this item has a separate password"
        case .biometry: "Keychain: confirm with your fingerprint"
        case .keychainPassword where request.options.contains(.isNew): "Keychain: set the password of a keychain"
        case .keychainPassword: "Keychain: unlock a keychain"
        case .itemConfirmation: "Keychain: allow use of an item?"
        case .accessChange: "Keychain: allow a change of access?"
        }
    }

    /// The sentence that states the request, in the form of Apple's dialogs; nil for requests that those dialogs do not
    /// have.
    var sentence: String? {
        let path = request.program.path.text
        let program =
            (request.program.tier == .installed ? desktopName(of: path, 32) : nil)
            ?? path.split(separator: "/").last.map { Self.quoted($0, 32) } ?? "A program"
        let keychain = "the \(Self.quoted(request.keychain?.text ?? "", 32)) keychain"
        let first = request.items.first
        let label = first.map { $0.label.text.isEmpty ? $0.place.text : $0.label.text } ?? ""
        let item = label.isEmpty ? "an item without a name" : Self.quoted(label, 36)
        let sentence: String
        switch request.purpose {
        case .confirmation, .passcode, .applicationPassword, .biometry: return nil
        case .keychainPassword where request.options.contains(.isNew):
            sentence = "\(program) wants to set a new password for \(keychain). Please enter the new password."
        case .keychainPassword:
            sentence = "\(program) wants to use \(keychain). Please enter the keychain password."
        case .itemConfirmation where request.operation == .useKey:
            sentence = "\(program) wants to sign or decrypt using the key \(item) in your keychain."
        case .itemConfirmation where [.add, .readAttributes, .change, .delete].contains(request.operation):
            // Strict mode requires the approval of such operations.
            let subject = itemCount > 1 ? "\(itemCount) items" : item
            sentence = "\(program) wants to \(intention) \(subject) in your keychain."
        case .itemConfirmation:
            sentence = "\(program) wants to use your confidential information stored in \(item) in your keychain."
        case .accessChange:
            sentence = "\(program) wants to change which programs may use \(item) in your keychain."
        }
        guard request.options.contains(.needsPasscode) else { return displayed(sentence) }
        return displayed("\(sentence) To allow this, enter the password of \(keychain).")
    }

    /// A labelled fact.
    struct Fact: Hashable {
        let label: String
        /// The values, one per line.
        var values: [String]
    }

    /// The facts that the user needs, most important first: facts from the service come before texts from other
    /// programs.
    var facts: [Fact] { facts(naming: namedItems) }

    /// - Parameters:
    ///   - count: the most items that are named.
    ///   - isBrief: whether places of items, the program's package, all desktop names and, of a bridge's client, the
    ///     starters are left out.
    private func facts(naming count: Int, isBrief: Bool = false) -> [Fact] {
        var facts = [Fact(label: "Known as", values: [knowledge])]
        // An unlock is not limited to one operation.
        if request.purpose != .keychainPassword {
            let wish = itemCount > 1 ? "\(intention) \(itemCount) items" : intention
            facts.append(Fact(label: "Wants to", values: [wish] + items(naming: count, isBrief: isBrief)))
        }
        let path = request.program.path.text
        let process = "process \(request.program.process)"
        let isInstalled = request.program.tier == .installed && !isBrief
        let package = isInstalled ? package(of: path).map { "package \($0), " } ?? "" : ""
        let name = isInstalled ? desktopName(of: path, 24).map { "\($0), " } ?? "" : ""
        let program =
            path.isEmpty ? process : "\(name)\(Self.quotedPath(path, isBrief ? 48 : 64)) (\(package)\(process))"
        let bridge = request.program.bridge.map { Self.bridge($0.text, isBrief: isBrief) } ?? ""
        facts.append(Fact(label: "Program", values: [program + bridge]))
        // The team of a signed program is the better fact, and the prompt has no room for both. With long names it has
        // no room for the bridge and the starters either.
        let showsStarters = request.program.team == nil && (request.program.bridge == nil || !isBrief)
        let starters = showsStarters ? request.program.starters.filter { !$0.text.isEmpty } : []
        if !starters.isEmpty {
            let paths = starters.map { Self.quotedPath($0.text, 24) }
            facts.append(Fact(label: "Started by", values: [paths.joined(separator: ", ")]))
        }
        if let keychain = request.keychain {
            facts.append(Fact(label: "Keychain", values: [Self.quoted(keychain.text, 36)]))
        }
        if let reason = request.reason {
            facts.append(Fact(label: "Stated reason", values: [Self.quoted(reason.text, 100)]))
        }
        return facts.map { Fact(label: $0.label, values: $0.values.map(displayed)) }
    }

    /// Returns the name of the bridge through which the program makes the request, and the protocol of the bridge.
    private static func bridge(_ name: String, isBrief: Bool) -> String {
        let purpose: String? =
            switch name {
            case "chatelaine-secrets": "Secret Service"
            case "chatelaine-portal": "desktop portal"
            case "chatelaine-ssh-agent": "SSH agent"
            default: nil
            }
        let shown = PinentryText.shortened(name, 32)
        return ", through \(shown)" + (isBrief ? "" : purpose.map { " (\($0))" } ?? "")
    }

    private var knowledge: String {
        let program = request.program
        // The team identifier is a hash of the team's key, but a team may choose any names for its programs.
        let claim =
            if let team = program.team, let identifier = program.identifier {
                " of \(program.isOfKnownTeam ? "team" : "the unknown team") \(PinentryText.shortened(team.text, 30)), which calls it \(Self.quoted(identifier.text, 40))"
            } else {
                ""
            }
        return switch program.tier {
        case .unidentified: "unverified: any of your programs could claim this"
        case .interpreter:
            claim.isEmpty ? "an interpreter: its scripts cannot be told apart" : "a signed program" + claim
        case .unsigned: claim.isEmpty ? "an unsigned program, identified by its file" : "a signed program" + claim
        case .installed:
            claim.isEmpty ? "a program installed by the administrator" : "a signed program" + claim
        case .signed: "a signed program" + claim
        case .enforced:
            claim.isEmpty ? "a program that your other programs cannot control" : "a shielded program" + claim
        }
    }

    private var intention: String {
        if request.purpose == .accessChange { return "change which programs may use" }
        return switch request.operation {
        case .add: itemCount == 0 ? "store an item" : "store"
        case .readSecret: "read the secret of"
        case .readAttributes: "read the attributes of"
        case .change: "change"
        case .delete: "delete"
        case .useKey: "sign or decrypt with"
        case .backUp: "copy the secrets of all programs to a file for any device"
        case .restore: "restore a backup, also over items of other programs"
        case .loosenSettings: "change settings so that programs use more items without a prompt"
        case .authenticate: "confirm that it's you"
        case .unlock: "unlock the keychain"
        }
    }

    private var itemCount: Int { request.items.count + Int(request.furtherItems) }

    /// The most items that are named; the others are only counted. A sentence that names the item names one.
    private var namedItems: Int { sentence == nil ? 3 : 1 }

    private func items(naming count: Int, isBrief: Bool) -> [String] {
        var lines = request.items.prefix(count).map { line($0, isBrief: isBrief) }
        let further = itemCount - lines.count
        switch (further, lines.isEmpty) {
        case (0, _): break
        case (1, true): lines.append("an item whose name cannot be read now")
        case (_, true): lines.append("whose names cannot be read now")
        case (1, false): lines.append("and one more")
        case (_, false): lines.append("and \(further) more")
        }
        return lines
    }

    private func line(_ item: PromptItem, isBrief: Bool) -> String {
        let kind =
            switch item.kind {
            case .genericPassword: "the password"
            case .internetPassword: "the internet password"
            case .certificate: "the certificate"
            case .key: "the key"
            case .identity: "the identity"
            }
        let label = item.label.text
        let isNamedByPlace = label.isEmpty || label == item.place.text
        var details: [String] = []
        if !item.account.text.isEmpty { details.append("account \(Self.quoted(item.account.text, 28))") }
        if !isBrief, !item.place.text.isEmpty, !isNamedByPlace {
            details.append(
                "\(item.kind == .internetPassword ? "server" : "service") \(Self.quoted(item.place.text, 24))")
        }
        if let owner = item.owner { details.append("of \(text(of: owner, isBrief: isBrief))") }
        let name = isNamedByPlace ? item.place.text : label
        let rest = details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
        return (name.isEmpty ? "\(kind) without a name" : "\(kind) \(Self.quoted(name, 36))") + rest
    }

    private func text(of owner: PromptOwner, isBrief: Bool) -> String {
        let (name, adjective) = (owner.name.text, owner.isShielded ? "shielded " : "")
        switch owner.kind {
        case .command: return "the command chatelaine"
        case .installedProgram:
            let package = package(of: name).map { " from the package \($0)" } ?? ""
            let shown = isBrief ? "" : desktopName(of: name, 24).map { "\($0), " } ?? ""
            return "the \(adjective)program \(shown)\(Self.quotedPath(name, 40))\(package)"
        case .unsignedProgram: return "the unsigned program \(PinentryText.shortened(name, 16))"
        case .developedProgram: return "the program \(Self.quotedPath(name, 40)) in development"
        case .accessGroup:
            let programs = owner.isShielded ? "the shielded programs of " : ""
            return "\(programs)the access group \(Self.quoted(name, 40))"
        }
    }

    private func package(of path: String) -> String? {
        packages[path].map { Self.quoted(PromptText($0).text, 24) }
    }

    /// Returns the desktop name of an installed program, cut to a length. The path always stands beside it.
    private func desktopName(of path: String, _ limit: Int) -> String? {
        desktopNames[path].map { Self.quoted(PromptText($0).text, limit) }
    }

    // MARK: Texts from other programs

    /// Returns the text in quotation marks. Each quotation mark in it is shown as an apostrophe, so that the text cannot
    /// seem to end before its end.
    private static func inQuotationMarks(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { quotationMarks.contains($0) ? "'" : $0 }
        return "\"\(String(String.UnicodeScalarView(scalars)))\""
    }

    /// The quotation mark of prompts, and characters that look like it.
    private static let quotationMarks: Set<Unicode.Scalar> = [
        "\"", "\u{02BA}", "\u{02EE}", "\u{201C}", "\u{201D}", "\u{201E}", "\u{201F}", "\u{2033}", "\u{2036}",
        "\u{275D}", "\u{275E}", "\u{301D}", "\u{301E}", "\u{301F}", "\u{FF02}",
    ]

    /// Returns the text in quotation marks, cut at its end.
    private static func quoted(_ text: some StringProtocol, _ limit: Int) -> String {
        inQuotationMarks(PinentryText.shortened(text, limit))
    }

    /// Returns the path in quotation marks, cut in the middle, because its beginning and the program's name are the
    /// most useful parts.
    private static func quotedPath(_ path: String, _ limit: Int) -> String {
        guard PinentryText.size(of: path) > limit else { return inQuotationMarks(path) }
        let begin = PinentryText.shortened(path, limit / 3)
        let end = String(
            PinentryText.shortened(String(path.reversed()), limit - limit / 3, mark: "").reversed())
        return inQuotationMarks(begin + end)
    }

    /// The error in the previous entry; nil if there was none.
    public var error: String? {
        guard request.options.contains(.wasWrong) else { return nil }
        return switch request.purpose {
        case .confirmation, .passcode: "Wrong passcode. Try again."
        case .applicationPassword, .keychainPassword, .itemConfirmation, .accessChange: "Wrong password. Try again."
        case .biometry: nil
        }
    }

    /// The label of the field.
    public var fieldName: String {
        switch request.purpose {
        case .confirmation, .passcode: "Passcode of the keychain"
        case .applicationPassword:
            request.options.contains(.isNew) ? "New password of the item" : "Password of the item"
        case .keychainPassword where request.options.contains(.isNew): "New password of the keychain"
        case .keychainPassword, .itemConfirmation, .accessChange: "Password of the keychain"
        case .biometry: ""
        }
    }

    public var repetition: String { "Repeat the new password" }

    /// The instruction for the fingerprint reader.
    var finger: String {
        displayed("Put a finger on the reader" + (request.reader.map { " " + Self.quoted($0.text, 40) } ?? "") + ".")
    }

    /// How long "Allow" holds. Programs of the Secret Service unlock an item and then read it, so such an approval holds
    /// for their process.
    var allowance: (choice: String, button: String) {
        let isHeld =
            request.purpose == .confirmation && request.operation == .readSecret && request.program.bridge != nil
        return isHeld ? ("until the program exits", "Allow Until Exit") : ("once", "Allow Once")
    }

    public var cancelTitle: String? { request.cancelTitle.map { displayed(PinentryText.shortened($0.text, 24)) } }
    public var fallbackTitle: String? { request.fallbackTitle.map { displayed(PinentryText.shortened($0.text, 24)) } }

    private func displayed(_ text: String) -> String {
        guard isASCII else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isASCII ? $0 : "?" }))
    }

    // MARK: Layout

    /// Returns lines for a terminal, with at most this many columns.
    public func lines(columns: Int = 78) -> [String] {
        let indentation = 2 + (facts.map(\.label.count).max() ?? 0) + 3
        // The indentation keeps a name in the sentence from looking like a fact.
        let sentenceLines = sentence.map { PinentryText.wrap($0, columns: columns - 4) } ?? []
        var lines = [title] + sentenceLines.prefix(1) + sentenceLines.dropFirst().map { "    " + $0 }
        for fact in facts {
            var prefix = "  \(fact.label):"
            for value in fact.values {
                for line in PinentryText.wrap(value, columns: columns - indentation) {
                    lines.append(prefix + String(repeating: " ", count: indentation - prefix.count) + line)
                    prefix = ""
                }
            }
        }
        if request.purpose == .biometry { lines.append(finger) }
        return lines
    }

    /// The lines for a window.
    public var description: String {
        fitting { facts in
            var lines = [title, ""]
            if let sentence { lines += [Self.paragraph(sentence), ""] }
            lines += Self.windowLines(of: facts)
            if request.purpose == .biometry { lines += ["", Self.paragraph(finger)] }
            return lines.joined(separator: "\n")
        }
    }

    /// The lines for a window that offers to remember an approval, after the approval itself.
    var rememberingDescription: String {
        fitting { facts in
            ([
                "Keychain: remember this approval?", "",
                Self.paragraph("With Always Allow, later requests of this program for this operation show no prompt."),
                "",
            ] + Self.windowLines(of: facts.filter { ["Wants to", "Program"].contains($0.label) })).joined(
                separator: "\n")
        }
    }

    /// Returns a text of the facts that a window shows completely, below the error: with long names it names fewer
    /// items, and at last it leaves out the place of the item, the program's package and the desktop names.
    private func fitting(_ text: ([Fact]) -> String) -> String {
        for count in stride(from: namedItems, to: 0, by: -1) {
            let full = text(facts(naming: count))
            if PinentryText.fitsWindow([error, full].compactMap(\.self).joined(separator: "\n\n")) { return full }
        }
        return text(facts(naming: 1, isBrief: true))
    }

    private static func windowLines(of facts: [Fact]) -> [String] {
        facts.flatMap { fact in
            [paragraph("\(fact.label): \(fact.values.first ?? "")")]
                + fact.values.dropFirst().map { indentation + paragraph($0) }
        }
    }

    /// The indentation in a window, which keeps a text from another program from looking like a fact.
    private static let indentation = "    "

    private static func paragraph(_ text: String) -> String {
        PinentryText.wrap(text, columns: PinentryText.windowColumns - indentation.count).joined(
            separator: "\n" + indentation)
    }
}
