// SPDX-License-Identifier: Apache-2.0

internal import KeychainHelperWire
internal import KeychainModel
internal import KeychainPolicy

extension PromptRequest {
    /// Creates a prompt in the form that prompters read: texts from callers are neutralized and bounded, and a limited
    /// number of items is named.
    ///
    /// - Parameter starters: the paths of the programs that started the caller.
    init(_ prompt: Prompt, starters: [String], seconds: UInt16, place: PromptLocation) {
        let keychain = PromptText(given: prompt.keychain)
        let (purpose, options, reader) = prompt.purpose.onTheWire(
            ofFile: keychain != nil, changesAccess: prompt.changesAccess)
        let named = prompt.items.prefix(PromptLimits.items).map(PromptItem.init)
        self.init(
            purpose, options: options, seconds: seconds, program: PromptProgram(prompt.caller, starters),
            operation: PromptOperation(prompt), items: named,
            furtherItems: UInt32(clamping: max(0, prompt.itemCount - named.count)),
            reason: PromptText(given: prompt.reason), cancelTitle: PromptText(given: prompt.cancelTitle),
            fallbackTitle: PromptText(given: prompt.fallbackTitle), reader: reader, keychain: keychain, place: place)
    }
}

extension PromptText {
    /// Creates the text; nil if nothing is left to show.
    fileprivate init?(given text: String?) {
        guard let text else { return nil }
        self.init(text)
        guard !self.text.isEmpty else { return nil }
    }
}

extension Prompt.Purpose {
    fileprivate func onTheWire(
        ofFile isOfFile: Bool, changesAccess: Bool
    ) -> (PromptRequest.Purpose, PromptRequest.Options, reader: PromptText?) {
        func options(_ pairs: (PromptRequest.Options, Bool)...) -> PromptRequest.Options {
            pairs.reduce(into: []) { if $1.1 { $0.insert($1.0) } }
        }
        return switch self {
        case .confirmation(let mayRemember, let needsPasscode, let wasWrong):
            (
                !isOfFile ? .confirmation : changesAccess ? .accessChange : .itemConfirmation,
                options((.mayRemember, mayRemember), (.needsPasscode, needsPasscode), (.wasWrong, wasWrong)), nil
            )
        case .passcode(let wasWrong):
            (isOfFile ? .keychainPassword : .passcode, options((.wasWrong, wasWrong)), nil)
        case .applicationPassword(let isNew, let wasWrong):
            (isOfFile ? .keychainPassword : .applicationPassword, options((.isNew, isNew), (.wasWrong, wasWrong)), nil)
        case .biometry(let reader): (.biometry, [], PromptText(reader))
        }
    }
}

extension PromptProgram {
    fileprivate init(_ caller: Caller, _ starters: [String]) {
        var (team, identifier): (PromptText?, PromptText?) = (nil, nil)
        if case .signed(let name, let program) = caller.identity {
            (team, identifier) = (PromptText(name), PromptText(program))
        }
        // The user must learn that any program can take the name, not that it runs scripts.
        let tier = if case .application = caller.identity { Tier.unidentified } else { Tier(caller.tier) }
        self.init(
            process: UInt32(clamping: caller.processID), path: PromptText(caller.displayPath), tier: tier,
            team: team, identifier: identifier, isOfKnownTeam: caller.isOfKnownTeam,
            starters: starters.prefix(PromptLimits.starters).map { PromptText($0) },
            bridge: caller.bridge?.displayPath.split(separator: "/").last.map { PromptText(String($0)) })
    }
}

extension PromptProgram.Tier {
    fileprivate init(_ tier: CallerTier) {
        switch tier {
        case .unidentified: self = .unidentified
        case .interpreter: self = .interpreter
        case .unsigned: self = .unsigned
        case .installed: self = .installed
        case .signed: self = .signed
        case .enforced: self = .enforced
        }
    }
}

extension PromptOperation {
    fileprivate init(_ prompt: Prompt) {
        switch prompt.operation {
        case nil where prompt.unlocks: self = .unlock
        case nil where prompt.loosensSettings: self = .loosenSettings
        case .add: self = .add
        case .restore: self = .restore
        case .probe, .match, .availability, .readAttributes, .readPublic: self = .readAttributes
        case .readData: self = .readSecret
        case .update: self = .change
        case .delete: self = .delete
        case .backUp: self = .backUp
        case .useKey: self = .useKey
        case nil: self = .authenticate
        }
    }
}

extension PromptItem {
    fileprivate init(_ item: PromptedItem) {
        let names = item.names
        let kind: Kind =
            switch names.itemClass {
            case .genericPassword: .genericPassword
            case .internetPassword: .internetPassword
            case .certificate: .certificate
            case .key: .key
            case .identity: .identity
            }
        self.init(
            kind, label: PromptText(names.label), place: PromptText(names.place), account: PromptText(names.account),
            owner: item.otherGroup.flatMap { PromptOwner(group: $0) })
    }
}

extension PromptOwner {
    /// Creates the owner; nil for a group without a name that can be shown.
    fileprivate init?(group: String) {
        let plainName = EnforcedGroup.plainName(of: group)
        let (kind, name): (Kind, String) =
            switch GroupOwner(ofGroup: plainName ?? group) {
            case .command: (.command, "")
            case .installed(let path): (.installedProgram, path)
            case .unsigned(let digest): (.unsignedProgram, GroupOwner.shortened(digest: digest))
            case .development(let path): (.developedProgram, path)
            case .application(let name): (.accessGroup, name)
            case .signed(let group): (.accessGroup, group)
            }
        let text = PromptText(name)
        guard text.text.isEmpty == (kind == .command) else { return nil }
        self.init(kind, name: text, isShielded: plainName != nil)
    }
}
