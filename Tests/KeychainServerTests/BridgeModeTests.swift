// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainClient
import KeychainKeys
import KeychainModel
import KeychainPolicy
import KeychainServer
import KeychainWire
import SecretMemory
import Synchronization
import Testing

/// What the clients of bridges may do with other programs' items: the modes, the prompts and the availability of items.
final class BridgeModeTests {
    /// A simulated user who gives one answer to each prompt, and counts the prompts.
    private final class Person: Sendable {
        private let state = Mutex(
            (answer: PromptAnswer.notAsked(), operations: [KeychainPolicy.Operation](), settings: 0))

        var prompter: Prompter {
            Prompter { [self] prompt, _, _ in
                state.withLock { state in
                    if let operation = prompt.operation { state.operations.append(operation) }
                    if prompt.loosensSettings { state.settings += 1 }
                    return state.answer
                }
            }
        }

        func answers(_ answer: PromptAnswer) { state.withLock { $0.answer = answer } }

        /// Gives this answer during the action, and then the one from before.
        func answering(_ answer: PromptAnswer, _ body: () throws -> Void) rethrows {
            let before = state.withLock { state in
                defer { state.answer = answer }
                return state.answer
            }
            defer { answers(before) }
            try body()
        }

        /// The number of prompts about settings.
        var settingPrompts: Int { state.withLock(\.settings) }

        /// The operations of the prompts since the last call.
        func takePrompts() -> [KeychainPolicy.Operation] {
            state.withLock { state in
                defer { state.operations = [] }
                return state.operations
            }
        }
    }

    /// The caller of the next connection.
    private final class NextCaller: Sendable {
        private let caller = Mutex(BridgeModeTests.command)
        func become(_ caller: Caller) { self.caller.withLock { $0 = caller } }
        var identifier: CallerIdentifier {
            CallerIdentifier { [self] _ in IdentifiedCaller(caller.withLock { $0 }) { _ in true } }
        }
    }

    private static let command = Caller(
        userID: getuid(), processID: getpid(), tier: .installed, identity: .command,
        accessGroups: [CommandGroup.shared, CommandGroup.privateItems], displayPath: "/usr/bin/chatelaine")

    private static let mail = program("/usr/bin/mail")
    private static let enforced = program("/usr/bin/vault", tier: .enforced, group: "enforced:installed:/usr/bin/vault")

    private static func program(
        _ path: String, tier: CallerTier = .installed, group: String? = nil, process: Int32 = 7, start: UInt64 = 1,
        through bridge: Bridge? = nil
    ) -> Caller {
        Caller(
            userID: getuid(), processID: process, processStart: start, tier: tier, identity: .installed(path: path),
            accessGroups: [group ?? "installed:\(path)"], displayPath: path, bridge: bridge)
    }

    /// A client of a bridge.
    private static func client(
        _ path: String = "/usr/bin/notes", tier: CallerTier = .installed, process: Int32 = 7, start: UInt64 = 1
    ) -> Caller {
        program(
            path, tier: tier, process: process, start: start,
            through: Bridge(displayPath: "/usr/libexec/chatelaine-secrets", processID: 3, processStart: 1))
    }

    private let person = Person()
    private let next = NextCaller()
    private let service: RunningService
    private static let needsApproval = Refusal(.interactionNotAllowed, .otherProgramsItem)
    private static let denied = Refusal(.authenticationFailed, .none)
    private let changes = ItemAttributes(empty: .genericPassword)

    init() throws {
        service = try RunningService(identifier: next.identifier, prompter: person.prompter)
    }

    deinit { service.stop() }

    private func connection(_ caller: Caller) throws -> KeychainClient {
        next.become(caller)
        let client = service.client()
        _ = try client.status()
        return client
    }

    private func set(_ mode: BridgeMode) throws {
        let command = try connection(Self.command)
        try person.answering(.allowed(always: false, passcode: nil)) {
            try command.change([.bridges: mode.rawValue], proof: nil)
        }
    }

