// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainWire

/// The report of a backup that was made. Contains names, never secrets.
struct BackupReport {
    let file: String
    var form = BackupForm.portable
    var counts = BackupCounts()
    var omitted: [OmittedItem] = []

    init(file: String) { self.file = file }

    var text: String {
        var text = visible("Backed up \(counts.items) items to \"\(file)\".") + "\n"
        switch form {
        case .deviceBound:
            text +=
                "The file can be restored on this device only, because no passcode is set and --portable is not given.\n"
        case .portable:
            if counts.deviceBound > 0 {
                text +=
                    "\(counts.deviceBound) of them may not leave this device and can be restored on this device only.\n"
            }
        }
        guard !omitted.isEmpty else { return text }
        text += "\(omitted.count) items are not in the backup:\n"
        var table = TextTable(["REASON", "ITEM", "USER", "LABEL"])
        for item in omitted {
            table.append([
                item.reason.phrase, item.names?.place ?? item.itemClass.phrase, item.names?.account ?? "",
                item.names?.label ?? "",
            ])
        }
        return text + table.text(styled: false)
    }

    var json: JSONText {
        .object([
            ("file", .text(file)), ("form", .text(form.word)), ("items", .count(counts.items)),
            ("portable", .count(counts.portable)), ("deviceBound", .count(counts.deviceBound)),
            (
                "leftOut",
                .array(omitted.map { .object([("reason", .text($0.reason.word))] + $0.itemClass.members($0.names)) })
            ),
        ])
    }
}

/// The report of a backup that was verified or restored.
struct RestoreReport {
    let file: String
    let mode: RestoreMode
    let facts: BackupFacts
    private(set) var counts = RestoreCounts()
    private(set) var notable: [RestoredItem] = []
    private(set) var end: BackupCounts?

    init(file: String, mode: RestoreMode, facts: BackupFacts) {
        self.file = file
        self.mode = mode
        self.facts = facts
    }

    mutating func take(_ progress: RestoreProgress) {
        counts = progress.counts
        notable += progress.notable
        end = progress.end ?? end
    }

    /// The number of items that the user may miss.
    var leftOut: UInt64 {
        counts[.conflict] + counts[.otherDevice] + counts[.needsPasscode] + counts[.invalid]
    }

    var hint: String? {
        if counts[.needsPasscode] > 0 {
            return
                "approve the restore in a prompt on your desktop, or set a passcode first, with `chatelaine passcode set`"
        }
        if counts[.conflict] > 0 { return "--replace-newer overwrites newer items of the keychain" }
        return nil
    }

    var text: String {
        var text = ""
        if let date = CivilTime(facts.date) { text += "Backup of \(date.short) UTC, \(facts.origin).\n" }
        for outcome in RestoreOutcome.allCases where counts[outcome] > 0 {
            text += "\(counts[outcome]) \(outcome.phrase(mode))\n"
        }
        if let end, end.leftOut > 0 { text += "\(end.leftOut) items were left out when the backup was made\n" }
        switch mode {
        case .verify: text += "The backup is complete.\n"
        case .dryRun: text += "Nothing was changed.\n"
        case .apply: break
        }
        let shown = notable.filter { $0.names != nil }
        guard !shown.isEmpty else { return text }
        var table = TextTable(["OUTCOME", "ITEM", "USER", "LABEL"])
        for item in shown {
            guard let names = item.names else { continue }
            table.append([item.outcome.word, names.place, names.account, names.label])
        }
        return text + table.text(styled: false)
    }

    var json: JSONText {
        .object([
            ("file", .text(file)), ("changed", .boolean(mode == .apply)),
            ("date", CivilTime(facts.date).map { .text($0.rfc3339) } ?? .null), ("form", .text(facts.form.word)),
            ("ofThisDevice", .boolean(facts.isOfThisDevice)), ("ofThisKeychain", .boolean(facts.isOfThisKeychain)),
            ("counts", .object(RestoreOutcome.allCases.map { ($0.word, .count(counts[$0])) })),
            ("leftOutWhenMade", end.map { .count($0.leftOut) } ?? .null),
            (
                "items",
                .array(notable.map { .object([("outcome", .text($0.outcome.word))] + $0.itemClass.members($0.names)) })
            ),
        ])
    }
}

/// A progress line on the terminal; nothing elsewhere.
struct ProgressLine {
    private let context: CommandContext
    private let total: UInt64?
    private var isShown = false

    init(_ context: CommandContext, total: UInt64?) {
        self.context = context
        self.total = total
    }

    mutating func show(_ count: UInt64) {
        guard context.diagnosticsAreStyled else { return }
        isShown = true
        context.diagnostics.writeIfPossible("\r\u{1B}[K\(count)\(total.map { " of \($0)" } ?? "") items")
    }

    mutating func end() {
        if isShown { context.diagnostics.writeIfPossible("\r\u{1B}[K") }
        isShown = false
    }
}

extension JSONText {
    fileprivate static func count(_ number: UInt64) -> JSONText { .integer(Int64(clamping: number)) }
}

extension ItemClass {
    fileprivate func members(_ names: ItemNames?) -> [(String, JSONText)] {
        let place = self == .internetPassword ? "server" : "service"
        return [
            ("class", .text(code)), (place, names.map { .text($0.place) } ?? .null),
            ("account", names.map { .text($0.account) } ?? .null), ("label", names.map { .text($0.label) } ?? .null),
        ]
    }

    fileprivate var phrase: String {
        switch self {
        case .genericPassword: "(a password)"
        case .internetPassword: "(an internet password)"
        case .certificate: "(a certificate)"
        case .key: "(a key)"
        case .identity: "(an identity)"
        }
    }
}

extension BackupForm {
    fileprivate var word: String {
        switch self {
        case .portable: "portable"
        case .deviceBound: "device-bound"
        }
    }
}

extension BackupFacts {
    fileprivate var origin: String {
        if isOfThisKeychain { return "of this keychain" }
        return isOfThisDevice ? "of an earlier keychain of this device" : "of another device"
    }
}

extension BackupOmission {
    fileprivate var word: String {
        switch self {
        case .passcodeClass: "passcode"
        case .token: "token"
        case .accessControl: "access-control"
        case .unreadable: "unreadable"
        }
    }

    fileprivate var phrase: String {
        switch self {
        case .passcodeClass: "requires this device's passcode"
        case .token: "is stored in a token"
        case .accessControl: "requires owner authentication"
        case .unreadable: "cannot be read"
        }
    }
}

extension RestoreOutcome {
    fileprivate var word: String {
        switch self {
        case .verified: "whole"
        case .added: "added"
        case .addedWithNewIdentifier: "added-with-new-reference"
        case .unchanged: "unchanged"
        case .replaced: "replaced"
        case .conflict: "conflict"
        case .otherDevice: "other-device"
        case .needsPasscode: "needs-passcode"
        case .invalid: "invalid"
        }
    }

    fileprivate func phrase(_ mode: RestoreMode) -> String {
        let isDone = mode == .apply
        return switch self {
        case .verified: "items can be restored"
        case .added: isDone ? "items added" : "items to add"
        case .addedWithNewIdentifier:
            (isDone ? "items added" : "items to add")
                + " with a new persistent reference, because another item has the old one"
        case .unchanged: "items exist already"
        case .replaced: isDone ? "older items replaced" : "older items to replace"
        case .conflict: "items do not replace an item of the keychain that is newer, or equally old and different"
        case .otherDevice: "items may not leave their device"
        case .needsPasscode: "items require a passcode, which is not set here"
        case .invalid: "items are invalid in a backup"
        }
    }
}
