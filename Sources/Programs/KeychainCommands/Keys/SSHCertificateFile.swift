// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import SecretMemory

/// A file with a certificate for SSH, as ssh-keygen writes it (PROTOCOL.certkeys of OpenSSH).
enum SSHCertificateFile {
    private static let suffix = "-cert-v01@openssh.com"
    /// More than the file of any certificate that agents accept.
    private static let byteLimit = 256 << 10
    /// The number of certificates of users.
    private static let user: [UInt8] = [0, 0, 0, 1]

    /// Reads the certificate of a user's key. Its signature is verified by the agent and by each host.
    ///
    /// - Parameter line: the key as in a file of OpenSSH, without a comment.
    /// - Returns: the bytes of the certificate in base64.
    static func read(_ path: String, of line: String, in context: CommandContext) throws(CommandFailure) -> String {
        let text: String
        do throws(StreamError) {
            guard let all = try CommandInput(try context.files.read(path)).readAll(limit: byteLimit) else {
                throw StreamError(reason: "it has more than \(byteLimit) bytes")
            }
            text = String(decoding: all.bytes, as: UTF8.self)
        } catch {
            throw CommandFailure("cannot read \"\(path)\": \(error.reason)")
        }
        let words = text.split { $0 == " " || $0 == "\t" || $0.isNewline }
        let key = line.split(separator: " ")
        guard words.count >= 2, words[0].hasSuffix(suffix), let bytes = Data(base64Encoded: String(words[1])) else {
            throw CommandFailure(
                "\"\(path)\" contains no certificate for SSH",
                hint: "`ssh-keygen -s AUTHORITY -I NAME -n USER KEY.pub` makes one")
        }
        guard key.count == 2, words[0].dropLast(suffix.count) == key[0],
            let blob = Data(base64Encoded: String(key[1])), isOfUser(Array(bytes), of: Array(blob))
        else {
            throw CommandFailure(
                "the certificate in \"\(path)\" is of another key, or of a host",
                hint: "`ssh-keygen -L -f \(shellWord(path))` shows it")
        }
        return String(words[1])
    }

    /// Whether the fields after type and nonce are those of the key after its type, and the certificate is of a user.
    private static func isOfUser(_ certificate: [UInt8], of key: [UInt8]) -> Bool {
        guard let type = string(certificate[...]), let nonce = string(type.rest), let keyType = string(key[...]),
            nonce.rest.starts(with: keyType.rest)
        else { return false }
        // The serial number comes first.
        return nonce.rest.dropFirst(keyType.rest.count + 8).starts(with: user)
    }

    /// Reads a field with its length in front.
    private static func string(_ bytes: ArraySlice<UInt8>) -> (field: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
        guard bytes.count >= 4 else { return nil }
        let count = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count - 4 >= count else { return nil }
        return (bytes.dropFirst(4).prefix(count), bytes.dropFirst(4 + count))
    }
}