    private func lastLine() throws -> [String: String] { try fields(try #require(service.auditLog.last)) }

    /// Returns the same client, whose requests must not prompt.
    private func quiet(_ client: KeychainClient) throws -> KeychainClient {
        var fields = RequestAuthentication<SecretBytes.BytesView>()
        fields.interaction = .fail
        return try client.authenticating(ClientAuthentication(fields))
    }

    private func secretsWithoutPrompt(_ client: KeychainClient) throws -> [String?] {
        try quiet(client).secrets(try query(service: "mail"))
    }

    /// Returns whether each item of the service "mail" needs an approval, by its account.
    private func availability(_ client: KeychainClient) throws -> [String: Bool] {
        let items = try client.copyMatching(
            try query(service: "mail"), limit: .all, returning: [.attributes, .availability]
        ) { _ in }
        let pairs = items.map { ($0.attributes?[.account]?.string ?? "", $0.needsApproval) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    // MARK: Finding

    @Test func `a client lists the items of all programs except enforced ones, and is told which it can read`() throws {
        let tool = try connection(Self.client())
        try tool.addPassword(account: "own")
        try connection(Self.mail).addPassword(account: "foreign")
        try connection(Self.enforced).addPassword(account: "enforced")
        try connection(Self.command).addPassword(account: "shared")
        try connection(Self.command).addPassword(account: "private", group: CommandGroup.privateItems)
        let expected = ["own": false, "foreign": true, "shared": true, "private": true]
        #expect(try availability(tool) == expected)
        let line = try lastLine()
        #expect(line["outcome"] == "granted" && line["granted-by"] == "bridge-listing" && line["items"] == "4")
        // Without attributes, in the order own items first.
        let items = try tool.copyMatching(try query(service: "mail"), limit: .all, returning: .availability) { _ in }
        #expect(items.first?.needsApproval == false && items.map(\.needsApproval).count { $0 } == 3)
        #expect(items.allSatisfy { $0.attributes == nil })
        #expect(person.takePrompts().isEmpty, "a list never prompts")
        // The same program, connected itself, finds its own items only.
        #expect(try availability(try connection(Self.program("/usr/bin/notes"))) == ["own": false])
    }

    @Test func `an application in a sandbox uses its own items alone, and does not lock or change the keychain`() throws
    {
        let foreign = try connection(Self.mail).add(
            try attributes([(.account, .string("foreign"))]), secret: Array("secret".utf8))
        try connection(Self.command).addPassword(account: "private", group: CommandGroup.privateItems)
        let command = try connection(Self.command)
        try command.setPasscode(SecretBytes(copying: "1234".utf8), proof: nil)
        let name = "flatpak:org.example.Mail"
        let application = try connection(
            Caller(
                userID: getuid(), processID: 7, processStart: 1, tier: .interpreter, identity: .application(name: name),
                accessGroups: [name], displayPath: name,
                bridge: Bridge(displayPath: "/usr/libexec/chatelaine-secrets", processID: 3, processStart: 1)))
        let notFound = Refusal(.itemNotFound, .none)
        #expect(try refusal { _ = try availability(application) } == notFound)
        #expect(
            try refusal { _ = try application.copyMatching(ItemQuery(foreign), limit: .one, returning: .data) { _ in } }
                == notFound)
        try application.addPassword(account: "own")
        #expect(try availability(application) == ["own": false])
        let sandboxed = Refusal(.missingEntitlement, .sandboxedApplication)
        #expect(try refusal { try application.lock() } == sandboxed)
        let passcode = ProtectorSecret(.passcode, SecretBytes(copying: "1234".utf8))
        #expect(
            try refusal { try application.setPasscode(SecretBytes(copying: "5678".utf8), proof: passcode) } == sandboxed
        )
        #expect(try command.lockState() == .unlocked)
        #expect(person.takePrompts().isEmpty)
        // The portal reads an imported secret in this way.
        var imported = try query(service: "mail")
        imported.accessGroup = CommandGroup.privateItems
        person.answers(.allowed(always: false, passcode: SecretBytes(copying: "1234".utf8)))
        _ = try application.copyMatching(imported, limit: .one, returning: .data) { _ in }
        #expect(person.takePrompts() == [.readData])
    }

    @Test func `availability is no way to data`() throws {
        let tool = try connection(Self.client())
        try tool.addPassword()
        let refused = Refusal(.parameter, .none)
        for parts in [[.data], [.data, .attributes]] as [ReturnedParts] {
            #expect(
                try refusal {
                    _ = try tool.copyMatching(
                        try query(), limit: .all, returning: parts.union(.availability)
                    ) { Array($0) }
                } == refused)
        }
        for itemClass in [ItemClass.key, .identity] {
            #expect(
                try refusal {
                    _ = try tool.copyMatching(
                        ItemQuery(itemClass), limit: .all, returning: [.reference, .availability]
                    ) { Array($0) }
                } == refused)
        }
        #expect(try refusal { _ = try availability(try connection(Self.mail)) } == Refusal(.itemNotFound, .none))
    }

