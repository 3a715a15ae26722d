// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainClient
internal import KeychainKeys
internal import KeychainModel
internal import KeychainTerminal
internal import KeychainTransfer
internal import KeychainWire
internal import SecretMemory

/// Moves a private key from its file into the keychain.
///
/// The file is removed last: after its contents are stored, and after service and agent have signed with the key of the
/// keychain. So an interruption at any point leaves the file, or a stored copy that `--undo` restores; a second run
/// continues.
struct SSHKeyMove {
    private let context: CommandContext
    private let socket: String

    init(_ context: CommandContext, socket: String) {
        self.context = context
        self.socket = socket
    }

    func run(_ file: SSHKeyFile) throws(CommandFailure) {
        switch file.state {
        case .unusable(let reason): throw CommandFailure(reason)
        case .read(let opened, let bytes, let key): try move(opened, bytes.secret(), key)
        }
    }

    private func move(_ file: ProgramFile, _ contents: SecretBytes, _ key: PrivateKey) throws(CommandFailure) {
        let line = try SSHKeyItem.line(key.publicKey)
        guard let word = line.split(separator: " ").last, let data = Data(base64Encoded: String(word)) else { return }
        let blob = Array(data)
        let before = try context.ownSSHKeys().first { $0.line == line }
        if before == nil, try SSHAgentLink(connectingTo: socket).lists(blob) {
            throw CommandFailure(
                "the agent has the key in its memory, so the key of the keychain cannot be checked",
                hint: "remove it from the memory with `ssh-add -d \(shellWord(file.path))`")
        }
        let copies = SSHKeyCopies(context)
        let copy = try copies.store(contents, of: file, line: line)
        var added: PersistentReference?
        do throws(CommandFailure) {
            if before == nil { added = try add(key, line, file.path) }
            try checkService(added ?? before?.item.reference, key.publicKey)
            let link = try SSHAgentLink(connectingTo: socket)
            guard try link.lists(blob) else {
                throw CommandFailure(
                    "the agent of SSH_AUTH_SOCK does not offer the keys of the keychain",
                    hint: "let SSH_AUTH_SOCK name the socket of chatelaine-ssh-agent")
            }
            try link.checkSignature(by: key.publicKey, blob)
            try writePublicKey(line, beside: file.path)
            try copies.close(copy)
        } catch {
            // The file stays. What cannot be removed does no harm.
            if let added { try? context.client.delete(ItemQuery(added)) }
            if !copy.item.isPrivate { try? copies.remove(copy) }
            throw error
        }
        // From here on only the removal is left.
        guard file.isUnchanged else {
            throw CommandFailure(
                "another process changed the file in the meantime",
                hint: "its key is in the keychain; run the command again")
        }
        do throws(StreamError) {
            try context.files.remove(file.path)
        } catch {
            throw CommandFailure(
                "the key is in the keychain, but the file cannot be removed: \(error.reason)",
                hint: "remove it, or run `chatelaine setup ssh --undo`")
        }
    }

    private func add(_ key: PrivateKey, _ line: String, _ path: String) throws(CommandFailure) -> PersistentReference {
        var tag = try SSHKeyItem.tag(line)
        let certificate = path + "-cert.pub"
        if (try? context.machine.facts(certificate)) ?? nil != nil {
            tag.certificate = try SSHCertificateFile.read(certificate, of: line, in: context)
        }
        return try context.addSSHKey(key, tag, name: path.split(separator: "/").last.map(String.init) ?? path)
    }

    /// Has the service sign with the key.
    private func checkService(_ item: PersistentReference?, _ key: PublicKey) throws(CommandFailure) {
        guard let item else { return }
        let data = (0..<32).map { _ in UInt8.random(in: 0 ... .max) }
        let signature = try context.keyItems { client throws(ClientError) in
            try client.use(KeyWork(item, algorithm: key.sshAlgorithm.identifier, .sign(data))) { Array($0) }
        }
        do throws(KeyError) {
            try key.verify(signature, for: data, using: key.sshAlgorithm)
        } catch {
            throw CommandFailure("the signature of the keychain does not match the key")
        }
    }

    private func writePublicKey(_ line: String, beside path: String) throws(CommandFailure) {
        let path = path + ".pub"
        do throws(StreamError) {
            guard try context.machine.facts(path) == nil else { return }
            try context.files.writePrivate(Array("\(line)\n".utf8), to: path, replacing: false)
        } catch {
            throw CommandFailure("cannot write \"\(path)\": \(error.reason)")
        }
    }
}

/// Restores the files of `chatelaine setup ssh`.
struct SSHKeyUndo {
    private let context: CommandContext

    init(_ context: CommandContext) { self.context = context }

