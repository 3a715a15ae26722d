// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Crypto
internal import FoundationEssentials
internal import KeychainClient
internal import KeychainKeys
internal import KeychainModel
internal import KeychainTransfer
internal import SecretMemory

struct SSHAddCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Store the private key of a file.",
        discussion: """
            The keychain service uses the key from then on and never returns it. A certificate in FILE-cert.pub is \
            stored with it. The file is not changed; remove it \
            after a login with the key of the keychain. A file with a passphrase is not supported: make a copy without \
            it with `ssh-keygen -p -N "" -f COPY`.
            """)

    @Argument(help: "File with the private key, such as ~/.ssh/id_ed25519.")
    private var file: String

    @Option(help: "Name of the key, which is also its comment; else the name of the file.")
    private var name: String?

    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    /// Larger than the file of each supported key.
    private static let fileBytes = 64 << 10

    func run(in context: CommandContext) throws(CommandFailure) {
        try unlocking.unlockIfWanted(in: context)
        let key = try privateKey(context)
        let line = try SSHKeyItem.line(key.publicKey)
        let tag = try tag(line, in: context)
        let name = name ?? file.split(separator: "/").last.map(String.init) ?? file
        let stored = try context.sshKey(try context.addSSHKey(key, tag, name: name))
        try output.print(stored.members, or: "\(stored.line) \(visible(stored.name))\n", in: context)
    }

    /// Returns the tag, with the certificate that is beside the file.
    private func tag(_ line: String, in context: CommandContext) throws(CommandFailure) -> SSHKeyTag {
        var tag = try SSHKeyItem.tag(line)
        let certificate = file + "-cert.pub"
        guard (try? context.machine.facts(certificate)) ?? nil != nil else { return tag }
        do throws(CommandFailure) {
            tag.certificate = try SSHCertificateFile.read(certificate, of: line, in: context)
        } catch {
            // As ssh-add does.
            context.diagnostics.writeIfPossible(visible("The certificate was not stored: \(error.message)") + "\n")
        }
        return tag
    }

    private func privateKey(_ context: CommandContext) throws(CommandFailure) -> PrivateKey {
        let source: SecretAccumulator?
        do throws(StreamError) {
            source = try CommandInput(try context.files.read(file)).readAll(limit: Self.fileBytes)
        } catch {
            throw CommandFailure("cannot read \(file): \(error.reason)")
        }
        guard let source else { throw CommandFailure("\(file) is too large for a private key") }
        let contents: TransferContents
        do throws(TransferError) {
            contents = try TransferReader().contents(of: source.bytes)
        } catch {
            throw CommandFailure("cannot read \(file): \(error.reason)", hint: error.hint)
        }
        let keys = contents.items.compactMap { item in if case .privateKey(let key) = item { key } else { nil } }
        guard keys.count == 1, let key = keys.first else {
            throw CommandFailure(
                "\(file) does not contain exactly one private key",
                hint: "name the file without .pub; a file of certificates is for `chatelaine security import`")
        }
        return key
    }
}

/// A key for SSH: a private key whose tag contains the public key, and whose application label is its hash.
struct SSHKeyItem {
    let item: ListedItem
    let tag: SSHKeyTag

    /// Nil for any other item, also for an item that another program has tagged with the public key of another key.
    init?(_ item: ListedItem) {
        guard item.attributes.isPrivateKey, let tag = item.text(.applicationTag).flatMap(SSHKeyTag.init(_:)),
            let key = try? PublicKey(openSSHLine: Array(tag.line.utf8)),
            item.bytes(.applicationLabel) == key.hash.bytes
        else { return nil }
        self.item = item
        self.tag = tag
    }

    var name: String { item.keyName }

    /// The public key as in a file of OpenSSH, without a comment.
    var line: String { tag.line }

    /// The type in the words of SSH.
    var type: String { line.split(separator: " ").first.map(String.init) ?? "" }