    @Test func `of a locked keychain every item needs an approval, and the search finds them`() throws {
        let tool = try connection(Self.client())
        try tool.addPassword()
        let command = try connection(Self.command)
        try command.setPasscode(SecretBytes(copying: "1234".utf8), proof: nil)
        #expect(try availability(tool) == ["ann": false])
        try command.lock()
        let items = try tool.copyMatching(try query(), limit: .all, returning: .availability) { _ in }
        #expect(items.map(\.needsApproval) == [true])
        #expect(try refusal { _ = try availability(tool) } == Refusal(.interactionNotAllowed, .locked))
    }

    @Test
    func
        `of a locked keychain items are found by lookup attributes without their attributes, and by no part of a text`()
        throws
    {
        func lookup(_ name: String) throws -> (AttributeKey, AttributeValue) {
            (.lookup, .data(try LookupAttributes(["kind": "mail", "user": name]).encoded))
        }
        func find(_ query: ItemQuery, _ parts: ReturnedParts = .availability) throws -> [PersistentReference] {
            try tool.copyMatching(query, limit: .all, returning: parts) { _ in }.map(\.reference)
        }
        let tool = try connection(Self.client())
        var references: [PersistentReference] = []
        for name in ["ann", "bob"] {
            references.append(
                try tool.add(try attributes([(.account, .string(name)), lookup(name)]), secret: Array("secret".utf8)))
        }
        let command = try connection(Self.command)
        try command.setPasscode(SecretBytes(copying: "1234".utf8), proof: nil)
        try command.lock()
        let locked = Refusal(.interactionNotAllowed, .locked)
        var bob = try query()
        bob.attributes = try attributes(.query, [lookup("bob")])
        #expect(try find(bob) == [references[1]])
        #expect(try refusal { _ = try find(bob, [.attributes, .availability]) } == locked)
        #expect(try refusal { _ = try tool.secrets(bob) } == locked)
        // A reference to an item with other attributes.
        bob.persistentReference = references[0]
        #expect(try refusal { _ = try find(bob) } == Refusal(.itemNotFound, .none))
        var part = try query()
        part.attributes = try attributes(.query, [lookup("bob")])
        part.containedText = "bo"
        #expect(try refusal { _ = try find(part) } == locked)
    }

    // MARK: Changing the mode

