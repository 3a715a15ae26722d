// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

struct SSHAllowCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow",
        abstract: "Show or set the rules for the use of a key.",
        discussion: """
            Rules restrict what chatelaine-ssh-agent(1) does with the key. The first rule makes the key a private item: \
            from then on each use and each change of the rules needs your approval, so no program can loosen them \
            without you. The rules that options do not name stay as they are.

            A key with hosts signs only logins to these hosts, and no messages such as commits of git. The host keys \
            are copied from the files of known hosts, so log in to a host once before you name it.

            EXAMPLES:
              chatelaine ssh allow laptop
              chatelaine ssh allow laptop --host git@github.com --host server.example.org
              chatelaine ssh allow laptop --program /usr/bin/ssh --confirm
              chatelaine ssh allow laptop --any-host --any-program --no-confirm
            """)

    @Argument(help: "Name of the key or a part of it, or the beginning of its hash.")
    private var name: String

    @Option(
        help: ArgumentHelp("Allow logins to this host, as this user if one is named.", valueName: "[user@]host"))
    private var host: [String] = []

    @Flag(help: "Allow logins to all hosts, and messages.")
    private var anyHost = false

    @Option(
        help: ArgumentHelp("Allow the use by this program.", valueName: "path"), completion: .file())
    private var program: [String] = []

    @Flag(help: "Allow the use by all programs, as far as the keychain allows it.")
    private var anyProgram = false

    @Flag(inversion: .prefixedNo, help: "Ask for a confirmation of each signature.")
    private var confirm: Bool?

    @Option(help: ArgumentHelp("File with the keys of hosts; else those that ssh reads.", valueName: "file"))
    private var knownHosts: [String] = []

    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    func validate() throws {
        guard !anyHost || host.isEmpty else { throw ValidationError("--host and --any-host cannot be combined") }
        guard !anyProgram || program.isEmpty else {
            throw ValidationError("--program and --any-program cannot be combined")
        }
    }

    func run(in context: CommandContext) throws(CommandFailure) {
        try unlocking.unlockIfWanted(in: context)
        let key = try context.sshKey(named: name)
        var tag = key.tag
        if anyHost { tag.hosts = [] }
        for word in host { tag.hosts = try adding(word, to: tag.hosts, in: context) }
        if anyProgram { tag.programs = [] }
        for path in program { tag.programs = try adding(path, to: tag.programs, in: context) }
        if let confirm { tag.needsConfirmation = confirm }
        let changed = tag == key.tag ? key : try context.store(tag, of: key)
        try output.print(changed.members, or: changed.rules, in: context)
    }

    private func adding(
        _ path: String, to programs: [String], in context: CommandContext
    ) throws(CommandFailure) -> [String] {
        let real: String
        do throws(StreamError) {
            real = try context.files.programPath(path)
        } catch {
            throw CommandFailure("cannot find the program \"\(path)\": \(error.reason)")
        }
        guard SSHKeyTag.isProgram(real) else {
            throw CommandFailure(
                "a rule cannot contain the path \"\(real)\"", hint: "use a path without spaces and control characters")
        }
        return programs.contains(real) ? programs : programs + [real]
    }

    private func adding(
        _ word: String, to hosts: [SSHKeyTag.Host], in context: CommandContext
    ) throws(CommandFailure) -> [SSHKeyTag.Host] {
        let parts = word.split(separator: "@", omittingEmptySubsequences: false)
        let (user, name) = parts.count == 2 ? (String(parts[0]), String(parts[1])) : ("", word)
        let folder = context.machine.home + "/.ssh/"
        let usual = [
            "\(folder)known_hosts", "\(folder)known_hosts2", "/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2",
        ]
        var keys: [SSHKeyTag.Host.Key] = []
        for path in knownHosts.isEmpty ? usual : knownHosts {
            for key in try Self.file(path, mayBeMissing: knownHosts.isEmpty, in: context)?.keys(of: name) ?? []
            where !keys.contains(key) {
                keys.append(key)
            }
        }
        guard !keys.isEmpty else {
            throw CommandFailure(
                "no file of known hosts has a key of the host \"\(name)\"",
                hint: "log in to it once, or name another file with --known-hosts", exitCode: .itemNotFound)
        }
        guard let host = SSHKeyTag.Host(user: user, name: name, keys: keys) else {
            throw CommandFailure("\"\(word)\" is not the name of a host", exitCode: .usage)
        }
        // The keys of a host that is named again are read again.
        return hosts.filter { $0.text != host.text } + [host]
    }

    private static func file(
        _ path: String, mayBeMissing: Bool, in context: CommandContext
    ) throws(CommandFailure) -> KnownHostsFile? {
        do throws(StreamError) {
            if mayBeMissing, try context.machine.facts(path) == nil { return nil }
            guard let all = try CommandInput(try context.files.read(path)).readAll(limit: KnownHostsFile.byteLimit)
            else { throw StreamError(reason: "it has more than \(KnownHostsFile.byteLimit) bytes") }
            return KnownHostsFile(all.bytes)
        } catch {
            throw CommandFailure("cannot read \"\(path)\": \(error.reason)")
        }
    }
}

