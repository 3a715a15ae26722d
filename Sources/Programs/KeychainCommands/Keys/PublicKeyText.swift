// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Crypto
internal import CryptoExtras
internal import Foundation
internal import KeychainCertificates
internal import KeychainClient
internal import KeychainModel
internal import Security

/// Public keys as PEM: a SubjectPublicKeyInfo (RFC 5280, 4.1.2.7), as `openssl pkey -pubin` reads it.
enum PublicKeyText {
    static func pem(of key: ListedItem, in context: CommandContext) throws(CommandFailure) -> String {
        let (status, found) = context.client.asCurrent {
            CallsWithoutPointers.object(Data(key.reference.bytes) as CFData)
        }
        guard status == errSecSuccess else {
            // Apple's functions return only the number. No prompt was possible, so repeating the request shows none.
            guard status == errSecInteractionNotAllowed else { throw failure(status, key, context) }
            do throws(ClientError) {
                _ = try context.client.copyMatching(key.query, limit: .atMost(1), returning: .reference) { _ in }
            } catch {
                throw CommandFailure(error, group: key.group, message: context.statusMessage)
            }
            throw failure(status, key, context)
        }
        let bytes = context.client.asCurrent { () -> Data? in
            guard let key = found as? SecKey, let publicKey = SecKeyCopyPublicKey(key) else { return nil }
            return SecKeyCopyExternalRepresentation(publicKey, nil) as Data?
        }
        guard let bytes, let text = pem(bytes) else {
            throw CommandFailure(
                "cannot print the public key of \"\(key.keyName)\": the item has none, or its type is not supported")
        }
        return text
    }

    private static func failure(_ status: OSStatus, _ key: ListedItem, _ context: CommandContext) -> CommandFailure {
        CommandFailure(
            .refused(Refusal(StatusCode(rawValue: status), .none)), group: key.group, message: context.statusMessage)
    }

    /// Returns PEM for the forms of `SecKeyCopyExternalRepresentation`: points of a curve, 32 bytes on Curve25519,
    /// PKCS#1.
    private static func pem(_ bytes: Data) -> String? {
        let text: String? =
            switch bytes.count {
            case 65: (try? P256.Signing.PublicKey(x963Representation: bytes))?.pemRepresentation
            case 97: (try? P384.Signing.PublicKey(x963Representation: bytes))?.pemRepresentation
            case 133: (try? P521.Signing.PublicKey(x963Representation: bytes))?.pemRepresentation
            default: (try? _RSA.Signing.PublicKey(derRepresentation: bytes))?.pemRepresentation
            }
        return text.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }
    }
}
