// SPDX-License-Identifier: Apache-2.0

internal import SecretMemory

/// Passwords of git's file `.git-credentials`: one URL per line, `https://USER:PASSWORD@HOST/PATH`
/// (git-credential-store(1)).
enum GitCredentialLines {
    static func credentials(in source: SecretAccumulator) throws(TextProblem) -> [FoundCredential] {
        let bytes = source.bytes
        return TextLine.lines(of: bytes, from: try source.startOfText()).compactMap { credential($0, bytes) }
    }

    /// Returns the credential of a line. Lines that git cannot use have none.
    private static func credential(_ line: TextLine, _ bytes: [UInt8]) -> FoundCredential? {
        let text = bytes[line.text].trimmed
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), text[colon...].starts(with: "://".utf8) else {
            return nil
        }
        let authority = text[(colon + 3)...].prefix { $0 != UInt8(ascii: "/") }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")),
            let middle = authority[..<at].firstIndex(of: UInt8(ascii: ":")), middle + 1 < at
        else { return nil }
        // The rest of the line, without the password.
        let url = (text[..<middle] + text[at...]).asText
        let host = text[(at + 1)..<authority.endIndex].asText
        guard let secret = percentDecoded(bytes[(middle + 1)..<at]) else {
            return FoundCredential(
                line: line.number, title: "a password at \(host)",
                secret: SecretBytes(copying: bytes[(middle + 1)..<at]),
                place: .stays("git cannot decode its password"))
        }
        guard let parsed = try? WebAddress.parse(url), let user = parsed.user else {
            return FoundCredential(
                line: line.number, title: "a password at \(host)", secret: secret,
                place: .stays("its address is not an address that the keychain can store"))
        }
        return FoundCredential(
            line: line.number, title: "the password of \"\(user)\" at \(parsed.address.text)", secret: secret,
            place: .item(CredentialItem(parsed.address, account: user), cut: line.whole))
    }

    private static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> SecretBytes? {
        let decoded = SecretAccumulator()
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append([byte])
                continue
            }
            guard let high = rest.popFirst().flatMap(hexadecimalValue),
                let low = rest.popFirst().flatMap(hexadecimalValue)
            else { return nil }
            decoded.append([high << 4 | low])
        }
        return decoded.secret()
    }
}