struct SSHCertifyCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "certify",
        abstract: "Store a certificate of a key, or remove it.",
        discussion: """
            chatelaine-ssh-agent(1) offers the certificate beside the key. The certificate replaces an earlier one. \
            `chatelaine ssh add FILE` stores the certificate in FILE-cert.pub, if there is one.

            EXAMPLES:
              chatelaine ssh certify laptop laptop-cert.pub
              chatelaine ssh certify laptop --remove
            """)

    @Argument(help: "Name of the key or a part of it, or the beginning of its hash.")
    private var name: String

    @Argument(help: "File with the certificate, as ssh-keygen writes it.")
    private var file: String?

    @Flag(help: "Remove the certificate.")
    private var remove = false

    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    func validate() throws {
        guard (file == nil) == remove else { throw ValidationError("exactly one of FILE and --remove is required") }
    }

    func run(in context: CommandContext) throws(CommandFailure) {
        try unlocking.unlockIfWanted(in: context)
        let key = try context.sshKey(named: name)
        var tag = key.tag
        tag.certificate = try file.map { path throws(CommandFailure) in
            try SSHCertificateFile.read(path, of: tag.line, in: context)
        }
        let changed = tag == key.tag ? key : try context.store(tag, of: key)
        try output.print(changed.members, or: changed.rules, in: context)
    }
}

extension SSHKeyItem {
    /// The rules as lines for people.
    var rules: String {
        columns([
            ("key", name), ("hosts", tag.hosts.isEmpty ? "all" : tag.hosts.map(\.text).joined(separator: ", ")),
            ("programs", tag.programs.isEmpty ? "all that the keychain allows" : tag.programs.joined(separator: ", ")),
            ("confirmation", tag.needsConfirmation ? "of each signature" : "none"),
            ("certificate", tag.certificate == nil ? "none" : "yes"),
        ])
    }
}

extension CommandContext {
    /// Stores the tag of a key. With rules, the key becomes a private item, whose changes need the user's approval.
    func store(_ tag: SSHKeyTag, of key: SSHKeyItem) throws(CommandFailure) -> SSHKeyItem {
        guard tag.text.utf8.count <= SSHKeyTag.byteLimit else {
            throw CommandFailure(
                "the rules of the key have more than \(SSHKeyTag.byteLimit) bytes", hint: "name fewer hosts")
        }
        var entries: [ItemAttributes.Entry] = [.init(.applicationTag, .string(tag.text))]
        if tag.isRestricted, key.item.group == CommandGroup.shared {
            entries.append(.init(.accessGroup, .string(CommandGroup.privateItems)))
        }
        let changes = try keyAttributes(entries, for: .update)
        try keyItems { client throws(ClientError) in
            try client.update(key.item.query, changes: changes, secret: nil as [UInt8]?)
        }
        return try sshKey(key.item.reference)
    }
}
