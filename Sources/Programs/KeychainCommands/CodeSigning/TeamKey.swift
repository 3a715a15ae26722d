// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import KeychainClient
internal import KeychainCodeSigning
internal import KeychainModel
internal import SecretMemory

/// A key that signs programs, as the keychain stores it: a generic password of this command's own group. Its account is
/// the team identifier, its data the 32 bytes of the key.
struct TeamKey {
    let team: TeamIdentifier
    /// The label that its owner chose; may be empty.
    let label: String
    let item: ListedItem

    static let service = "chatelaine team key"
    static let labelByteLimit = 255

    private init?(_ item: ListedItem) {
        guard let team = TeamIdentifier(item.text(.account) ?? "") else { return nil }
        self.team = team
        label = item.text(.label) ?? ""
        self.item = item
    }

    /// Returns all team keys of the command, by identifier.
    static func all(in context: CommandContext) throws(CommandFailure) -> [TeamKey] {
        do {
            let items = try context.client.listItems(.generic, [.init(.service, .string(service))])
            return try context.client.ownItems(items).compactMap(TeamKey.init).ordered { [$0.team.text] }
        } catch {
            throw CommandFailure(error, message: context.statusMessage)
        }
    }

    /// Returns the key with this team identifier or this label.
    static func find(_ name: String, in context: CommandContext) throws(CommandFailure) -> TeamKey {
        let keys = try all(in: context)
        if let key = keys.first(where: { $0.team.text == name }) { return key }
        let labelled = keys.filter { $0.label.utf8.elementsEqual(name.utf8) }
        guard labelled.count < 2 else {
            throw CommandFailure(
                "several team keys have the label \"\(name)\"",
                hint: "use an identifier: " + labelled.map(\.team.text).joined(separator: ", "))
        }
        guard let key = labelled.first else {
            throw CommandFailure(
                "there is no team key \"\(name)\"",
                hint: keys.isEmpty
                    ? "`chatelaine team-key create` creates one" : "`chatelaine team-key list` shows the team keys",
                exitCode: .itemNotFound)
        }
        return key
    }

    /// Stores a key.
    static func store(
        _ seed: SecretBytes, label: String, in context: CommandContext
    ) throws(CommandFailure) -> (team: TeamIdentifier, isNew: Bool) {
        let team = try Self.team(of: seed)
        let name = label.isEmpty ? "team key \(team)" : label
        let result: AddOrUpdateResult
        do {
            result = try context.client.addOrUpdate(
                .generic, key: [.init(.service, .string(service)), .init(.account, .string(team.text))],
                new: [.init(.label, .string(name)), .init(.itemDescription, .string("team key"))],
                changes: label.isEmpty ? [] : [.init(.label, .string(label))], secret: seed)
        } catch {
            throw CommandFailure(error, message: context.statusMessage)
        }
        return (team, try result.isNew)
    }

    /// Returns the 32 bytes of the key.
    func seed(in context: CommandContext) throws(CommandFailure) -> SecretBytes {
        let seed: SecretBytes
        do {
            seed = try context.client.secret(of: item)
        } catch {
            throw CommandFailure(error, message: context.statusMessage)
        }
        guard seed.count == 32, try Self.team(of: seed) == team else {
            throw CommandFailure("the keychain item of the team key \(team) contains another key, or no key")
        }
        return seed
    }

    static func team(of seed: SecretBytes) throws(CommandFailure) -> TeamIdentifier {
        TeamIdentifier(publicKey: Array(try privateKey(seed).publicKey.rawRepresentation))
    }

    /// Returns the private key, for the time of a signature.
    static func privateKey(_ seed: SecretBytes) throws(CommandFailure) -> Curve25519.Signing.PrivateKey {
        var bytes = Array(seed.bytes)
        defer { wipe(&bytes) }
        do {
            return try Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
        } catch {
            throw CommandFailure("a team key has 32 bytes")
        }
    }
}
