// SPDX-License-Identifier: Apache-2.0

public import KeychainHelperWire

/// What a person reads: facts that the service found out, and, in quotation marks, words that others chose.
public struct PromptWording {
    private let request: PromptRequest
    private let isASCII: Bool

    public init(_ request: PromptRequest) {
        self.request = request
        // A locale that does not name its character set as UTF-8 would show something else.
        isASCII = request.place.locale.map { !Self.isUTF8($0) } ?? false
    }

    private static func isUTF8(_ locale: String) -> Bool {
        let name = locale.lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }

    /// A line that says what this is.
    public var title: String {
        switch request.purpose {
        case .confirmation: "Keychain: may this program do that?"
        case .passcode: "Keychain: are you there?"
        case .applicationPassword: "Keychain: an item with a password of its own"
        case .biometry: "Keychain: your finger, please"
        case .keychainPassword where request.options.contains(.isNew): "Keychain: a new password for a keychain"
        case .keychainPassword: "Keychain: a keychain is locked"
        case .itemConfirmation: "Keychain: may this program use an item?"
        case .accessChange: "Keychain: may this program change who uses an item?"
        }
    }

    /// What is asked, as Apple's dialogs say it; nil for questions that those do not have.
    var sentence: String? {
        let program = request.program.path.text.split(separator: "/").last.map { "\"\($0)\"" } ?? "A program"
        let keychain = "the \"\(request.keychain?.text ?? "")\" keychain"
        let first = request.items.first
        let label = first.map { $0.label.text.isEmpty ? $0.place.text : $0.label.text } ?? ""
        let item = label.isEmpty ? "an item without a name" : "\"\(label)\""
        let sentence: String
        switch request.purpose {
        case .confirmation, .passcode, .applicationPassword, .biometry: return nil
        case .keychainPassword where request.options.contains(.isNew):
            sentence = "\(program) wants a new password for \(keychain). Please choose one."
        case .keychainPassword:
            sentence = "\(program) wants to use \(keychain). Please enter the keychain password."
        case .itemConfirmation where request.operation == .useKey:
            sentence = "\(program) wants to sign or decrypt using the key \(item) in your keychain."
        case .itemConfirmation:
            sentence = "\(program) wants to use your confidential information stored in \(item) in your keychain."
        case .accessChange:
            sentence = "\(program) wants to change who may use \(item) in your keychain."
        }
        guard request.options.contains(.needsPasscode) else { return displayed(sentence) }
        return displayed("\(sentence) To allow this, enter the password of \(keychain).")
    }

    /// A labelled fact.
    struct Fact: Hashable {
        let label: String
        /// One line each.
        var values: [String]
    }

    /// What a person should know, in order of weight.
    var facts: [Fact] {
        var facts: [Fact] = []
        let path = request.program.path.text
        let process = "process \(request.program.process)"
        facts.append(Fact(label: "Program", values: [path.isEmpty ? process : "\(path) (\(process))"]))
        facts.append(Fact(label: "Known as", values: [knowledge]))
        // Unlocking is for whatever comes next.
        if request.purpose != .keychainPassword { facts.append(Fact(label: "Wants to", values: [intention] + items)) }
        if let keychain = request.keychain { facts.append(Fact(label: "Keychain", values: ["\"\(keychain)\""])) }
        if let reason = request.reason { facts.append(Fact(label: "It says", values: ["\"\(reason)\""])) }
        return facts.map { Fact(label: $0.label, values: $0.values.map(displayed)) }
    }

    private var knowledge: String {
        let program = request.program
        let signed: String? =
            if let team = program.team, let identifier = program.identifier {
                "\"\(identifier)\", signed by team \(team)"
            } else {
                nil
            }
        return switch program.tier {
        case .unidentified: "nobody: any program of yours could say the same"
        case .interpreter: signed ?? "an interpreter: all that it runs looks alike"
        case .unsigned: signed ?? "an unsigned program, by its file"
        case .installed: signed ?? "a program that the administrator installed"
        case .signed: signed ?? "a signed program"
        case .enforced: (signed ?? "a program that the administrator installed") + ", shielded from others"
        }
    }

