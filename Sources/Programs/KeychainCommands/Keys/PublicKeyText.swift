// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainClient
internal import KeychainModel
internal import KeychainTransfer
internal import SecurityValues

/// Public keys as PEM: a SubjectPublicKeyInfo (RFC 5280, 4.1.2.7), as `openssl pkey -pubin` reads it.
enum PublicKeyText {
    static func pem(of key: ListedItem, in context: CommandContext) throws(CommandFailure) -> String {
        let found: [ReturnedItem<Data>]
        do throws(ClientError) {
            // For a key that the service holds, the data is the public half.
            found = try context.client.copyMatching(key.query, limit: .one, returning: [.reference, .attributes]) {
                Data($0)
            }
        } catch {
            throw CommandFailure(error, group: key.group, message: context.statusMessage)
        }
        guard let stored = found.first.flatMap({ StoredKey($0) }) else {
            throw CommandFailure(
                "cannot print the public key of \"\(key.keyName)\": the item has none, or its type is not supported")
        }
        return KeyFile.openSSL(stored.material.publicKey).text
    }
}