    /// The fingerprint, as `ssh-keygen -l` prints it; empty for a tag with a damaged key.
    var fingerprint: String {
        guard let word = line.split(separator: " ").last, let blob = Data(base64Encoded: String(word)) else {
            return ""
        }
        return "SHA256:" + base64(Array(SHA256.hash(data: blob))).prefix { $0 != "=" }
    }

    var members: [(String, JSONText)] {
        [
            ("name", .text(name)), ("publicKey", .text(line)), ("fingerprint", .text(fingerprint)),
            ("certificate", .boolean(tag.certificate != nil)), ("confirm", .boolean(tag.needsConfirmation)),
            ("hosts", .array(tag.hosts.map { .text($0.text) })), ("programs", .array(tag.programs.map(JSONText.text))),
        ] + item.keyMembers(certificates: []).filter { ["group", "program", "created", "reference"].contains($0.0) }
    }

    /// Returns the tag of a key without rules.
    static func tag(_ line: String) throws(CommandFailure) -> SSHKeyTag {
        guard let tag = SSHKeyTag(line: line) else { throw CommandFailure("SSH has no keys of the type of this key") }
        return tag
    }

    /// Returns the line of a key.
    static func line(_ key: PublicKey) throws(CommandFailure) -> String {
        guard let line = key.openSSHLine else { throw CommandFailure("SSH has no keys of the type of this key") }
        return line
    }

    static func line(_ type: KeyType, _ representation: [UInt8]) throws(CommandFailure) -> String {
        let key: PublicKey
        do throws(KeyError) {
            key = try PublicKey(type: type, externalRepresentation: representation)
        } catch {
            throw CommandFailure("the keychain service returned an invalid public key: \(error.reason)")
        }
        return try line(key)
    }
}

extension CommandContext {
    /// Stores a key that the keychain service never returns.
    func addSSHKey(_ key: PrivateKey, _ tag: SSHKeyTag, name: String) throws(CommandFailure) -> PersistentReference {
        let attributes = try keyAttributes(
            [
                .init(.label, .string(name)), .init(.type, .number(key.type.code)),
                .init(.keySizeInBits, .number(Int64(key.publicKey.sizeInBits))), .init(.keyClass, .number(1)),
                .init(.isExtractable, .number(0)), .init(.applicationTag, .string(tag.text)),
            ], for: .add)
        var secret = key.externalRepresentation
        defer { secret.resetBytes(in: secret.startIndex..<secret.endIndex) }
        return try keyItems { client throws(ClientError) in
            try client.add(attributes, secret: secret) { _ in }.reference
        }
    }

    func sshKeys() throws(CommandFailure) -> [SSHKeyItem] {
        try keyItems { client throws(ClientError) in try client.listKeys() }.compactMap(SSHKeyItem.init)
    }

    /// Returns the keys of the command itself. Each program can store an item that names any public key.
    func ownSSHKeys() throws(CommandFailure) -> [SSHKeyItem] {
        try keyItems { client throws(ClientError) in try client.ownItems(try client.listKeys()) }
            .compactMap(SSHKeyItem.init)
    }

    func sshKey(named word: String) throws(CommandFailure) -> SSHKeyItem {
        let own = try ownSSHKeys()
        let lines = Set(own.map(\.line))
        let others = try sshKeys().filter { !lines.contains($0.line) }
        return try KeyItemChoice(word).choose(
            own + others, kind: "key", name: \.name, hashes: { [$0.item.bytes(.applicationLabel)] })
    }

    /// Returns a key that was stored a moment ago.
    func sshKey(_ reference: PersistentReference) throws(CommandFailure) -> SSHKeyItem {
        guard let key = try sshKeys().first(where: { $0.item.reference == reference }) else {
            throw CommandFailure("the key was removed by another program", exitCode: .itemNotFound)
        }
        return key
    }

    /// Checks the attributes of a key.
    func keyAttributes(
        _ entries: [ItemAttributes.Entry], for use: AttributeUse
    ) throws(CommandFailure) -> ItemAttributes {
        do throws(AttributeError) {
            return try ItemAttributes(.key, for: use, entries)
        } catch {
            throw CommandFailure(statusMessage(error.status.rawValue))
        }
    }
}