    @Test func `a looser setting takes the user's approval each time, a stricter one none, and the log names both`()
        throws
    {
        let command = try connection(Self.command)
        func change(_ setting: Setting, _ value: UInt64) throws -> Refusal {
            try refusal { try command.change([setting: value], proof: nil) }
        }
        let loosened: [(setting: Setting, strict: UInt64, loose: UInt64, line: String)] = [
            (.bridges, 0, 1, "bridges learn"), (.bridges, 0, 2, "bridges open"),
            (.requiresEnforcedCallers, 1, 0, "require-enforced-callers off"),
            (.makesItemsPrivate, 1, 0, "private-items off"),
        ]
        for (setting, strict, loose, line) in loosened {
            #expect(try change(setting, strict) == Refusal(.success, .none))
            let before = person.settingPrompts
            for (answer, reason) in [
                (.notAsked(), .passcodeNeededToAsk), (.notAsked(.tooManyPrompts), .tooManyPrompts), (.denied, .none),
                (.cancelled, .none), (.timedOut, .none),
            ] as [(PromptAnswer, Refusal.Reason)] {
                person.answers(answer)
                #expect(try change(setting, loose) == Refusal(.authenticationFailed, reason), "\(line)")
                #expect(try command.settings()[setting] == strict)
                #expect(service.auditLog.last?.contains("\"settings\":[\"\(line)\"],\"outcome\":\"refused\"") == true)
            }
            person.answers(.allowed(always: false, passcode: nil))
            #expect(try change(setting, loose) == Refusal(.success, .none))
            #expect(try command.settings()[setting] == loose)
            #expect(
                service.auditLog.last?.contains(
                    "\"settings\":[\"\(line)\"],\"outcome\":\"granted\",\"granted-by\":\"authorization\"") == true)
            #expect(person.settingPrompts == before + 6)
            // The same value again, and the stricter one.
            person.answers(.denied)
            for value in [loose, strict] { #expect(try change(setting, value) == Refusal(.success, .none)) }
            #expect(person.settingPrompts == before + 6)
        }
        // Among others, and with values that are refused without a prompt.
        #expect(
            try refusal { try command.change([.bridges: 1, .snapshotDays: 8], proof: nil) }
                == Refusal(.authenticationFailed, .none))
        #expect(try command.settings()[.snapshotDays] == Setting.snapshotDays.defaultValue)
        let before = person.settingPrompts
        #expect(try change(.bridges, 3) == Refusal(.parameter, .unusableSetting))
        // With a passcode, the passcode proves the owner.
        let passcode = SecretBytes(copying: "1234".utf8)
        try command.setPasscode(passcode, proof: nil)
        #expect(try change(.bridges, 2) == Refusal(.authenticationFailed, .proofRequired))
        try command.change([.bridges: 2], proof: ProtectorSecret(.passcode, passcode))
        #expect(person.settingPrompts == before)
    }

    // MARK: Mode ask

    @Test func `each use of another program's item is prompted for, and a denial changes nothing`() throws {
        let mail = try connection(Self.mail)
        try mail.addPassword()
        let tool = try connection(Self.client())
        person.answers(.denied)
        #expect(try refusal { _ = try tool.secrets(try query()) } == Self.denied)
        let line = try lastLine()
        #expect(line["bridge"] == "/usr/libexec/chatelaine-secrets" && line["program"] == "/usr/bin/notes")
        #expect(try refusal { try tool.update(try query(), changes: changes, secret: [1]) } == Self.denied)
        #expect(try refusal { try tool.delete(try query()) } == Self.denied)
        #expect(person.takePrompts() == [.readData, .update, .delete])
        #expect(try mail.secrets(try query()) == ["correct horse"])
        // Own items need no prompt.
        try tool.addPassword(account: "own")
        #expect(try tool.secrets(try query(account: "own")) == ["correct horse"])
        #expect(person.takePrompts().isEmpty)
    }

    @Test func `without permission to prompt the answer is immediate`() throws {
        try connection(Self.mail).addPassword()
        person.answers(.allowed(always: false, passcode: nil))
        let tool = try quiet(try connection(Self.client()))
        #expect(try refusal { _ = try tool.secrets(try query()) } == Self.needsApproval)
        #expect(try refusal { try tool.update(try query(), changes: changes, secret: [1]) } == Self.needsApproval)
        #expect(try refusal { try tool.delete(try query()) } == Self.needsApproval)
        #expect(person.takePrompts().isEmpty)
        try tool.addPassword(account: "own")
        try tool.delete(try query(account: "own"))
    }

    @Test func `"Allow" on a read holds for all connections of the process, and for no other process`() throws {
        try connection(Self.mail).addPassword()
        let tool = try connection(Self.client())
        person.answers(.allowed(always: false, passcode: nil))
        #expect(try tool.secrets(try query()) == ["correct horse"])
        #expect(try lastLine()["granted-by"] == "person")
        #expect(person.takePrompts() == [.readData])
        #expect(try availability(tool) == ["ann": false])
        // The second read is another request, on another connection.
        #expect(try secretsWithoutPrompt(try connection(Self.client())) == ["correct horse"])
        #expect(try lastLine()["granted-by"] == "client-approval")
        #expect(person.takePrompts().isEmpty)
        // Another process of the program, the same number used again, and another operation.
        for other in [Self.client(process: 8), Self.client(start: 2), Self.client("/usr/bin/other")] {
            #expect(try refusal { _ = try secretsWithoutPrompt(try connection(other)) } == Self.needsApproval)
        }
        try tool.update(try query(), changes: changes, secret: [1])
        try tool.update(try query(), changes: changes, secret: [2])
        #expect(person.takePrompts() == [.update, .update])
        #expect(try connection(Self.command).grants().isEmpty)
    }

    @Test func `held approvals end when the keychain is locked and when the user revokes all`() throws {
        try connection(Self.mail).addPassword()
        let (tool, command) = (try connection(Self.client()), try connection(Self.command))
        person.answers(.allowed(always: false, passcode: nil))
        #expect(try tool.secrets(try query()) == ["correct horse"])
        let approval = ListedApproval(
            identity: .installed(path: "/usr/bin/notes"), process: 7, path: "/usr/bin/notes",
            bridgePath: "/usr/libexec/chatelaine-secrets", itemCount: 1)
        #expect(try command.clientApprovals() == [approval])
        #expect(
            try refusal { _ = try tool.clientApprovals() } == Refusal(.missingEntitlement, .administrationOnly))
        #expect(try command.revokeGrants(.program(.installed(path: "/usr/bin/notes"))) == 1)
        #expect(try command.clientApprovals().isEmpty)
        #expect(try refusal { _ = try secretsWithoutPrompt(tool) } == Self.needsApproval)
        #expect(try tool.secrets(try query()) == ["correct horse"])
        #expect(try command.revokeGrants(.all) == 1)
        #expect(try refusal { _ = try secretsWithoutPrompt(tool) } == Self.needsApproval)
        #expect(try tool.secrets(try query()) == ["correct horse"])
        let passcode = SecretBytes(copying: "1234".utf8)
        try command.setPasscode(passcode, proof: nil)
        #expect(try secretsWithoutPrompt(tool) == ["correct horse"])
        try command.lock()
        try command.unlock(with: ProtectorSecret(.passcode, passcode))
        #expect(try refusal { _ = try secretsWithoutPrompt(tool) } == Self.needsApproval)
    }

    @Test func `"Always Allow" is a grant in the list, and ends when it is revoked`() throws {
        try connection(Self.mail).addPassword()
        let (tool, command) = (try connection(Self.client()), try connection(Self.command))
        person.answers(.allowed(always: true, passcode: nil))
        #expect(try tool.secrets(try query()) == ["correct horse"])
        let grants = try command.grants()
        #expect(grants.map(\.grant.identity) == [.installed(path: "/usr/bin/notes")])
        #expect(grants.map(\.grant.operation) == [.readData])
        #expect(try secretsWithoutPrompt(try connection(Self.client(process: 8))) == ["correct horse"])
        #expect(try lastLine()["granted-by"] == "remembered-grant")
        #expect(try availability(tool) == ["ann": false])
        #expect(try command.revokeGrants(.number(try #require(grants.first).grant.number)) == 1)
        #expect(try refusal { _ = try secretsWithoutPrompt(tool) } == Self.needsApproval)
        #expect(try availability(tool) == ["ann": true])
    }

    // MARK: Modes learn and open

    @Test(arguments: [(BridgeMode.learn, "bridges-learn"), (.open, "bridges-open")])
    func `in both modes every item is used without a prompt, and the log names the mode`(
        mode: BridgeMode, rule: String
    ) throws {
        let mail = try connection(Self.mail)
        try mail.addPassword()
        try set(mode)
        let tool = try connection(Self.client())
        #expect(try availability(tool) == ["ann": false])
        #expect(try secretsWithoutPrompt(tool) == ["correct horse"])
        #expect(try lastLine()["granted-by"] == rule)
        try tool.update(try query(), changes: changes, secret: Array("other".utf8))
        #expect(try lastLine()["granted-by"] == rule)
        #expect(try mail.secrets(try query()) == ["other"])
        // Nothing moves into a group where its owner would not find it.
        let moved = try attributes(.update, [(.accessGroup, .string("installed:/usr/bin/notes"))])
        #expect(
            try refusal { try tool.update(try query(), changes: moved, secret: [UInt8]?.none) }
                == Refusal(.missingEntitlement, .foreignAccessGroup))
        try tool.delete(try query())
        #expect(try lastLine()["granted-by"] == rule)
        #expect(person.takePrompts().isEmpty)
        #expect(try refusal { _ = try mail.secrets(try query()) } == Refusal(.itemNotFound, .none))
    }

    @Test func `learn records only what ask would have prompted for`() throws {
        try connection(Self.mail).addPassword()
        let tool = try connection(Self.client())
        person.answers(.allowed(always: true, passcode: nil))
        #expect(try tool.secrets(try query()) == ["correct horse"])
        try set(.learn)
        #expect(try tool.secrets(try query()) == ["correct horse"])
        #expect(try lastLine()["granted-by"] == "remembered-grant")
        _ = try connection(Self.command).revokeGrants(.all)
        #expect(try tool.secrets(try query()) == ["correct horse"])
        #expect(try lastLine()["granted-by"] == "bridges-learn")
    }

    @Test(arguments: [BridgeMode.learn, .open])
    func `no mode opens private items or items with constraints, and strict mode wins`(mode: BridgeMode) throws {
        try set(mode)
        let command = try connection(Self.command)
        let passcode = SecretBytes(copying: "1234".utf8)
        // The constraint needs one.
        try command.setPasscode(passcode, proof: nil)
        try command.addPassword(account: "private", group: CommandGroup.privateItems)
        let mail = try connection(Self.mail)
        let presence = try #require(AccessControl(protection: .whenUnlocked, flags: .userPresence))
        try mail.add(
            try attributes([
                (.service, .string("mail")), (.account, .string("constrained")),
                (.accessControl, .accessControl(presence)),
            ]), secret: Array("secret".utf8))
        try mail.addPassword(account: "plain")
        let tool = try connection(Self.client())
        #expect(try availability(tool) == ["private": true, "constrained": true, "plain": false])
        for account in ["private", "constrained"] {
            #expect(
                try refusal { try tool.delete(try query(account: account)) } == Self.needsApproval)
        }
        try command.change([.requiresEnforcedCallers: 1], proof: ProtectorSecret(.passcode, passcode))
        #expect(
            try refusal { _ = try tool.secrets(try query(account: "plain")) }
                == Refusal(.interactionNotAllowed, .strictMode))
        #expect(try refusal { _ = try availability(tool) } == Refusal(.interactionNotAllowed, .strictMode))
    }

    // MARK: Public data

    @Test
    func `a client reads public halves of keys and certificates of all programs without a prompt, and nothing else`()
        throws
    {
        try connection(Self.command).setPasscode(SecretBytes(copying: "1234".utf8), proof: nil)
        person.answers(.denied)
        let mail = try connection(Self.mail)
        let made = try mail.generateKey(
            try ItemAttributes(
                .key, for: .add,
                [
                    .init(.type, .number(KeyType.ellipticCurve.code)), .init(.keySizeInBits, .number(256)),
                    .init(.isExtractable, .number(0)),
                ]))
        let open = try PrivateKey(generating: .ed25519, sizeInBits: 256)
        func add(_ itemClass: ItemClass, _ entries: [ItemAttributes.Entry], _ data: [UInt8]) throws {
            _ = try mail.add(try ItemAttributes(itemClass, for: .add, entries), secret: data) { _ in }
        }
        try add(
            .key, [.init(.keyClass, .number(1)), .init(.type, .number(KeyType.ed25519.code))],
            Array(open.externalRepresentation))
        // A symmetric key has no public data.
        try add(.key, [.init(.keyClass, .number(2)), .init(.label, .string("symmetric"))], [1, 2, 3])
        try add(.certificate, [.init(.serialNumber, .data([1]))], [4, 5, 6])
        let control = try #require(AccessControl(protection: .whenUnlocked, flags: .userPresence))
        try add(
            .certificate, [.init(.serialNumber, .data([2])), .init(.accessControl, .accessControl(control))], [7])

        let tool = try connection(Self.client())
        let halves = try tool.copyMatching(ItemQuery(.key), limit: .all, returning: .reference) { Array($0) }
        #expect(
            Set(halves.compactMap(\.secret)) == [
                try #require(made.secret), Array(open.publicKey.externalRepresentation),
            ])
        #expect(halves.count == 3)
        let certificates = try tool.copyMatching(ItemQuery(.certificate), limit: .all, returning: .data) { Array($0) }
        #expect(certificates.map(\.secret) == [[4, 5, 6]], "one is the owner's to show")
        #expect(person.takePrompts().isEmpty)
        // The private half of an extractable key is another matter.
        #expect(throws: ClientError.self) {
            try tool.copyMatching(ItemQuery(.key), limit: .all, returning: [.data, .reference]) { _ in }
        }
        #expect(person.takePrompts() == [.readData])
        var query = ItemQuery(.key)
        query.attributes[.type] = .number(KeyType.ed25519.code)
        #expect(try refusal { _ = try tool.copyMatching(query, limit: .one, returning: .data) { _ in } } == Self.denied)
        #expect(person.takePrompts() == [.readData])
        // A program that connects itself finds none of them.
        let notes = try connection(Self.program("/usr/bin/notes"))
        #expect(throws: ClientError.refused(Refusal(.itemNotFound, .none))) {
            try notes.copyMatching(ItemQuery(.key), limit: .all, returning: .reference) { _ in }
        }
    }

    // MARK: Changes

    @Test func `a client watches the items that it finds`() throws {
        let watching = try connection(Self.client()).watch()
        let mail = try connection(Self.mail)
        try connection(Self.enforced).addPassword(account: "enforced")
        let reference = try mail.addPassword()
        #expect(try watching.next() == .item(ItemChange(.added, reference)))
    }
}