    private var intention: String {
        if request.purpose == .accessChange { return "change who may use" }
        return switch request.operation {
        case .add: "store something"
        case .readSecret: "read the secret of"
        case .readAttributes: "read what is known of"
        case .change: "change"
        case .delete: "delete"
        case .useKey: "sign or decrypt with"
        case .backUp: "make a backup of all items"
        case .authenticate: "know that you are there"
        case .unlock: "unlock the keychain"
        }
    }

    private var items: [String] {
        var lines = request.items.map(Self.line)
        switch (request.furtherItems, request.items.isEmpty) {
        case (0, _): break
        case (1, true): lines.append("an item whose name cannot be read now")
        case (let count, true): lines.append("\(count) items whose names cannot be read now")
        case (1, false): lines.append("and one more")
        case (let count, false): lines.append("and \(count) more")
        }
        return lines
    }

    private static func line(_ item: PromptItem) -> String {
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
        if !item.account.text.isEmpty { details.append("account \"\(item.account)\"") }
        if !item.place.text.isEmpty, !isNamedByPlace {
            details.append("\(item.kind == .internetPassword ? "server" : "service") \"\(item.place)\"")
        }
        let name = isNamedByPlace ? item.place.text : label
        let rest = details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
        return (name.isEmpty ? "\(kind) without a name" : "\(kind) \"\(name)\"") + rest
    }

    /// What was wrong with the entry before; nil where nothing was.
    public var error: String? {
        guard request.options.contains(.wasWrong) else { return nil }
        return switch request.purpose {
        case .confirmation, .passcode: "That was not the passcode."
        case .applicationPassword, .keychainPassword, .itemConfirmation, .accessChange: "That was not the password."
        case .biometry: nil
        }
    }

    /// What stands before the field.
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

    public var repetition: String { "Once more" }

    /// What a fingerprint reader waits for.
    var finger: String {
        displayed("Put a finger on the reader" + (request.reader.map { " \"\($0)\"" } ?? "") + ".")
    }

    public var cancelTitle: String? { request.cancelTitle.map { displayed($0.text) } }
    public var fallbackTitle: String? { request.fallbackTitle.map { displayed($0.text) } }

    private func displayed(_ text: String) -> String {
        guard isASCII else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isASCII ? $0 : "?" }))
    }

    // MARK: Layout

    /// Lines for a terminal, of at most so many columns.
    public func lines(columns: Int = 78) -> [String] {
        let indentation = 2 + (facts.map(\.label.count).max() ?? 0) + 3
        var lines = [title] + (sentence.map { Self.wrap($0, columns: columns) } ?? [])
        for fact in facts {
            var prefix = "  \(fact.label):"
            for value in fact.values {
                for line in Self.wrap(value, columns: columns - indentation) {
                    lines.append(prefix + String(repeating: " ", count: indentation - prefix.count) + line)
                    prefix = ""
                }
            }
        }
        if request.purpose == .biometry { lines.append(finger) }
        return lines
    }

    /// Paragraphs for a window, which breaks lines itself.
    public var description: String {
        var lines = [title, ""]
        if let sentence { lines += [sentence, ""] }
        for fact in facts { lines.append("\(fact.label): \(fact.values.joined(separator: "\n    "))") }
        if request.purpose == .biometry { lines += ["", finger] }
        return lines.joined(separator: "\n")
    }

    /// Breaks a text into lines between words, and within a word where that is too long for a line.
    static func wrap(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        var (line, width) = ("", 0)
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let needed = word.reduce(0) { $0 + Self.width(of: $1) }
            if width > 0, width + 1 + needed > columns {
                lines.append(line)
                (line, width) = ("", 0)
            } else if width > 0 {
                line.append(" ")
                width += 1
            }
            for character in word {
                let more = Self.width(of: character)
                if width + more > columns {
                    lines.append(line)
                    (line, width) = ("", 0)
                }
                line.append(character)
                width += more
            }
        }
        return lines + [line]
    }

    /// In columns of a terminal: two for the characters of East Asia and pictures.
    static func width(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        return switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }
}