    func run(dryRun: Bool) throws(CommandFailure) {
        let copies = SSHKeyCopies(context)
        let stored = try copies.all()
        guard !stored.isEmpty else { return try context.print("There is nothing to undo.\n") }
        if dryRun {
            for copy in stored { try context.print(visible("would restore \(copy.path)") + "\n") }
            return try context.print("Nothing was changed.\n")
        }
        for copy in stored {
            try restore(copy, copies)
            try context.print(visible("\(copy.path) was restored") + "\n")
        }
    }

    private func restore(_ copy: SSHKeyCopies.Copy, _ copies: SSHKeyCopies) throws(CommandFailure) {
        let contents = try context.keyItems { client throws(ClientError) in try client.secret(of: copy.item) }
        if try !isPresent(copy.path, contents) {
            do throws(StreamError) {
                let file = try context.files.createPrivate(copy.path, replacing: false)
                try file.write(contents.bytes)
                try file.commit()
            } catch {
                throw CommandFailure(
                    "cannot restore \"\(copy.path)\": \(error.reason)",
                    hint: "its contents are still in the keychain: chatelaine get \(shellWord(copy.service))")
            }
        }
        // The copy goes last, because --undo needs it until the file is on the disk.
        if let key = try context.ownSSHKeys().first(where: { $0.line == copy.line }) {
            try context.keyItems { client throws(ClientError) in try client.delete(key.item.query) }
        }
        try copies.remove(copy)
    }

    /// Whether the file exists with these contents.
    private func isPresent(_ path: String, _ contents: SecretBytes) throws(CommandFailure) -> Bool {
        do throws(StreamError) {
            guard try context.machine.facts(path) != nil else { return false }
            let now = try CommandInput(try context.files.read(path)).readAll(limit: contents.bytes.count + 1)
            if let now, now.secret().isSameEntry(as: contents) { return true }
            throw StreamError(reason: "another file has its name")
        } catch {
            throw CommandFailure(
                "cannot restore \"\(path)\": \(error.reason)", hint: "move it away, and run the command again")
        }
    }
}

/// The contents of files that `chatelaine setup ssh` removed, in the keychain.
struct SSHKeyCopies {
    struct Copy {
        let item: ListedItem
        let service: String
        var path: String { String(service.dropFirst(SSHKeyCopies.prefix.count)) }
        /// The public key.
        let line: String
    }

    fileprivate static let prefix = "ssh:"
    private let context: CommandContext

    init(_ context: CommandContext) { self.context = context }

    func all() throws(CommandFailure) -> [Copy] {
        try context.keyItems { client throws(ClientError) in
            try client.ownItems(try client.listItems(.generic))
        }.compactMap(Self.copy).sorted { $0.service < $1.service }
    }

    private static func copy(_ item: ListedItem) -> Copy? {
        guard let service = item.text(.service), service.hasPrefix(prefix + "/"), let line = item.text(.generic) else {
            return nil
        }
        return Copy(item: item, service: service, line: line)
    }

    /// Stores the contents of a file, and reads them back.
    func store(_ contents: SecretBytes, of file: ProgramFile, line: String) throws(CommandFailure) -> Copy {
        let service = Self.prefix + file.path
        let digest = StoredFiles.digest(contents.bytes).hexadecimal
        func find() throws(CommandFailure) -> Copy? {
            // The private one first.
            let found = try all().filter { $0.service == service && $0.item.text(.account) == digest }
            return found.first { $0.item.isPrivate } ?? found.first
        }
        // A stored copy of an interrupted run is used again. It is closed to programs, so it cannot be read here.
        if let copy = try find(), copy.item.isPrivate { return copy }
        let entries: [ItemAttributes.Entry] = [
            .init(.service, .string(service)), .init(.account, .string(digest)),
            .init(.label, .string("\(file.path), old contents")), .init(.generic, .data(Array(line.utf8))),
            .init(.comment, .string("The file before chatelaine setup ssh")),
            .init(.accessGroup, .string(CommandGroup.shared)),
        ]
        try context.keyItems { client throws(ClientError) in
            do throws(ClientError) {
                try client.add(try client.attributes(.generic, for: .add, entries), secret: contents)
            } catch {
                guard case .refused(let refusal) = error, refusal.status == .duplicateItem else { throw error }
            }
        }
        guard let copy = try find(),
            try context.keyItems({ client throws(ClientError) in try client.secret(of: copy.item) })
                .isSameEntry(as: contents)
        else {
            throw CommandFailure("the keychain did not return the stored contents of the file")
        }
        return copy
    }

    /// Makes a copy a private item: each use of it needs the user's approval.
    func close(_ copy: Copy) throws(CommandFailure) {
        guard !copy.item.isPrivate else { return }
        try context.keyItems { client throws(ClientError) in
            let changes = try client.attributes(
                .generic, for: .update, [.init(.accessGroup, .string(CommandGroup.privateItems))])
            try client.update(copy.item.query, changes: changes, secret: nil as [UInt8]?)
        }
    }

    func remove(_ copy: Copy) throws(CommandFailure) {
        try context.keyItems { client throws(ClientError) in try client.delete(copy.item.query) }
    }
}
