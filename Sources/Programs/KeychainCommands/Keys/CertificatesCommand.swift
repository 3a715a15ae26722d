// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainCertificates
internal import KeychainClient
internal import KeychainModel

struct CertificatesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificates",
        abstract: "Show and remove certificates.",
        discussion: """
            Shows the certificates of all programs of this user. The list includes data from inside a certificate, such as its \
            dates, only for certificates that belong to this command. `show` reads other certificates after your approval.

            EXAMPLES:
              chatelaine certificates
              chatelaine certificates show ann@example.com
              chatelaine certificates show 1a2b3c4d --pem
              chatelaine certificates remove 'Old Root'
            """,
        subcommands: [CertificatesListCommand.self, CertificatesShowCommand.self, CertificatesRemoveCommand.self],
        defaultSubcommand: CertificatesListCommand.self)
}

struct CertificatesListCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List certificates.",
        discussion: """
            Searches names and e-mail addresses for PATTERN and ignores case. A PATTERN with * or ? must match a whole name or \
            address.
            """)

    @Argument(help: "Show only matching certificates.")
    private var pattern: String?

    @Flag(help: "Print the certificates that belong to this command as PEM.")
    private var pem = false

    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        try unlocking.unlockIfWanted(in: context)
        var certificates = try context.keyItems { client throws(ClientError) in try client.listCertificates() }
        let withKeys = try context.certificatesWithKeys()
        if let pattern {
            let pattern = TextPattern(pattern)
            certificates = certificates.filter { $0.matches(pattern) }
        }
        certificates = certificates.ordered { [$0.name, $0.item.group] }
        if pem {
            try context.print(certificates.compactMap { $0.certificate?.pem }.joined())
        } else if output.json {
            let objects = certificates.map {
                JSONText.object($0.jsonMembers(context, hasKey: withKeys.contains($0.item.reference)))
            }
            try context.print(JSONText.array(objects).document())
        } else if !certificates.isEmpty {
            let names = ProgramNames(ofGroups: certificates.map(\.item.group), in: context)
            var table = TextTable(["NAME", "ISSUER", "VALID UNTIL", "KEY", "PROGRAM"])
            for certificate in certificates {
                table.append(
                    certificate.row(context)
                        + [
                            withKeys.contains(certificate.item.reference) ? "yes" : "",
                            names.name(ofGroup: certificate.item.group),
                        ])
            }
            try context.print(table.text(styled: context.outputIsStyled, shortened: context.outputIsTerminal))
        } else {
            context.tellEmpty(pattern == nil ? "There are no certificates." : "No certificate matches.")
        }
    }
}

struct CertificatesShowCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the contents of a certificate.")

    @Argument(help: "Name of the certificate or a part of it, or the beginning of a fingerprint.")
    private var name: String

    @Flag(help: "Print the certificate as PEM.")
    private var pem = false

    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        try unlocking.unlockIfWanted(in: context)
        let found = try context.certificate(named: name)
        let certificate = try context.opened(found)
        if pem { return try context.print(certificate.pem()) }
        let hasKey = try context.certificatesWithKeys().contains(certificate.item.reference)
        try output.print(
            certificate.jsonMembers(context, hasKey: hasKey), or: columns(certificate.summary(context, hasKey: hasKey)),
            in: context)
    }
}

struct CertificatesRemoveCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Delete a certificate.",
        discussion: """
            Keeps the private key of the certificate, if the keychain has it; `chatelaine identities remove` deletes both.
            """)

    @Argument(help: "Name of the certificate or a part of it, or the beginning of a fingerprint.")
    private var name: String

    @OptionGroup private var unlocking: UnlockOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        try unlocking.unlockIfWanted(in: context)
        let certificate = try context.certificate(named: name)
        try context.delete(certificate.item.query, named: certificate.name, group: certificate.item.group)
    }
}

extension ListedCertificate {
    /// Returns the first columns of a list.
    func row(_ context: CommandContext) -> [String] {
        let end = certificate.flatMap { context.localTime($0.validTo) }?.prefix(10)
        let note = validity(context)?.note.map { " (\($0))" } ?? ""
        return [name, issuer?.shortText ?? "", end.map { $0 + note } ?? ""]
    }

    func matches(_ pattern: TextPattern) -> Bool { ([name] + emailAddresses).contains(where: pattern.matches) }

    func pem() throws(CommandFailure) -> String {
        guard let certificate else {
            throw CommandFailure("the item \"\(name)\" does not contain a readable certificate")
        }
        return certificate.pem
    }

    /// The values that identify it in addition to its name: the fingerprints, and the hash of its key.
    var hashes: [[UInt8]?] {
        [certificate?.sha256Fingerprint, certificate?.sha1Fingerprint, item.bytes(.publicKeyHash)]
    }
}

extension CommandContext {
    /// Sends a request to the keychain, and converts its errors to readable failures.
    func keyItems<Result>(
        _ request: (KeychainClient) throws(ClientError) -> Result
    ) throws(CommandFailure) -> Result {
        do throws(ClientError) {
            return try request(client)
        } catch {
            throw CommandFailure(error, message: statusMessage)
        }
    }

    func certificatesWithKeys() throws(CommandFailure) -> Set<PersistentReference> {
        let identities = try keyItems { client throws(ClientError) in try client.listIdentities() }
        return Set(identities.map(\.certificate.item.reference))
    }

    fileprivate func certificate(named word: String) throws(CommandFailure) -> ListedCertificate {
        let certificates = try keyItems { client throws(ClientError) in try client.listCertificates() }
        return try KeyItemChoice(word).choose(certificates, kind: "certificate", name: \.name, hashes: \.hashes)
    }

    /// Returns the certificate with its bytes, regardless of its owner.
    func opened(_ found: ListedCertificate) throws(CommandFailure) -> ListedCertificate {
        guard found.certificate == nil else { return found }
        do throws(ClientError) {
            return ListedCertificate(item: found.item, certificate: try client.certificate(of: found.item))
        } catch {
            throw CommandFailure(error, group: found.item.group, message: statusMessage)
        }
    }

    func delete(_ query: ItemQuery, named name: String, group: String) throws(CommandFailure) {
        do throws(ClientError) {
            try client.delete(query)
        } catch {
            throw CommandFailure(error, group: group, message: statusMessage)
        }
        try print("Removed \"\(visible(name))\".\n")
    }
}
